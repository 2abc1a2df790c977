"""Where the boxes of the pipeline picture stand: columns, rows and the channels between them.

Everything is in grid units: a stage's column is its longest path from a source, its row a slot in
the band of its group. No drawing, no inches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Stage:
    """A stage of the workflow: what it is called and does, its group, the stages it waits for."""

    name: str
    title: str
    doc: str
    group: str
    after: tuple[str, ...]


@dataclass(frozen=True)
class Band:
    """The rectangle of a group in whole columns and rows, both ends included."""

    group: str
    first_column: int
    last_column: int
    first_row: int
    last_row: int


def columns_of(stages: Sequence[Stage]) -> dict[str, int]:
    """Column of each stage by name: the length of the longest path that leads to it.

    Raises ValueError for a repeated name, an unknown name in `after` and a cycle, which it spells.
    """
    by_name: dict[str, Stage] = {}
    for stage in stages:
        if stage.name in by_name:
            raise ValueError(f"pipeline: two stages are named {stage.name!r}")
        by_name[stage.name] = stage
    for stage in stages:
        for before in stage.after:
            if before not in by_name:
                raise ValueError(
                    f"pipeline: stage {stage.name!r} comes after {before!r}, which is no stage; "
                    f"stages are {', '.join(by_name)}"
                )
    columns: dict[str, int] = {}
    for stage in stages:
        _visit(stage.name, by_name, columns, ())
    return columns


def bands_of(stages: Sequence[Stage], columns: Mapping[str, int]) -> list[Band]:
    """One rectangle a group, in order of first appearance, none touching another.

    A group stands beside earlier ones where its columns are free, else below them.
    """
    bands: list[Band] = []
    for group in dict.fromkeys(stage.group for stage in stages):
        taken = [columns[stage.name] for stage in stages if stage.group == group]
        height = max(taken.count(column) for column in taken)
        first, last = min(taken), max(taken)
        above = [
            band.last_row + 1
            for band in bands
            if band.first_column <= last and first <= band.last_column
        ]
        top = max(above, default=0)
        bands.append(Band(group, first, last, top, top + height - 1))
    return [_stretched(band, bands) for band in bands]


def rows_of(
    stages: Sequence[Stage], columns: Mapping[str, int], bands: Sequence[Band]
) -> dict[str, float]:
    """Row of each stage by name, inside its group's band and centred in it.

    In a column of a band stages are ordered by the mean row of those they wait for.
    """
    rows: dict[str, float] = {}
    by_group = {band.group: band for band in bands}
    for column in sorted(set(columns.values())):
        for band in bands:
            here = [s for s in stages if columns[s.name] == column and s.group == band.group]
            here.sort(key=lambda stage: _mean_row(stage, rows, by_group[stage.group]))
            slack = (band.last_row - band.first_row + 1 - len(here)) / 2
            for place, stage in enumerate(here):
                rows[stage.name] = band.first_row + slack + place
    return rows


def _stretched(band: Band, bands: Sequence[Band]) -> Band:
    """The band as tall as its tallest neighbour from the same row, where nothing stands below."""
    tallest = max(other.last_row for other in bands if other.first_row == band.first_row)
    below = [
        other.first_row - 1
        for other in bands
        if other.first_row > band.last_row
        and other.first_column <= band.last_column
        and band.first_column <= other.last_column
    ]
    return replace(band, last_row=min([tallest, *below]))


def _visit(
    name: str, stages: Mapping[str, Stage], columns: dict[str, int], path: tuple[str, ...]
) -> int:
    if name in path:
        cycle = " after ".join([*path[path.index(name) :], name])
        raise ValueError(f"pipeline: the stages form a cycle: {cycle}")
    if name not in columns:
        below = [_visit(before, stages, columns, (*path, name)) for before in stages[name].after]
        columns[name] = max(below, default=-1) + 1
    return columns[name]


def _mean_row(stage: Stage, rows: Mapping[str, float], band: Band) -> float:
    before = [rows[name] for name in stage.after if name in rows]
    return sum(before) / len(before) if before else float(band.first_row)
