"""What a paper-scale run would hand to Slurm, before anything is handed over."""

from __future__ import annotations

import csv
import io
import subprocess
from collections import Counter

import pytest

from babelmath.checks import used_models
from babelmath.confload import read_config
from cluster.submitting import SNAKEMAKE
from workflow.running import REPOSITORY, environment

HEAD = ("--partition", "--gpus", "--cpus-per-task", "--mem", "--time")


def planned(profile, *configs):
    python = SNAKEMAKE.with_name("python")
    return subprocess.run(
        [python, "scripts/plan_cluster.py", str(profile), *map(str, configs)],
        cwd=REPOSITORY, env=environment(), capture_output=True, text=True,
    )  # fmt: skip


def a_profile(folder, **lines):
    """The shipped profile with some of its lines edited, as docs/cluster.md tells."""
    text = (REPOSITORY / "profiles/slurm/config.yaml").read_text(encoding="utf-8")
    for before, after in lines.values():
        assert text.count(before) == 1
        text = text.replace(before, after)
    (folder / "mine").mkdir()
    (folder / "mine/config.yaml").write_text(text, encoding="utf-8")
    return folder / "mine"


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """The plan of config/paper.yaml, one model of which names its GPU."""
    folder = tmp_path_factory.mktemp("plan")
    profile = a_profile(
        folder,
        account=('slurm_account: "account"', 'slurm_account: "maths"'),
        gpu=('gpu_partition: "gpu"', 'gpu_partition: "h100"'),
        api=('api_partition: "cpu"', 'api_partition: "login"'),
        kind=('gpu_kind: ""', 'gpu_kind: "h100"'),
    )
    cluster = folder / "cluster.yaml"
    cluster.write_text("models: {deepseek-r1: {gpu_model: h200, cpus: 40}}\n")
    done = planned(profile, "config/paper.yaml", cluster)
    assert done.returncode == 0, done.stderr[-3000:]
    *lines, last = done.stdout.splitlines()
    assert last.endswith("(beside snakemake)")
    return list(csv.DictReader(io.StringIO("\n".join(lines)), delimiter="\t"))


def test_every_vllm_job_asks_what_its_model_needs(rows):
    config = read_config(REPOSITORY / "config/paper.yaml")
    wanted = {}
    for name in used_models(config):
        one = config.models[name]
        if one.engine == "vllm":
            kind, cpus = ("h200", 40) if name == "deepseek-r1" else ("h100", 4 * one.gpus)
            wanted[name] = f"h100 {kind}:{one.gpus} {cpus} {one.memory_mb} {one.runtime_min}"
    assert len(wanted) >= 10
    asked = {row["model"]: " ".join(row[name] for name in HEAD) for row in rows if row["--gpus"]}
    assert asked == wanted
    jobs = Counter()
    for row in rows:
        jobs[row["model"]] += int(row["jobs"]) if row["rule"] == "generate" else 0
    for name in wanted:
        settings = [one for benchmark in (config.benchmarks.mathmist, config.benchmarks.mmath)
                    for one in benchmark.settings.values() if name in one.models]  # fmt: skip
        assert jobs[name] == len(settings)


def test_no_other_job_asks_a_gpu(rows):
    others = [row for row in rows if not row["--gpus"]]
    assert {row["--partition"] for row in others} == {"cpu", "login"}
    services = {row["rule"] for row in others if row["--partition"] == "login"}
    assert services == {"generate", "judge", "translate_mathmist", "translate_mmath", "perturb",
                        "propose_distractors"}  # fmt: skip
    assert all(row["--mem"] and row["--time"] and row["--account"] == "maths" for row in rows)


def test_a_model_that_needs_more_gpus_than_the_profile_allows_is_refused(tmp_path):
    done = planned(a_profile(tmp_path, gpus=("- gpu=8", "- gpu=4")), "config/paper.yaml")
    assert done.returncode != 0
    assert "models.deepseek-r1.gpus: a job takes 8 GPUs, and no more than 4" in done.stderr


def test_the_five_lines_to_edit_are_marked():
    for name in ("slurm", "kubernetes"):
        text = (REPOSITORY / f"profiles/{name}/config.yaml").read_text(encoding="utf-8")
        assert [text.count(f"EDIT {at}:") for at in range(1, 7)] == [1, 1, 1, 1, 1, 0]
