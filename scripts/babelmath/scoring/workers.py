"""Processes that compare answers under limits: started when needed, killed and replaced.

A comparison whose process died, ran out of time or out of memory is tried once more in a fresh
process where the old one had done other work, so that no comparison changes another one's verdict.
One that is slow goes on in a fresh process, where its effort is counted (`effort`).
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from babelmath.config import Equivalence

if TYPE_CHECKING:  # the process runs it: for `fingerprint`, which follows imports
    from babelmath.scoring import worker  # noqa: F401

LIBRARY = Path(__file__).resolve().parents[2]
STARTING_S = 120
MOST_STARTS = 3  # of processes that end before they are ready, one after the other
ENVIRONMENT = {"SYMPY_GROUND_TYPES": "python", "MPMATH_NOGMPY": "1", "PYTHONHASHSEED": "0"}


@dataclass(eq=False)
class Job:
    """One comparison for a process; `answer` is there when it is `done`."""

    task: dict[str, Any]
    tries: int = 0
    fresh: bool = False  # only for a process that has done nothing yet
    done: bool = False
    cancelled: bool = False
    answer: dict[str, Any] = field(default_factory=dict)


class _Worker:
    """One process and what it is doing."""

    def __init__(self, program: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            program,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
        )
        self.job: Job | None = None
        self.ready = False
        self.served = 0
        self.deadline = time.monotonic() + STARTING_S
        self.pending = b""

    @property
    def idle(self) -> bool:
        return self.ready and self.job is None

    def send(self, job: Job, seconds: float) -> bool:
        """Give the process a job; whether it took it."""
        assert self.process.stdin is not None
        try:
            line = json.dumps(job.task | {"fresh": job.fresh})
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            return False
        self.job, self.deadline = job, time.monotonic() + seconds
        return True

    def lines(self) -> list[bytes] | None:
        """The whole lines that have come, None at the end of the process."""
        assert self.process.stdout is not None
        read = os.read(self.process.stdout.fileno(), 65536)
        if not read:
            return None
        *lines, self.pending = (self.pending + read).split(b"\n")
        return lines

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


def program_of(limits: Equivalence) -> list[str]:
    """The command of a worker. It ends itself after twice the time, should nobody be left to."""
    seconds = int(2 * limits.timeout_s) + 2
    numbers = (limits.memory_mb, seconds, limits.most_calls)
    return [sys.executable, "-m", "babelmath.scoring.worker", *map(str, numbers)]


def environment() -> dict[str, str]:
    """A worker's environment: this library, and arithmetic that no other library changes."""
    paths = [str(LIBRARY), *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(paths)}


class Workers:
    """A fixed number of processes for the jobs of any number of threads.

    Args:
        program: the command to run in place of a worker's.
    """

    def __init__(
        self, limits: Equivalence, count: int, program: Sequence[str] | None = None
    ) -> None:
        self._limits = limits
        self._program = program or program_of(limits)
        self._count = count
        self._workers: list[_Worker] = []
        self._waiting: deque[Job] = deque()
        self._lock = threading.Lock()
        self._failed_starts = 0

    @property
    def pids(self) -> list[int]:
        """The processes that run now."""
        return [worker.process.pid for worker in self._workers]

    def submit(self, task: dict[str, Any]) -> Job:
        """Queue a comparison."""
        job = Job(task)
        with self._lock:
            self._waiting.append(job)
        return job

    def cancel(self, jobs: list[Job]) -> None:
        """Nobody waits for these any more."""
        with self._lock:
            for job in jobs:
                job.cancelled = True

    def wait(self, job: Job) -> dict[str, Any]:
        """Work until a job is done, and its answer."""
        while not job.done:
            self.pump(0.1)
        return job.answer

    def pump(self, seconds: float) -> None:
        """Hand out waiting jobs and take in what is finished, waiting for that at most so long.

        Raises:
            RuntimeError: no process starts, of several tries.
        """
        with self._lock:
            self._hand_out()
            busy = [worker for worker in self._workers if not worker.idle]
            if not busy:
                return
            nearest = min(worker.deadline for worker in busy) - time.monotonic()
            with selectors.DefaultSelector() as selector:
                for worker in busy:
                    assert worker.process.stdout is not None
                    selector.register(worker.process.stdout, selectors.EVENT_READ, worker)
                for key, _ in selector.select(max(0.0, min(seconds, nearest))):
                    self._take_in(key.data)
            for worker in [one for one in self._workers if not one.idle]:
                if time.monotonic() > worker.deadline:
                    self._late(worker)
            self._hand_out()

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            while self._workers:
                self._workers.pop().end()

    def _hand_out(self) -> None:
        while self._waiting:
            if self._waiting[0].cancelled:
                self._waiting.popleft()
                continue
            idle = [worker for worker in self._workers if worker.idle]
            worker = idle[0] if idle else None
            if self._waiting[0].fresh and worker is not None:
                worker = next((one for one in idle if not one.served), None)
                if worker is None:
                    self._drop(idle[0])
            if worker is None:
                starting = sum(not worker.ready for worker in self._workers)
                if len(self._workers) < self._count and starting < len(self._waiting):
                    self._workers.append(_Worker(self._program))
                    continue
                return
            job = self._waiting.popleft()
            if not worker.send(job, self._limits.timeout_s):
                self._drop(worker)
                self._again(job, "worker died", True)

    def _take_in(self, worker: _Worker) -> None:
        lines = worker.lines()
        if lines is None:
            self._drop(worker)
            self._count_start(worker)
            if worker.job is not None:
                self._again(worker.job, "worker died", True)
        for line in lines or ():
            if not worker.ready:
                worker.ready = True
                self._failed_starts = 0
            elif worker.job is not None:
                self._told(worker, worker.job, json.loads(line))

    def _told(self, worker: _Worker, job: Job, answer: dict[str, Any]) -> None:
        if "warming" not in answer:
            self._answered(worker, job, answer)
        elif answer["warming"]:
            worker.deadline = time.monotonic() + STARTING_S
        else:
            worker.deadline = time.monotonic() + self._limits.timeout_s

    def _answered(self, worker: _Worker, job: Job, answer: dict[str, Any]) -> None:
        tired = answer.pop("tired", False)
        worker.job = None
        fresh = worker.served == 0
        worker.served += 1
        if tired:
            self._drop(worker)
        if answer.get("failed") == "slow":
            job.fresh = True
            self._waiting.appendleft(job)
        elif answer.get("failed") == "memory":
            self._again(job, "memory", not fresh)
        else:
            job.answer, job.done = answer, True

    def _late(self, worker: _Worker) -> None:
        self._drop(worker)
        self._count_start(worker)
        if worker.job is not None:
            self._again(worker.job, "timeout", worker.served > 0)

    def _count_start(self, worker: _Worker) -> None:
        """One that ended while it started is replaced, as it may have been killed."""
        if worker.ready:
            return
        self._failed_starts += 1
        if self._failed_starts >= MOST_STARTS:
            raise RuntimeError(
                f"the process that compares answers does not start ({MOST_STARTS} tries)"
            )

    def _again(self, job: Job, failed: str, another_chance: bool) -> None:
        job.tries += 1
        job.fresh = True
        if another_chance and job.tries < 2 and not job.cancelled:
            self._waiting.appendleft(job)
        else:
            job.answer, job.done = {"failed": failed}, True

    def _drop(self, worker: _Worker) -> None:
        worker.end()
        self._workers.remove(worker)
