"""Reading a few columns of this run's own JSONL files fast; the schema says where a fault is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
from pydantic_core import from_json

Schema = dict[str, pl.DataType | type[pl.DataType]]
Row = Callable[[dict[str, Any]], tuple[Any, ...]]


def columns_of(
    path: Path,
    schema: Schema,
    key: Sequence[str],
    sound: pl.Expr,
    row: Row,
    slow: Callable[[], pl.DataFrame],
) -> pl.DataFrame:
    """The columns of a file that this run wrote; its other fields are passed over.

    Args:
        key: columns that are no null, and not the same in two rows.
        sound: what must hold of every row.
        row: the columns' values of one record.
        slow: reads the same through the schema of records, and raises where a fault is; asked
            where anything is not as it must be.
    """
    try:
        # Line by line: the texts of a long file are never all in memory.
        with open(path, "rb") as handle:
            values = [
                row(from_json(line, allow_inf_nan=False, cache_strings="keys")) for line in handle
            ]
        # Column by column, which takes a value of another type for what it is: no 1.5 becomes 1.
        columns = zip(*values, strict=True) if values else ((),) * len(schema)
        rows = pl.DataFrame(
            [
                pl.Series(name, column, kind, strict=True)
                for (name, kind), column in zip(schema.items(), columns, strict=True)
            ]
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OverflowError,
            RecursionError, pl.exceptions.PolarsError):  # fmt: skip
        return slow()
    kept = pl.all_horizontal(pl.col(*key).is_not_null()) & sound
    if rows.select((~kept.fill_null(False)).any() | pl.struct(key).is_duplicated().any()).item():
        return slow()
    return rows
