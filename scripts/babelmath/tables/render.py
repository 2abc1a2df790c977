"""Tables as files: CSV with all digits, Markdown, LaTeX with booktabs. Layout never computes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from babelmath.tables.frame import Cell, Table, best, interval, written
from babelmath.tables.tex import tex

WIDE = 7  # columns from which a LaTeX table is scaled to the width of the text


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


def latex(table: Table) -> str:
    r"""A table environment with booktabs rules: needs \usepackage{booktabs}, and preamble.tex where
    a name is in another script than Latin; graphicx where it is wide."""
    columns = _unique(cell.column for cell in table.cells)
    body = [
        rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
        r"\toprule",
        *_heads(table.heading, columns),
    ]
    for grid in grids(table):
        body.append(r"\midrule")
        if grid.block:
            width = len(columns) + 1
            body.append(rf"\multicolumn{{{width}}}{{c}}{{\textbf{{{tex(grid.block)}}}}} \\")
            body.append(r"\midrule")
        body += [
            " & ".join([tex(row), *(_typeset(grid, row, column) for column in columns)]) + r" \\"
            for row in grid.rows
        ]
    body += [r"\bottomrule", r"\end{tabular}"]
    if len(columns) >= WIDE:
        body = [r"\resizebox{\textwidth}{!}{%", *body[:-1], body[-1] + "}"]
    counts = sorted({cell.n for cell in table.cells if _counts(cell)})
    n = f" n = {_span(counts)}." if counts else ""
    caption = f"{table.title}. Protocol: {table.protocol}.{n} {' '.join(table.notes)}"
    lines = [
        r"\begin{table}[t]",
        r"\centering",
        r"\small",
        *body,
        rf"\caption{{{tex(caption.strip())}}}",
        rf"\label{{tab:{table.paper}:{table.name}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


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
        told = "n" in self.columns or not _counts(cell) or self.counts[cell.column]
        return "" if told else f" (n={cell.n})"


def grids(table: Table) -> list[Grid]:
    """The blocks of a table, in their order."""
    marks = best(table)
    found = []
    for block in _unique(cell.block for cell in table.cells):
        held = [(i, cell) for i, cell in enumerate(table.cells) if cell.block == block]
        cells = {(cell.row, cell.column): cell for _, cell in held}
        columns = _unique(cell.column for _, cell in held)
        found.append(
            Grid(
                block,
                _unique(cell.row for _, cell in held),
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
    counts = {cell.n for cell in cells if cell.column == column and _counts(cell)}
    return f" (n={counts.pop()})" if len(counts) == 1 else ""


def _counts(cell: Cell) -> bool:
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


def _typeset(grid: Grid, row: str, column: str) -> str:
    cell = grid.cells.get((row, column))
    if cell is None:
        return ""
    text = tex(written(cell))
    return rf"\textbf{{{text}}}" if (row, column) in grid.marked else text


def _heads(heading: str, columns: Sequence[str]) -> list[str]:
    """The lines above the rows: upper levels of columns span what stands under them."""
    parts = [column.split(" | ", 1) for column in columns]
    if not any(len(part) > 1 for part in parts):
        return [" & ".join([tex(heading), *map(tex, columns)]) + r" \\"]
    upper, rules, at = [""], [], 2
    for name, width in _runs([part[0] if len(part) > 1 else "" for part in parts]):
        if name:
            upper.append(rf"\multicolumn{{{width}}}{{c}}{{{tex(name)}}}")
            rules.append(rf"\cmidrule(lr){{{at}-{at + width - 1}}}")
        else:
            upper += [""] * width
        at += width
    lower = [tex(heading), *(tex(part[-1]) for part in parts)]
    return [" & ".join(upper) + r" \\", " ".join(rules), " & ".join(lower) + r" \\"]


def _runs(names: Sequence[str]) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for name in names:
        if found and found[-1][0] == name:
            found[-1] = (name, found[-1][1] + 1)
        else:
            found.append((name, 1))
    return found


def _span(counts: Sequence[int]) -> str:
    return str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _pipe(text: str) -> str:
    return text.strip().replace("|", "\\|")
