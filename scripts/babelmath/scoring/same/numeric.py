r"""Comparing expressions by evaluation with mpmath, in a worker process.

Constants are compared relative to the largest number that they are made of, with as many digits as
the numbers furthest from 1 ask for. Expressions with letters are evaluated at fixed points of both
signs, whole ones and far ones too, and must agree wherever both are real.
Logarithms without a base are decimal, roots of odd degree of negative numbers are real.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import mpmath

from babelmath.scoring.same.evaluation import Point, evaluate, fresh_work, is_real, with_extent
from babelmath.scoring.same.numbers import Judging, is_rounding
from babelmath.scoring.same.polynomials import MOST_BITS
from babelmath.scoring.same.quotients import UndefinedError
from babelmath.scoring.same.tree import Node, TooLargeError, UndecidedError, index_of, letters, walk

LOOK = 50  # digits of a first look
SURE_DIGITS = 120  # of a value at one of many points, more where numbers are far from 1
SURE_DIGITS_OF_CONSTANTS = 300
MOST_EXTENT = 3000  # bits
POINTS = 60
MARKED = (
    1, 2, 3, 4, 7, 8, 9, 16, 100, 1000, 1024, 10**6, 10**6 + 1, -1, -2, -3, -8, -999, -(10**6),
)  # fmt: skip
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
        try:
            if not _equal_at(point, one, other):
                return False
        except UndecidedError:  # nothing can be told at this point
            continue
        agreed += 1
    if agreed < ENOUGH:
        return None
    return not any(_differ_at(point, one, other) for point in marked_points(names, counts))


def _differ_at(point: Point, one: Node, other: Node) -> bool:
    """Whether both are real at a marked point and differ; what is too large there says nothing."""
    try:
        values = _values(point, one, other)
        real = values is not None and all(is_real(value) for value in values)
        return real and not _equal_at(point, one, other)
    except (TooLargeError, UndecidedError):
        return False


def _limits(node: Node) -> frozenset[str]:
    """Letters in the limits of series: they count, and are whole."""
    series = [one for one in walk(node) if index_of(one) is not None]
    return frozenset(
        name for one in series for end in one.parts[:-1] for name in letters(end) - {index_of(one)}
    )


def order(one: Node, other: Node) -> int:
    """Sign of the difference of two constants."""
    values = _values({}, one, other)
    if values is None or not all(is_real(value) for value in values):
        raise UndecidedError("order")
    difference = _difference({}, one, other)
    if difference is None:
        raise UndecidedError("order")
    return int(mpmath.sign(mpmath.re(difference)))


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
    names, limits = letters(one) | letters(other), _limits(one) | _limits(other)
    for point in (*points(names, limits), *marked_points(names, limits)):
        try:
            values = _values(point, one, other)
        except TooLargeError:
            if all(value.denominator > 1 for value in point.values()):
                raise
            continue
        if values is None or not all(is_real(value) for value in values):
            continue
        first, second = values
        if not second or not first:
            continue
        with mpmath.workdps(LOOK):
            ratios.append(mpmath.re(first) / mpmath.re(second))
    if len(ratios) < ENOUGH:
        raise UndecidedError("too few points")
    with mpmath.workdps(LOOK):
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


def marked_points(names: frozenset[str], counts: frozenset[str] = frozenset()) -> Iterator[Point]:
    """Whole and far points, where rounding functions jump and what is apart only there shows."""
    order = sorted(names)
    for at in range(len(MARKED)):
        yield {
            name: Fraction(1 + abs(MARKED[at]) % 13) if name in counts
            else Fraction(MARKED[(at + 5 * place) % len(MARKED)])
            for place, name in enumerate(order)
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
    with mpmath.workdps(LOOK):
        try:
            return [evaluate(node, point) for node in nodes]
        except NO_VALUE:
            return None


def _equal_at(point: Point, one: Node, other: Node) -> bool:
    """Equality at one point."""
    difference = _difference(point, one, other)
    return difference is not None and not difference


def _difference(point: Point, one: Node, other: Node) -> Any:
    """The difference of two values, 0 where it vanishes, None where one has no value.

    What is small against the largest value met at few digits is looked at again with more: the more
    of them, the further from 1 the numbers are that it is made of.

    Raises:
        UndecidedError: terms too large to be sure of cancel each other.
    """
    digits, extent = LOOK, 0
    for last in (False, True):
        with mpmath.workdps(digits):
            try:
                found = [with_extent(node, point) for node in (one, other)]
            except NO_VALUE:
                return None
            first, second = (value for value, _, _ in found)
            if not (mpmath.isfinite(first) and mpmath.isfinite(second)):
                return None
            cancelled = [size for _, size, _ in found if size is not None]
            own = [int(mpmath.mag(value)) for value in (first, second) if value]
            largest = max((*cancelled, *own), default=0)
            extent = min(max(extent, *(size for _, _, size in found)), MOST_EXTENT)
            gap, slack = first - second, extent if last or cancelled else 0
            if abs(gap) > mpmath.ldexp(mpmath.mpf(10) ** (20 - digits), largest + slack):
                return gap
            if last:
                scale = max(abs(first), abs(second))
                if largest > MOST_EXTENT and scale < mpmath.ldexp(1, largest - MOST_EXTENT):
                    raise UndecidedError("large terms that cancel")
                return mpmath.mpf(0)
            digits = (SURE_DIGITS if point else SURE_DIGITS_OF_CONSTANTS) + extent
    raise AssertionError
