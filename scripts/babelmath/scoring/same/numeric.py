r"""Comparing expressions by evaluation with mpmath, in a worker process.

Constants are compared relative to their size at growing precision; a value counts as 0 only when it
keeps shrinking with the precision. Expressions with letters are evaluated at fixed points of both
signs and must agree wherever both are real. Logarithms without a base are decimal, roots of odd
degree of negative numbers are real.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import mpmath

from babelmath.scoring.same.exact import MOST_BITS, UndefinedError, exact
from babelmath.scoring.same.tree import Node, TooLargeError, UndecidedError, letters, walk
from babelmath.scoring.same.values import Judging, is_rounding

PRECISIONS = (50, 120, 300)
POINTS = 60
SURE = 24  # points tried at least, where so many agree that no more are needed
ENOUGH = 4  # points at which both must be real
LARGEST_EXPONENT = 10**6  # bits of a power or an exponential
LARGEST_ANGLE_BITS = 2000
MOST_TERMS = 20_000
COUNTS = frozenset("nkmlNpr")  # letters that count where they cannot be fractions
NO_VALUE = (ZeroDivisionError, UndefinedError, ValueError, OverflowError)

Point = dict[str, Fraction]


def judging_by_evaluation() -> Judging:
    """A judging that decides all that can be evaluated."""
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
        if not all(_is_real(value) for value in values) and not _complex(one, other):
            continue
        if not _equal_at(point, one, other):
            return False
        agreed += 1
    return True if agreed >= ENOUGH else None


def _limits(node: Node) -> frozenset[str]:
    """Letters in the limits of series: they count, and are whole."""
    ends = [part for one in walk(node) if one.kind == "opaque" for part in one.parts[:-1]]
    return frozenset(name for end in ends for name in letters(end))


def order(one: Node, other: Node) -> int:
    """Sign of the difference of two constants."""
    if _equal_at({}, one, other):
        return 0
    values = _values({}, one, other)
    if values is None or not all(_is_real(value) for value in values):
        raise UndecidedError("order")
    first, second = (mpmath.re(value) for value in values)
    return 1 if first > second else -1


def rounded(shown: Fraction, places: int, node: Node) -> bool:
    """Whether a decimal is the value of a constant, rounded or cut off."""
    if letters(node):
        return False
    with mpmath.workdps(max(places, 0) + 60):
        value = evaluate(node, {})
        if not _is_real(value):
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
        if values is None or not all(_is_real(value) for value in values):
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
    if name == "…":
        return Fraction(7919, 101)
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


def _is_real(value: Any) -> bool:
    if not mpmath.isfinite(value):
        return False
    imaginary = abs(mpmath.im(value))
    return bool(imaginary <= abs(mpmath.re(value)) * mpmath.mpf(10) ** (15 - PRECISIONS[0]))


def _equal_at(point: Point, one: Node, other: Node) -> bool:
    """Equality at one point: the difference, relative to the values, vanishes with precision."""
    before: tuple[Any, Any] | None = None
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
            if not gap:
                return True
            if scale and gap > scale * small:
                vanishing = before is not None and scale < before[1] * mpmath.mpf(10) ** -30
                if before is not None and not vanishing:
                    return False  # apart at two precisions
                if before is not None and digits == PRECISIONS[-1]:
                    return True  # both shrink to 0
            elif before is not None:
                return True
            before = (gap, scale)
    return True


def evaluate(node: Node, point: Point) -> Any:
    """The value of a tree at mpmath's precision.

    Raises:
        UndecidedError: it holds what has no value.
        TooLargeError: a power or an angle beyond the limits.
        UndefinedError, ZeroDivisionError, ValueError: it has no value at this point.
    """
    match node.kind:
        case "number":
            assert node.value is not None
            return mpmath.mpf(node.value.numerator) / node.value.denominator
        case "symbol":
            return _symbol(node.name, point)
        case "dots":
            return mpmath.mpf(point.get("…", Fraction(7919, 101)).numerator) / 101
        case "sum":
            return mpmath.fsum(evaluate(part, point) for part in node.parts)
        case "product":
            return mpmath.fprod(evaluate(part, point) for part in node.parts)
        case "quotient":
            return evaluate(node.parts[0], point) / evaluate(node.parts[1], point)
        case "percent":
            return evaluate(node.parts[0], point) / 100
        case "degree":
            return evaluate(node.parts[0], point) * mpmath.pi / 180
        case "power":
            return _power(node.parts[0], node.parts[1], point)
        case "root":
            return _root(evaluate(node.parts[0], point), node.parts[1], point)
        case "factorial":
            return _factorial(evaluate(node.parts[0], point))
        case "call":
            return _call(node, point)
        case "opaque" if node.name in ("sum", "prod"):
            return _series(node, point)
        case "set" | "list" | "fence" if len(node.parts) == 1:
            return evaluate(node.parts[0], point)
    raise UndecidedError(node.kind)


def _symbol(name: str, point: Point) -> Any:
    constants = {"\\pi": mpmath.pi, "e": mpmath.e, "i": mpmath.mpc(0, 1)}
    if name in constants:
        return +constants[name]
    if name not in point:
        raise UndecidedError(f"letter {name}")
    return mpmath.mpf(point[name].numerator) / point[name].denominator


def _power(base: Node, exponent: Node, point: Point) -> Any:
    power = evaluate(exponent, point)
    value = evaluate(base, point)
    if not value:
        if mpmath.re(power) <= 0:
            raise UndefinedError
        return mpmath.mpf(0)
    _check(abs(power) * max(abs(mpmath.log(abs(value), 2)), 1))
    if mpmath.re(value) < 0 and not letters(exponent) and _is_real(value):
        try:
            rational = exact(exponent).rational
        except (UndecidedError, TooLargeError, UndefinedError):
            rational = None
        if rational is not None and rational.denominator % 2:
            sign = -1 if rational.numerator % 2 else 1
            return sign * mpmath.power(-value, power)
    return mpmath.power(value, power)


def _root(value: Any, degree: Node, point: Point) -> Any:
    count = evaluate(degree, point)
    if not _is_real(count) or count == 0:
        raise UndefinedError
    if count == int(count) and int(count) % 2 and _is_real(value) and mpmath.re(value) < 0:
        return -mpmath.root(-mpmath.re(value), int(count))
    if not value:
        return mpmath.mpf(0)
    return mpmath.power(value, 1 / count)


def _factorial(value: Any) -> Any:
    if abs(value) > 10_000:
        raise TooLargeError("factorial")
    if _is_real(value) and mpmath.re(value) < 0 and mpmath.re(value) == int(mpmath.re(value)):
        raise UndefinedError
    return mpmath.factorial(value)


def _check(bits: Any) -> None:
    if bits > LARGEST_EXPONENT:
        raise TooLargeError("power")


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "cot": mpmath.cot, "sec": mpmath.sec,
    "csc": mpmath.csc, "arcsin": mpmath.asin, "arccos": mpmath.acos, "arctan": mpmath.atan,
    "arccot": mpmath.acot, "arcsec": mpmath.asec, "arccsc": mpmath.acsc, "sinh": mpmath.sinh,
    "cosh": mpmath.cosh, "tanh": mpmath.tanh, "coth": mpmath.coth, "arsinh": mpmath.asinh,
    "arcosh": mpmath.acosh, "artanh": mpmath.atanh, "arcoth": mpmath.acoth, "exp": mpmath.exp,
    "abs": abs, "arg": mpmath.arg, "Re": mpmath.re, "Im": mpmath.im, "sgn": mpmath.sign,
    "factorial2": mpmath.fac2, "binom": mpmath.binomial,
}  # fmt: skip


def _call(node: Node, point: Point) -> Any:
    name = node.name
    parts = node.parts
    if len(parts) == 1 and parts[0].kind in ("set", "list", "fence"):
        parts = parts[0].parts
    values = [evaluate(part, point) for part in parts]
    if not values:
        raise UndecidedError(name)
    if name in ("ln", "log"):
        return _logarithm(name, values)
    if name in ("floor", "ceil"):
        near = mpmath.nint(values[0])
        if abs(values[0] - near) < mpmath.mpf(10) ** -(mpmath.mp.dps // 2):
            return near
        return (mpmath.floor if name == "floor" else mpmath.ceil)(values[0])
    if name in ("max", "min"):
        if not all(_is_real(value) for value in values):
            raise UndefinedError
        return (max if name == "max" else min)(mpmath.re(value) for value in values)
    if name == "permutations" and len(values) == 2:
        return mpmath.ff(*values)
    if name not in FUNCTIONS or len(values) != (2 if name == "binom" else 1):
        raise UndecidedError(name)
    if name in ("exp", "sinh", "cosh", "tanh", "coth"):
        _check(abs(values[0]) * 2)
    elif name in ("factorial2", "binom"):
        _check(max(abs(value) for value in values) * 100)
    elif mpmath.mag(values[0]) > LARGEST_ANGLE_BITS:
        raise TooLargeError(name)
    return FUNCTIONS[name](*values)


def _logarithm(name: str, values: list[Any]) -> Any:
    if not values[0] or (len(values) == 2 and (not values[1] or values[1] == 1)):
        raise UndefinedError
    if name == "ln" and len(values) == 1:
        return mpmath.log(values[0])
    base = values[1] if len(values) == 2 else mpmath.mpf(10)
    return mpmath.log(values[0]) / mpmath.log(base)


def _series(node: Node, point: Point) -> Any:
    """A finite sum or product over a whole index."""
    if len(node.parts) != 3:
        raise UndecidedError("series")
    lower, upper, body = node.parts
    if lower.kind != "relation" or lower.name != "=" or lower.parts[0].kind != "symbol":
        raise UndecidedError("series")
    ends = [evaluate(lower.parts[1], point), evaluate(upper, point)]
    if not all(_is_real(end) and mpmath.re(end) == int(mpmath.re(end)) for end in ends):
        raise UndecidedError("series")
    first, last = (int(mpmath.re(end)) for end in ends)
    if last - first > MOST_TERMS:
        raise TooLargeError("series")
    name = lower.parts[0].name
    terms = (evaluate(body, {**point, name: Fraction(at)}) for at in range(first, last + 1))
    return (mpmath.fsum if node.name == "sum" else mpmath.fprod)(terms)
