"""The workflow goes through Slurm: every table, one GPU for one job, failures that stay alone."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from cluster.submitting import GENERATIONS, asking_config, field, queued, submit
from conftest import tiny_config
from workflow.finished import finished_config, finished_run, start
from workflow.running import planned, records

# Settings that have no rule of their own.
ALIKE = ("cot", "cs-bn-en", "cs-bn-bn", "cs-en-en", "cs-en-bn", "cross-lingual")


def test_every_rule_of_the_demonstration_goes_through_slurm(slurm, profile, tmp_path):
    folder, config = tmp_path / "run", finished_config()
    settings = config["benchmarks"]["mathmist"]["settings"]
    for name in ALIKE:
        del settings[name]
    for model in config["models"].values():
        model["cpus"] = 1
    folder.mkdir()
    start(folder)
    run = submit(folder, config, profile)
    assert run.ended(1800) == 0, run.text()[-5000:]
    assert {field(job, "JobState") for job in run.jobs()} == {"COMPLETED"}
    assert f"{len(run.jobs()) + 1} of {len(run.jobs()) + 1} steps (100%) done" in run.text()
    assert not queued()

    ran = Counter(re.findall(r"^rule (\w+):$", run.text(), re.MULTILINE))
    assert set(ran) == set(planned(tmp_path / "plan", tiny_config())), "a rule is left out"
    assert len(list(folder.glob("results/tables/*/*.csv"))) == ran["table"]
    # The same questions were answered and scored as on one machine. Their texts may differ: with
    # another number of threads the model's near ties fall otherwise.
    alone = finished_run()
    same = [
        path.relative_to(alone)
        for kind in ("problems", "choices", "perturbed", "generations", "verdicts", "languages")
        for path in sorted(alone.glob(f"results/*/{kind}/**/*.jsonl"))
        if not any(f"/{name}/" in path.as_posix() for name in ALIKE)
    ]
    assert len(same) > 15
    for path in same:
        assert identities(folder / path) == identities(alone / path), path


def identities(path: Path) -> list[tuple[object, ...]]:
    """Which problem, language and sample each record of a file is about, in their order."""
    return [(one["id"], one.get("lang"), one.get("sample")) for one in records(path)]


def test_jobs_share_no_gpu_and_a_failed_one_stops_no_other(slurm, profile, tmp_path):
    folder, config = tmp_path / "run", asking_config("one", "two", "broken")
    folder.mkdir()
    for name in ("one", "two"):
        config["models"][name]["gpus"] = 1
    (folder / "broken.gguf").write_bytes(b"GGUF, and no weights after it" * 100)
    config["models"]["broken"]["weights"] = str(folder / "broken.gguf")
    run = submit(
        folder, config, profile, *(f"{GENERATIONS}/{name}.jsonl" for name in config["models"])
    )
    assert run.ended() == 1, run.text()[-4000:]

    assert not (folder / GENERATIONS / "broken.jsonl").exists()
    for name in ("one", "two"):
        assert len(records(folder / GENERATIONS / f"{name}.jsonl")) == 12
    jobs = {field(job, "Comment").rsplit("_", 1)[-1]: job for job in run.jobs()}
    states = {name: field(jobs[name], "JobState") for name in ("one", "two", "broken")}
    assert states == {"one": "COMPLETED", "two": "COMPLETED", "broken": "FAILED"}
    assert {name: field(jobs[name], "Partition") for name in states} == {
        "one": "gpu", "two": "gpu", "broken": "cpu"}  # fmt: skip
    assert {name: slurm.devices(jobs[name]) for name in states} == {
        "one": {"0"}, "two": {"0"}, "broken": {"none"}}  # fmt: skip

    first, second = sorted((jobs["one"], jobs["two"]), key=lambda job: field(job, "StartTime"))
    assert field(second, "SubmitTime") < field(first, "EndTime"), "both were there together"
    assert field(first, "EndTime") <= field(second, "StartTime"), "they held the one GPU together"
