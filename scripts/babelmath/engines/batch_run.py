"""One stream of requests through batches: hand in, look, collect, hand in again.

Each step is noted before it is taken (see `batch_state`), so a kill at any point loses nothing and
hands nothing in twice: what was handed in is collected first, and a batch of which a kill left no
id is looked for at the service by its tag.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any

from babelmath.engines.attempts import Fault, backoff
from babelmath.engines.base import OnSend
from babelmath.engines.batch_collecting import Collecting
from babelmath.engines.batch_desk import LOOKS, Pairs
from babelmath.engines.batch_files import Part, part
from babelmath.engines.batch_state import Submission

NO_LIST = ("HTTP 404", "HTTP 405", "HTTP 501")  # of a server that tells no list
FULL = re.compile(r"enqueue|in the queue|quota|exhausted|batch.* limit", re.IGNORECASE)


class BatchRun(Collecting):
    """See `Batches.stream` and `Desk`."""

    def __init__(self, on_send: OnSend, *desk: Any) -> None:
        super().__init__(*desk)
        self._on_send = on_send
        self._failed = 0  # times in a row that a batch could not be handed in

    def go(self) -> Pairs:
        """Every request with its response, until none is left."""
        while self._asked:
            self._moved = False
            self._state.refresh(self._asked)
            for one in self._open():
                yield from self._look(one)
            yield from self._hand_in()
            if self._asked and not self._moved:
                self._sleep(max(self._model.batch_poll_s, 0 if self._open() else self._queue.wait))

    # What was handed in

    def _look(self, one: Submission) -> Pairs:
        if not self._of(one.open):
            return  # another batch has answered them
        if one.id is not None:
            yield from self._poll(one)
        elif self._state.is_own(one) or not one.in_other_hands:
            yield from self._resolve(one)

    def _resolve(self, one: Submission, sure: bool = False) -> Pairs:
        """Learn whether a batch was made that a kill or an error left in doubt.

        Args:
            sure: the service said that it failed: without a list that is believed.
        """
        self._moved = True
        if one.sending is None:
            self._state.end(one, one.keys, "absent")
            return
        found = self._find(one, one.sending)
        if isinstance(found, Fault):
            if found.note.startswith(NO_LIST) and sure:
                self._state.end(one, one.keys, "absent")
            elif found.note.startswith(NO_LIST):
                self._lose(one, "unknown", "nobody can tell whether its batch was made")
            else:
                yield from self._leave(one, found)
        elif found:
            self._take(one, found[0])
            for other in found[1:]:
                self._try(lambda other=other: self._api.cancel(other))  # type: ignore[misc]
                self._tell(f"batch {other} was made of the same requests; it is cancelled")
        else:
            self._state.end(one, one.keys, "absent")

    def _find(self, one: Submission, since: float) -> Sequence[str] | Fault:
        poll = self._model.batch_poll_s
        looks = 1 if time.time() - since > LOOKS * poll else LOOKS
        found: Sequence[str] | Fault = []
        for look in range(looks):
            if look:
                self._sleep(poll)
            found = self._try(lambda: self._api.find(one.file, one.tag, since))
            if found:
                break
        return found

    def _take(self, one: Submission, batch: str) -> None:
        self._state.taken(one, batch)
        self._moved, self._failed = True, 0
        for key in one.keys:
            if (tally := self._asked.get(key)) is not None:
                tally.tries += 1
                tally.out = tally.out or tally.announced
                tally.announced = False
        self._tell(f"batch {batch}: {len(one.keys)} requests are handed in")

    # What is to be handed in

    def _hand_in(self) -> Pairs:
        for key in self._free():
            if (times := self._state.charged(key)) >= self._model.attempts:
                why = f"handed in {times} times and lost, as often as attempts allows; attempts: "
                why += f"{times + 1} lets it be handed in, and perhaps charged, once more"
                yield from self._fail([key], why)
        free = self._free()
        if self._stopped:
            yield from self._fail(free, self._stopped)
        elif free and self._queue.wait <= 0:
            asked = ((key, self._asked[key].request) for key in free)
            made = part(asked, self._api, self._queue.most)
            with made.file:
                yield from self._submit(made)

    def _submit(self, made: Part) -> Pairs:
        with self._state.alone():
            self._state.refresh(self._asked)
            if not set(made.keys) <= set(self._free()):
                return  # another job was quicker: its batch is looked at first
            one = self._state.intend(made.keys, made.sent)
        self._moved = True

        async def upload() -> str | Fault:
            made.file.seek(0)
            return await self._api.upload(made.file, one.tag)

        file = self._try(upload)
        if isinstance(file, Fault):
            self._state.end(one, one.keys, "absent")
            yield from self._refused(made.keys, file, tried=True)
            return
        self._state.sending(one, file)
        for key in made.keys:
            if not self._asked[key].announced:
                self._asked[key].announced = True
                self._on_send(self._asked[key].request)
        found = self._runner.run(self._api.create(file, one.tag))
        if not isinstance(found, Fault):
            self._take(one, found)
        elif found.kind != "failed":
            self._state.end(one, one.keys, "refused")
            yield from self._refused(made.keys, found)
        else:  # a gateway's 500 may stand before a batch that was made
            yield from self._resolve(one, sure=not found.unknown)
            if one.id is None and not one.open:
                yield from self._refused(self._of(made.keys), found)

    def _refused(self, keys: Sequence[str], fault: Fault, tried: bool = False) -> Pairs:
        """A batch that was surely not handed in.

        Args:
            tried: it was tried again already, as often as may be.
        """
        if fault.kind == "stop":
            if fault.note.startswith(NO_LIST):
                more = f"{fault.remedy} A server without batches needs batch: false."
                fault = Fault("stop", fault.note, more)
            self._stop(fault)
            yield from self._failing(keys, fault)
        elif fault.kind == "put off" and not tried:
            yield from self._put_off(keys, fault, bool(FULL.search(fault.note)))
        elif (fault.kind == "too long" or fault.note.startswith("HTTP 413")) and len(keys) > 1:
            self._queue.halve(len(keys))
        elif fault.kind == "failed" and not tried and self._failed + 1 < self._model.attempts:
            self._failed += 1
            for key in keys:
                self._asked[key].notes.append(fault.note)
            self._sleep(backoff(self._failed))
        else:
            self._failed = 0
            yield from self._failing(keys, fault)
