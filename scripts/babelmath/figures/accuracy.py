"""MathMist's two accuracy figures: over languages, and under code switching.

Both plot finished percentages; the mean and the population standard deviation over languages that
the first one's legend gives follow MathMist section 5 (values with one decimal).
"""

from collections.abc import Sequence
from statistics import fmean, pstdev
from typing import Any

import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from babelmath.figures import style
from babelmath.figures.frames import check, count_text, in_order, joined
from babelmath.figures.text import POINTS, add_note, width_of, wrap

MARKERS = "osD^vPX*"
# Question language by hue; the two settings that switch language are paler and hatched.
PAIRS = {
    "cs-bn-bn": ("BN question, BN reasoning", style.BLUE, ""),
    "cs-bn-en": ("BN question, EN reasoning", style.SKY, "////"),
    "cs-en-en": ("EN question, EN reasoning", style.VERMILLION, ""),
    "cs-en-bn": ("EN question, BN reasoning", style.ORANGE, "////"),
}
NO_RECORDS = "no records"

_STRIP = -10.0  # percent, where the missing values of `cross_lingual` are marked
_PLOT = 2.15  # inches, the height of `cross_lingual` without what stands under its axis
_BAR = 0.135  # inches, one bar of `code_switching`
_GAP = 0.8  # bars, between two models
_NAME_SIZE = 7.5  # points
_FIRST_LINE, _LINE = 21.0, 10.0  # points below the axis: the first line after the codes


def cross_lingual(frame: pl.DataFrame, note: str) -> Figure:
    """Accuracy per language of several models: MathMist's fig:cross_ling_accuracy.

    `frame` has one row a model and language: model (display name), lang (code), lang_label (the
    language's name in its own script), value (percent, or null without records) and n (records
    behind the value). Models and languages are drawn in the order in which they first appear; a
    null or absent value leaves a gap, marked `no records`. `note` stands under the figure.

    Raises ValueError for an empty frame, a missing column, a repeated model and language, and a
    value outside 0 to 100.
    """
    columns = ("model", "lang", "lang_label", "value", "n")
    check(frame, columns, ("model", "lang"), "value", "cross-lingual accuracy")
    models, languages = in_order(frame, "model"), in_order(frame, "lang")
    labels = {lang: name or "" for lang, name in frame.select("lang", "lang_label").iter_rows()}
    values = _cells(frame, "lang")
    with style.applied():
        figure = style.new_figure(style.FULL_WIDTH, _PLOT)
        axes = figure.add_subplot()
        handles = [
            _series(axes, model, [values.get((model, lang)) for lang in languages], index, models)
            for index, model in enumerate(models)
        ]
        drawn = sum(value is not None for value in values.values())
        _percent_axis(axes, gaps=drawn < len(models) * len(languages))
        free = _language_axis(axes, languages, labels)
        counts = [_counts(frame, "lang", lang) for lang in languages]
        if len(set(counts)) > 1:
            for place, count in enumerate(counts):
                _under(axes, place, free, count)
            free += _LINE
        figure.set_size_inches(style.FULL_WIDTH, _PLOT + free / POINTS)
        _legend(figure, handles)
        add_note(figure, joined(note, _per_point(counts)))
    return figure


def code_switching(frame: pl.DataFrame, note: str) -> Figure:
    """Accuracy per pair of question and reasoning language: MathMist's fig:code_switch.

    `frame` has one row a model and pair: model (display name), pair (cs-bn-bn, cs-bn-en, cs-en-en
    or cs-en-bn: question language, reasoning language), value (percent, or null without records)
    and n (records behind the value). Models are drawn in the order in which they first appear; a
    null or absent value is an empty bar, marked `no records`. `note` stands under the figure.

    Raises ValueError for an empty frame, a missing column, an unknown pair, a repeated model and
    pair, and a value outside 0 to 100.
    """
    columns = ("model", "pair", "value", "n")
    check(frame, columns, ("model", "pair"), "value", "code-switching accuracy")
    models, present = in_order(frame, "model"), in_order(frame, "pair")
    if unknown := [pair for pair in present if pair not in PAIRS]:
        raise ValueError(
            f"code-switching accuracy: unknown pair {unknown[0]!r}; known are {', '.join(PAIRS)}"
        )
    pairs = [pair for pair in PAIRS if pair in present]
    values = _cells(frame, "pair")
    pitch = len(pairs) + _GAP
    with style.applied():
        height = _BAR * pitch * len(models) + 0.68 + 0.19 * len(pairs)
        figure = style.new_figure(style.COLUMN_WIDTH, height)
        axes = figure.add_subplot()
        for group, model in enumerate(models):
            for place, pair in enumerate(pairs):
                _bar(axes, group * pitch + place, values.get((model, pair)), pair)
        _model_axis(axes, models, pitch, len(pairs))
        handles = [_pair_handle(frame, pair) for pair in pairs]
        figure.legend(handles=handles, loc="outside upper left", handlelength=1.6, labelspacing=0.3)
        add_note(figure, note)
    return figure


def _cells(frame: pl.DataFrame, column: str) -> dict[tuple[str, str], float | None]:
    rows = frame.select("model", column, "value").iter_rows()
    return {(model, key): value for model, key, value in rows}


def _series(
    axes: Axes, model: str, values: Sequence[float | None], index: int, models: Sequence[str]
) -> Line2D:
    """Draw one model's values and give the legend's handle for it."""
    spread = min(0.11 * (len(models) - 1), 0.62)
    shift = spread * (index / max(len(models) - 1, 1) - 0.5)
    colour, marker = style.PALETTE[index % len(style.PALETTE)], MARKERS[index % len(MARKERS)]
    places = [place + shift for place in range(len(values))]
    heights = [float("nan") if value is None else value for value in values]
    axes.plot(places, heights, color=colour, linewidth=0.8, alpha=0.45, zorder=2)
    size = 6.0 if marker in "PX*" else 4.6
    look: dict[str, Any] = {
        "color": colour,
        "marker": marker,
        "linestyle": "none",
        "markersize": size,
    }
    axes.plot(places, heights, markeredgecolor="white", markeredgewidth=0.5, zorder=3, **look)
    absent = [place for place, value in zip(places, values, strict=True) if value is None]
    hollow = {**look, "markersize": 0.8 * size, "markerfacecolor": "white", "markeredgewidth": 0.8}
    axes.plot(absent, [_STRIP] * len(absent), zorder=3, **hollow)
    return Line2D([], [], label=f"{model}  {_summary(values)}", **look)


def _summary(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    if not known:
        return f"({NO_RECORDS})"
    part = "" if len(known) == len(values) else f"; {len(known)} of {len(values)}"
    return f"(μ = {fmean(known):.1f}, σ = {pstdev(known):.1f}{part})"


def _percent_axis(axes: Axes, gaps: bool) -> None:
    ticks = list(range(0, 101, 20))
    axes.set_ylim(_STRIP - 6 if gaps else -2, 102)
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


def _counts(frame: pl.DataFrame, column: str, key: str) -> str:
    return count_text(frame.filter(pl.col(column) == key, pl.col("value").is_not_null())["n"])


def _per_point(counts: Sequence[str]) -> str:
    return f"{counts[0]} per point." if len(set(counts)) == 1 and counts[0] else ""


def _legend(figure: Figure, handles: Sequence[Line2D]) -> None:
    entry = 0.34 + max(width_of(str(handle.get_label()), 7.5) for handle in handles)
    columns = min(max(1, int(style.FULL_WIDTH / entry)), len(handles))
    figure.legend(
        handles=handles,
        loc="outside upper left",
        ncols=columns,
        handlelength=1.0,
        handletextpad=0.4,
        columnspacing=1.4,
    )
    lines = -(-len(handles) // columns)
    width, height = figure.get_size_inches()
    figure.set_size_inches(width, height + 0.15 * lines)


def _bar(axes: Axes, place: float, value: float | None, pair: str) -> None:
    _, colour, hatch = PAIRS[pair]
    look: dict[str, Any] = {"ha": "left", "va": "center_baseline", "size": 6.5}
    if value is None:
        axes.plot([0, 0], [place - 0.45, place + 0.45], color=colour, linewidth=1.5)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}
        axes.text(1.5, place, NO_RECORDS, color=style.MUTED, bbox=box, zorder=0.9, **look)
        return
    axes.barh(place, value, height=0.9, color=colour, hatch=hatch, edgecolor="white", linewidth=0.3)
    axes.text(value + 1.5, place, f"{value:.1f}", color=style.INK, **look)


def _model_axis(axes: Axes, models: Sequence[str], pitch: float, bars: int) -> None:
    axes.set_ylim(len(models) * pitch - _GAP, -1.0)
    centres = [group * pitch + (bars - 1) / 2 for group in range(len(models))]
    names = ["\n".join(wrap(model, 0.95, _NAME_SIZE)) for model in models]
    axes.set_yticks(centres, names, size=_NAME_SIZE)
    for label, model in zip(axes.get_yticklabels(), models, strict=True):
        label.set_fontproperties(style.font_for(model))
        label.set_fontsize(_NAME_SIZE)
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0, 112)
    axes.set_xticks(range(0, 101, 20))
    axes.set_xlabel("accuracy (%)", labelpad=1)
    axes.grid(axis="x")


def _pair_handle(frame: pl.DataFrame, pair: str) -> Patch:
    words, colour, hatch = PAIRS[pair]
    count = _counts(frame, "pair", pair) or NO_RECORDS
    return Patch(
        label=f"{words} ({count})", facecolor=colour, hatch=hatch, edgecolor="white", linewidth=0.3
    )
