"""Tables for LaTeX, with booktabs. Layout never computes."""

from __future__ import annotations

from collections.abc import Sequence

from babelmath.tables.frame import Table, written
from babelmath.tables.render import Grid, counted, grids, spans, unique
from babelmath.tables.tex import tex, with_code

WIDE = 7  # columns from which they stand closer together
MOST = 36  # lines that a page holds above a caption; a longer table is continued

Part = list[tuple[Grid, Sequence[str]]]  # blocks and those of their rows that stand here


def latex(table: Table) -> str:
    r"""A table environment: needs \usepackage{booktabs,graphicx}, and preamble.tex where a name is
    in another script than Latin.

    What is wider than the line is scaled down to it. A table that is longer than a page goes on in
    further environments under the same number.
    """
    columns = unique(cell.column for cell in table.cells)
    floats = [_float(table, columns, part, at) for at, part in enumerate(_parts(grids(table)))]
    return "\n".join(floats)


def _parts(found: Sequence[Grid]) -> list[Part]:
    """The blocks by page: whole where one page holds them."""
    parts: list[Part] = [[]]
    lines = 0
    for grid in found:
        rows, head = grid.rows, 2 if grid.block else 0
        while rows:
            room = MOST - lines - head
            if parts[-1] and room < len(rows) and (room < 1 or head + len(rows) <= MOST):
                parts.append([])
                lines = 0
                continue
            parts[-1].append((grid, rows[:room]))
            lines += head + len(rows[:room])
            rows = rows[room:]
    return parts


def _float(table: Table, columns: Sequence[str], part: Part, at: int) -> str:
    lines = [r"\begin{table}[t]", r"\centering", r"\small"]
    if len(columns) >= WIDE:
        lines.append(r"\setlength{\tabcolsep}{3pt}")
    lines += [
        r"\sbox0{%",
        rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
        r"\toprule",
        *_heads(table.heading, columns),
    ]
    for grid, rows in part:
        lines += [r"\midrule", *_block(grid, len(columns) + 1)]
        lines += [_line(grid, row, columns) for row in rows]
    if not part:
        lines.append(r"\midrule")
    lines += [
        r"\bottomrule",
        r"\end{tabular}}%",
        r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi",
        *_caption(table, at),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _caption(table: Table, at: int) -> list[str]:
    if at:
        return [r"\addtocounter{table}{-1}", rf"\caption{{{tex(table.title)} (continued).}}"]
    counts = sorted({cell.n for cell in table.cells if counted(cell)})
    n = f" n = {spans(counts)}." if counts else ""
    text = tex(f"{table.title}. Protocol: {table.protocol}.{n}")
    notes = " ".join(map(with_code, table.notes))
    return [rf"\caption{{{f'{text} {notes}'.strip()}}}",
            rf"\label{{tab:{table.paper}:{table.name}}}"]  # fmt: skip


def _block(grid: Grid, width: int) -> list[str]:
    if not grid.block:
        return []
    return [rf"\multicolumn{{{width}}}{{c}}{{\textbf{{{tex(grid.block)}}}}} \\", r"\midrule"]


def _line(grid: Grid, row: str, columns: Sequence[str]) -> str:
    return " & ".join([tex(row), *(_cell(grid, row, column) for column in columns)]) + r" \\"


def _cell(grid: Grid, row: str, column: str) -> str:
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
