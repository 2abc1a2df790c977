"""Say what a run would hand to Slurm: `make plan-cluster CONFIG=config/paper.yaml`.

The jobs come from a dry run under the profile, and their options from Snakemake's own Slurm plugin:
one line for all jobs of a rule that are submitted alike. Local rules are counted at the end.
"""

import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

from snakemake_executor_plugin_slurm.submit_string import get_submit_command
from snakemake_executor_plugin_slurm.utils import set_gres_string

FIELD = re.compile(r"^    (resources|threads|output|wildcards): (.*)$", re.MULTILINE)
WHOLE = {"run_uuid": "", "slurm_logfile": "", "comment_str": "", "workdir": ""}
SHOWN = ("--account", "--partition", "--gpus", "--cpus-per-task", "--mem", "--time")
NAMES = {"-A": "--account", "-p": "--partition", "-t": "--time"}


RULES = Path(__file__).resolve().parent.parent / "rules" / "resources.smk"
LOCAL = re.compile(r"^localrules:\n((?:    \w+,\n)+)", re.MULTILINE)


class Resources(dict):
    """A job's resources as the plugin takes them: by key and by attribute."""

    __getattr__ = dict.__getitem__


def main(profile: str, configs: list[str]) -> None:
    plan = subprocess.run(
        # A dry run cuts threads to its cores, a submission does not.
        [sys.executable, "-m", "snakemake", "-n", "--nolock", "--cores", "9999",
         "--workflow-profile", profile, "--configfile", *configs],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    if plan.returncode:
        sys.exit(plan.stdout[-3000:])
    jobs = re.split(r"^\[.*\]\n(?=rule )", plan.stdout, flags=re.MULTILINE)[1:]
    local = {"all", *re.findall(r"\w+", LOCAL.search(RULES.read_text(encoding="utf-8"))[1])}
    queued = [one for one in jobs if rule_of(one) not in local]
    print("\t".join(("jobs", "rule", "model", *SHOWN)))
    for row, count in sorted(Counter(map(row_of, queued)).items(), key=lambda one: one[0]):
        print("\t".join((str(count), *row)))
    print(f"{len(jobs) - len(queued) - 1}\t(beside snakemake)")


def rule_of(job: str) -> str:
    """The rule of a job of the dry run."""
    return job.split(":", 1)[0].removeprefix("rule ")


def row_of(job: str) -> tuple[str, ...]:
    """Rule, model and the options by which a job of the dry run would be submitted."""
    fields = dict(FIELD.findall(job))
    held = resources_of(fields["resources"])
    options = submitted(held, int(fields.get("threads", 1)))
    wildcards = dict(one.split("=", 1) for one in fields.get("wildcards", "").split(", ") if one)
    asks = held.keys() & {"gpu", "api", "llamacpp"}
    asked = wildcards.get("judge", wildcards.get("model", "")) if asks else ""
    return rule_of(job), asked, *(options.get(one, "") for one in SHOWN)


def resources_of(text: str) -> Resources:
    """A dry run's line of resources."""
    pairs = (one.split("=", 1) for one in text.split(", "))
    return Resources({key: int(value) if value.isdigit() else value for key, value in pairs})


def submitted(held: Resources, threads: int) -> dict[str, str]:
    """The options of sbatch, by name."""
    job = SimpleNamespace(resources=held, threads=threads)
    place = {
        "account": f"-A {shlex.quote(str(held.get('slurm_account', '')))}",
        "partition": f"-p {shlex.quote(str(held.get('slurm_partition', '')))}",
    }
    words = shlex.split(get_submit_command(job, WHOLE | place) + set_gres_string(job))
    found = {}
    for at, word in enumerate(words):
        name, _, value = word.partition("=")
        found[NAMES.get(name, name)] = value or " ".join(words[at + 1 : at + 2])
    return found


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
