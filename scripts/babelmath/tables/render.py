"""Tables as files: CSV with all digits, Markdown; the blocks that all forms share. Layout never
computes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from babelmath.tables.frame import Cell, Table, best, interval, written


def csv(table: Table) -> str:
    """One line a cell: block, row, column, value, n, interval, unit, mark, protocol, records."""
    return table.frame().write_csv()


def markdown(table: Table) -> str:
    """A heading, the caption's facts, one grid a block, notes.

    Where rows do not compete, each number has its interval beside it.
    """
    lines = [f"### {table.title}", "", f"`{table.paper}/{table.name}`, protocol: {table.protocol}."]
    for grid in grids(table):
        if grid.block:
            lines += ["", f"**{grid.block}**"]
        heads = [table.heading, *(flat(column) + grid.counts[column] for column in grid.columns)]
        lines += ["", "| " + " | ".join(map(_pipe, heads)) + " |"]
        lines.append("|---" + "|---:" * len(grid.columns) + "|")
        for row in grid.rows:
            found = [_marked_down(table, grid, row, column) for column in grid.columns]
            lines.append("| " + " | ".join([_pipe(row), *found]) + " |")
    lines += ["", *(f"- {note}" for note in table.notes)]
    return "\n".join(lines).rstrip("\n") + "\n"


@dataclass(frozen=True)
class Grid:
    """One block of a table: its rows and columns in order, its cells, and which are marked.

    `counts`: by column ` (n=6)` where all its percentages share their n; where they do not, each
    cell says its own.
    """

    block: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: dict[tuple[str, str], Cell]
    marked: frozenset[tuple[str, str]]
    counts: dict[str, str]

    def count_of(self, cell: Cell) -> str:
        """A cell's own ` (n=6)`, where neither its column nor a column of its own says it."""
        told = "n" in self.columns or not counted(cell) or self.counts[cell.column]
        return "" if told else f" (n={cell.n})"


def grids(table: Table) -> list[Grid]:
    """The blocks of a table, in their order."""
    marks = best(table)
    found = []
    for block in unique(cell.block for cell in table.cells):
        held = [(i, cell) for i, cell in enumerate(table.cells) if cell.block == block]
        cells = {(cell.row, cell.column): cell for _, cell in held}
        columns = unique(cell.column for _, cell in held)
        found.append(
            Grid(
                block,
                unique(cell.row for _, cell in held),
                columns,
                cells,
                frozenset((cell.row, cell.column) for i, cell in held if i in marks),
                {column: _n([cell for _, cell in held], column) for column in columns},
            )
        )
    return found


def flat(column: str) -> str:
    """The levels of a column in one line."""
    return column.replace(" | ", ", ")


def _n(cells: Sequence[Cell], column: str) -> str:
    """` (n=6)` where all cells of a column share their n."""
    if any(cell.column == "n" for cell in cells):
        return ""
    counts = {cell.n for cell in cells if cell.column == column and counted(cell)}
    return f" (n={counts.pop()})" if len(counts) == 1 else ""


def counted(cell: Cell) -> bool:
    """Whether a cell's number has an n to tell."""
    return cell.unit in ("percent", "difference") and cell.value is not None


def _marked_down(table: Table, grid: Grid, row: str, column: str) -> str:
    cell = grid.cells.get((row, column))
    if cell is None:
        return ""
    text = written(cell)
    if (row, column) in grid.marked:
        text = f"**{text}**"
    span = "" if table.ranked else interval(cell)
    return _pipe(text + (f" ({span})" if span else "") + grid.count_of(cell))


def spans(counts: Sequence[int]) -> str:
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _pipe(text: str) -> str:
    return text.strip().replace("|", "\\|")
