"""MMATH's language matrices: which language is thought or answered in, by question language."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import floor
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from babelmath.figures import style
from babelmath.figures.frames import check, count_text, in_order, joined
from babelmath.figures.shares import (
    NO_LANGUAGE,
    OTHER,
    Columns,
    Shares,
    check_sums,
    columns_of,
    counts_of,
    fold,
    shares_of,
)
from babelmath.figures.text import POINTS, add_note, width_of, wrap
from babelmath.language_codes import MIXED, UNDETERMINED

SHOW_FROM = 0.5  # percent: the smallest value that is printed in its cell
MOST = 8  # panels: with more of them numbers are too small in print
SMALLEST = 5.5  # points, a number in a cell

_PAGE = 8.6  # inches, the height that panels may take
_ROWS = (0.128, 0.215)  # inches, the least and the most height of a row
_HEAD = 0.5  # inches, a panel's title and column labels
_CODE_SIZE, _SIDE_SIZE, _TITLE_SIZE = 7.0, 6.0, 8.5  # points
_WORDS = {
    UNDETERMINED: "und: language undetermined.",
    MIXED: "mixed: two scripts, each a part of its own.",
}


def language_matrices(frame: pl.DataFrame, note: str) -> Figure:
    """Heat maps of question language by detected language: MMATH figures 2, 3, 8 and 10.

    `frame` has one row a panel, question language and label: panel (what stands above it: a model's
    display name, or a model and a part of its responses), question_lang (code), lang_label (the
    question language's name in its own script), label (detected language's code; `und`
    undetermined, `mixed` and `other` allowed), share (percent of that question language's records)
    and n (count of those records, the same in all rows of a question language). Panels stand two
    abreast in the order in which they first appear, `MOST` at most. Question languages stand in
    that order too, as rows and as the first columns; `und` and `mixed` follow where they occur,
    then further labels by their total share, those below 1 % everywhere and those that there is no
    room for folded into `other`. A question language without a row, or with null shares alone, is
    marked `no records`. `note` stands under the figure.

    Raises ValueError for an empty frame, a missing column, a repeated key, a share outside 0 to
    100, shares of a row that do not add up to 100, and more panels than `MOST`.
    """
    key = ("panel", "question_lang", "label")
    check(frame, (*key, "lang_label", "share", "n"), key, "share", "language matrices")
    panels, rows = in_order(frame, "panel"), in_order(frame, "question_lang")
    if len(panels) > MOST:
        raise ValueError(f"language matrices: {len(panels)} panels; one figure holds {MOST}")
    natives = {
        lang: name or "" for lang, name in frame.select("question_lang", "lang_label").iter_rows()
    }
    shares, counts = shares_of(frame), counts_of(frame)
    check_sums(shares)
    across = min(2, len(panels))
    down = -(-len(panels) // across)
    varied = len(set(counts.values())) > 1
    width = style.FULL_WIDTH if across == 2 else 0.62 * style.FULL_WIDTH
    room = (width - 1.3 - (0.7 if varied else 0.3) * across) / across
    with style.applied():
        columns = columns_of(shares, rows, int(room / _least_cell()))
        shares = fold(shares, columns.labels)
        titles = [wrap(panel, room, _TITLE_SIZE, bold=True) for panel in panels]
        head = _HEAD + 0.16 * (max(map(len, titles)) - 1)
        row = min(max((_PAGE / down - head) / len(rows), _ROWS[0]), _ROWS[1])
        figure = style.new_figure(width, down * (max(row * len(rows), 1.2) + head) + 0.25)
        grid: list[Axes] = list(figure.subplots(down, across, squeeze=False).flat)
        for index, (axes, panel) in enumerate(zip(grid, panels, strict=False)):
            known = [(panel, row) in counts for row in rows]
            mesh = _panel(axes, _values(shares, panel, rows, columns), known, room)
            font = style.font_for(panel, bold=True)
            axes.set_title("\n".join(titles[index]), fontproperties=font, size=_TITLE_SIZE)
            _column_labels(axes, columns.labels, room / len(columns.labels))
            _row_labels(axes, rows, natives if index % across == 0 else {}, row)
            if varied:
                _side_counts(axes, [counts.get((panel, row)) for row in rows])
            if index + across >= len(panels):
                axes.set_xlabel("detected language")
        for axes in grid[len(panels) :]:
            axes.remove()
        figure.supylabel("question language", size=8)
        bar = figure.colorbar(mesh, ax=grid[: len(panels)], aspect=30, pad=0.01, fraction=0.03)
        bar.set_label("share of records (%)")
        bar.outline.set_visible(False)
        count = f"{count_text(counts.values())} per row." if counts and not varied else ""
        add_note(figure, joined(note, count, _label_words(columns)))
    return figure


def _values(shares: Shares, panel: str, rows: Sequence[str], columns: Columns) -> list[list[float]]:
    return [[shares.get((panel, row, label), 0.0) for label in columns.labels] for row in rows]


def _least_cell() -> float:
    """The width in inches that holds `100`."""
    return width_of("100", SMALLEST) + 0.02


def _panel(axes: Axes, values: list[list[float]], known: Sequence[bool], room: float) -> QuadMesh:
    colours = style.percent_map()
    size = 6.0 if width_of("100", 6.0) + 0.02 <= room / len(values[0]) else SMALLEST
    mesh = axes.pcolormesh(
        values, cmap=colours, vmin=0, vmax=100, edgecolors="#E4E4E4", linewidth=0.4
    )
    axes.invert_yaxis()
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    for y, (row, has_records) in enumerate(zip(values, known, strict=True)):
        if not has_records:
            _no_records(axes, y, len(row))
            continue
        for x, share in enumerate(row):
            if share >= SHOW_FROM:
                axes.text(
                    x + 0.5,
                    y + 0.5,
                    str(floor(share + 0.5)),
                    ha="center",
                    va="center_baseline",
                    size=size,
                    color=_ink_on(colours, share),
                )
    return mesh


def _no_records(axes: Axes, y: int, width: int) -> None:
    look: dict[str, Any] = {"facecolor": "white", "edgecolor": style.RULE, "hatch": "////"}
    axes.add_patch(Rectangle((0, y), width, 1, **look))
    axes.text(
        width / 2,
        y + 0.5,
        "no records",
        ha="center",
        va="center_baseline",
        size=SMALLEST,
        color=style.MUTED,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.0},
    )


def _ink_on(colours: ListedColormap, share: float) -> str:
    """Black or white, whichever contrasts more with the cell's colour (WCAG 2 luminance)."""
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in colours(share / 100)[:3]
    ]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "white" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "black"


def _column_labels(axes: Axes, columns: Sequence[str], cell: float) -> None:
    """Codes under the columns: smaller, and at last upright, where neighbours would touch.

    Words that name no language turn first.
    """
    codes = [label if label in (*NO_LANGUAGE, OTHER) else label.upper() for label in columns]
    words = [label in (*NO_LANGUAGE, OTHER) for label in columns]
    upright, size = [True] * len(codes), _CODE_SIZE
    for turned in ([False] * len(codes), words):
        sizes = [s for s in (_CODE_SIZE, _CODE_SIZE - 1) if not _crowded(codes, turned, s, cell)]
        if sizes:
            upright, size = turned, sizes[0]
            break
    axes.set_xticks([x + 0.5 for x in range(len(codes))], codes)
    axes.tick_params(axis="x", labelsize=size, pad=2)
    for label, turn in zip(axes.get_xticklabels(), upright, strict=True):
        label.set_rotation(90 if turn else 0)


def _crowded(codes: Sequence[str], turned: Sequence[bool], size: float, cell: float) -> bool:
    widths = [
        size / POINTS if turn else width_of(code, size)
        for code, turn in zip(codes, turned, strict=True)
    ]
    return any((a + b) / 2 > cell - 0.03 for a, b in pairwise(widths))


def _row_labels(axes: Axes, rows: Sequence[str], natives: Mapping[str, str], height: float) -> None:
    size = _CODE_SIZE if height * POINTS >= 1.5 * _CODE_SIZE else _CODE_SIZE - 1
    axes.set_yticks([y + 0.5 for y in range(len(rows))], [row.upper() for row in rows])
    axes.tick_params(axis="y", labelsize=size)
    codes = max(width_of(row.upper(), size) for row in rows)
    for y, row in enumerate(rows):
        name = natives.get(row, "")
        axes.annotate(
            name,
            (0, y + 0.5),
            xycoords=("axes fraction", "data"),
            xytext=(-codes * POINTS - 10, 0),
            textcoords="offset points",
            ha="right",
            va="center_baseline",
            fontproperties=style.font_for(name, row),
            size=size,
            annotation_clip=False,
        )


def _side_counts(axes: Axes, counts: Sequence[int | None]) -> None:
    for y, count in enumerate(counts):
        axes.annotate(
            f"n = {count:,}" if count else "",
            (1, y + 0.5),
            xycoords=("axes fraction", "data"),
            xytext=(3, 0),
            textcoords="offset points",
            va="center_baseline",
            size=_SIDE_SIZE,
            color=style.MUTED,
            annotation_clip=False,
        )


def _label_words(columns: Columns) -> str:
    words = [_WORDS[label] for label in NO_LANGUAGE if label in columns.labels]
    if OTHER in columns.labels:
        words.append(f"other: further labels, each below {columns.below:g} % in every row.")
    return " ".join(words)
