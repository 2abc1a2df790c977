r"""Exact values with the decimal that is shown for them: \frac{22}{7} \approx 3.14."""

from __future__ import annotations

from fractions import Fraction

from babelmath.scoring.same.bounds import bounds
from babelmath.scoring.same.exact import exact
from babelmath.scoring.same.quotients import UndefinedError
from babelmath.scoring.same.tree import Node, TooLargeError, UndecidedError, UnreadableError

LARGEST_SHARE = Fraction(1, 20)  # by which a number that is called near may be off


def rounded(value: Node, shown: Node) -> Node:
    """Both as one answer.

    Raises:
        UnreadableError: the decimal is not near the value.
    """
    sides = [one.parts[0] if one.kind == "quantity" else one for one in (value, shown)]
    if value.unit == shown.unit and _far_apart(*sides):
        raise UnreadableError("called near and is not")
    return Node("rounded", (value, shown))


def _far_apart(value: Node, shown: Node) -> bool:
    """Whether two constants differ by more than rounding; False where that is not told."""
    try:
        low, _ = bounds(exact(value), 20)
        near, _ = bounds(exact(shown), 20)
    except (UndecidedError, TooLargeError, UndefinedError):
        return False
    step = Fraction(1) / Fraction(10) ** (shown.places or 0)
    return abs(low - near) > max(step, abs(low) * LARGEST_SHARE)
