"""Accuracy against language compliance: is an answer in another language bought with accuracy?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from babelmath.figures import style
from babelmath.figures.frames import check, check_spans, count_text, in_order, joined
from babelmath.figures.points import Point, draw_points
from babelmath.figures.text import (
    LINE_HEIGHT,
    MARGIN,
    NOTE_SIZE,
    POINTS,
    note_height,
    wrap,
    wrap_note,
)

MOST = 12  # models: more are not legible on a page
WORDS = (
    "One point a language. Compliance: share of responses whose answer is in the language asked "
    "for. Lines: 95% intervals of both."
)
WHAT = "accuracy against compliance"
SPANS = (("compliance", "compliance_low", "compliance_high"), ("value", "low", "high"))

_LOW, _HIGH = -5.0, 105.0  # percent, the ends of both axes
_TITLE_SIZE, _SMALL_SIZE = 8.0, 6.0  # points
_LEFT, _BOTTOM, _RIGHT, _BETWEEN = 0.52, 0.42, 0.08, 0.14  # inches, around the panels
_WIDEST = 2.6  # inches, a panel


def compliance(frame: pl.DataFrame, note: str) -> Figure:
    """Accuracy (y) against language compliance (x), one panel a model, one point a language.

    `frame` has one row a model and language: model (display name), lang (code), compliance (percent
    of the responses whose answer is in the language asked for), compliance_low and compliance_high
    (its 95% interval), value (accuracy in percent), low and high (its 95% interval) and n
    (responses). A number is null without records, the ends of an interval where there is none. A
    language without both numbers has no point and is named above its panel. Models stand in the
    order in which they first appear, `MOST` at most, all on the same axes. `note` stands under the
    figure.

    Raises ValueError for an empty frame, a missing column, a repeated model and language, a value
    outside 0 to 100, ends that are no interval around their value, and more models than `MOST`.
    """
    columns = ("model", "lang", *SPANS[0], *SPANS[1], "n")
    for percent, _, _ in SPANS:
        check(frame, columns, ("model", "lang"), percent, WHAT)
    check_spans(frame, SPANS, WHAT)
    models = in_order(frame, "model")
    if len(models) > MOST:
        raise ValueError(f"{WHAT}: {len(models)} models; one figure holds {MOST}")
    known = frame.drop_nulls(["compliance", "value"])
    count = count_text(known["n"])
    with style.applied():
        sheet = _sheet(frame, models, joined(note, WORDS, f"{count} per point." if count else ""))
        figure = style.new_figure(sheet.width, sheet.height, layout=None)
        for place, model in enumerate(models):
            axes = _panel(figure, sheet, place, len(models))
            _title(axes, sheet.titles[place], sheet.absent[place])
            rows = known.filter(pl.col("model") == model)
            draw_points(axes, [_point(row) for row in rows.iter_rows(named=True)], sheet.side)
        _words(figure, sheet)
    return figure


def _point(row: Mapping[str, Any]) -> Point:
    x, y = ((row[low], row[value], row[high]) for value, low, high in SPANS)
    return Point(row["lang"].upper(), x, y)


@dataclass(frozen=True)
class _Sheet:
    """Sizes in inches, and the lines of text around the panels."""

    across: int
    down: int
    side: float
    head: float
    titles: list[list[str]]
    absent: list[list[str]]
    note: list[str]

    @property
    def width(self) -> float:
        return _LEFT + self.across * self.side + (self.across - 1) * _BETWEEN + _RIGHT

    @property
    def foot(self) -> float:
        return _BOTTOM + note_height(len(self.note)) + MARGIN

    @property
    def height(self) -> float:
        return self.foot + self.down * (self.side + self.head) + MARGIN


def _sheet(frame: pl.DataFrame, models: Sequence[str], note: str) -> _Sheet:
    wide = {1: 1, 2: 2, 4: 2}.get(len(models), 3)
    side = (style.FULL_WIDTH - _LEFT - _RIGHT - _BETWEEN * (wide - 1)) / wide
    side = min(side, _WIDEST)
    titles = [wrap(model, side, _TITLE_SIZE, bold=True) for model in models]
    absent = [wrap(_without_point(frame, model), side, _SMALL_SIZE) for model in models]
    head = max(
        _height(len(title), _TITLE_SIZE) + _height(len(lines), _SMALL_SIZE)
        for title, lines in zip(titles, absent, strict=True)
    )
    width = _LEFT + wide * side + (wide - 1) * _BETWEEN + _RIGHT
    down = -(-len(models) // wide)
    return _Sheet(wide, down, side, head + 0.1, titles, absent, wrap_note(note, width))


def _height(lines: int, size: float) -> float:
    return lines * size * LINE_HEIGHT / POINTS


def _without_point(frame: pl.DataFrame, model: str) -> str:
    """The languages of a model that lack a number, in words."""
    lacking = frame.filter(
        pl.col("model") == model, pl.col("compliance").is_null() | pl.col("value").is_null()
    )
    return f"no records: {', '.join(lacking['lang'].str.to_uppercase())}" if len(lacking) else ""


def _panel(figure: Figure, sheet: _Sheet, place: int, panels: int) -> Axes:
    row, column = divmod(place, sheet.across)
    left = _LEFT + column * (sheet.side + _BETWEEN)
    bottom = sheet.foot + (sheet.down - 1 - row) * (sheet.side + sheet.head)
    axes = figure.add_axes(
        (
            left / sheet.width,
            bottom / sheet.height,
            sheet.side / sheet.width,
            sheet.side / sheet.height,
        ),
        xlim=(_LOW, _HIGH),
        ylim=(_LOW, _HIGH),
    )
    ticks = range(0, 101, 20)
    axes.set_xticks(ticks)
    axes.set_yticks(ticks)
    axes.tick_params(labelsize=7, labelbottom=place + sheet.across >= panels, labelleft=column == 0)
    axes.grid()
    return axes


def _title(axes: Axes, title: Sequence[str], absent: Sequence[str]) -> None:
    free = 4.0
    for lines, size, colour in (
        (absent, _SMALL_SIZE, style.MUTED),
        (title, _TITLE_SIZE, style.INK),
    ):
        for line in reversed(lines):
            axes.annotate(
                line,
                (0, 1),
                xycoords="axes fraction",
                xytext=(0, free),
                textcoords="offset points",
                va="baseline",
                fontproperties=style.font_for(line, bold=lines is title),
                size=size,
                color=colour,
                annotation_clip=False,
            )
            free += size * LINE_HEIGHT


def _words(figure: Figure, sheet: _Sheet) -> None:
    """The axes' names and the note, around the panels."""
    middle = (_LEFT + sheet.width - _RIGHT) / 2 / sheet.width
    under = (note_height(len(sheet.note)) + MARGIN + 0.02) / sheet.height
    figure.text(middle, under, "language compliance (%)", ha="center", va="bottom", size=8)
    over = (sheet.foot + sheet.down * (sheet.side + sheet.head) / 2) / sheet.height
    figure.text(0.03 / sheet.width, over, "accuracy (%)", rotation=90, va="center", size=8)
    figure.text(
        MARGIN / sheet.width,
        MARGIN / sheet.height,
        "\n".join(sheet.note),
        va="bottom",
        fontproperties=style.font_for("".join(sheet.note)),
        size=NOTE_SIZE,
        color=style.MUTED,
    )
