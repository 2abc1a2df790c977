"""Jobs that Slurm ends, and a snakemake that ends before its jobs: nothing is asked twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from cluster.local_slurm import said
from cluster.submitting import (
    GENERATIONS,
    Submitted,
    answered,
    asking_config,
    field,
    lines_of,
    queued,
    submit,
    wait_for,
)
from workflow.running import records

TARGET = f"{GENERATIONS}/one.jsonl"
QUESTIONS = 12


def started(folder: Path, profile: Path) -> tuple[Submitted, str, int]:
    """A run whose model has answered two questions more than before, its Slurm job, and the process
    that asks the model, which is stopped there."""
    before = answered(folder)
    folder.mkdir(exist_ok=True)
    run = submit(folder, asking_config("one"), profile, TARGET)
    wait_for(lambda: answered(folder) >= before + 2, run)
    job = run.jobs()[-1]
    process = script_of(job)
    os.kill(process, signal.SIGSTOP)
    return run, job, process


def script_of(job: str) -> int:
    """The process of a Slurm job that runs generate.py."""
    found = []
    for one in Path("/proc").glob("[0-9]*"):
        try:
            call = (one / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
            mine = f"SLURM_JOB_ID={job}\0".encode() in (one / "environ").read_bytes()
        except OSError:  # it has ended
            continue
        if mine and len(call) == 2 and call[1].endswith(b"generate.py"):
            found.append(int(one.name))
    (process,) = found
    return process


def check_end(folder: Path, run: Submitted) -> None:
    """The run ends well, and every question was answered once."""
    assert run.ended() == 0, run.text()[-4000:]
    assert len(records(folder / TARGET)) == QUESTIONS
    responses = lines_of(folder, "response")
    assert len(responses) == QUESTIONS and set(responses.values()) == {1}
    assert queued() == []


def end_by_time_limit(job: str, process: int) -> None:
    said("scontrol", "update", f"JobId={job}", "EndTime=now")


def kill_by_slurm(job: str, process: int) -> None:
    said("scancel", "--signal=KILL", job)


def kill_the_script(job: str, process: int) -> None:
    os.kill(process, signal.SIGKILL)


ENDS: dict[Callable[[str, int], None], str] = {
    end_by_time_limit: "TIMEOUT",
    kill_by_slurm: "CANCELLED",
    kill_the_script: "FAILED",
}


def test_a_job_that_slurm_ends_goes_on_where_it_was(slurm, profile, tmp_path):
    folder = tmp_path / "run"
    for end, state in ENDS.items():
        run, job, process = started(folder, profile)
        kept = lines_of(folder, "response")
        end(job, process)
        assert run.ended() == 1, run.text()[-4000:]
        assert field(job, "JobState") == state
        assert f"'{job}' failed" in run.text()
        assert not (folder / TARGET).exists()
        assert lines_of(folder, "response") == kept
    asked = lines_of(folder, "asked")
    assert len(kept) < QUESTIONS
    check_end(folder, submit(folder, asking_config("one"), profile, TARGET))
    after = lines_of(folder, "asked")
    assert all(after[key] == asked[key] for key in kept), "a journalled response was asked again"


def test_an_interrupted_run_cancels_its_jobs_and_a_terminated_one_lets_them_end(
    slurm, profile, tmp_path
):
    folder = tmp_path / "run"
    run, job, _ = started(folder, profile)
    run.process.send_signal(signal.SIGINT)
    assert run.ended() != 0
    wait_for(lambda: field(job, "JobState") == "CANCELLED")
    wait_for(lambda: queued() == [])

    run, job, process = started(folder, profile)
    run.process.send_signal(signal.SIGTERM)
    wait_for(lambda: "Will exit after finishing currently running jobs" in run.text(), run)
    assert run.process.poll() is None and queued("R") == [job]
    os.kill(process, signal.SIGCONT)
    run.ended()
    assert field(job, "JobState") == "COMPLETED"
    check_end(folder, submit(folder, asking_config("one"), profile, TARGET))


def test_jobs_of_a_killed_run_are_cancelled_by_its_name(slurm, profile, tmp_path):
    folder = tmp_path / "run"
    run, job, _ = started(folder, profile)
    run.process.kill()
    run.ended()
    assert queued("R") == [job], "Slurm goes on without snakemake"
    said("scancel", "--me", "--name", run.run_name())
    wait_for(lambda: queued() == [])
    check_end(folder, submit(folder, asking_config("one"), profile, TARGET))


def test_a_run_beside_jobs_of_a_killed_one_waits_for_them(slurm, profile, tmp_path):
    folder = tmp_path / "run"
    run, job, process = started(folder, profile)
    run.process.kill()
    run.ended()
    again = submit(folder, asking_config("one"), profile, TARGET)
    wait_for(lambda: "waiting: another process is writing" in printed(folder), again)
    assert queued("R") == [job, again.jobs()[-1]]
    os.kill(process, signal.SIGCONT)
    check_end(folder, again)
    assert field(job, "JobState") == "COMPLETED"
    assert field(again.jobs()[-1], "JobState") == "COMPLETED"
    asked = lines_of(folder, "asked")
    assert len(asked) == QUESTIONS and set(asked.values()) == {1}


def printed(folder: Path) -> str:
    """All that jobs have printed and logged."""
    logs = [*folder.glob("logs/**/*.log"), *folder.glob(".snakemake/slurm_logs/**/*.log")]
    return "".join(path.read_text(encoding="utf-8", errors="replace") for path in logs)
