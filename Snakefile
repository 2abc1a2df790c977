"""BabelMath: two multilingual mathematics benchmarks, rebuilt, run, judged, and tabulated.

Needs: a configuration (config/config.yaml where none is given). Gives: every table and figure of
the configured settings, results/README.md, and the run's own record under results/run/.
"""

import sys
from pathlib import Path

HOME = Path(workflow.basedir)
sys.path.insert(0, str(HOME / "scripts"))

from snakemake.exceptions import WorkflowError

from babelmath.checks import check_plan
from babelmath.confload import load_config
from babelmath.errors import InputError
from babelmath.spending import announce

if not workflow.overwrite_configfiles:

    configfile: "config/config.yaml"


try:
    CONFIG = load_config(config, [Path(one) for one in workflow.configfiles])
    LANGUAGES = check_plan(CONFIG)
except InputError as error:
    raise WorkflowError(str(error)) from None
announce(CONFIG)


include: "rules/common.smk"
include: "rules/inputs.smk"
include: "rules/resources.smk"
include: "rules/lifecycle.smk"
include: "rules/records.smk"
include: "rules/sources.smk"
include: "rules/translation.smk"
include: "rules/released.smk"
include: "rules/choices.smk"
include: "rules/perturbation.smk"
include: "rules/generation.smk"
include: "rules/verdicts.smk"
include: "rules/identification.smk"
include: "rules/tables.smk"
include: "rules/figures.smk"
include: "rules/audit.smk"
include: "rules/explorer.smk"
include: "rules/run.smk"


distrust_unrecorded()


onstart:
    # Not a rule: whatever came after one by ancient() would miss its own reasons to run again.
    if workflow.is_main_process:
        begin_run()


onsuccess:
    end_run()


onerror:
    end_run()


rule all:
    """Everything: tables, figures, the audit, the pages to read them, the run's own record."""
    default_target: True
    input:
        PROBLEMS,
        TABLES,
        FIGURES,
        VERDICTS + LABELS,
        AUDIT + RECORD,
