"""How an interval is drawn: a thin line from end to end, over whatever lies under it."""

from typing import Any, Literal

from matplotlib.axes import Axes

Along = Literal["x", "y"]

WORDS = "Whiskers: 95% intervals."


def across(axes: Axes, along: Along, place: float, low: float, high: float, **look: Any) -> None:
    """The interval from `low` to `high` along one axis, at `place` on the other."""
    ends, other = [low, high], [place, place]
    look = {"linewidth": 0.8, "solid_capstyle": "butt", **look}
    axes.plot(*((ends, other) if along == "x" else (other, ends)), **look)


def on_bar(axes: Axes, place: float, low: float, high: float, cap: float, **look: Any) -> None:
    """A level interval with caps (`cap`: half their height) and a pale rim, to show on any hue."""
    xs = [low, low, low, high, high, high]
    ys = [place - cap, place + cap, place, place, place - cap, place + cap]
    for colour, width in (("white", 2.0), ("black", 0.7)):
        axes.plot(xs, ys, color=colour, linewidth=width, solid_joinstyle="miter", **look)
