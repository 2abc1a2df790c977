"""What is odd in released data: counted by file and kind, never altered silently."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from babelmath.files import read_text, write_text

COLUMNS = ("file", "kind", "count", "first", "example", "handling")


@dataclass
class Tally:
    """One kind of oddity in one file: how often, the first entry's number, what it looked like."""

    count: int
    first: int | None
    example: str
    handling: str


@dataclass
class Oddities:
    """A collector of oddities, by (file, kind) in the order of their first appearance."""

    root: Path | None = None
    found: dict[tuple[str, str], Tally] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    _counted: set[tuple[str, str, int | None]] = field(default_factory=set)

    def add(
        self,
        file: str | Path,
        kind: str,
        entry: int | None = None,
        example: object = "",
        handling: str = "kept",
    ) -> None:
        """Count one oddity: once for an entry or a whole file, however often that is read.

        Args:
            file: the file, shown relative to the collector's root.
            kind: what is odd, in a few words.
            entry: 1-based number of the record in its file.
            example: the value, cut to 60 characters.
            handling: what the import does with it.
        """
        key = (self.name(file), " ".join(kind.split()))
        if (*key, entry) in self._counted:
            return
        self._counted.add((*key, entry))
        if key in self.found:
            self.found[key].count += 1
        else:
            self.found[key] = Tally(1, entry, _shown(example), handling)

    def name(self, file: str | Path) -> str:
        """A file as reports name it: relative to the root where it lies inside."""
        key = str(file)
        if key not in self._names:
            inside = self.root is not None and Path(key).is_relative_to(self.root)
            name = Path(key).relative_to(self.root).as_posix() if self.root and inside else key
            self._names[key] = name.encode(errors="backslashreplace").decode()
        return self._names[key]


def _shown(example: object) -> str:
    try:
        return repr(example)[:60] if example != "" else ""
    except RecursionError:
        return "(deeply nested)"


def save_oddities(path: str | Path, oddities: Oddities) -> None:
    """Write a collector as CSV: file, kind, count, first, example, handling."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for (file, kind), one in oddities.found.items():
        first = "" if one.first is None else one.first
        writer.writerow([file, kind, one.count, first, one.example, one.handling])
    write_text(path, stream.getvalue())


def load_oddities(paths: Iterable[str | Path]) -> list[dict[str, str]]:
    """The rows of several such files, one after the other."""
    rows: list[dict[str, str]] = []
    for path in paths:
        rows += csv.DictReader(io.StringIO(read_text(path)))
    return rows
