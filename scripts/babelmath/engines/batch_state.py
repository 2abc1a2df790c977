"""What a job has handed in as batches: a file beside its journal, written before it happens.

journal/{model}/{job}.batches, JSON lines, each on disk before the next step. Lines: `intent` (these
requests, under a random tag that goes to the service too), `sending` (the file is at the service,
the batch is about to be made), `taken` (its id), `ended` (what the batch held for these requests is
journalled, or nothing will come of them). A job reads the files of the model's other jobs, and
collects from their batches too what it asks itself; it writes only its own file.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from babelmath.appended import drop_torn_line, is_written, whole_lines
from babelmath.errors import InputError
from babelmath.files import dumps, parse_line
from babelmath.locks import locked

ENDING = ".batches"
# collected: its results are journalled; refused: the service did not take it; absent: it was never
# made; unknown: nobody can tell whether it was made; gone: its results can be had no more.
How = Literal["collected", "refused", "absent", "unknown", "gone"]
CHARGED = ("unknown", "gone")
EVENTS = ("intent", "sending", "taken", "ended")


@dataclass
class Submission:
    """Requests of one batch; `open` are those that something may still come of."""

    tag: str
    writer: Path
    keys: dict[str, int]
    common: dict[str, Any]
    own: list[dict[str, Any]]
    time: float
    open: set[str]
    sending: float | None = None
    file: str = ""
    id: str | None = None

    def sent(self, key: str) -> dict[str, Any]:
        """What was sent for a request, as it is recorded."""
        own = self.own[self.keys[key]]
        return {**self.common, **own, "batch": self.id, "custom_id": key}

    @property
    def in_other_hands(self) -> bool:
        """Whether the job that is handing it in is at work."""
        live = self.writer.with_name(self.writer.name.removesuffix(ENDING) + ".jsonl")
        return live.exists() and is_written(live)


@dataclass
class _File:
    """How far a file has been read."""

    size: int = 0
    lines: int = 0


class Submissions:
    """What the jobs of a model have handed in, read from their files.

    Args:
        folder: journal/{model}.

    Raises:
        InputError: a damaged line (not a torn last one), with file and line.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._all: dict[str, Submission] = {}
        self._early: dict[str, list[Mapping[str, Any]]] = {}
        self._charged: dict[str, int] = {}
        self._files: dict[Path, _File] = {}

    def refresh(self, asked: Collection[str] = ()) -> None:
        """Read what has been written.

        Args:
            asked: what this job waits for: another job's having collected it is no news here.
        """
        for path in sorted(self._folder.glob(f"*{ENDING}")):
            if not self._writes(path):
                self._take(path, asked)

    def open_with(self, keys: Collection[str]) -> list[Submission]:
        """Submissions of which some of these requests may still get something, oldest first."""
        found = [one for one in self._all.values() if any(key in keys for key in one.open)]
        return sorted(found, key=lambda one: one.time)

    def left_open(self, keys: Collection[str]) -> list[Submission]:
        """Submissions at the service that hold none of these requests, oldest first."""
        found = [one for one in self._all.values() if one.id is not None and one.open]
        return sorted((one for one in found if not any(key in keys for key in one.open)),
                      key=lambda one: one.time)  # fmt: skip

    def submitted(self, key: str) -> int:
        """How often a request was handed in."""
        return sum(one.id is not None and key in one.keys for one in self._all.values())

    def charged(self, key: str) -> int:
        """How often a request was handed in of which nobody can tell what it took."""
        return self._charged.get(key, 0)

    def _writes(self, path: Path) -> bool:
        """Whether a file is this job's own."""
        return False

    def _take(self, path: Path, asked: Collection[str]) -> None:
        """Read a file from the line where it was left."""
        read = self._files.setdefault(path, _File())
        size = path.stat().st_size
        if size == read.size:
            return
        read.size = size
        for number, line in whole_lines(path):
            if number <= read.lines:
                continue
            record = parse_line(line, path, number)
            try:
                self._apply(record, path, asked)
            except (KeyError, TypeError, IndexError, ValueError):
                raise InputError(
                    "not a line about batches",
                    file=path,
                    line=number,
                    remedy="Take the file from a backup: without it open batches are paid again.",
                ) from None
            read.lines = number

    def _apply(self, record: Mapping[str, Any], path: Path, asked: Collection[str]) -> None:
        tag, event = str(record["tag"]), record["event"]
        if event not in EVENTS:
            raise ValueError(event)
        if event == "intent":
            keys = {str(key): place for place, key in enumerate(record["keys"])}
            own = [dict(one) for one in record["own"]]
            self._all[tag] = Submission(tag, path, keys, dict(record["common"]), own,
                                        float(record["time"]), set(keys))  # fmt: skip
            for early in self._early.pop(tag, []):
                self._apply(early, path, asked)
        elif tag not in self._all:  # about another job's, whose file comes later
            self._early.setdefault(tag, []).append(record)
        elif event == "sending":
            self._all[tag].sending = float(record["time"])
            self._all[tag].file = str(record["file"])
        elif event == "taken":
            self._all[tag].id = str(record["id"])
        else:
            self._end(self._all[tag], record, () if self._writes(path) else asked)

    def _end(self, one: Submission, record: Mapping[str, Any], asked: Collection[str]) -> None:
        names = list(one.keys)
        for key in [names[place] for place in record["keys"]]:
            if record["how"] == "collected" and key in asked:
                continue
            one.open.discard(key)
            if record["how"] in CHARGED:
                self._charged[key] = self._charged.get(key, 0) + 1


class BatchState(Submissions):
    """The submissions of a model's jobs, and this job's file of them.

    Args:
        state: journal/{model}/{job}; the job holds its journal open.

    Raises:
        InputError: as `Submissions`.
    """

    def __init__(self, state: Path) -> None:
        super().__init__(state.parent)
        self._path = state.with_name(state.name + ENDING)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._file = open(self._path, "ab")  # noqa: SIM115 - closed by close
        drop_torn_line(self._path)
        self._take(self._path, ())

    @contextmanager
    def alone(self) -> Iterator[None]:
        """No other job of the model notes an intent meanwhile."""
        with open(self._path.parent / ".batches.lock", "a+b") as file:
            locked(file)
            yield

    def is_own(self, one: Submission) -> bool:
        """Whether this job handed it in."""
        return one.writer == self._path

    def intend(self, keys: Sequence[str], sent: Sequence[Mapping[str, Any]]) -> Submission:
        """Note what is about to be handed in."""
        common = {
            name: value
            for name, value in sent[0].items()
            if all(name in one and one[name] == value for one in sent)
        }
        own = [{name: one[name] for name in one if name not in common} for one in sent]
        tag = f"babelmath-{secrets.token_hex(12)}"
        self._note("intent", tag, keys=list(keys), common=common, own=own)
        return self._all[tag]

    def sending(self, one: Submission, file: str) -> None:
        """Note that the batch is about to be made from an uploaded file."""
        self._note("sending", one.tag, file=file)

    def taken(self, one: Submission, batch: str) -> None:
        """Note the batch's id."""
        self._note("taken", one.tag, id=batch)

    def end(self, one: Submission, keys: Collection[str], how: How) -> None:
        """Note that nothing more will come of these requests."""
        ended = [place for key, place in one.keys.items() if key in keys and key in one.open]
        if ended:
            self._note("ended", one.tag, how=how, keys=ended)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _note(self, event: str, tag: str, **more: Any) -> None:
        record = {"event": event, "tag": tag, "time": round(time.time(), 6), **more}
        self._file.write(dumps(record).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._apply(record, self._path, ())

    def _writes(self, path: Path) -> bool:
        return path == self._path


def handed_in(folder: Path, keys: Collection[str]) -> dict[str, str]:
    """Which requests wait in a batch that is open or may have been made, each with its batch.

    Args:
        folder: journal/{model}.
    """
    found = Submissions(folder)
    found.refresh()
    return {
        key: one.id or one.tag
        for one in found.open_with(keys)
        if one.sending is not None
        for key in one.open
        if key in keys
    }
