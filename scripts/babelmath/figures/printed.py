"""Printed against recomputed numbers: where the papers and their records agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from babelmath.audit.rows import Row
from babelmath.figures import style
from babelmath.figures.text import add_note

LOOKS = {
    "equal": (style.BLUE, "o", 9),
    "last digit": (style.ORANGE, "s", 16),
    "differs": (style.VERMILLION, "D", 20),
}
BOX: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 0.4}
SMALL: dict[str, Any] = {"size": 5.5, "color": style.MUTED, "ha": "center", "va": "bottom"}
LABELLED = 12  # the largest differences that are named


def printed_against_recomputed(rows: Sequence[Row], scale: str) -> Figure:
    """Percentages of both papers: printed against recomputed, and their differences.

    Own runs' values are drawn hollow where there are no released records. Without any recomputed
    percentage the figure says so.
    """
    points = [point for row in rows if row.unit == "percent" and (point := _point(row))]
    with style.applied():
        figure = style.new_figure(style.FULL_WIDTH, 3.8)
        if not points:
            axes = figure.add_subplot()
            axes.set_axis_off()
            axes.text(0.5, 0.5, "no records to recompute a printed percentage from", ha="center")
            add_note(figure, f"Scale: {scale}.")
            return figure
        left, right = figure.subplots(1, 2)
        _diagonal(left, points)
        _differences(right, points)
        figure.legend(*left.get_legend_handles_labels(), loc="outside upper left", ncols=4)
        add_note(figure, f"{len(points)} printed percentages that records give. Scale: {scale}.")
    return figure


Point = tuple[float, float, str, bool, str]  # printed, recomputed, verdict, own, label


def _point(row: Row) -> Point | None:
    own = not row.recomputed
    value, verdict = (row.own, row.own_verdict) if own else (row.recomputed, row.verdict)
    if not value or verdict not in LOOKS or row.printed == "N/A":
        return None
    label = f"{row.where.removeprefix('tab:')}, {row.row}, {row.column.replace(' | ', ' ')}"
    return float(row.printed), float(value), verdict, own, label


def _diagonal(axes: Axes, points: Sequence[Point]) -> None:
    axes.plot([0, 100], [0, 100], color=style.RULE, linewidth=0.8, zorder=1)
    for verdict, (colour, marker, size) in LOOKS.items():
        for own in (False, True):
            held = [one for one in points if one[2] == verdict and one[3] == own]
            if held:
                label = f"{verdict} ({len(held)})" + (", own run" if own else "")
                axes.scatter([one[0] for one in held], [one[1] for one in held], s=size,
                             marker=marker, facecolor="none" if own else colour, edgecolor=colour,
                             linewidth=0.6, label=label, zorder=3)  # fmt: skip
    axes.set_xlim(-2, 102)
    axes.set_ylim(-2, 102)
    axes.set_xticks(range(0, 101, 20))
    axes.set_yticks(range(0, 101, 20))
    axes.set_aspect("equal")
    axes.set_xlabel("printed (%)")
    axes.set_ylabel("recomputed (%)")
    axes.grid()


def _differences(axes: Axes, points: Sequence[Point]) -> None:
    ranked = sorted(points, key=lambda one: -abs(one[1] - one[0]))
    named = [one for one in ranked if one[2] != "equal"][:LABELLED]
    axes.set_title("largest differences", loc="left")
    axes.axvline(0, color=style.RULE, linewidth=0.8)
    for place, (printed, value, verdict, own, label) in enumerate(named):
        colour, marker, size = LOOKS[verdict]
        axes.scatter([value - printed], [place], s=size, marker=marker, edgecolor=colour,
                     facecolor="none" if own else colour, linewidth=0.6, zorder=3)  # fmt: skip
        axes.text(0, place - 0.3, label, bbox=BOX, zorder=2, **SMALL)
    if not named:
        axes.text(0, 0, "none differs", bbox=BOX, ha="center")
    widest = max((abs(one[1] - one[0]) for one in named), default=1.0)
    axes.set_xlim(-1.25 * widest, 1.25 * widest)
    axes.set_xticks([tick for tick in axes.get_xticks() if abs(tick) <= 1.25 * widest])
    axes.set_ylim(max(len(named), 1) - 0.4, -0.9)
    axes.set_yticks([])
    axes.set_xlabel("recomputed minus printed (points)")
