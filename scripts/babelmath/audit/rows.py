"""The rows of an audit's report, and their CSV form."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from babelmath.errors import InputError
from babelmath.files import read_text

NEEDED = {"id", "where", "row", "column", "unit", "printed", "recomputed", "verdict", "rule"}


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
    """Read a report back; columns that no row has are left out.

    Raises:
        InputError: no report of an audit, or a damaged one, with its line.
    """
    known = Row.__dataclass_fields__
    reader = csv.DictReader(io.StringIO(read_text(path)), strict=True)
    remedy = "Make the published run again, or name another by paths.published."
    rows: list[Row] = []
    try:
        if missing := NEEDED - set(reader.fieldnames or ()):
            raise InputError(f"no audit report: lacks {', '.join(sorted(missing))}", file=path,
                             line=1, remedy=remedy)  # fmt: skip
        for line in reader:
            if None in line or None in line.values():
                raise InputError("a line with more or fewer cells than the header", file=path,
                                 line=reader.line_num, remedy=remedy)  # fmt: skip
            rows.append(Row(**{name: value for name, value in line.items() if name in known}))
    except csv.Error as error:
        raise InputError(f"not CSV: {error}", file=path, line=reader.line_num,
                         remedy=remedy) from None  # fmt: skip
    return rows
