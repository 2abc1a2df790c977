"""Tables that people fill in with a spreadsheet, which saves CSV in the manner of its country."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from babelmath.errors import InputError
from babelmath.files import read_text

SEPARATORS = ",;\t"  # the last is what a spreadsheet calls text


def sheet_rows(path: Path, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    """The rows of a sheet with the lines on which they end; missing cells are empty.

    Args:
        columns: the columns that the sheet must have; others may stand beside them.

    Raises:
        InputError: a missing column, more cells than columns (a text cut at a comma), a quote that
            swallows the next rows; with file, line and field.
    """
    text = read_text(path)
    heads = text.partition("\n")[0]
    separator = max(SEPARATORS, key=heads.count)
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for column in columns:
            if column not in (rows.fieldnames or []):
                raise InputError("column is missing", file=path, line=1, field=column)
        for row in rows:
            if None in row:
                raise InputError(
                    "more cells than columns", file=path, line=rows.line_num, value=row[None],
                    remedy="Put a text that holds a comma between double quotes.",
                )  # fmt: skip
            yield rows.line_num, {name: cell or "" for name, cell in row.items()}
    except csv.Error as error:
        raise InputError(
            f"not CSV: {error}", file=path, line=rows.reader.line_num, remedy="Close the quotes."
        ) from None
