"""Running the workflow through Slurm, and looking at its jobs there."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cluster.local_slurm import said
from conftest import REPOSITORY, tiny_config
from workflow.running import command, environment, journal

SNAKEMAKE = REPOSITORY / ".venv-slurm" / "bin" / "snakemake"

# Every snakemake that a test started: one that fails must not leave it behind.
STARTED: list[subprocess.Popen[bytes]] = []


@dataclass
class Submitted:
    """A snakemake that hands its jobs to Slurm, and what it has printed so far."""

    process: subprocess.Popen[bytes]
    log: Path

    def text(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def ended(self, seconds: float = 900) -> int:
        """Wait for the end; the exit status."""
        return self.process.wait(seconds)

    def run_name(self) -> str:
        """The name of all its Slurm jobs."""
        found = re.search(r"SLURM run ID: (\S+)", self.text())
        assert found, self.text()[-3000:]
        return found.group(1)

    def jobs(self) -> list[str]:
        """Ids of the Slurm jobs it has submitted."""
        return re.findall(r"submitted with SLURM jobid (\d+)", self.text())


def submit(
    folder: Path, config: dict[str, Any], profile: Path, *targets: str, flags: tuple[str, ...] = ()
) -> Submitted:
    """Start a run in a folder."""
    whole = command(folder, config)
    whole = whole[3 : whole.index("--cores")]
    return handed_over(folder, profile, (*targets, *whole, *flags))


def handed_over(folder: Path, profile: Path, flags: Sequence[str]) -> Submitted:
    """Start snakemake in a folder, with a profile and whatever else."""
    call = [str(SNAKEMAKE), *flags, "--workflow-profile", str(profile)]
    number = len(list(folder.glob("run-*.log")))
    log = folder / f"run-{number}.log"
    with open(log, "wb") as out:
        process = subprocess.Popen(
            call, stdin=subprocess.DEVNULL, stdout=out, stderr=out, cwd=folder, env=environment(),
            # Whoever runs the tests in the background may have them ignore Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )  # fmt: skip
    STARTED.append(process)
    return Submitted(process, log)


def queued(*states: str) -> list[str]:
    """Ids of jobs that are in the queue, waiting, running or ending."""
    return said("squeue", "-h", "-o", "%i", "-t", ",".join(states or ("PD", "R", "CG"))).split()


def field(job: str, name: str) -> str:
    """A field of a job as `scontrol show job` prints it."""
    found = re.search(rf"\b{name}=(\S+)", said("scontrol", "show", "job", job))
    assert found, f"job {job} has no {name}"
    return found.group(1)


def wait_for(true: Callable[[], Any], run: Submitted | None = None, seconds: float = 600) -> Any:
    """Wait until something is true; it is an error when the run ends before that."""
    end = time.monotonic() + seconds
    while not (value := true()):
        over = run is not None and run.process.poll() is not None
        if over and not (value := true()):
            raise AssertionError(f"the run ended first:\n{run.text()[-4000:]}")  # type: ignore[union-attr]
        if over:
            break
        assert time.monotonic() < end, run.text()[-4000:] if run else "waited in vain"
        time.sleep(0.05)
    return value


def answered(folder: Path) -> int:
    """Responses in all journals."""
    return sum(
        path.read_bytes().count(b'{"kind": "response"')
        for path in (folder / "journal").glob("*/*.jsonl")
    )


def lines_of(folder: Path, kind: str) -> Counter[str]:
    """How often each request has a line of a kind in the journals."""
    return Counter(line["key"] for line in journal(folder) if line["kind"] == kind)


GENERATIONS = "results/mathmist/generations/zero-shot"


def asking_config(*models: str) -> dict[str, Any]:
    """One setting that asks these models, copies of the embedded one, twelve questions each."""
    config = tiny_config()
    mathmist = config["benchmarks"]["mathmist"]
    for section in ("translation", "choices", "perturbation"):
        del mathmist[section]
    setting = mathmist["settings"]["zero-shot"]
    setting.update(models=list(models), scorers=["rules-paper"])
    setting["sampling"]["max_tokens"] = 24
    mathmist.update(
        languages=["bn", "en"],
        subset={"numbers": [1, 2, 3, 4, 5, 6]},
        settings={"zero-shot": setting},
    )
    config["benchmarks"] = {"mathmist": mathmist}
    given = config["models"]["smollm2-135m"]
    config["models"] = {name: given | {"display": name, "cpus": 1} for name in models}
    config.pop("judges")
    return config
