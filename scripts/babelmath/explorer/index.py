"""The index: what can be filtered of every generation, a column each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from babelmath.explorer.generations import Row
from babelmath.explorer.packing import Column, coded, table_bytes, write_packet
from babelmath.explorer.problems import Facts, Place
from babelmath.explorer.sources import Source
from babelmath.language_codes import MIXED, UNDETERMINED
from babelmath.outcomes import STATES, outcome
from babelmath.records import Finish, Kind, Status

ABSENT = ""  # the word of a row that has no such value
LABELS = ("thinking_paper", "answering_paper", "thinking_strict", "answering_strict")
STRICT_ANSWERING = LABELS.index("answering_strict")


@dataclass(frozen=True)
class Entry:
    """A generation in the index."""

    source: Source
    row: Row
    problem: Facts

    @property
    def state(self) -> str:
        """Its outcome under the strict protocol."""
        source, row = self.source, self.row
        status = row.statuses[list(source.verdicts).index(source.strict)]
        answering = row.labels[STRICT_ANSWERING] if row.labels else None
        return outcome(status, answering, source.expected or row.key[1])


def entries(
    sources: Sequence[Source],
    rows: Sequence[Sequence[Row]],
    problems: Mapping[str, Mapping[Place, Facts]],
    languages: Mapping[str, Sequence[str]],
) -> list[Entry]:
    """All generations by problem, then language, setting and model in the configuration's order."""
    order = {name: {lang: at for at, lang in enumerate(found)} for name, found in languages.items()}
    benchmarks = {name: at for at, name in enumerate(languages)}
    found = [
        (benchmarks[source.benchmark], row.key[0], order[source.benchmark][row.key[1]], number,
         row.key[2], Entry(source, row, problems[source.benchmark][row.key[:2]]))
        for number, (source, held) in enumerate(zip(sources, rows, strict=True))
        for row in held
    ]  # fmt: skip
    return [one[-1] for one in sorted(found, key=lambda one: one[:-1])]


def write_index(folder: Path, head: Mapping[str, Any], held: Sequence[Entry]) -> None:
    """Write data/index.js.

    `head` has what the page says of the run; of its own: settings, models and languages by name.
    """
    write_packet(folder, "index", table_bytes(head, list(_columns(head, held))))


def _columns(head: Mapping[str, Any], held: Sequence[Entry]) -> Iterable[Column]:
    rows = [one.row for one in held]
    languages = list(head["languages"])
    yield coded("benchmark", (one.source.benchmark for one in held), head["benchmarks"])
    yield coded("setting", (one.source.setting for one in held), head["order"]["setting"])
    yield coded("model", (one.source.model for one in held), head["models"])
    yield coded("lang", (one.key[1] for one in rows), languages)
    yield coded("kind", (one.problem.kind for one in held), (ABSENT, *get_args(Kind)))
    yield coded("subset", (one.problem.subset for one in held))
    yield coded("id", (one.key[0] for one in rows))
    yield Column("sample", [one.key[2] for one in rows])
    yield coded("state", (one.state for one in held), STATES)
    yield coded("finish", (one.finish for one in rows), get_args(Finish))
    for scorer in dict.fromkeys(name for one in held for name in one.source.verdicts):
        statuses = (_status(one, scorer) for one in held)
        yield coded(f"status:{scorer}", statuses, (ABSENT, *get_args(Status)))
    told = (ABSENT, *languages, UNDETERMINED, MIXED)
    for at, name in enumerate(LABELS):
        yield coded(name, (one.labels[at] if one.labels else ABSENT for one in rows), told)
    words = {None: ABSENT, True: "yes", False: "no"}
    yield coded("disagree", (words[one.differ] for one in rows), (ABSENT, "yes", "no"))
    yield coded("flags", ("; ".join(one.flags) for one in rows), (ABSENT,))
    yield Column("prompt_tokens", [one.prompt_tokens for one in rows])
    yield Column("completion_tokens", [one.completion_tokens for one in rows])
    yield coded("chunk", (one.chunk for one in rows))
    yield Column("place", [one.place for one in rows])
    yield coded("problem_chunk", (one.problem.chunk for one in held))
    yield Column("problem_place", [one.problem.place for one in held])


def _status(entry: Entry, scorer: str) -> str:
    scorers = list(entry.source.verdicts)
    return entry.row.statuses[scorers.index(scorer)] if scorer in scorers else ABSENT
