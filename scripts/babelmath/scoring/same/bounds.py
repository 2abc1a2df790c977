"""Certain bounds of exact constants, in integers alone: roots, pi and e to any digits asked."""

from __future__ import annotations

import functools
import math
from fractions import Fraction

from babelmath.scoring.same.polynomials import Polynomial
from babelmath.scoring.same.quotients import Exact
from babelmath.scoring.same.tree import TooLargeError, UndecidedError

DIGITS = (40, 120, 400)
LARGEST_DEGREE = 64
MOST_BITS = 20_000  # of numbers that are evaluated; larger ones differ by size

Bounds = tuple[Fraction, Fraction]


def bounds(value: Exact, digits: int) -> Bounds:
    """Numbers below and above a real constant, about `digits` decimals apart.

    Raises:
        UndecidedError: it is no real constant, or its divisor is not bounded away from 0.
    """
    above = _polynomial(value.above, digits)
    below = _polynomial(value.below, digits)
    if below[0] <= 0 <= below[1]:
        raise UndecidedError("divisor near zero")
    ends = [one / other for one in above for other in below]
    return min(ends), max(ends)


def sign(value: Exact) -> int:
    """Sign of a real constant.

    Raises:
        UndecidedError: it is no real constant, or too near to 0 to tell.
    """
    if not value.above:
        return 0
    rational = value.rational
    if rational is not None:
        return (rational > 0) - (rational < 0)
    for digits in DIGITS:
        low, high = bounds(value, digits)
        if low > 0 or high < 0:
            return 1 if low > 0 else -1
    raise UndecidedError("sign")


def _polynomial(one: Polynomial, digits: int) -> Bounds:
    low = high = Fraction(0)
    for monomial, coefficient in one.items():
        if (
            max(coefficient.numerator.bit_length(), coefficient.denominator.bit_length())
            > MOST_BITS
        ):
            raise TooLargeError("digits")
        least, most = Fraction(1), Fraction(1)
        for atom, exponent in monomial:
            if isinstance(atom, str) and atom not in ("\\pi", "e"):
                raise UndecidedError(f"letter {atom}")
            if abs(exponent) > 1000:
                raise TooLargeError("power")
            base = _scaled(atom, digits)
            first, last = _root(base[0], base[1], exponent, digits)
            least, most = least * first, most * last
        ends = (coefficient * least, coefficient * most)
        low, high = low + min(ends), high + max(ends)
    return low, high


def _scaled(atom: int | str, digits: int) -> tuple[int, int]:
    """An atom times 10^digits, rounded down and up."""
    if isinstance(atom, int):
        return atom * 10**digits, atom * 10**digits
    value = _pi(digits) if atom == "\\pi" else _e(digits)
    return value, value + 1


def _root(low: int, high: int, exponent: Fraction, digits: int) -> Bounds:
    """Bounds of a positive number's power; the number is given times 10^digits."""
    if exponent < 0:
        first, last = _root(low, high, -exponent, digits)
        return 1 / last, 1 / first
    scale = 10**digits
    count, degree = exponent.numerator, exponent.denominator
    if degree > LARGEST_DEGREE:
        raise UndecidedError("degree of a root")
    if degree == 1:
        return Fraction(low, scale) ** count, Fraction(high, scale) ** count
    # degree-th root of (v / scale)^count, times scale
    down = _integer_root(low**count * scale ** (degree - count % degree), degree)
    up = _integer_root(high**count * scale ** (degree - count % degree), degree) + 1
    shift = Fraction(1, scale ** ((count + degree - count % degree) // degree))
    return down * shift, up * shift


def _integer_root(value: int, degree: int) -> int:
    """The whole part of a root, by Newton's method from above."""
    if degree == 2:
        return math.isqrt(value)
    if value == 0:
        return 0
    guess: int = 1 << -(-value.bit_length() // degree)
    while True:
        better: int = ((degree - 1) * guess + value // guess ** (degree - 1)) // degree
        if better >= guess:
            return guess
        guess = better


@functools.lru_cache(maxsize=8)
def _pi(digits: int) -> int:
    """Pi times 10^digits, rounded down (Machin's formula with ten spare digits)."""
    scale = 10 ** (digits + 10)

    def arccot(of: int) -> int:
        total, term, at = 0, scale // of, 1
        while term:
            total += term // at if at % 4 == 1 else -(term // at)
            term //= of * of
            at += 2
        return total

    return 4 * (4 * arccot(5) - arccot(239)) // 10**10


@functools.lru_cache(maxsize=8)
def _e(digits: int) -> int:
    """Euler's number times 10^digits, rounded down."""
    term: int = 10 ** (digits + 10)
    total, at = term, 1
    while term:
        term //= at
        total += term
        at += 1
    return total // 10**10
