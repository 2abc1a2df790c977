"""Points with an interval each way and a label each, in a square plot."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from babelmath.figures import style
from babelmath.figures.intervals import across
from babelmath.figures.placing import leader, placed
from babelmath.figures.text import POINTS, width_of

LABEL_SIZE = 6.5  # points
CAPITALS = 0.714  # of the size, how high capitals are

_HEIGHT = 1.1 * CAPITALS * LABEL_SIZE / POINTS  # inches, capitals with a little air
_THIN = 0.004  # inches, half an interval's line
_GREY, _LEADER = "#8A8A8A", "#4D4D4D"
_BACKGROUND: dict[str, Any] = {
    "facecolor": "white",
    "edgecolor": "none",
    "alpha": 0.8,
    "zorder": 2.4,
}

Ends = tuple[float | None, float, float | None]
"""An interval's lower end, the value, the upper end; the ends null where there is no interval."""


class Point(NamedTuple):
    """A labelled point with what is known of its uncertainty."""

    label: str
    x: Ends
    y: Ends


def draw_points(axes: Axes, points: Sequence[Point], side: float) -> None:
    """Draw the points in `axes`, a square of `side` inches whose limits are the same both ways.

    A label that has no room beside its point stands off and is joined to it by a thin line.
    """
    low, high = axes.get_xlim()
    scale = side / (high - low)

    def inches(value: float) -> float:
        return (value - low) * scale

    middles = [(inches(point.x[1]), inches(point.y[1])) for point in points]
    lines = [
        (inches(left), inches(bottom), inches(right), inches(top))
        for point in points
        for left, bottom, right, top in _intervals(axes, point, _THIN / scale)
    ]
    axes.plot(
        [point.x[1] for point in points],
        [point.y[1] for point in points],
        linestyle="none",
        marker="o",
        markersize=4.0,
        markeredgecolor="white",
        markeredgewidth=0.4,
        color=style.BLUE,
        zorder=4,
    )
    sizes = [(width_of(point.label, LABEL_SIZE) + 0.01, _HEIGHT) for point in points]
    places = placed(middles, sizes, np.array(lines, dtype=float).reshape(-1, 4), side)
    for point, middle, (x, y), size in zip(points, middles, places, sizes, strict=True):
        corner = (low + (x - size[0] / 2) / scale, low + (y - size[1] / 2) / scale)
        axes.add_patch(Rectangle(corner, size[0] / scale, size[1] / scale, **_BACKGROUND))
        if line := leader(middle, (x, y), size):
            xs, ys = ([low + end[axis] / scale for end in line] for axis in (0, 1))
            axes.plot(xs, ys, color=_LEADER, linewidth=0.4, zorder=2.5)
        baseline = low + (y - CAPITALS * LABEL_SIZE / POINTS / 2) / scale
        look: dict[str, Any] = {"ha": "center", "va": "baseline", "zorder": 3}
        axes.text(low + x / scale, baseline, point.label, size=LABEL_SIZE, **look)


def _intervals(axes: Axes, point: Point, thin: float) -> Iterator[tuple[float, ...]]:
    """Draw the point's intervals; left, bottom, right and top of each, `thin` to either side."""
    x, y = point.x[1], point.y[1]
    look: dict[str, Any] = {"color": _GREY, "linewidth": 0.7, "zorder": 2}
    if point.x[0] is not None and point.x[2] is not None:
        across(axes, "x", y, point.x[0], point.x[2], **look)
        yield point.x[0], y - thin, point.x[2], y + thin
    if point.y[0] is not None and point.y[2] is not None:
        across(axes, "y", x, point.y[0], point.y[2], **look)
        yield x - thin, point.y[0], x + thin, point.y[2]
