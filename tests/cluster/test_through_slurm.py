"""The workflow goes through Slurm: every table, one GPU for one job, failures that stay alone."""

from __future__ import annotations

from cluster.submitting import GENERATIONS, asking_config, field, queued, submit
from workflow.finished import finished_config, finished_run, start
from workflow.running import records


def test_a_whole_run_through_slurm_makes_the_tables_of_a_run_without(slurm, profile, tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    start(folder)
    config = finished_config()
    for model in config["models"].values():
        model["cpus"] = 1
    run = submit(folder, config, profile)
    assert run.ended(1800) == 0, run.text()[-5000:]
    alone = finished_run() / "results"
    tables = [path.relative_to(alone) for path in (alone / "tables").rglob("*.csv")]
    assert len(tables) > 20
    for path in tables:
        assert (folder / "results" / path).read_bytes() == (alone / path).read_bytes(), path
    assert not queued()


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
