"""Accuracy over languages, several models in one plot (MathMist's fig:cross_ling_accuracy).

It plots finished percentages; the mean and the population standard deviation over languages in its
legend follow MathMist section 5 (values with one decimal).
"""

from collections.abc import Sequence
from statistics import fmean, pstdev
from typing import Any, NamedTuple

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from babelmath.figures import style
from babelmath.figures.frames import check, check_spans, count_text, in_order, joined
from babelmath.figures.intervals import WORDS, across
from babelmath.figures.text import POINTS, add_note, left_to_right, width_of

NO_RECORDS = "no records"

_STRIP = -10.0  # percent, where missing values are marked
_PLOT = 2.15  # inches, the height without what stands under the axis
_ENTRY = 0.195  # inches, one line of the legend
_NAME_SIZE = 7.5  # points
_FIRST_LINE, _LINE = 21.0, 10.0  # points below the axis: the first line after the codes


class Point(NamedTuple):
    """A number in percent with its interval's ends; all null where there is nothing."""

    value: float | None
    low: float | None
    high: float | None


ABSENT = Point(None, None, None)


def cross_lingual(frame: pl.DataFrame, note: str) -> Figure:
    """Accuracy per language of several models: MathMist's fig:cross_ling_accuracy.

    `frame` has one row a model and language: model (display name), lang (code), lang_label (the
    language's name in its own script), value (percent, or null without records), low and high (its
    95% interval in percent, or null where there is none) and n (records behind the value). Models
    and languages are drawn in the order in which they first appear; a null or absent value leaves a
    gap, marked `no records`. `note` stands under the figure.

    Raises ValueError for an empty frame, a missing column, a repeated model and language, a value
    outside 0 to 100, and ends that are no interval around their value.
    """
    columns = ("model", "lang", "lang_label", "value", "low", "high", "n")
    check(frame, columns, ("model", "lang"), "value", "cross-lingual accuracy")
    check_spans(frame, [("value", "low", "high")], "cross-lingual accuracy")
    models, languages = in_order(frame, "model"), in_order(frame, "lang")
    labels = {lang: name or "" for lang, name in frame.select("lang", "lang_label").iter_rows()}
    points = {
        (model, lang): Point(*ends)
        for model, lang, *ends in frame.select("model", "lang", "value", "low", "high").iter_rows()
    }
    with style.applied():
        figure = style.new_figure(style.FULL_WIDTH, _PLOT)
        axes = figure.add_subplot()
        handles = [
            _series(axes, model, [points.get((model, one), ABSENT) for one in languages], models)
            for model in models
        ]
        drawn = sum(point.value is not None for point in points.values())
        _percent_axis(axes, gaps=drawn < len(models) * len(languages))
        free = _language_axis(axes, languages, labels)
        counts = [_counts(frame, lang) for lang in languages]
        if len(set(counts)) > 1:
            for place, count in enumerate(counts):
                _under(axes, place, free, count)
            free += _LINE
        figure.set_size_inches(style.FULL_WIDTH, _PLOT + free / POINTS)
        _legend(figure, handles, models)
        spans = WORDS if any(point.low is not None for point in points.values()) else ""
        add_note(figure, joined(note, _per_point(counts), spans))
    return figure


def _series(axes: Axes, model: str, points: Sequence[Point], models: Sequence[str]) -> Line2D:
    """Draw one model's values and give the legend's handle for it."""
    index = models.index(model)
    spread = min(0.13 * (len(models) - 1), 0.74)
    shift = spread * (index / max(len(models) - 1, 1) - 0.5)
    colour, marker = style.series(index)
    places = [place + shift for place in range(len(points))]
    heights = [float("nan") if point.value is None else point.value for point in points]
    axes.plot(places, heights, color=colour, linewidth=0.8, alpha=0.35, zorder=2)
    for place, point in zip(places, points, strict=True):
        if point.low is not None and point.high is not None:
            across(axes, "y", place, point.low, point.high, color=style.darker(colour), zorder=2.5)
    size = 6.0 if marker in "PX*" else 4.6
    look: dict[str, Any] = {
        "color": colour,
        "marker": marker,
        "linestyle": "none",
        "markersize": size,
    }
    axes.plot(places, heights, markeredgecolor="white", markeredgewidth=0.5, zorder=3, **look)
    absent = [place for place, point in zip(places, points, strict=True) if point.value is None]
    hollow = {**look, "markersize": 0.8 * size, "markerfacecolor": "white", "markeredgewidth": 0.8}
    axes.plot(absent, [_STRIP] * len(absent), zorder=3, **hollow)
    return Line2D([], [], label=left_to_right(f"{model}  {_summary(model, points)}"), **look)


def _summary(model: str, points: Sequence[Point]) -> str:
    known = [point.value for point in points if point.value is not None]
    if not known:
        return f"({NO_RECORDS})"
    part = "" if len(known) == len(points) else f"; {len(known)} of {len(points)}"
    mean, deviation = ("μ", "σ") if style.covers(style.font_for(model), "μσ") else ("mean", "SD")
    return f"({mean} = {fmean(known):.1f}, {deviation} = {pstdev(known):.1f}{part})"


def _percent_axis(axes: Axes, gaps: bool) -> None:
    ticks = list(range(0, 101, 20))
    axes.set_ylim(_STRIP - 6 if gaps else -3.5, 103.5)
    if gaps:
        axes.axhline(_STRIP + 5.5, color=style.RULE, linewidth=0.6, zorder=1)
        axes.set_yticks([_STRIP, *ticks], [NO_RECORDS, *map(str, ticks)])
    else:
        axes.set_yticks(ticks)
    axes.set_ylabel("accuracy (%)")
    axes.grid(axis="y")
    axes.get_ygridlines()[0].set_visible(not gaps)


def _language_axis(axes: Axes, languages: Sequence[str], labels: dict[str, str]) -> float:
    """Codes and native names under the axis; returns the next free line, in points below it."""
    count = len(languages)
    axes.set_xlim(-0.5, count - 0.5)
    axes.set_xticks(range(count), [lang.upper() for lang in languages])
    axes.tick_params(axis="x", length=0)
    for place in range(1, count, 2):
        axes.axvspan(place - 0.5, place + 0.5, color="#F4F4F4", zorder=0, linewidth=0)
    slot = (style.FULL_WIDTH - 0.7) / count
    widest = max(width_of(labels[lang], _NAME_SIZE, lang) for lang in languages)
    # Names wider than their slot stand on two lines in turn.
    lines = 1 if widest < slot - 0.05 else 2
    for place, lang in enumerate(languages):
        _under(axes, place, _FIRST_LINE + _LINE * (place % lines), labels[lang], lang)
    return _FIRST_LINE + _LINE * lines


def _under(axes: Axes, place: int, points: float, text: str, lang: str | None = None) -> None:
    axes.annotate(
        text,
        (place, 0),
        xycoords=("data", "axes fraction"),
        xytext=(0, -points),
        textcoords="offset points",
        ha="center",
        va="baseline",
        fontproperties=style.font_for(text, lang),
        size=_NAME_SIZE,
        annotation_clip=False,
    )


def _counts(frame: pl.DataFrame, lang: str) -> str:
    return count_text(frame.filter(pl.col("lang") == lang, pl.col("value").is_not_null())["n"])


def _per_point(counts: Sequence[str]) -> str:
    return f"{counts[0]} per point." if len(set(counts)) == 1 and counts[0] else ""


def _legend(figure: Figure, handles: Sequence[Line2D], models: Sequence[str]) -> None:
    entry = 0.34 + max(width_of(str(handle.get_label()), 7.5) for handle in handles)
    columns = min(max(1, int(style.FULL_WIDTH / entry)), len(handles))
    legend = figure.legend(
        handles=handles,
        loc="outside upper left",
        ncols=columns,
        handlelength=1.0,
        handletextpad=0.4,
        columnspacing=1.4,
    )
    for text, model in zip(legend.get_texts(), models, strict=True):
        text.set_fontproperties(style.font_for(model))
        text.set_fontsize(7.5)
    lines = -(-len(handles) // columns)
    width, height = figure.get_size_inches()
    figure.set_size_inches(width, height + _ENTRY * lines)
