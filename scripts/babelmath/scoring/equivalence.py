"""Whether two answers are the same mathematics, decided in a process that can be killed.

math-verify limits time by a signal that only the main thread can have, and its memory not at all;
here the comparison runs in a worker with a memory limit, and a worker that is too slow is killed
and replaced.
"""

from __future__ import annotations

import json
import selectors
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from babelmath.config import Equivalence

WORKER = Path(__file__).with_name("worker.py")
STARTING_S = 120


@dataclass(frozen=True)
class Comparison:
    """Outcome of one comparison; `failed` names a limit that was hit, as `timeout`."""

    equal: bool = False
    gold_parsed: bool = False
    answer_parsed: bool = False
    failed: str | None = None


class Comparer:
    """Compares answers one at a time in a worker process of its own."""

    def __init__(self, limits: Equivalence) -> None:
        self._limits = limits
        self._worker: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Comparer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def compare(self, gold: str, answer: str, precise: bool) -> Comparison:
        """Compare; a worker that dies or exceeds its time is replaced and said so in `failed`."""
        worker = self._worker or self._start()
        task = json.dumps({"gold": gold, "answer": answer, "precise": precise})
        assert worker.stdin is not None and worker.stdout is not None
        try:
            worker.stdin.write(task.encode() + b"\n")
            worker.stdin.flush()
            line = _line(worker, self._limits.timeout_s)
        except BrokenPipeError:
            line = b""
        if line is None:
            self._end()
            return Comparison(failed="timeout")
        if not line:
            self._end()
            return Comparison(failed="worker died")
        return Comparison(**json.loads(line))

    def _start(self) -> subprocess.Popen[bytes]:
        self._worker = subprocess.Popen(
            [sys.executable, str(WORKER), str(self._limits.memory_mb)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        # Importing takes a new worker seconds that are not the comparison's; then it says so.
        if not _line(self._worker, STARTING_S):
            self._end()
            raise RuntimeError("the process that compares answers does not start")
        return self._worker

    def _end(self) -> None:
        if self._worker is not None:
            self._worker.kill()
            self._worker.communicate()
            self._worker = None


def _line(worker: subprocess.Popen[bytes], seconds: float) -> bytes | None:
    """One line of the worker, b"" at its end, or None when the time is over."""
    assert worker.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(worker.stdout, selectors.EVENT_READ)
        if not selector.select(seconds):
            return None
    return worker.stdout.readline()
