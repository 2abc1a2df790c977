"""What can be planned without running anything, and what the repository says of itself."""

from __future__ import annotations

import json
import re
import subprocess
import sys

from workflow.running import REPOSITORY, environment


def snakemake(*flags: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--nolock", *flags],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment() | variables,
    )
    assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


def test_the_paper_scale_plans_under_a_thousand_jobs(tmp_path):
    plan = snakemake("-n", "--configfile", "config/paper.yaml", "--quiet", "rules")
    (total,) = set(re.findall(r"^total +(\d+)$", plan, re.MULTILINE))
    assert 200 < int(total) < 1000
    for rule in ("fetch_release", "translate_mmath", "judge", "identify_languages", "perturb"):
        assert re.search(rf"^{rule} +\d+$", plan, re.MULTILINE)


def test_rules_that_ask_a_vllm_model_take_its_resources(tmp_path):
    cluster = tmp_path / "cluster.yaml"
    cluster.write_text("models: {deepseek-r1: {gpu_model: h200}}\n")
    plan = snakemake("-n", "--configfile", "config/paper.yaml", str(cluster))
    jobs = re.split(r"\n(?=(?:local)?rule )", plan)
    (job,) = [one for one in jobs if "native/deepseek-r1.jsonl" in one and "rule generate" in one]
    (given,) = re.findall(r"^    resources: (.*)$", job, re.MULTILINE)
    assert {"gpu=8", "gpu_model=h200", "mem_mb=512000", "runtime=5760"} <= set(given.split(", "))


def of_stages(expression):
    """What an expression gives in the script that tells the stages."""
    return json.loads(
        subprocess.run(
            [sys.executable, "-c", f"import json, stages; print(json.dumps({expression}))"],
            cwd=REPOSITORY / "scripts",
            capture_output=True,
            text=True,
            check=True,
            env=environment(),
        ).stdout
    )


def test_the_overview_shows_the_present_stages():
    drawn = json.loads((REPOSITORY / "resources" / "stages.json").read_text(encoding="utf-8"))
    assert of_stages("stages.stages()") == drawn, "run `make overview`"
    assert (REPOSITORY / "resources" / "overview.png").is_file()


def test_the_overview_leaves_out_no_rules_but_helpers():
    """A file of rules that is not drawn would not be missed by the stages' own list."""
    held = sorted(
        one.stem
        for one in (REPOSITORY / "rules").glob("*.smk")
        if re.search(r"^ +script:", one.read_text(encoding="utf-8"), re.MULTILINE)
    )
    assert of_stages("sorted(stages.GROUPS)") == held
