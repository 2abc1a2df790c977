"""Released JSON documents as entries: errors name file and line, unknown fields are counted."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from babelmath.errors import InputError
from babelmath.files import STRICT, SURROGATE_ESCAPE, half_pair, read_jsonl, read_text
from babelmath.released.oddities import Oddities

Entry = dict[str, Any]
ENTRIES, METADATA = "problem_evaluations", "evaluation_metadata"
BETWEEN = re.compile(r"[\s,:]*")
DEEPEST = 50  # levels of nesting; a release has four
DAMAGED = "The file is damaged; take it from the release again."


@dataclass(frozen=True)
class Document:
    """A result file: its entries with normalised keys, and the metadata of judged files."""

    path: Path
    entries: list[Entry]
    metadata: dict[str, Any]

    def error(
        self, problem: str, entry: int, field: str | None, value: object, remedy: str
    ) -> InputError:
        """An error of the 0-based entry, with the line where it begins."""
        text = read_text(self.path)
        places = itertools.islice(_places(text, json.JSONDecoder()), entry, None)
        return InputError(
            f"{problem} in entry {entry + 1}",
            file=self.path,
            line=_line(text, next(places, None)),
            field=field,
            value=value,
            remedy=remedy,
        )


@lru_cache(maxsize=1024)
def normal_key(key: str) -> str:
    """`Answer Type`, `answer_type` and ` Answer Type ` are one key."""
    return key.replace("_", " ").strip().lower().replace(" ", "_")


def spelt_twice(raw: Entry) -> str | None:
    """A field of which a record holds two spellings: it cannot be told which one counts."""
    names: set[str] = set()
    for key in raw:
        if normal_key(key) in names:
            return key
        names.add(normal_key(key))
    return None


def normalised(
    raw: Entry, known: Collection[str], path: Path, number: int, oddities: Oddities
) -> Entry:
    """A record with normalised keys; fields that no import knows are counted.

    Args:
        number: 1-based entry or line number.
    """
    for key, value in raw.items():
        if normal_key(key) not in known:
            oddities.add(path, f"unknown field {key}", number, value, "left out")
    return {normal_key(key): value for key, value in raw.items()}


def read_lines(
    path: Path, known: Collection[str], oddities: Oddities
) -> Iterator[tuple[int, Entry]]:
    """Yield (1-based line number, record with normalised keys) of a released JSONL file.

    Raises:
        InputError: as `read_jsonl`, or a field in two spellings.
    """
    for line, raw in read_jsonl(path):
        if (twice := spelt_twice(raw)) is not None:
            raise InputError(
                "a field in two spellings", file=path, line=line, field=twice, remedy=DAMAGED
            )
        yield line, normalised(raw, known, path, line, oddities)


def read_document(path: Path, known: Collection[str], oddities: Oddities) -> Document:
    """Read a result file: a list of entries, or one with metadata around it.

    Raises:
        InputError: not UTF-8, not JSON (cut off, for instance), or another shape; with its line.
    """
    try:
        text = read_text(path)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    rows = raw = _parsed(path, text)
    metadata: dict[str, Any] = {}
    if isinstance(raw, dict):
        rows, metadata = raw.get(ENTRIES), raw.get(METADATA, {})
        for key, value in raw.items():
            if key not in (ENTRIES, METADATA):
                oddities.add(path, f"unknown field {key} of the file", None, value, "left out")
        if not isinstance(metadata, dict):
            oddities.add(path, f"{METADATA} is no object", None, metadata, "left out")
            metadata = {}
    if not isinstance(rows, list):
        raise InputError(
            "no list of records",
            file=path,
            remedy=f"A result file is a list, or holds one under {ENTRIES}.",
        )
    document = Document(path, [], metadata)
    escapes = SURROGATE_ESCAPE.search(text) is not None
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            raise document.error("no object", index, None, row, DAMAGED)
        if escapes and half_pair(row, text):
            raise document.error("half a surrogate pair", index, None, None, DAMAGED)
        if (twice := spelt_twice(row)) is not None:
            raise document.error("a field in two spellings", index, twice, row[twice], DAMAGED)
        document.entries.append(normalised(row, known, path, index + 1, oddities))
    if escapes and half_pair(raw, text):
        raise InputError("half a surrogate pair outside its entries", file=path, remedy=DAMAGED)
    return document


def _parsed(path: Path, text: str) -> Any:
    """Strict JSON; what is refused is told with the line of its entry."""
    try:
        raw = STRICT.decode(text)
        if _deep(raw, DEEPEST):
            raise ValueError(f"nested deeper than {DEEPEST} levels")
        return raw
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON: {error.msg}", file=path, line=error.lineno, remedy=DAMAGED
        ) from None
    except (ValueError, RecursionError) as error:
        begun: int | None = None
        try:
            for place in _places(text, STRICT):
                begun = place
            begun = None  # refused outside the entries
        except (ValueError, RecursionError):
            pass
        raise InputError(f"not JSON: {error}", file=path, line=_line(text, begun)) from None


def _places(text: str, decoder: json.JSONDecoder) -> Iterator[int]:
    """Where the entries of a result file begin, one after the other."""

    def after(at: int) -> int:
        found = BETWEEN.match(text, at)
        return found.end() if found else at

    at = after(0)
    if text.startswith("{", at):
        at += 1
        while True:
            key, at = decoder.raw_decode(text, after(at))
            at = after(at)
            if key == ENTRIES:
                break
            _, at = decoder.raw_decode(text, at)
    at = after(at + 1)
    while not text.startswith("]", at):
        yield at
        _, at = decoder.raw_decode(text, at)
        at = after(at)


def _line(text: str, place: int | None) -> int | None:
    return None if place is None else text.count("\n", 0, place) + 1


def _deep(value: Any, room: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    inner = value.values() if isinstance(value, dict) else value
    return room == 0 or any(_deep(one, room - 1) for one in inner)
