"""The rows of an audit's report, and their CSV form."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from babelmath.files import read_text


@dataclass(frozen=True)
class Row:
    """One claim of the report; texts as they are written to the CSV file, "" where nothing is."""

    id: str
    where: str
    row: str
    column: str
    unit: str
    printed: str
    arithmetic: str = ""
    recomputed: str = ""
    n: str = ""
    low: str = ""
    high: str = ""
    verdict: str = ""
    strict: str = ""
    strict_verdict: str = ""
    own: str = ""
    own_n: str = ""
    own_low: str = ""
    own_high: str = ""
    own_verdict: str = ""
    own_scorers: str = ""
    scorers: str = ""
    files: str = ""
    origin: str = ""
    rule: str = ""
    population: str = ""
    reason: str = ""


def report_csv(rows: Iterable[Row]) -> str:
    """The rows as CSV text."""
    stream = io.StringIO()
    names = list(Row.__dataclass_fields__)
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([getattr(row, name) for name in names])
    return stream.getvalue()


def load_report(path: str | Path) -> list[Row]:
    """Read a report back; unknown columns are left out."""
    known = Row.__dataclass_fields__
    return [
        Row(**{name: value for name, value in line.items() if name in known})
        for line in csv.DictReader(io.StringIO(read_text(path)))
    ]
