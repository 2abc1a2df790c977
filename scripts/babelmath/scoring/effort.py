"""A limit on work that does not depend on the machine: calls counted, not seconds.

Counting makes Python several times slower, so a task first runs uncounted for a moment of processor
time. What it finishes then it would also have finished counted: the count allows more than any
machine does in that moment. Only what takes longer is run again, counted, in a fresh process.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

MOMENT_S = 0.1


class Stopped(BaseException):
    """Ends a task from inside; no library may catch it. The process is not to be used again."""


@contextmanager
def for_a_moment(seconds: float = MOMENT_S) -> Iterator[None]:
    """Stop what takes longer; in a main thread only."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def counted(most: int) -> Iterator[None]:
    """Stop what takes more calls and returns, at the same one on every machine."""
    left = most

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise Stopped

    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(None)
