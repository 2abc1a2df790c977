"""The record files of one (benchmark, setting, model), read side by side.

This run wrote them, in the order of their keys, through the schema: they are read as plain JSON, a
generation at a time. Where something is amiss they are read again through the schema, which says
where.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from pydantic_core import from_json

from babelmath.errors import InputError
from babelmath.records import Generation, LanguageRecord, Record, Verdict, iter_records

Key = tuple[str, str, int]
REMEDY = "Remove the file and run again."


@dataclass(frozen=True)
class Source:
    """Where the generations of a setting by a model stand.

    `verdicts`: files by scorer; `labels`: the file of their languages, where these are told.
    `strict`: the scorer of the strict protocol. `expected`: the language to reason in; None: the
    question's.
    """

    benchmark: str
    setting: str
    model: str
    generations: Path
    verdicts: Mapping[str, Path]
    strict: str
    labels: Path | None = None
    expected: str | None = None

    @property
    def name(self) -> str:
        return f"{self.benchmark}/{self.setting}/{self.model}"


@dataclass(frozen=True)
class Read:
    """One generation as its file has it, the verdicts on it by scorer, its languages."""

    generation: dict[str, Any]
    verdicts: dict[str, dict[str, Any]] = field(default_factory=dict)
    labels: dict[str, Any] | None = None

    @property
    def key(self) -> Key:
        return _key(self.generation)


def read(source: Source) -> Iterator[Read]:
    """Every generation with what was found of it, in the order of the file.

    Raises:
        InputError: a file that is missing or damaged, or in which a record lacks, is one too many,
            or stands out of order.
    """
    files: list[Path] = [source.generations, *source.verdicts.values()]
    files += [source.labels] if source.labels else []
    try:
        with ExitStack() as stack:
            generations, *others = (stack.enter_context(open(one, "rb")) for one in files)
            yield from _side_by_side(source, generations, others)
    except (OSError, ValueError, KeyError, TypeError, StopIteration, _AmissError) as error:
        complain(source)
        raise InputError(
            f"the records of {source.name} do not fit each other ({error})",
            file=source.generations, remedy="Remove the files of this setting and model under "
            "generations/, verdicts/ and languages/ and run again.",
        ) from None  # fmt: skip


def plain(line: bytes) -> Any:
    """A line of JSON as it stands, without a schema.

    Raises:
        ValueError: not UTF-8, not strict JSON, or half a surrogate pair.
    """
    return from_json(line, allow_inf_nan=False, cache_strings="keys")


def count(source: Source) -> int:
    """The number of generations, from the lines of the smallest file that has one for each."""
    path = source.verdicts[source.strict]
    try:
        with open(path, "rb") as handle:
            return sum(1 for line in handle if line.strip())
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path, remedy=REMEDY) from None


def keys(source: Source) -> Iterator[Key]:
    """The keys of all generations, without their texts."""
    with open(source.verdicts[source.strict], "rb") as handle:
        for line in handle:
            if line.strip():
                yield _key(plain(line))


class _AmissError(Exception):
    """Something that the schema can explain."""


def _side_by_side(
    source: Source, generations: BinaryIO, others: Sequence[BinaryIO]
) -> Iterator[Read]:
    scorers = list(source.verdicts)
    before: Key | None = None
    for line in generations:
        own = plain(line)
        key = _key(own)
        if before is not None and key <= before:
            raise _AmissError(f"{key} stands after {before}")
        before = key
        found = [plain(next(one, b"")) for one in others]
        if any(_key(one) != key for one in found):
            raise _AmissError(f"{key} is not in all files")
        verdicts = dict(zip(scorers, found, strict=False))
        if any(one["scorer"] != scorer for scorer, one in verdicts.items()):
            raise _AmissError(f"another scorer's verdict on {key}")
        yield Read(own, verdicts, found[-1] if source.labels else None)
    if any(next(one, None) is not None for one in others):
        raise _AmissError("records of no generation")


def _key(record: Mapping[str, Any]) -> Key:
    return record["id"], record["lang"], record["sample"]


def complain(source: Source) -> None:
    """Read the files through the schema, and say where a fault is or where they part.

    Raises:
        InputError: with file, and line where one record is at fault.
    """
    own = _identities(source.generations, Generation)
    files: list[tuple[Path, type[Record]]] = [(one, Verdict) for one in source.verdicts.values()]
    files += [(source.labels, LanguageRecord)] if source.labels else []
    for path, model in files:
        other = _identities(path, model)
        for key in own.keys() | other.keys():
            if key not in other:
                raise InputError(f"holds nothing of generation {key}", file=path, remedy=REMEDY)
            if key not in own:
                raise InputError("is of no generation", file=path, field="id", value=str(key),
                                 remedy=REMEDY)  # fmt: skip
    for scorer, path in source.verdicts.items():
        for verdict in iter_records(path, Verdict):
            if verdict.scorer != scorer:
                raise InputError(f"not of {scorer}", file=path, field="scorer",
                                 value=verdict.scorer, remedy=REMEDY)  # fmt: skip


def _identities(path: Path, model: type[Record]) -> dict[Key, None]:
    return {one.identity[:3]: None for one in iter_records(path, model)}
