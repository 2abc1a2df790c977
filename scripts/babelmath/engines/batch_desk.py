"""What the parts of a stream of batches share: requests without an end, and ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Iterator, Sequence
from typing import Any, TypeVar

from babelmath.config import Model
from babelmath.engines import pace
from babelmath.engines.attempts import Fault, backoff
from babelmath.engines.base import Request, Response
from babelmath.engines.batch_api import BatchApi
from babelmath.engines.batch_state import BatchState, How, Submission
from babelmath.engines.batch_tally import Queue, Tally

Found = TypeVar("Found")
Pairs = Iterator[tuple[Request, Response]]

LOOKS = 3  # at what may just have been made, and before it is believed that something is gone


class Desk:
    """The requests of one stream, by key.

    Args:
        asked: those without an end.
        runner: the event loop of the service's client.
        tell: takes lines for the job's log.
    """

    def __init__(
        self,
        model: Model,
        api: BatchApi,
        state: BatchState,
        runner: asyncio.Runner,
        tell: Callable[[str], None],
        asked: dict[str, Tally],
    ) -> None:
        self._model, self._api, self._state = model, api, state
        self._runner, self._tell, self._asked = runner, tell, asked
        self._queue = Queue(api.limits.requests, model.batch_poll_s, model.throttled)
        self._stopped = ""
        self._moved = False  # whether another round can bring more without a wait

    def _open(self) -> list[Submission]:
        return self._state.open_with(self._asked)

    def _free(self) -> list[str]:
        held = {key for one in self._open() for key in one.open}
        return [key for key in self._asked if key not in held]

    def _of(self, keys: Collection[str]) -> list[str]:
        return [key for key in keys if key in self._asked]

    def _fail(self, keys: Collection[str], failure: str) -> Pairs:
        self._moved = True
        for key in self._of(keys):
            tally = self._asked.pop(key)
            if tally.announced and not tally.notes:
                tally.notes.append(failure)
            yield tally.request, tally.ended(failure)

    def _failing(self, keys: Sequence[str], fault: Fault) -> Pairs:
        for key in self._of(keys):
            self._asked[key].add(fault)
        yield from self._fail(keys, fault.told)

    def _leave(self, one: Submission, fault: Fault) -> Pairs:
        """Let requests stay in their batch: it is looked at again by the next run."""
        self._moved = True
        batch = f"batch {one.id}" if one.id else "a batch that may have been made"
        for key in self._of(one.open):
            tally = self._asked.pop(key)
            tally.out = tally.out or tally.announced
            why = f"{fault.told}; it stays in {batch}, run again to collect it"
            yield tally.request, tally.left(why)

    def _lose(self, one: Submission, how: How, why: str) -> None:
        """Its requests may have been charged, and nothing will come of them."""
        self._moved = True
        self._tell(f"{why}: {len(one.open)} requests are handed in again, perhaps charged twice")
        for key in self._of(one.open):
            tally = self._asked[key]
            tally.notes.append(why)
            tally.unknown += 1
            tally.out = tally.announced = False
        self._state.end(one, one.keys, how)

    def _stop(self, fault: Fault) -> None:
        self._stopped = self._stopped or (
            f"{fault.note}. {fault.remedy} Nothing further was handed in."
        )

    def _try(self, call: Callable[[], Coroutine[Any, Any, Found | Fault]]) -> Found | Fault:
        """Make a call that may be made any number of times, until it brings what it should."""
        failed = put_off = 0
        while True:
            found = self._runner.run(call())
            if not isinstance(found, Fault) or found.kind not in ("failed", "put off"):
                return found
            failed += found.kind == "failed"
            put_off += found.kind == "put off"
            if failed >= self._model.attempts or put_off >= self._model.throttled:
                return found
            own = backoff(put_off if found.kind == "put off" else failed)
            self._sleep(own if found.wait is None else found.wait)

    def _there(self, call: Callable[[], Coroutine[Any, Any, Found | Fault]]) -> Found | Fault:
        """As `_try`; that something is not there (404) is believed when it is said thrice."""
        for _ in range(LOOKS - 1):
            found = self._try(call)
            if not (isinstance(found, Fault) and found.note.startswith("HTTP 404")):
                return found
            self._sleep(self._model.batch_poll_s)
        return self._try(call)

    def _sleep(self, seconds: float) -> None:
        self._runner.run(pace.CLOCK.sleep(seconds))
