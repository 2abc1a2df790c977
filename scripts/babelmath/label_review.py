"""A person's check of language labels: a seeded sample to fill in, and what comes back.

The sample is a CSV file for a spreadsheet, `results/{benchmark}/review/labels.csv`. A person reads
each text, writes a verdict, and saves the file as `config/review/{source}/{benchmark}/labels.csv`:
`right` (both labels), `wrong` (both), or, where the two labels differ, `paper` or `strict` for the
one that is right. Rows without a verdict are passed over.
"""

from __future__ import annotations

import csv
import heapq
import io
from collections.abc import Collection, Iterable, Sequence
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from babelmath.errors import InputError
from babelmath.files import read_text, sha256
from babelmath.records import Generation, LanguageRecord
from babelmath.response_parts import parts
from babelmath.sheets import sheet_rows

VERDICTS = ("right", "wrong", "paper", "strict")
TEXT = 500  # characters of a part that are shown
FORMULAS = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet takes a cell that begins so for one


@dataclass(frozen=True)
class Sampled:
    """One label to check; `part` is thinking, answering, or response where both are one text."""

    id: str
    lang: str
    setting: str
    model: str
    sample: int
    part: str
    text: str
    paper: str
    strict: str


@dataclass(frozen=True)
class Checked:
    """A person's verdict on a label; `line` is where it stands in the file."""

    key: tuple[str, str, str, str, str, str]
    start: str
    paper: str
    strict: str
    verdict: str
    line: int


COLUMNS = (*(one.name for one in fields(Sampled)), "verdict", "note")
KEY = ("id", "lang", "setting", "model", "sample", "part")


class Sampler:
    """Draws labels: the same ones from the same responses, whatever their order.

    The languages and parts are taken in turn; parts without text are passed over. At most `number`
    candidates of each are in memory.
    """

    def __init__(self, seed: int, number: int = 100) -> None:
        self._seed = seed
        self._number = number
        self._held: dict[tuple[str, str], list[tuple[int, Sampled]]] = {}

    def add(
        self,
        setting: str,
        model: str,
        generations: Iterable[Generation],
        records: Iterable[LanguageRecord],
    ) -> None:
        """Take in one setting's responses of a model and their labels, both in the same order."""
        for generation, record in zip(generations, records, strict=True):
            if generation.identity != record.identity:
                raise InputError(f"labels of {record.identity} beside {generation.identity}")
            thinking, answering = parts(generation)
            found = {"thinking": thinking, "answering": answering}
            if thinking == answering:
                found = {"response": answering}
            for name, (text, own) in found.items():
                label = record.thinking if name == "thinking" else record.answering
                shown = " ".join((text if own is None else own)[:TEXT].split())
                if shown:
                    self._offer(Sampled(
                        record.id, record.lang, setting, model, record.sample, name, shown,
                        label.paper, label.strict,
                    ))  # fmt: skip

    def drawn(self) -> list[Sampled]:
        """The sample, sorted by language, part and the rest of the key."""
        queues = [
            [one for _, one in sorted(held, key=lambda pair: -pair[0])]
            for _, held in sorted(self._held.items())
        ]
        turns = [
            one for turn in range(self._number) for queue in queues for one in queue[turn:][:1]
        ]
        return sorted(turns[: self._number], key=lambda one: (one.lang, one.part, astuple(one)))

    def _offer(self, one: Sampled) -> None:
        key = "\n".join(map(str, (self._seed, *(getattr(one, name) for name in KEY))))
        held = self._held.setdefault((one.lang, one.part), [])
        entry = (-int(sha256(key)[:16], 16), one)  # the smallest numbers stay
        if len(held) < self._number:
            heapq.heappush(held, entry)
        elif entry[0] > held[0][0]:
            heapq.heapreplace(held, entry)


def sample_csv(sample: Iterable[Sampled]) -> str:
    """The file to fill in. A text that a spreadsheet would take for a formula gets an apostrophe.

    It begins with a byte-order mark, by which spreadsheets know UTF-8.
    """
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in sample:
        cells = map(str, astuple(one))
        writer.writerow([*(f"'{c}" if c.startswith(FORMULAS) else c for c in cells), "", ""])
    return "\ufeff" + lines.getvalue()


def read_checked(path: Path, ids: Collection[str] | None = None) -> list[Checked]:
    """The verdicts of a filled-in file.

    Args:
        ids: the ids that it may name; None for any.

    Returns:
        An empty list where there is no such file: no review is fine.

    Raises:
        InputError: a missing column, an unknown id, part or verdict, a label that stands twice, or
            a row with too many cells; with file, line and field.
    """
    if not path.is_file():
        return []
    found: dict[tuple[str, ...], Checked] = {}
    for line, row in sheet_rows(path, COLUMNS[:-1]):
        one = _checked(row, path, line)
        if one is None:
            continue
        if ids is not None and one.key[0] not in ids:
            raise InputError("unknown id", file=path, line=line, field="id", value=one.key[0])
        if one.key in found:
            raise InputError(f"stands already in line {found[one.key].line}", file=path,
                             line=line, field="id", value=one.key)  # fmt: skip
        found[one.key] = one
    return list(found.values())


def _checked(row: dict[str, str], path: Path, line: int) -> Checked | None:
    verdict = row["verdict"].strip().lower()
    if not verdict:
        return None
    if verdict not in VERDICTS:
        raise InputError("unknown verdict", file=path, line=line, field="verdict",
                         value=row["verdict"],
                         remedy=f"A verdict is one of {', '.join(VERDICTS)}.")  # fmt: skip
    if verdict in ("paper", "strict") and row["paper"] == row["strict"]:
        raise InputError("both labels are the same", file=path, line=line, field="verdict",
                         value=verdict, remedy="Write right or wrong.")  # fmt: skip
    key = tuple(row[name].strip().removeprefix("'") for name in KEY)
    return Checked(key, start(row["text"]), row["paper"], row["strict"], verdict, line)  # type: ignore[arg-type]


def of_sample(checked: Sequence[Checked], sample: Iterable[Sampled]) -> list[Checked]:
    """The verdicts that are about a label of this sample: the same text, the same labels."""
    held = {
        tuple(str(getattr(one, name)) for name in KEY): (start(one.text), one.paper, one.strict)
        for one in sample
    }
    return [one for one in checked if held.get(one.key) == (one.start, one.paper, one.strict)]


def read_sample(path: Path) -> list[Sampled]:
    """The sample from the file that `sample_csv` gave."""
    rows = csv.DictReader(io.StringIO(read_text(path)))
    names = [one.name for one in fields(Sampled)]
    return [
        Sampled(**{**{name: row[name] for name in names}, "sample": int(row["sample"])})  # type: ignore[arg-type]
        for row in rows
    ]


def start(text: str) -> str:
    """What tells a text from another and outlives a spreadsheet: its first letters and digits."""
    return "".join(char for char in text if char.isalnum())[:60]
