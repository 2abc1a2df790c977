"""What every table says of its numbers: intervals, marks, and how small a difference can be."""

from __future__ import annotations

from collections.abc import Sequence

from babelmath.statistics.testing import detectable_unpaired
from babelmath.tables.frame import Cell, Table, Unit, best, rounded

FEW = 200  # below, what is said of a normal approximation holds only roughly


def common_notes(table: Table) -> list[str]:
    """The notes under a table, in plain words."""
    return [*_intervals(table.cells), *_small(table), *_marks(table)]


def _intervals(cells: Sequence[Cell]) -> list[str]:
    reaches = [reach for cell in cells for reach in _reach(cell, "percent", "difference")]
    if not reaches:
        return []
    low, high = rounded(min(reaches), 1), rounded(max(reaches), 1)
    told = high if low == high else f"{low} to {high}"
    return [
        f"95% intervals reach {told} points from the values; the CSV and HTML files give "
        "each. Problems are the sampling unit: translations and repeated samples of one problem "
        "count as one cluster (docs/statistics.md)."
    ]


def _reach(cell: Cell, *units: Unit) -> list[float]:
    """How far the interval of a number of such a unit goes from it, where it has one."""
    if cell.unit not in units or cell.value is None or cell.low is None or cell.high is None:
        return []
    return [max(cell.high - cell.value, cell.value - cell.low)]


def _small(table: Table) -> list[str]:
    """How far two values must be apart, where rows compete, by the least sure of their n."""
    by_n: dict[int, list[float]] = {}
    for cell in table.cells:
        for reach in _reach(cell, "percent"):
            by_n.setdefault(cell.n, []).append(reach)
    if not table.ranked or not by_n:
        return []
    least = {n: detectable_unpaired(max(by_n[n])) for n in sorted({min(by_n), max(by_n)})}
    told = " and ".join(
        f"{rounded(points, 0)} points at n = {n:,}" for n, points in least.items() if points < 100
    )
    never = " and ".join(f"{n:,}" for n, points in least.items() if points >= 100)
    rough = " (roughly: n is small)" if min(by_n) < FEW else ""
    also = "on the same problems less may do: `tests_settings` and `tests_languages`."
    parts = [
        "To be told apart in four of five cases, two values of unrelated problems must differ by "
        f"some {told}{rough}; {also}" if told else "",
        f"At n = {never} no difference of unrelated problems is found so often"
        + ("." if told else f"; {also}") if never else "",
    ]  # fmt: skip
    return [" ".join(filter(None, parts))]


def _marks(table: Table) -> list[str]:
    if not best(table):
        return []
    return [
        "Bold: the highest of its column; values written alike share it. It is no test: the next "
        "may be as good."
    ]
