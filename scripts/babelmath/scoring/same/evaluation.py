"""The value of an expression at a point, by mpmath, within limits of size and of work."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath

from babelmath.scoring.same.applications import DERIVATIVE
from babelmath.scoring.same.exact import exact
from babelmath.scoring.same.numbers import key_of
from babelmath.scoring.same.quotients import UndefinedError
from babelmath.scoring.same.tree import Node, TooLargeError, UndecidedError, index_of, letters

LARGEST_EXPONENT = 10**6  # bits of a power or an exponential
LARGEST_ANGLE_BITS = 2000
MOST_TERMS = 20_000
NOISE = 35  # digits after which an imaginary part is none; values have 50 and more
CANCELLING = 10  # bits by which a value is smaller than what it is made of
SHOWN = 30  # digits of an argument by which an unknown function tells arguments apart
MOST_WORK = 100_000  # nodes evaluated for one pair of answers

Point = dict[str, Fraction]

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": mpmath.sin, "cos": mpmath.cos, "tan": mpmath.tan, "cot": mpmath.cot, "sec": mpmath.sec,
    "csc": mpmath.csc, "arcsin": mpmath.asin, "arccos": mpmath.acos, "arctan": mpmath.atan,
    "arccot": mpmath.acot, "arcsec": mpmath.asec, "arccsc": mpmath.acsc, "sinh": mpmath.sinh,
    "cosh": mpmath.cosh, "tanh": mpmath.tanh, "coth": mpmath.coth, "arsinh": mpmath.asinh,
    "arcosh": mpmath.acosh, "artanh": mpmath.atanh, "arcoth": mpmath.acoth, "exp": mpmath.exp,
    "abs": abs, "arg": mpmath.arg, "Re": mpmath.re, "Im": mpmath.im, "sgn": mpmath.sign,
    "factorial2": mpmath.fac2, "binom": mpmath.binomial,
}  # fmt: skip


class _Work:
    left = MOST_WORK
    extent = 0  # logarithm (base 2), by its size, of the value met that is furthest from 1
    cancelled: int | None = None  # logarithm of the largest term met that others cancel


_work = _Work()


def fresh_work() -> None:
    """Count the work from here on anew."""
    _work.left = MOST_WORK


def with_extent(node: Node, point: Point) -> tuple[Any, int | None, int]:
    """The value of a tree, the logarithm (base 2) of the largest term on the way that others
    cancel, and the size of the logarithm furthest from 0 on the way."""
    _work.extent, _work.cancelled = 0, None
    value = evaluate(node, point)
    return value, _work.cancelled, _work.extent


def evaluate(node: Node, point: Point) -> Any:
    """The value of a tree at mpmath's precision.

    Raises:
        UndecidedError: it holds what has no value.
        TooLargeError: a power or an angle beyond the limits.
        UndefinedError, ZeroDivisionError, ValueError: it has no value at this point.
    """
    _work.left -= 1
    if _work.left < 0:
        raise TooLargeError("work")
    value = _value(node, point)
    if value and mpmath.isfinite(value):
        _work.extent = max(_work.extent, abs(int(mpmath.mag(value))))
    return value


def _value(node: Node, point: Point) -> Any:
    match node.kind:
        case "number":
            assert node.value is not None
            return mpmath.mpf(node.value.numerator) / node.value.denominator
        case "symbol":
            return _symbol(node.name, point)
        case "sum":
            terms = [evaluate(part, point) for part in node.parts]
            return _less(mpmath.fsum(terms), terms)
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
        case "apply":
            return _applied(node, point)
    raise UndecidedError(node.kind)


def _less(value: Any, terms: list[Any]) -> Any:
    """A value, noted where it is much smaller than what it was made of, as digits are lost then."""
    largest = max(
        (int(mpmath.mag(one)) for one in terms if one and mpmath.isfinite(one)), default=None
    )
    if largest is not None and (not value or mpmath.mag(value) < largest - CANCELLING):
        before = _work.cancelled
        _work.cancelled = largest if before is None else max(before, largest)
    return value


def is_real(value: Any) -> bool:
    if not mpmath.isfinite(value):
        return False
    imaginary = abs(mpmath.im(value))
    return bool(imaginary <= abs(mpmath.re(value)) * mpmath.mpf(10) ** -NOISE)


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
    if mpmath.re(value) < 0 and not letters(exponent) and is_real(value):
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
    if not is_real(count) or count == 0:
        raise UndefinedError
    if count == int(count) and int(count) % 2 and is_real(value) and mpmath.re(value) < 0:
        return -mpmath.root(-mpmath.re(value), int(count))
    if not value:
        return mpmath.mpf(0)
    return mpmath.power(value, 1 / count)


def _factorial(value: Any) -> Any:
    if abs(value) > 10_000:
        raise TooLargeError("factorial")
    if is_real(value) and mpmath.re(value) < 0 and mpmath.re(value) == int(mpmath.re(value)):
        raise UndefinedError
    return mpmath.factorial(value)


def _check(bits: Any) -> None:
    if bits > LARGEST_EXPONENT:
        raise TooLargeError("power")


def _call(node: Node, point: Point) -> Any:
    name = node.name
    parts = node.parts
    if len(parts) == 1 and parts[0].kind in ("set", "list", "fence"):
        parts = parts[0].parts
    values = [evaluate(part, point) for part in parts]
    if not values:
        raise UndecidedError(name)
    if name in ("ln", "log"):
        return _less(_logarithm(name, values), values)
    if name in ("floor", "ceil"):
        near = mpmath.nint(values[0])
        if abs(values[0] - near) < mpmath.mpf(10) ** -(mpmath.mp.dps // 2):
            return near
        return (mpmath.floor if name == "floor" else mpmath.ceil)(values[0])
    if name in ("max", "min"):
        if not all(is_real(value) for value in values):
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
    return _less(FUNCTIONS[name](*values), values)


def _applied(node: Node, point: Point) -> Any:
    """A value that an unknown function has here: by its name, its arguments and the point only."""
    if node.name.startswith(DERIVATIVE) and letters(node.parts[0]) != {node.parts[0].name}:
        raise UndecidedError("derivative")
    given: list[str] = []
    for part in node.parts:
        try:
            value = evaluate(part, point)
        except UndecidedError:
            given.append(key_of(part).hex())
        else:
            nothing = abs(value) < mpmath.mpf(10) ** -SHOWN
            given.append("0" if nothing else mpmath.nstr(value, SHOWN))
    seed = f"{node.name} {point.get(node.name + '()')} {given}"
    return mpmath.mpf(random.Random(seed).randint(-(10**9), 10**9)) / 997


def _logarithm(name: str, values: list[Any]) -> Any:
    if not values[0] or (len(values) == 2 and (not values[1] or values[1] == 1)):
        raise UndefinedError
    if name == "ln" and len(values) == 1:
        return mpmath.log(values[0])
    base = values[1] if len(values) == 2 else mpmath.mpf(10)
    return mpmath.log(values[0]) / mpmath.log(base)


def _series(node: Node, point: Point) -> Any:
    """A finite sum or product over a whole index."""
    name = index_of(node)
    if name is None or node.parts[0].name != "=":
        raise UndecidedError("series")
    lower, upper, body = node.parts
    ends = [evaluate(lower.parts[1], point), evaluate(upper, point)]
    if not all(is_real(end) and mpmath.re(end) == int(mpmath.re(end)) for end in ends):
        raise UndecidedError("series")
    first, last = (int(mpmath.re(end)) for end in ends)
    if last - first > MOST_TERMS:
        raise TooLargeError("series")
    terms = (evaluate(body, {**point, name: Fraction(at)}) for at in range(first, last + 1))
    return (mpmath.fsum if node.name == "sum" else mpmath.fprod)(terms)
