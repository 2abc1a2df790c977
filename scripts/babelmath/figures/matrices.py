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
    FOLD_BELOW,
    OTHER,
    check_sums,
    columns_of,
    counts_of,
    fold,
    shares_of,
)
from babelmath.figures.text import POINTS, add_note, width_of

UNDETERMINED = "und"
SHOW_FROM = 0.5  # percent: the smallest value that is printed in its cell

_ROW = 0.215  # inches
_CODE_SIZE, _CELL_SIZE, _SIDE_SIZE = 7.0, 6.0, 6.0  # points


def language_matrices(frame: pl.DataFrame, note: str) -> Figure:
    """One heat map a model, question language by detected language: MMATH figures 2, 3, 8 and 10.

    `frame` has one row a model, question language and label: model (display name), question_lang
    (code), lang_label (the question language's name in its own script), label (detected language's
    code; `und` undetermined and `other` allowed), share (percent of that question language's
    records) and n (count of those records, the same in all rows of a question language). Question
    languages stand in the order in which they first appear, as rows and as the first columns;
    further labels follow by their total share, those below 1 % everywhere folded into `other`. A
    question language without a row, or with null shares alone, is marked `no records`. `note`
    stands under the figure.

    Raises ValueError for an empty frame, a missing column, a repeated key, a share outside 0 to 100
    and shares of a row that do not add up to 100.
    """
    key = ("model", "question_lang", "label")
    check(frame, (*key, "lang_label", "share", "n"), key, "share", "language matrices")
    models, rows = in_order(frame, "model"), in_order(frame, "question_lang")
    natives = {
        lang: name or "" for lang, name in frame.select("question_lang", "lang_label").iter_rows()
    }
    shares, counts = shares_of(frame), counts_of(frame)
    check_sums(shares)
    columns = columns_of(shares, rows)
    shares = fold(shares, columns)
    across = min(2, len(models))
    down = -(-len(models) // across)
    with style.applied():
        width = style.FULL_WIDTH if across == 2 else 0.62 * style.FULL_WIDTH
        figure = style.new_figure(width, down * (max(_ROW * len(rows), 1.2) + 0.5) + 0.25)
        grid = figure.subplots(down, across, squeeze=False)
        panels: list[Axes] = list(grid.flat)
        varied = len(set(counts.values())) > 1
        cell = (width - 1.3 - (0.7 if varied else 0.3) * across) / across / len(columns)
        for index, (axes, model) in enumerate(zip(panels, models, strict=False)):
            values = [[shares.get((model, row, label), 0.0) for label in columns] for row in rows]
            known = [(model, row) in counts for row in rows]
            mesh = _panel(axes, values, known)
            axes.set_title(model, fontproperties=style.font_for(model, bold=True), size=8.5)
            _column_labels(axes, columns, cell)
            _row_labels(axes, rows, natives if index % across == 0 else {})
            if varied:
                _side_counts(axes, [counts.get((model, row)) for row in rows])
            if index + across >= len(models):
                axes.set_xlabel("detected language")
        for axes in panels[len(models) :]:
            axes.remove()
        figure.supylabel("question language", size=8)
        bar = figure.colorbar(mesh, ax=panels[: len(models)], aspect=30, pad=0.01, fraction=0.03)
        bar.set_label("share of records (%)")
        bar.outline.set_visible(False)
        count = "" if varied else f"{count_text(counts.values())} per row."
        add_note(figure, joined(note, count, _label_words(columns)))
    return figure


def _panel(axes: Axes, values: list[list[float]], known: Sequence[bool]) -> QuadMesh:
    colours = style.percent_map()
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
                    size=_CELL_SIZE,
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
        size=_CELL_SIZE,
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
    """Codes under the columns: smaller, and at last upright, where neighbours would touch."""
    codes = [label if label == OTHER else label.upper() for label in columns]
    sizes = [size for size in (_CODE_SIZE, _CODE_SIZE - 1) if not _crowded(codes, size, cell)]
    axes.set_xticks([x + 0.5 for x in range(len(codes))], codes)
    axes.tick_params(axis="x", labelsize=sizes[0] if sizes else _CODE_SIZE, pad=2)
    if not sizes:
        axes.tick_params(axis="x", labelrotation=90)


def _crowded(codes: Sequence[str], size: float, cell: float) -> bool:
    widths = [width_of(code, size) for code in codes]
    return any((a + b) / 2 > cell - 0.04 for a, b in pairwise(widths))


def _row_labels(axes: Axes, rows: Sequence[str], natives: Mapping[str, str]) -> None:
    axes.set_yticks([y + 0.5 for y in range(len(rows))], [row.upper() for row in rows])
    axes.tick_params(axis="y", labelsize=_CODE_SIZE)
    codes = max(width_of(row.upper(), _CODE_SIZE) for row in rows)
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
            size=_CODE_SIZE,
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


def _label_words(columns: Sequence[str]) -> str:
    words = []
    if UNDETERMINED in columns:
        words.append("UND: language undetermined.")
    if OTHER in columns:
        words.append(f"other: labels below {FOLD_BELOW:g} % in every row, together.")
    return " ".join(words)
