"""Tables as files: CSV with all digits, Markdown, LaTeX with booktabs. Layout never computes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from babelmath.tables.frame import Cell, Table, written

LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "μ": r"$\mu$", "σ": r"$\sigma$", "–": "--",
}  # fmt: skip


def csv(table: Table) -> str:
    """One line a cell: block, row, column, value, n, unit, protocol."""
    return table.frame().write_csv()


def markdown(table: Table) -> str:
    """A heading, the caption's facts, one grid a block, notes."""
    lines = [f"### {table.title}", "", f"`{table.paper}/{table.name}`, protocol: {table.protocol}."]
    for block in _unique(cell.block for cell in table.cells):
        cells = [cell for cell in table.cells if cell.block == block]
        columns, rows, text = _grid(cells)
        if block:
            lines += ["", f"**{block}**"]
        heads = [table.heading, *(column.replace(" | ", ", ") + _n(cells, column)
                                  for column in columns)]  # fmt: skip
        lines += ["", "| " + " | ".join(map(_pipe, heads)) + " |"]
        lines.append("|---" + "|---:" * len(columns) + "|")
        lines += [
            "| "
            + " | ".join([_pipe(row), *(_pipe(text.get((row, c), "")) for c in columns)])
            + " |"
            for row in rows
        ]
    lines += ["", *(f"- {note}" for note in table.notes)]
    return "\n".join(lines).rstrip("\n") + "\n"


def latex(table: Table) -> str:
    """A table environment with booktabs rules; needs \\usepackage{booktabs}."""
    columns = _unique(cell.column for cell in table.cells)
    lines = [
        r"\begin{table}[t]",
        r"\centering",
        r"\small",
        rf"\begin{{tabular}}{{l{'r' * len(columns)}}}",
        r"\toprule",
        " & ".join([_tex(table.heading), *(_tex(c.replace(" | ", ", ")) for c in columns)])
        + r" \\",
    ]
    for block in _unique(cell.block for cell in table.cells):
        cells = [cell for cell in table.cells if cell.block == block]
        _, rows, text = _grid(cells)
        lines.append(r"\midrule")
        if block:
            lines.append(rf"\multicolumn{{{len(columns) + 1}}}{{c}}{{\textbf{{{_tex(block)}}}}} \\")
            lines.append(r"\midrule")
        lines += [
            " & ".join([_tex(row), *(_tex(text.get((row, c), "")) for c in columns)]) + r" \\"
            for row in rows
        ]
    counts = sorted({cell.n for cell in table.cells if cell.unit != "count"})
    n = f" n = {', '.join(map(str, counts))}." if counts else ""
    caption = f"{table.title}. Protocol: {table.protocol}.{n} {' '.join(table.notes)}"
    lines += [
        r"\bottomrule",
        r"\end{tabular}",
        rf"\caption{{{_tex(caption.strip())}}}",
        rf"\label{{tab:{table.paper}:{table.name}}}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _grid(cells: Sequence[Cell]) -> tuple[list[str], list[str], dict[tuple[str, str], str]]:
    columns = _unique(cell.column for cell in cells)
    rows = _unique(cell.row for cell in cells)
    text = {}
    counted = "n" in columns  # a column of its own says it
    for cell in cells:
        told = counted or cell.unit == "count" or _n(cells, cell.column)
        own = "" if told else f" (n={cell.n})"
        text[cell.row, cell.column] = written(cell) + own
    return columns, rows, text


def _n(cells: Sequence[Cell], column: str) -> str:
    """` (n=6)` where all cells of a column share their n; differences and counts have none."""
    if any(cell.column == "n" for cell in cells):
        return " "
    counts = {cell.n for cell in cells if cell.column == column and cell.unit == "percent"}
    if not counts:
        return " " if all(c.unit != "percent" for c in cells if c.column == column) else ""
    return f" (n={counts.pop()})" if len(counts) == 1 else ""


def _unique(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def _pipe(text: str) -> str:
    return text.strip().replace("|", "\\|")


def _tex(text: str) -> str:
    return "".join(LATEX.get(char, char) for char in text)
