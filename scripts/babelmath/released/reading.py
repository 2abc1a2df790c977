"""Released JSON documents as entries: errors name file and line, unknown fields are counted."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babelmath.errors import InputError
from babelmath.files import read_text, refuse_constant, unique_keys
from babelmath.released.oddities import Oddities

Entry = dict[str, Any]


@dataclass(frozen=True)
class Document:
    """A result file: its entries with normalised keys, and the metadata of judged files."""

    path: Path
    entries: list[Entry]
    metadata: dict[str, Any]

    def error(self, problem: str, entry: int, field: str, value: object, remedy: str) -> InputError:
        """An error of the 0-based entry, with the line where it begins."""
        return InputError(
            f"{problem} in entry {entry + 1}",
            file=self.path,
            line=_line(self.path, entry),
            field=field,
            value=value,
            remedy=remedy,
        )


def normal_key(key: str) -> str:
    """`Answer Type`, `answer_type` and ` Answer Type ` are one key."""
    return key.replace("_", " ").strip().lower().replace(" ", "_")


def normalised(
    raw: Entry, known: Collection[str], path: Path, number: int, oddities: Oddities
) -> Entry:
    """A record with normalised keys; fields that no import knows are counted.

    Args:
        number: 1-based entry or line number.
    """
    entry: Entry = {}
    for key, value in raw.items():
        name = normal_key(key)
        if name in entry:
            raise InputError(
                f"two spellings of field {name} in entry {number}", file=path, field=key
            )
        entry[name] = value
        if name not in known:
            oddities.add(path, f"unknown field {key}", number, value, "left out")
    return entry


def read_document(path: Path, known: Collection[str], oddities: Oddities) -> Document:
    """Read a result file: a list of entries, or one with metadata around it.

    Raises:
        InputError: not UTF-8, not JSON (cut off, for instance), or another shape; with its line.
    """
    try:
        text = read_text(path)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    try:
        raw = json.loads(text, parse_constant=refuse_constant, object_pairs_hook=unique_keys)
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON: {error.msg}",
            file=path,
            line=error.lineno,
            remedy="The file is damaged; take it from the release again.",
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}", file=path) from None
    metadata: dict[str, Any] = {}
    rows = raw
    if isinstance(raw, dict):
        rows = raw.get("problem_evaluations")
        metadata = raw.get("evaluation_metadata") or {}
        for key in raw.keys() - {"problem_evaluations", "evaluation_metadata"}:
            oddities.add(path, f"unknown field {key} of the file", None, raw[key], "left out")
    if not isinstance(rows, list) or not isinstance(metadata, dict):
        raise InputError(
            "no list of records",
            file=path,
            remedy="A result file is a list, or holds one under problem_evaluations.",
        )
    entries = []
    for index, row in enumerate(rows):
        if not isinstance(row, dict):
            raise InputError(f"entry {index + 1} is no object", file=path, value=row)
        entries.append(normalised(row, known, path, index + 1, oddities))
    return Document(path, entries, metadata)


def _line(path: Path, entry: int) -> int | None:
    """The line where the 0-based entry of a list begins."""
    text = read_text(path)
    start = re.search(r"\[\s*(?=\{)", text)
    if start is None:
        return None
    decoder, position = json.JSONDecoder(), start.end()
    for _ in range(entry):
        _, position = decoder.raw_decode(text, position)
        position = text.index("{", position)
    return text.count("\n", 0, position) + 1
