"""How fast an engine asks: requests in flight that follow what the service bears, and waits."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from babelmath.engines.rates import Rates

LONGEST_WAIT = 300.0  # seconds; no service may hold a run up longer at a time


class Clock:
    """Time as the pace sees it."""

    def now(self) -> float:
        """Seconds that only grow."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


CLOCK = Clock()


class StoppedError(Exception):
    """The service refuses everything: nothing more is sent. Its text says why."""


class Pace:
    """Requests in flight: halved when the service is crowded, raised again with each success.

    A crowded answer counts once a round trip: those that were in flight when the number was halved
    do not halve it again. `most` successes at full width raise it by one.

    Args:
        most: requests in flight at most.
        rates: limits per minute, asked before each request.
    """

    def __init__(self, most: int, rates: Rates | None = None) -> None:
        self._most, self._rates = most, rates
        self._width = float(most)
        self._flying = self._sent = self._mark = 0
        self._until = 0.0
        self._reason: str | None = None
        self._waiting: set[asyncio.Future[None]] = set()

    @property
    def width(self) -> int:
        """Requests that may be in flight now."""
        return int(self._width)

    async def enter(self, tokens: int) -> int:
        """Wait until a request of so many tokens may leave; its number, for `leave`.

        Raises:
            StoppedError: nothing may leave any more.
        """
        while True:
            self._check()
            pause = self._until - CLOCK.now()
            if pause > 0:
                await self.sleep(pause)
            elif self._flying >= self.width:
                await self._until_changed(None)
            elif pause := self._rates.take(tokens) if self._rates else 0.0:
                await self._nap(pause)  # a reply may give back much of what it was counted for
            else:
                self._flying += 1
                self._sent += 1
                return self._sent

    def leave(self, number: int, answered: bool = False, crowded: bool = False) -> None:
        """A request has ended: with an answer, crowded out (429, 503, time-out), or otherwise."""
        self._flying -= 1
        if answered:
            self._width = min(self._most, self._width + 1 / self._width)
        elif crowded and number > self._mark:
            self._width = max(1.0, self._width / 2)
            self._mark = self._sent
        self._wake()

    def pause(self, seconds: float) -> None:
        """Let nothing leave for so long (at most LONGEST_WAIT)."""
        self._until = max(self._until, CLOCK.now() + min(seconds, LONGEST_WAIT))

    def stop(self, reason: str) -> None:
        """Let nothing leave any more; all that waits ends at once. The first reason stays."""
        self._reason = self._reason or reason
        self._wake()

    async def sleep(self, seconds: float) -> None:
        """Wait so long, or until the pace is stopped.

        Raises:
            StoppedError: it was.
        """
        nap = asyncio.ensure_future(CLOCK.sleep(seconds))
        try:
            while not nap.done():
                self._check()
                await self._until_changed(nap)
        finally:
            nap.cancel()
        self._check()

    async def _nap(self, seconds: float) -> None:
        """Wait so long, or until something changes."""
        nap = asyncio.ensure_future(CLOCK.sleep(seconds))
        try:
            await self._until_changed(nap)
        finally:
            nap.cancel()

    async def _until_changed(self, nap: asyncio.Future[None] | None) -> None:
        """Wait for a request's end, a stop, or a nap's end."""
        change = asyncio.get_running_loop().create_future()
        self._waiting.add(change)
        try:
            await asyncio.wait({change, nap} if nap else {change},
                               return_when=asyncio.FIRST_COMPLETED)  # fmt: skip
        finally:
            self._waiting.discard(change)

    def _wake(self) -> None:
        for change in self._waiting:
            if not change.done():
                change.set_result(None)

    def _check(self) -> None:
        if self._reason is not None:
            raise StoppedError(self._reason)


def told_wait(headers: Mapping[str, str]) -> float | None:
    """The seconds that a service asks to wait (Retry-After as seconds or date), at most 300."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        word = headers.get(name, "").strip()
        if not word:
            continue
        try:
            seconds = float(word) * unit
        except ValueError:
            try:
                seconds = parsedate_to_datetime(word).timestamp() - time.time()
            except (ValueError, OverflowError, OSError):
                continue
        if not math.isnan(seconds):
            return min(max(seconds, 0.0), LONGEST_WAIT)
    return None
