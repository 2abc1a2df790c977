"""How two runs differ in what they are: configuration, versions, raw files."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from babelmath.comparing.runs import Run
from babelmath.errors import InputError
from babelmath.files import dumps, is_there, read_text
from babelmath.versions import HEADER, MAIN

Change = tuple[str, str, str]  # a name, and its values in A and in B
NOWHERE = "not there"


def keys(a: Mapping[str, Any], b: Mapping[str, Any], before: str = "") -> Iterator[Change]:
    """The configuration keys whose values differ, dotted; what one lacks by its topmost key.

    Folders are left out: where a run lies changes nothing of it.
    """
    for key in [*a, *(one for one in b if one not in a)]:
        name = f"{before}{key}"
        if name == "paths":
            continue
        one, two = a.get(key, NOWHERE), b.get(key, NOWHERE)
        if isinstance(one, dict) and isinstance(two, dict):
            yield from keys(one, two, f"{name}.")
        elif one != two or type(one) is not type(two):
            yield name, _told(one, key in a), _told(two, key in b)


def _told(value: Any, there: bool) -> str:
    if not there:
        return NOWHERE
    if isinstance(value, dict):
        return "{...}" if value else "{}"
    return value if isinstance(value, str) else dumps(value)


def versions(a: Run, b: Run) -> list[Change] | None:
    """The packages whose versions differ; None where a run has not recorded them.

    A package that a run's environments hold in several versions is told with all of them.
    """
    one, two = (_versions(run.root / "run/versions.csv") for run in (a, b))
    if one is None or two is None:
        return None
    return [
        (name, one.get(name, NOWHERE), two.get(name, NOWHERE))
        for name in sorted({*one, *two})
        if one.get(name) != two.get(name)
    ]


def _versions(path: Path) -> dict[str, str] | None:
    """Versions by package; of several: each with the environments that hold it."""
    if not is_there(path):
        return None
    rows = list(csv.reader(read_text(path).splitlines()))
    # Of runs that know of one environment alone: without the column that names it.
    header = HEADER[1:] if rows and tuple(rows[0]) == HEADER[1:] else HEADER
    found: dict[str, dict[str, list[str]]] = {}
    for number, row in enumerate(rows, start=1):
        if len(row) != len(header) or (number == 1 and tuple(row) != header):
            raise InputError(
                f"is no line of {', '.join(header)}", file=path, line=number, value=",".join(row),
                remedy="Remove the file and run again.",
            )  # fmt: skip
        if number > 1:
            environment, name, version = [MAIN, *row][-len(HEADER) :]
            found.setdefault(name, {}).setdefault(version, []).append(environment)
    return {name: _told_versions(held) for name, held in found.items()}


def _told_versions(held: Mapping[str, Sequence[str]]) -> str:
    if len(held) == 1:
        return next(iter(held))
    return "; ".join(f"{version} ({', '.join(held[version])})" for version in sorted(held))


def raw_files(a: Run, b: Run) -> str:
    """A sentence on whether both runs were made from the same raw files."""
    one, two = (_hashes(run.root / "run/inputs.json") for run in (a, b))
    if one is None or two is None:
        return "A run has no record of its raw files (`run/inputs.json`)."
    if one == two:
        return f"Both were made from the same {len(one)} raw files, byte by byte."
    return (
        f"They were made from other raw files: {len(one & two)} are the same in both, "
        f"{len(one - two)} are A's alone, {len(two - one)} B's alone (`run/inputs.json`)."
    )


def _hashes(path: Path) -> set[tuple[str, str]] | None:
    """(file's name, hash) of raw files, wherever they lie."""
    if not is_there(path):
        return None
    try:
        parts = json.loads(read_text(path))
        return {(Path(name).name, digest) for part in parts.values()
                for name, digest in part.items() if isinstance(digest, str)}  # fmt: skip
    except (ValueError, AttributeError):
        raise InputError("is no record of raw files", file=path,
                         remedy="Remove the file and run again.") from None  # fmt: skip
