"""Looking at batches and collecting what they hold."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from io import BufferedRandom
from typing import Any

from babelmath.engines.attempts import Fault
from babelmath.engines.batch_api import Held
from babelmath.engines.batch_desk import Desk, Pairs
from babelmath.engines.batch_files import records, results
from babelmath.engines.batch_state import Submission


class Collecting(Desk):
    """The part of a stream that has been handed in."""

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._missed: Counter[str] = Counter()  # looks in vain, by tag
        self._shown: dict[str, tuple[str, int | None]] = {}

    def _poll(self, one: Submission) -> Pairs:
        batch = str(one.id)
        held = self._there(lambda: self._api.status(batch))
        if isinstance(held, Fault):
            self._missed[one.tag] += 1
            if held.note.startswith("HTTP 404"):
                self._lose(one, "gone", f"batch {batch} is not there any more")
            elif (
                held.kind not in ("failed", "put off")
                or self._missed[one.tag] >= self._model.throttled
            ):
                yield from self._leave(one, held)
            return
        self._missed[one.tag] = 0
        self._show(batch, held)
        if not held.ended:
            return
        self._moved = True
        if held.full:
            for key in self._of(one.open):
                self._asked[key].tries -= 1
            self._state.end(one, one.keys, "refused")
            yield from self._put_off(list(one.keys), Fault("put off", held.why or "full"), True)
        else:
            self._queue.room()
            yield from self._collect(one, held)

    def _show(self, batch: str, held: Held) -> None:
        if self._shown.get(batch) != (held.word, held.done):
            self._shown[batch] = held.word, held.done
            counts = f", {held.done} of {held.total} requests" if held.total else ""
            self._tell(f"batch {batch}: {held.word}{counts}" + (f" ({held.why})" * bool(held.why)))

    def _collect(self, one: Submission, held: Held) -> Pairs:
        files: list[BufferedRandom] = []
        try:
            for name in held.files:
                file = self._there(lambda name=name: results(self._api, name))  # type: ignore[misc]
                if not isinstance(file, Fault):
                    files.append(file)
                elif file.note.startswith("HTTP 404"):
                    self._lose(one, "gone", f"the results of batch {one.id} are not there any more")
                    return
                else:
                    yield from self._leave(one, file)
                    return
            wanted = set(self._of(one.open))
            yield from self._read(one, held, files, wanted)
        finally:
            for file in files:
                file.close()
        self._state.end(one, wanted, "collected")

    def _read(
        self, one: Submission, held: Held, files: Sequence[BufferedRandom], wanted: set[str]
    ) -> Pairs:
        """What files of results say; what they leave out has failed."""
        seen: set[str] = set()
        strange = twice = 0
        for record in (record for file in files for record in records(file)):
            key = self._api.key(record)
            if not isinstance(key, str) or key not in one.keys:
                strange += 1
            elif key in seen:
                twice += 1
            else:
                seen.add(key)
                if key in wanted:
                    yield from self._answer(one, key, record)
        if strange or twice:
            self._tell(f"batch {one.id}: {strange} results of unknown ids, {twice} repeated ones")
        why = f": {held.why}" if held.why else ""
        for key in wanted - seen:
            self._asked[key].sent = one.sent(key)
            fault = Fault("failed", f"no result (batch {one.id} {held.word}{why})")
            yield from self._fault(key, fault, (0, 0, 0))

    def _answer(self, one: Submission, key: str, record: dict[str, Any]) -> Pairs:
        tally = self._asked[key]
        tally.sent = one.sent(key)
        seconds = max(time.time() - one.time, 0.0)
        found = self._api.outcome(record, tally.request, tally.sent, list(tally.notes), seconds)
        if found.response is not None:
            del self._asked[key]
            yield tally.request, tally.answered(found.response)
        else:
            yield from self._fault(key, found.fault or Fault("failed", "no result"), found.paid)

    def _fault(self, key: str, fault: Fault, paid: tuple[int, int, int]) -> Pairs:
        """A request came back without an answer: its end, or it is handed in again."""
        tally = self._asked[key]
        tally.add(fault, paid)
        if fault.kind == "stop":
            self._stop(fault)
        if fault.kind in ("blocked", "too long"):
            finish = "blocked" if fault.kind == "blocked" else "error"
            del self._asked[key]
            yield tally.request, tally.ended(None, finish)
        elif fault.kind in ("refused", "stop") or tally.tries >= self._model.attempts:
            yield from self._fail([key], fault.told)

    def _put_off(self, keys: Sequence[str], fault: Fault, full: bool) -> Pairs:
        others = bool(self._open())
        again = self._queue.put_off(len(keys), fault.wait, full, others)
        self._tell(f"the service takes no batch now ({fault.note}); "
                   f"next try in {max(self._queue.wait, 0):.0f} s")  # fmt: skip
        if not again:
            self._queue.room()
            yield from self._failing(self._of(keys), fault)
