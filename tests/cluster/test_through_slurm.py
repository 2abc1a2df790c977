"""The workflow through Slurm: the demonstration, one GPU for one job, failures that stay alone."""

from __future__ import annotations

import re
import subprocess
from collections import Counter

import yaml

from cluster.submitting import GENERATIONS, asking_config, field, handed_over, queued, submit
from conftest import REPOSITORY, shorten
from demonstrated import check_demonstration
from workflow.running import records


def test_the_demonstration_goes_through_slurm(slurm, profile, tmp_path):
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(REPOSITORY), str(clone)], check=True)
    # The whole of it with shorter replies: how long a model writes is nothing to a cluster.
    config = yaml.safe_load((clone / "config/config.yaml").read_text(encoding="utf-8"))
    shorten(config["benchmarks"])
    for model in config["models"].values():
        model["cpus"] = 1
    (clone / "shorter.yaml").write_text(yaml.safe_dump(config, allow_unicode=True))
    flags = ("--configfile", "shorter.yaml")
    run = handed_over(clone, profile, flags)
    assert run.ended(2400) == 0, run.text()[-5000:]
    states = {job: field(job, "JobState") for job in run.jobs()}
    assert set(states.values()) == {"COMPLETED"} and len(states) > 40
    assert not queued()
    check_demonstration(clone)

    rules = Counter(re.findall(r"^(?:local)?rule (\w+):$", run.text(), re.MULTILINE))
    asking = ("generate", "judge", "translate_mathmist", "translate_mmath", "perturb",
              "propose_distractors")  # fmt: skip
    submitted = Counter(re.findall(r"slurm_logs/rule_(\w+)/", run.text()))
    assert {one: submitted[one] for one in asking} == {one: rules[one] for one in asking}
    assert not submitted["table"] and rules["table"] == len(
        list(clone.glob("results/tables/*/*.csv"))
    )
    again = handed_over(clone, profile, flags)
    assert again.ended() == 0 and "Nothing to be done" in again.text()


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
