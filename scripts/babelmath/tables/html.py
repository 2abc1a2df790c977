"""Tables as HTML pages that stand alone: each number with its interval, n, and its generations."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from hashlib import sha256
from html import escape
from pathlib import PurePosixPath

from babelmath.tables.frame import Cell, Table, interval, written
from babelmath.tables.render import Grid, grids
from babelmath.tables.tex import CODE

# Inside a report a page has no neighbours: its links become plain text. The only script there is.
SCRIPT = (
    'if (["data:", "blob:"].includes(location.protocol)) '
    'for (const link of document.querySelectorAll("a")) link.replaceWith(...link.childNodes);'
)
HASH = b64encode(sha256(SCRIPT.encode()).digest()).decode()
POLICY = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{HASH}'"
STYLE = """
:root { color-scheme: light dark; --ink: #1a1a1a; --paper: #fff; --muted: #595959;
  --rule: #d0d0d0; --link: #0b57a4; --head: #f3f3f3; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8e8e8; --paper: #161616; --muted: #a8a8a8;
  --rule: #444; --link: #8ab8ee; --head: #222; } }
body { font: 15px/1.45 system-ui, "Noto Sans", sans-serif; color: var(--ink);
  background: var(--paper); margin: 1.5rem auto; max-width: 76rem; padding: 0 1rem; }
h1 { font-size: 1.35rem; margin: 0 0 .2rem; } h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
h3 { font-size: 1rem; margin: .9rem 0 .2rem; } h3 + ul { margin: .2rem 0; }
.facts, .notes, small { color: var(--muted); } .notes { font-size: .88rem; max-width: 60rem; }
.scroll { overflow-x: auto; } a { color: var(--link); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .4rem 0; }
th, td { padding: .25rem .5rem; border-bottom: 1px solid var(--rule); text-align: right;
  vertical-align: top; white-space: nowrap; }
th[scope=row], thead th:first-child { text-align: left; white-space: normal; }
thead th { background: var(--head); font-weight: 600; }
td small { display: block; font-size: .78rem; line-height: 1.2; }
td a { text-decoration-thickness: 1px; text-underline-offset: 2px; }
@media print { a { color: inherit; text-decoration: none; } }
"""


def page(table: Table, explorer: str | None) -> str:
    """One table as a page.

    Args:
        explorer: address of the explorer, relative to the page; numbers link to their generations
            there. None writes no links.
    """
    parts = [f"<h1>{escape(table.title)}</h1>",
             f'<p class="facts"><code>{escape(table.paper)}/{escape(table.name)}</code>, '
             f"protocol: {escape(table.protocol)}.</p>"]  # fmt: skip
    parts += [_block(table, grid, explorer) for grid in grids(table)]
    notes = "".join(f"<li>{_note(note)}</li>" for note in table.notes)
    parts.append(f'<ul class="notes">{notes}</ul>')
    if explorer is not None:
        parts.append('<p><a href="../index.html">All tables</a></p>')
    return document(table.title, parts)


def index(statement: str, tables: Mapping[str, Iterable[tuple[str, str, str]]]) -> str:
    """The page that lists all tables.

    Args:
        tables: by paper's title (section, caption, path relative to the page).
    """
    parts = ["<h1>Tables</h1>", f"<p>{escape(statement.strip())}</p>",
             '<p><a href="../explorer/index.html">Explorer of single generations</a>. Each number '
             "of a table links to the generations behind it.</p>"]  # fmt: skip
    for paper, held in tables.items():
        parts.append(f"<h2>{escape(paper)}</h2>")
        sections: dict[str, list[str]] = {}
        for section, caption, path in held:
            name = PurePosixPath(path).with_suffix("")
            others = ", ".join(
                f'<a href="{escape(str(name))}.{ending}">{ending}</a>'
                for ending in ("csv", "md", "tex")
            )
            sections.setdefault(section, []).append(
                f'<li><a href="{escape(path)}">{escape(caption)}</a> <small>({others})</small></li>'
            )
        parts += [f"<h3>{escape(section)}</h3><ul>{''.join(sections[section])}</ul>"
                  for section in sorted(sections, key=_order)]  # fmt: skip
    return document("Tables", parts)


def _order(section: str) -> tuple[int, list[int]]:
    """The paper's sections by number, its appendix, then what no paper has."""
    kinds = ("Section", "Appendix")
    first = section.split(" ", 1)[0]
    numbers = [int(one) for one in re.findall("[0-9]+", section)]
    return kinds.index(first) if first in kinds else len(kinds), numbers


def document(title: str, parts: Iterable[str]) -> str:
    """A page that loads nothing, and runs nothing of what it shows."""
    return "\n".join([
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title>",
        f"<style>{STYLE}</style></head>",
        "<body>",
        *parts,
        f"<script>{SCRIPT}</script>",
        "</body></html>",
        "",
    ])  # fmt: skip


def _block(table: Table, grid: Grid, explorer: str | None) -> str:
    heads = "".join(_head(grid, column) for column in grid.columns)
    rows = "".join(
        f'<tr><th scope="row"><bdi>{escape(row)}</bdi></th>'
        + "".join(_cell(grid, row, column, explorer) for column in grid.columns)
        + "</tr>"
        for row in grid.rows
    )
    caption = f"<caption><bdi>{escape(grid.block)}</bdi></caption>" if grid.block else ""
    return (
        f'<div class="scroll"><table>{caption}<thead><tr><th scope="col">{escape(table.heading)}'
        f"</th>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _note(text: str) -> str:
    return CODE.sub(r"<code>\1</code>", escape(text))


def _head(grid: Grid, column: str) -> str:
    lines = [*map(escape, column.split(" | "))]
    if n := grid.counts[column].strip(" ()"):
        lines.append(f"<small>{escape(n)}</small>")
    return f'<th scope="col">{"<br>".join(lines)}</th>'


def _cell(grid: Grid, row: str, column: str, explorer: str | None) -> str:
    cell = grid.cells.get((row, column))
    if cell is None:
        return "<td></td>"
    text = escape(written(cell))
    if (row, column) in grid.marked:
        text = f"<strong>{text}</strong>"
    if explorer is not None and cell.records is not None:
        address = f"{explorer}#{cell.records.query()}"
        text = f'<a href="{escape(address)}">{text}</a>'
    return f"<td>{text}{_under(grid, cell)}</td>"


def _under(grid: Grid, cell: Cell) -> str:
    """The interval and n under a number."""
    told = [part for part in (interval(cell), grid.count_of(cell).strip(" ()")) if part]
    return f"<small>{escape('; '.join(told))}</small>" if told else ""
