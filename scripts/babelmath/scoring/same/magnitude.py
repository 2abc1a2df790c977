"""Telling numbers apart by their size alone, where writing them out would never end.

A size is a sign and the logarithm (base 2) of the absolute value, with a bound on its error. The
logarithm is a float or, for towers of powers, a size itself. Sizes further apart than their errors
belong to different numbers; the rest is open.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from babelmath.scoring.same.exact import cancelled, exact
from babelmath.scoring.same.quotients import UndefinedError
from babelmath.scoring.same.tree import Node, TooLargeError, UndecidedError

ROUNDING = 1e-12  # relative error that one step of float arithmetic is granted
LARGEST_FLOAT = 1e300
FAR = 64  # bits after which a smaller term no longer shows


@dataclass(frozen=True, slots=True)
class Size:
    """`error` bounds the logarithm where it is a float."""

    sign: int
    log: float | Size = 0.0
    error: float = 0.0


def size(node: Node) -> Size:
    """The size of a constant.

    Raises:
        TooLargeError: terms of nearly one size cancel, or a function of something huge.
        UndecidedError: there is a letter or a function that is not one of size.
    """
    try:
        value = exact(node).rational
        if value is not None:
            return of_number(value)
    except (TooLargeError, UndecidedError):
        pass
    match node.kind:
        case "symbol" if node.name in ("\\pi", "e"):
            return Size(1, math.log2(math.pi if node.name == "\\pi" else math.e), ROUNDING)
        case "sum" | "product":
            total = size(node.parts[0])
            for part in node.parts[1:]:
                total = (_plus if node.kind == "sum" else _times)(total, size(part))
            return total
        case "quotient":
            smaller = cancelled(node)
            if smaller is not None:
                return size(smaller)
            return _times(size(node.parts[0]), _inverse(size(node.parts[1])))
        case "power":
            return _power(size(node.parts[0]), size(node.parts[1]))
        case "root":
            return _power(size(node.parts[0]), _inverse(size(node.parts[1])))
        case "factorial":
            return _factorial(size(node.parts[0]))
        case "call" if node.name == "abs":
            inner = size(node.parts[0])
            return Size(abs(inner.sign), inner.log, inner.error)
    raise UndecidedError(node.kind)


def differ(one: Size, other: Size) -> bool:
    """Whether two sizes certainly belong to different numbers."""
    return _compare(one, other) != 0


def of_number(value: Fraction) -> Size:
    if not value:
        return Size(0)
    above, below = _log2(abs(value.numerator)), _log2(value.denominator)
    return Size((value > 0) - (value < 0), above - below, ROUNDING * (above + below + 1))


def _log2(value: int) -> float:
    shift = max(value.bit_length() - 60, 0)
    return math.log2(value >> shift) + shift


def _size_of_log(one: Size) -> Size:
    """The logarithm of a size as a size itself."""
    if isinstance(one.log, Size):
        return one.log
    if abs(one.log) <= one.error:
        raise TooLargeError("a power of about one")
    sign = 1 if one.log > 0 else -1
    return Size(sign, math.log2(abs(one.log)), one.error / abs(one.log) * 2 + ROUNDING)


def _with_log(sign: int, log: Size) -> Size:
    """The size that has this logarithm."""
    if not log.sign:
        return Size(sign)
    if isinstance(log.log, float) and log.log < math.log2(LARGEST_FLOAT):
        plain = 2.0**log.log
        return Size(sign, log.sign * plain, plain * (log.error + ROUNDING))
    return Size(sign, log)


def _inverse(one: Size) -> Size:
    if not one.sign:
        raise UndefinedError
    if isinstance(one.log, float):
        return Size(one.sign, -one.log, one.error)
    return Size(one.sign, Size(-one.log.sign, one.log.log, one.log.error))


def _compare(one: Size, other: Size) -> int:
    """1 or -1 where one is clearly larger or smaller; 0 where that is open."""
    if one.sign != other.sign:
        return 1 if one.sign > other.sign else -1
    if not one.sign:
        return 0
    if isinstance(one.log, float) and isinstance(other.log, float):
        gap = one.log - other.log
        open_gap = 2 * (one.error + other.error) + ROUNDING * (abs(one.log) + abs(other.log))
        return one.sign * ((gap > 0) - (gap < 0)) if abs(gap) > open_gap else 0
    if isinstance(one.log, Size) and isinstance(other.log, Size):
        return one.sign * _compare(one.log, other.log)
    tower = one.log if isinstance(one.log, Size) else other.log  # beyond every float, up or down
    assert isinstance(tower, Size)
    return one.sign * tower.sign * (1 if tower is one.log else -1)


def _plus(one: Size, other: Size) -> Size:
    if not one.sign or not other.sign:
        return one if one.sign else other
    order = _compare(_absolute(one), _absolute(other))
    larger, smaller = (one, other) if order >= 0 else (other, one)
    if isinstance(larger.log, float) and isinstance(smaller.log, float):
        gap = larger.log - smaller.log
        if gap > FAR:
            return Size(larger.sign, larger.log, larger.error + ROUNDING)
        share = 1 + larger.sign * smaller.sign * 2.0**-gap
        error = larger.error + smaller.error
        if share < 1e-6 or error > share / 100:
            raise TooLargeError("terms that cancel")
        return Size(larger.sign, larger.log + math.log2(share), 4 * error / share + ROUNDING)
    if order == 0 and larger.sign != smaller.sign:
        raise TooLargeError("terms that cancel")
    return larger


def _absolute(one: Size) -> Size:
    return Size(abs(one.sign), one.log, one.error)


def _times(one: Size, other: Size) -> Size:
    if not one.sign or not other.sign:
        return Size(0)
    sign = one.sign * other.sign
    if isinstance(one.log, float) and isinstance(other.log, float):
        error = one.error + other.error + ROUNDING * (abs(one.log) + abs(other.log))
        return Size(sign, one.log + other.log, error)
    for tower, factor in ((one, other), (other, one)):
        if isinstance(factor.log, float) and abs(factor.log) < FAR:  # nothing beside a tower
            return Size(sign, tower.log, tower.error)
    return _with_log(sign, _plus(_size_of_log(one), _size_of_log(other)))


def _power(base: Size, exponent: Size) -> Size:
    if not base.sign:
        if exponent.sign <= 0:
            raise UndefinedError
        return Size(0)
    if base.sign < 0:
        raise TooLargeError("power of a negative number")
    return _with_log(1, _times(exponent, _size_of_log(base)))


def _factorial(value: Size) -> Size:
    """Stirling's formula up to its logarithmic term; the next is below ROUNDING from 2^10 on."""
    if value.sign <= 0 or (isinstance(value.log, float) and value.log < 10):
        raise TooLargeError("factorial")
    per_number = _plus(_size_of_log(value), Size(-1, math.log2(math.log2(math.e)), ROUNDING))
    whole = _with_log(1, _times(value, per_number))
    if isinstance(whole.log, float) and isinstance(value.log, float):
        half = 0.5 * (math.log2(2 * math.pi) + value.log)
        return Size(1, whole.log + half, whole.error + 1e-3)
    return whole
