r"""Comparing expressions by evaluation with mpmath, in a worker process.

Constants are compared relative to their size at growing precision; a value counts as 0 only when it
keeps shrinking with the precision. Expressions with letters are evaluated at fixed points of both
signs and must agree wherever both are real. Logarithms without a base are decimal, roots of odd
degree of negative numbers are real.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import mpmath

from babelmath.scoring.same.evaluation import Point, evaluate, fresh_work, is_real
from babelmath.scoring.same.numbers import Judging, is_rounding
from babelmath.scoring.same.polynomials import MOST_BITS
from babelmath.scoring.same.quotients import UndefinedError
from babelmath.scoring.same.tree import Node, TooLargeError, UndecidedError, index_of, letters, walk

PRECISIONS = (50, 120, 300)
POINTS = 60
SURE = 24  # points tried at least, where so many agree that no more are needed
ENOUGH = 4  # points at which both must be real
COUNTS = frozenset("nkmlNpr")  # letters that count where they cannot be fractions
NO_VALUE = (ZeroDivisionError, UndefinedError, ValueError, OverflowError)


def judging_by_evaluation() -> Judging:
    """A judging that decides all that can be evaluated; for one pair of answers."""
    fresh_work()
    return Judging(numeric=same, order=order, rounded=rounded, multiple=multiple)


def same(one: Node, other: Node) -> bool:
    """Whether two expressions have one value, at all points where both have one.

    Raises:
        UndecidedError: they cannot be evaluated, or at too few points.
        TooLargeError: their values are beyond what is evaluated.
    """
    if not letters(one) and not letters(other):
        return _equal_at({}, one, other)
    names = letters(one) | letters(other)
    limits = _limits(one) | _limits(other)
    for counts in dict.fromkeys((limits, limits | (names & COUNTS))):
        agree = _agree(one, other, names, counts)
        if agree is not None:
            return agree
    raise UndecidedError("too few points")


def _agree(one: Node, other: Node, names: frozenset[str], counts: frozenset[str]) -> bool | None:
    """Whether values agree at the points, None where too few points have values."""
    agreed = 0
    for at, point in enumerate(points(names, counts)):
        if at >= SURE <= 2 * agreed:
            break
        values = _values(point, one, other)
        if values is None:
            continue
        if not all(is_real(value) for value in values) and not _complex(one, other):
            continue
        if not _equal_at(point, one, other):
            return False
        agreed += 1
    return True if agreed >= ENOUGH else None


def _limits(node: Node) -> frozenset[str]:
    """Letters in the limits of series: they count, and are whole."""
    series = [one for one in walk(node) if index_of(one) is not None]
    return frozenset(
        name for one in series for end in one.parts[:-1] for name in letters(end) - {index_of(one)}
    )


def order(one: Node, other: Node) -> int:
    """Sign of the difference of two constants."""
    if _equal_at({}, one, other):
        return 0
    values = _values({}, one, other)
    if values is None or not all(is_real(value) for value in values):
        raise UndecidedError("order")
    first, second = (mpmath.re(value) for value in values)
    return 1 if first > second else -1


def rounded(shown: Fraction, places: int, node: Node) -> bool:
    """Whether a decimal is the value of a constant, rounded or cut off."""
    if letters(node):
        return False
    with mpmath.workdps(max(places, 0) + 60):
        value = evaluate(node, {})
        if not is_real(value):
            return False
        near = mpmath.re(value)
        exponent = int(near.exp) if near else 0
        if abs(exponent) > MOST_BITS:
            raise TooLargeError("digits")
        fraction = Fraction(int(near.man)) * Fraction(2) ** exponent * (-1 if near < 0 else 1)
    if fraction.denominator == 1:
        return False
    slack = abs(fraction) / 10 ** (places + 40) if places > 0 else abs(fraction) / 10**40
    return bool(is_rounding(shown, places, fraction - slack, fraction + slack))


def multiple(one: Node, other: Node) -> int | None:
    """Sign of the constant by which one expression is a multiple of another, or None."""
    ratios: list[Any] = []
    for point in points(letters(one) | letters(other), _limits(one) | _limits(other)):
        values = _values(point, one, other)
        if values is None or not all(is_real(value) for value in values):
            continue
        first, second = values
        if not second or not first:
            continue
        with mpmath.workdps(PRECISIONS[0]):
            ratios.append(mpmath.re(first) / mpmath.re(second))
    if len(ratios) < ENOUGH:
        raise UndecidedError("too few points")
    with mpmath.workdps(PRECISIONS[0]):
        alike = all(
            abs(ratio - ratios[0]) < abs(ratios[0]) * mpmath.mpf(10) ** -30 for ratio in ratios
        )
    return (1 if ratios[0] > 0 else -1) if alike else None


def points(names: frozenset[str], counts: frozenset[str] = frozenset()) -> Iterator[Point]:
    """Fixed points: the same letters always get the same values, small, large and negative; those
    in `counts` whole ones from 1 on."""
    for at in range(POINTS):
        yield {
            name: Fraction(1 + (at * 5 + len(name) + ord(name[-1])) % 13) if name in counts
            else _coordinate(name, at)
            for name in names
        }  # fmt: skip


def _coordinate(name: str, at: int) -> Fraction:
    chance = random.Random(f"{name} {at}")
    size = (1, 3, 12, 1, 40, 3, 400)[at % 7]
    value = Fraction(chance.randint(50, 1000) * size, 997)
    return -value if at % 2 and chance.random() < 0.75 else value


def _complex(*nodes: Node) -> bool:
    return any(part.kind == "symbol" and part.name == "i" for node in nodes for part in walk(node))


def _values(point: Point, *nodes: Node) -> list[Any] | None:
    """Values at a point, None where one has none."""
    with mpmath.workdps(PRECISIONS[0]):
        try:
            return [evaluate(node, point) for node in nodes]
        except NO_VALUE:
            return None


def _equal_at(point: Point, one: Node, other: Node) -> bool:
    """Equality at one point: the difference, relative to the values, vanishes with precision."""
    before: Any = None  # the larger value at the last precision
    for digits in PRECISIONS:
        with mpmath.workdps(digits):
            try:
                first, second = evaluate(one, point), evaluate(other, point)
            except NO_VALUE:
                return False
            if not (mpmath.isfinite(first) and mpmath.isfinite(second)):
                return False
            scale, gap = max(abs(first), abs(second)), abs(first - second)
            small = mpmath.mpf(10) ** (20 - digits)
            if before is not None:
                if gap <= scale * small:
                    return True  # together at two precisions
                if scale >= before * mpmath.mpf(10) ** -30:
                    return False  # apart, and no value only shrinks to 0
            before = scale
    return True
