"""A table as cells: what every table function gives and every renderer takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from statistics import pstdev
from typing import Literal

import polars as pl

from babelmath.selection import Records
from babelmath.statistics.frames import Measured

Unit = Literal["percent", "difference", "count", "points", "coefficient", "chance", "text"]
COMPARED: tuple[Unit, ...] = ("percent",)  # units of which a column's best value is marked


@dataclass(frozen=True)
class Cell:
    """One number: where it stands, its value or None, n, and how both are written.

    `block` parts a table (often a language); `column` may have levels, joined by " | ". `low` and
    `high` are the ends of the 95% interval, `records` the generations behind the number. A `text`
    has its words in place of a value.
    """

    block: str
    row: str
    column: str
    value: float | None
    n: int
    unit: Unit = "percent"
    decimals: int = 2
    absent: str = "no records"
    low: float | None = None
    high: float | None = None
    records: Records | None = None
    words: str = ""


@dataclass(frozen=True)
class Table:
    """A table: cells in reading order, a title, its protocol, and notes under it.

    `ranked`: the rows compete, and the best value of each block and column is marked.
    """

    paper: str
    name: str
    title: str
    protocol: str
    cells: Sequence[Cell]
    notes: Sequence[str]
    heading: str = "Model"
    ranked: bool = False

    def frame(self) -> pl.DataFrame:
        """One row a cell, all digits: block, row, column, value, n, low, high, unit, best,
        protocol, records."""
        schema = {
            "block": pl.String, "row": pl.String, "column": pl.String, "value": pl.Float64,
            "n": pl.Int64, "low": pl.Float64, "high": pl.Float64, "unit": pl.String,
            "words": pl.String, "best": pl.Boolean, "protocol": pl.String, "records": pl.String,
        }  # fmt: skip
        marked = best(self)
        rows = [
            (c.block, c.row, c.column, c.value, c.n, c.low, c.high, c.unit, c.words or None,
             index in marked, self.protocol, c.records.query() if c.records else None)
            for index, c in enumerate(self.cells)
        ]  # fmt: skip
        return pl.DataFrame(rows, schema=schema, orient="row")


def best(table: Table) -> frozenset[int]:
    """The places of the cells with the highest percentage of their block and column.

    Values that are written alike share the mark; a column with one value, or with values that are
    all written alike, has none.
    """
    if not table.ranked:
        return frozenset()
    columns: dict[tuple[str, str], list[int]] = {}
    for index, cell in enumerate(table.cells):
        if cell.unit in COMPARED and cell.value is not None:
            columns.setdefault((cell.block, cell.column), []).append(index)
    marked: set[int] = set()
    for places in columns.values():
        texts = {index: written(table.cells[index]) for index in places}
        if len(set(texts.values())) > 1:
            highest = max(places, key=lambda index: table.cells[index].value or 0.0)
            marked |= {index for index in places if texts[index] == texts[highest]}
    return frozenset(marked)


def number(
    block: str,
    row: str,
    column: str,
    found: Measured | None,
    records: Records | None = None,
    unit: Unit = "percent",
    decimals: int = 2,
    absent: str = "no records",
) -> Cell:
    """The cell of a measured number, with its interval; without one where nothing was measured."""
    if found is None:
        return Cell(block, row, column, None, 0, unit, decimals, absent)
    low, high = found.span or (None, None)
    return Cell(block, row, column, found.value, found.n, unit, decimals, absent, low, high,
                records if found.n else None)  # fmt: skip


def text(block: str, row: str, column: str, words: str) -> Cell:
    """A cell of words."""
    return Cell(block, row, column, None, 0, "text", words=words)


def share(right: int, n: int) -> float | None:
    """Percent, or None where there is nothing to count."""
    return 100 * right / n if n else None


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
    if cell.unit == "text":
        return cell.words
    if cell.value is None:
        return "undefined" if cell.unit == "coefficient" and cell.n else cell.absent
    if cell.unit == "count":
        return f"{cell.value:,.0f}"
    if cell.unit == "difference":
        size = rounded(abs(cell.value), cell.decimals)
        arrow = "" if Decimal(size) == 0 else "↑" if cell.value > 0 else "↓"
        return f"{arrow}{size}"
    if cell.unit == "chance" and cell.value < 10**-cell.decimals:
        return f"<{rounded(10**-cell.decimals, cell.decimals)}"
    return rounded(cell.value, cell.decimals)


def interval(cell: Cell) -> str:
    """A cell's 95% interval as it is written beside its value; empty without one."""
    if cell.value is None or cell.low is None or cell.high is None:
        return ""
    digits = cell.decimals if cell.unit == "coefficient" else min(cell.decimals, 1)
    low, high = (rounded(end, digits) for end in (cell.low, cell.high))
    return f"{low} to {high}"
