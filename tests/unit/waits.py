"""Time that passes only where somebody waits: no test of waits takes any."""

from __future__ import annotations

import asyncio

import pytest

from babelmath.engines import pace


class Waits:
    """Stands in for the pace's clock; `taken` are the seconds that were waited, in order."""

    def __init__(self) -> None:
        self.taken: list[float] = []
        self._now = 0.0

    def now(self) -> float:
        return self._now

    async def sleep(self, seconds: float) -> None:
        self.taken.append(seconds)
        self._now += seconds
        await asyncio.sleep(0)


def install(monkeypatch: pytest.MonkeyPatch) -> Waits:
    """Put such a clock under every engine of this test."""
    clock = Waits()
    monkeypatch.setattr(pace, "CLOCK", clock)
    return clock
