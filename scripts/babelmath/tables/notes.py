"""What every table says of its numbers: intervals, marks, and how small a difference can be."""

from __future__ import annotations

from collections.abc import Sequence

from babelmath.statistics.testing import detectable_unpaired
from babelmath.tables.frame import Cell, Table, best, rounded

FEW = 200  # below, what is said of a normal approximation holds only roughly


def common_notes(table: Table) -> list[str]:
    """The notes under a table, in plain words."""
    return [*_intervals(table.cells), *_small(table), *_marks(table)]


def _intervals(cells: Sequence[Cell]) -> list[str]:
    halves = [
        max(cell.high - cell.value, cell.value - cell.low)
        for cell in cells
        if cell.value is not None
        and cell.low is not None
        and cell.high is not None
        and cell.unit in ("percent", "difference")
    ]
    if not halves:
        return []
    low, high = rounded(min(halves), 1), rounded(max(halves), 1)
    reach = f"{high}" if low == high else f"{low} to {high}"
    return [
        f"95% intervals reach {reach} points from the values; the CSV and HTML files give "
        "each. Problems are the sampling unit: translations and repeated samples of one problem "
        "count as one cluster (docs/statistics.md)."
    ]


def _small(table: Table) -> list[str]:
    """How far two values must be apart, where rows compete."""
    counts = sorted({cell.n for cell in table.cells if cell.unit == "percent" and cell.value
                     is not None})  # fmt: skip
    if not table.ranked or not counts:
        return []
    ends = sorted({counts[0], counts[-1]})
    told = " and ".join(
        f"{rounded(min(detectable_unpaired(n), 100.0), 0)} points at n = {n:,}" for n in ends
    )
    rough = " (roughly: n is small)" if ends[0] < FEW else ""
    return [
        "Two values near 50% of unrelated responses must be some "
        f"{told} apart to be told apart in four of five cases{rough}; on the same problems less "
        "may do: tests_settings and tests_languages."
    ]


def _marks(table: Table) -> list[str]:
    if not best(table):
        return []
    return [
        "Bold: the highest of its column; values written alike share it. It is no test: the next "
        "may be as good."
    ]
