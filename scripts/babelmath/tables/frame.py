"""A table as cells: what every table function gives and every renderer takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from statistics import pstdev
from typing import Literal

import polars as pl

Unit = Literal["percent", "difference", "count", "coefficient", "text"]


@dataclass(frozen=True)
class Cell:
    """One number: where it stands, its value or None, n, and how both are written.

    `block` parts a table (often a language); `column` may have levels, joined by " | ".
    """

    block: str
    row: str
    column: str
    value: float | None
    n: int
    unit: Unit = "percent"
    decimals: int = 2
    absent: str = "no records"


@dataclass(frozen=True)
class Table:
    """A table: cells in reading order, a title, its protocol, and notes under it."""

    paper: str
    name: str
    title: str
    protocol: str
    cells: Sequence[Cell]
    notes: Sequence[str]
    heading: str = "Model"

    def frame(self) -> pl.DataFrame:
        """Columns block, row, column, value, n, unit, protocol; all digits."""
        schema = {
            "block": pl.String,
            "row": pl.String,
            "column": pl.String,
            "value": pl.Float64,
            "n": pl.Int64,
            "unit": pl.String,
        }
        rows = [(c.block, c.row, c.column, c.value, c.n, c.unit) for c in self.cells]
        return pl.DataFrame(rows, schema=schema, orient="row").with_columns(
            protocol=pl.lit(self.protocol)
        )


def share(right: int, n: int) -> float | None:
    """Percent, or None where there is nothing to count."""
    return 100 * right / n if n else None


def difference(after: float | None, before: float | None) -> float | None:
    """Percentage points, or None where one side has no records."""
    return None if after is None or before is None else after - before


def mean(values: Sequence[float | None]) -> float | None:
    """Mean, or None where a value is missing: a mean over fewer cells is another number."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known and len(known) == len(values) else None


def deviation(values: Sequence[float | None]) -> float | None:
    """Population standard deviation, or None where a value is missing."""
    known = [value for value in values if value is not None]
    return pstdev(known) if known and len(known) == len(values) else None


def decimal(value: float) -> Decimal:
    """The decimal that a float stands for: one that ties, although a sum of floats just misses it.

    Ten decimals are past any error of such sums, and short of what sets shares of records apart.
    """
    return Decimal(repr(round(float(value), 10)))


def rounded(value: float, decimals: int) -> str:
    """Rounded half up, as both papers print."""
    return str(decimal(value).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP))


def written(cell: Cell) -> str:
    """A cell's value as the papers write it; a difference with its arrow."""
    if cell.value is None:
        return "undefined" if cell.unit == "coefficient" and cell.n else cell.absent
    if cell.unit == "count":
        return f"{cell.value:,.0f}"
    if cell.unit == "difference":
        size = rounded(abs(cell.value), cell.decimals)
        arrow = "" if Decimal(size) == 0 else "↑" if cell.value > 0 else "↓"
        return f"{arrow}{size}"
    return rounded(cell.value, cell.decimals)
