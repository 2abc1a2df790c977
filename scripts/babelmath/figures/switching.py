"""Accuracy under code switching, by pair of languages (MathMist's fig:code_switch)."""

from collections.abc import Sequence
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from babelmath.figures import style
from babelmath.figures.accuracy import ABSENT, NO_RECORDS, Point
from babelmath.figures.frames import check, check_spans, count_text, in_order, joined
from babelmath.figures.intervals import WORDS, on_bar
from babelmath.figures.text import add_note, wrap

# Question language by hue; the two settings that switch language are paler. Hatches tell all four.
PAIRS = {
    "cs-bn-bn": ("BN question, BN reasoning", style.BLUE, ""),
    "cs-bn-en": ("BN question, EN reasoning", style.SKY, "////"),
    "cs-en-en": ("EN question, EN reasoning", style.VERMILLION, "...."),
    "cs-en-bn": ("EN question, BN reasoning", style.ORANGE, "\\\\\\\\"),
}

_BAR = 0.135  # inches
_GAP = 0.8  # bars, between two models
_NAME_SIZE, _VALUE_SIZE = 7.5, 6.5  # points
_CAP = 0.2  # bars


def code_switching(frame: pl.DataFrame, note: str) -> Figure:
    """Accuracy per pair of question and reasoning language: MathMist's fig:code_switch.

    `frame` has one row a model and pair: model (display name), pair (cs-bn-bn, cs-bn-en, cs-en-en
    or cs-en-bn: question language, reasoning language), value (percent, or null without records),
    low and high (its 95% interval in percent, or null where there is none) and n (records behind
    the value). Models are drawn in the order in which they first appear; a null or absent value is
    an empty bar, marked `no records`. `note` stands under the figure.

    Raises ValueError for an empty frame, a missing column, an unknown pair, a repeated model and
    pair, a value outside 0 to 100, and ends that are no interval around their value.
    """
    columns = ("model", "pair", "value", "low", "high", "n")
    check(frame, columns, ("model", "pair"), "value", "code-switching accuracy")
    check_spans(frame, [("value", "low", "high")], "code-switching accuracy")
    models, present = in_order(frame, "model"), in_order(frame, "pair")
    if unknown := [pair for pair in present if pair not in PAIRS]:
        raise ValueError(
            f"code-switching accuracy: unknown pair {unknown[0]!r}; known are {', '.join(PAIRS)}"
        )
    pairs = [pair for pair in PAIRS if pair in present]
    points = {
        (model, pair): Point(*ends)
        for model, pair, *ends in frame.select("model", "pair", "value", "low", "high").iter_rows()
    }
    pitch = len(pairs) + _GAP
    with style.applied():
        height = _BAR * pitch * len(models) + 0.68 + 0.19 * len(pairs)
        figure = style.new_figure(style.COLUMN_WIDTH, height)
        axes = figure.add_subplot()
        for group, model in enumerate(models):
            for place, pair in enumerate(pairs):
                _bar(axes, group * pitch + place, points.get((model, pair), ABSENT), pair)
        _model_axis(axes, models, pitch, len(pairs))
        handles = [_pair_handle(frame, pair) for pair in pairs]
        figure.legend(handles=handles, loc="outside upper left", handlelength=1.6, labelspacing=0.3)
        spans = WORDS if any(point.low is not None for point in points.values()) else ""
        add_note(figure, joined(note, spans))
    return figure


def _bar(axes: Axes, place: float, point: Point, pair: str) -> None:
    _, colour, hatch = PAIRS[pair]
    look: dict[str, Any] = {"ha": "left", "va": "center_baseline", "size": _VALUE_SIZE}
    if point.value is None:
        axes.plot([0, 0], [place - 0.45, place + 0.45], color=colour, linewidth=1.5)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
        axes.text(1.5, place, NO_RECORDS, color=style.MUTED, bbox=box, zorder=0.9, **look)
        return
    axes.barh(
        place, point.value, height=0.9, color=colour, hatch=hatch, edgecolor="white", linewidth=0.3
    )
    end = point.value
    if point.low is not None and point.high is not None:
        end = point.high
        on_bar(axes, place, point.low, point.high, _CAP, zorder=3)
    axes.text(end + 1.8, place, f"{point.value:.1f}", color=style.INK, **look)


def _model_axis(axes: Axes, models: Sequence[str], pitch: float, bars: int) -> None:
    axes.set_ylim(len(models) * pitch - _GAP, -1.0)
    centres = [group * pitch + (bars - 1) / 2 for group in range(len(models))]
    names = ["\n".join(wrap(model, 0.95, _NAME_SIZE)) for model in models]
    axes.set_yticks(centres, names, size=_NAME_SIZE)
    for label, model in zip(axes.get_yticklabels(), models, strict=True):
        label.set_fontproperties(style.font_for(model))
        label.set_fontsize(_NAME_SIZE)
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0, 115)
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlabel("accuracy (%)", labelpad=1)
    axes.grid(axis="x")


def _pair_handle(frame: pl.DataFrame, pair: str) -> Patch:
    words, colour, hatch = PAIRS[pair]
    known = frame.filter(pl.col("pair") == pair, pl.col("value").is_not_null())
    count = count_text(known["n"]) or NO_RECORDS
    return Patch(
        label=f"{words} ({count})", facecolor=colour, hatch=hatch, edgecolor="white", linewidth=0.3
    )
