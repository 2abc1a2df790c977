"""The run's own record, and the page that collects its tables.

Needs: every table and figure.
Gives: results/README.md; results/run/ with the resolved configuration, the versions of all
packages, the hashes of the inputs, and the ledger of requests and tokens.
"""

from babelmath.prices import prices
from babelmath.spending import services
from babelmath.versions import versions

RECORD = [
    *EXPLORER,
    f"{R}/README.md",
    f"{R}/run/inputs.json",
    f"{R}/run/config.yaml",
    f"{R}/run/versions.csv",
    f"{R}/run/ledger.csv",
]


rule results_page:
    """Collect the tables and figures on one page."""
    input:
        tables=[one for one in TABLES if one.endswith(".md")],
        figures=[one for one in FIGURES if one.endswith(".png")],
        ledger=f"{R}/run/ledger.csv",
    output:
        f"{R}/README.md",
    log:
        "logs/results_page.log",
    conda:
        "../envs/tables.yaml"
    params:
        statement=CONFIG.statement,
        captions={
            f"{R}/figures/{paper}/{name}.png": table_caption(one)
            for (paper, name), one in FIGURE_ITEMS.items()
        },
        code=code("results_page"),
    script:
        "../scripts/results_page.py"


rule record_inputs:
    """Record the hashes of all raw files: problems, and released records where they are read."""
    input:
        [one for name in BENCHMARKS for one in raw_inputs(name)],
        release_files(*RECORDS) if released_settings() else [],
    output:
        f"{R}/run/inputs.json",
    log:
        "logs/record_inputs.log",
    conda:
        "../envs/scoring.yaml"
    params:
        raw={name: raw_files(name) for name in BENCHMARKS},
        folder=lambda w: raw_folder("mathmist") if released_settings() else None,
        records=RECORDS,
        code=code("record_inputs"),
    script:
        "../scripts/record_inputs.py"


rule record_environment:
    """Record what is installed in {wildcards.environment}, one of a run's own environments."""
    output:
        f"{R}/run/environments/{{environment}}.csv",
    log:
        "logs/record_environment/{environment}.log",
    wildcard_constraints:
        environment=one_of(environments()),
    conda:
        lambda w: f"../envs/{w.environment}.yaml"
    params:
        code=code("record_environment"),
    script:
        "../scripts/record_environment.py"


rule record_run:
    """Record the resolved configuration and the versions of Python and all packages."""
    input:
        # With --sdm conda: what the jobs ran with. Without, all runs where Snakemake does.
        expand(f"{R}/run/environments/{{environment}}.csv", environment=environments())
        if own_environments()
        else [],
    output:
        config=report(
            f"{R}/run/config.yaml",
            caption="../resources/report/run.rst",
            category="Run",
            labels={"what": "Resolved configuration", "as": "YAML"},
        ),
        versions=report(
            f"{R}/run/versions.csv",
            caption="../resources/report/run.rst",
            category="Run",
            labels={"what": "Versions of all packages", "as": "CSV"},
        ),
    log:
        "logs/record_run.log",
    conda:
        "../envs/scoring.yaml"
    params:
        config=CONFIG.model_dump(mode="json"),
        versions=versions(),
        code=code("record_run"),
    script:
        "../scripts/record_run.py"


rule write_ledger:
    """Add up requests, tokens, failures and costs of the run's models from the journal."""
    input:
        TABLES,
        [one for one in FIGURES if Path(one).stem != "overview"],
        VERDICTS,
        LABELS,
    output:
        report(
            f"{R}/run/ledger.csv",
            caption="../resources/report/run.rst",
            category="Run",
            labels={"what": "Requests, tokens and costs", "as": "CSV"},
        ),
    log:
        "logs/write_ledger.log",
    conda:
        "../envs/tables.yaml"
    params:
        journal=CONFIG.paths.journal,
        models=list(CONFIG.models),
        budget=CONFIG.token_budget,
        prices={name: tuple(rate) for name, rate in prices(CONFIG).items()},
        services=services(CONFIG),
        most_cost=CONFIG.most_cost,
        code=code("write_ledger"),
    script:
        "../scripts/write_ledger.py"
