"""Points with an interval each way and a label each, in a square plot."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from babelmath.figures import style
from babelmath.figures.intervals import across
from babelmath.figures.placing import leader, placed
from babelmath.figures.text import POINTS, width_of

LABEL_SIZE = 6.5  # points

_HEIGHT = 0.78 * LABEL_SIZE / POINTS  # inches, a line of capitals with a little air
_THIN = 0.004  # inches, half an interval's line
_GREY = "#8A8A8A"
_BACKGROUND: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8}

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

    lines: list[tuple[float, float, float, float]] = []
    for point in points:
        for along, ends, other in (("x", point.x, point.y[1]), ("y", point.y, point.x[1])):
            if ends[0] is None or ends[2] is None:
                continue
            across(axes, along, other, ends[0], ends[2], color=_GREY, linewidth=0.7, zorder=2)
            first, last, middle = inches(ends[0]), inches(ends[2]), inches(other)
            near, far = middle - _THIN, middle + _THIN
            lines.append((first, near, last, far) if along == "x" else (near, first, far, last))
    look: dict[str, Any] = {
        "linestyle": "none",
        "marker": "o",
        "markersize": 4.0,
        "markeredgecolor": "white",
    }
    axes.plot(
        [point.x[1] for point in points],
        [point.y[1] for point in points],
        color=style.BLUE,
        markeredgewidth=0.4,
        zorder=4,
        **look,
    )
    middles = [(inches(point.x[1]), inches(point.y[1])) for point in points]
    sizes = [(width_of(point.label, LABEL_SIZE) + 0.01, _HEIGHT) for point in points]
    boxes = np.array(lines, dtype=float).reshape(-1, 4)
    places = placed(middles, sizes, boxes, side)
    for point, middle, place, size in zip(points, middles, places, sizes, strict=True):
        x, y, width, height = (value / scale for value in (*place, *size))
        corner = (low + x - width / 2, low + y - height / 2)
        axes.add_patch(Rectangle(corner, width, height, zorder=2.4, **_BACKGROUND))
        if line := leader(middle, place, size):
            ends = [[low + end[axis] / scale for end in line] for axis in (0, 1)]
            axes.plot(*ends, color="#4D4D4D", linewidth=0.4, zorder=2.5)
        axes.text(
            low + x,
            low + y,
            point.label,
            size=LABEL_SIZE,
            ha="center",
            va="center_baseline",
            zorder=3,
        )
