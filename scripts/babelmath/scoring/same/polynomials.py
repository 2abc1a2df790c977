"""Polynomials with rational coefficients in primes under roots, pi, e, i and letters.

Work is counted and bounded, so that it is the same whatever was done before.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

from babelmath.scoring.same.tree import TooLargeError, UndecidedError

MOST_BITS = 60_000
MOST_TERMS = 1500
MOST_WORK = 60_000  # products of terms for one pair of answers; long numbers count for several
ONE = Fraction(1)

Atom = int | str
Monomial = tuple[tuple[Atom, Fraction], ...]
Polynomial = dict[Monomial, Fraction]

UNIT: Polynomial = {(): ONE}


class _Budget(threading.local):
    left = math.inf


_budget = _Budget()


@contextmanager
def fresh_budget() -> Iterator[None]:
    """Bound the work from here on, counted anew."""
    before, _budget.left = _budget.left, MOST_WORK
    try:
        yield
    finally:
        _budget.left = before


def _charge(work: int) -> None:
    _budget.left -= work
    if _budget.left < 0:
        raise UndecidedError("work")


def plus(one: Polynomial, other: Polynomial) -> Polynomial:
    _charge(len(other))
    found = dict(one)
    for monomial, coefficient in other.items():
        total = found.get(monomial, Fraction(0)) + coefficient
        if total:
            found[monomial] = total
        else:
            found.pop(monomial, None)
    if len(found) > MOST_TERMS:
        raise UndecidedError("terms")
    return found


def times(one: Polynomial, other: Polynomial) -> Polynomial:
    if one == UNIT:
        return other
    if other == UNIT:
        return one
    _charge(len(one) * len(other))
    found: Polynomial = {}
    for left, first in one.items():
        for right, second in other.items():
            monomial, factor = _joined(left, right) if left and right else (left or right, ONE)
            coefficient = first * second * factor
            total = found.get(monomial, Fraction(0)) + coefficient
            _bounded(total)
            if total:
                found[monomial] = total
            else:
                found.pop(monomial, None)
    if len(found) > MOST_TERMS:
        raise UndecidedError("terms")
    return found


def _joined(one: Monomial, other: Monomial) -> tuple[Monomial, Fraction]:
    """The product of two monomials and the factor that leaves it (roots that become whole)."""
    powers = dict(one)
    for atom, exponent in other:
        powers[atom] = powers.get(atom, Fraction(0)) + exponent
    return normal(powers)


def normal(powers: dict[Atom, Fraction]) -> tuple[Monomial, Fraction]:
    factor = ONE
    for atom, exponent in list(powers.items()):
        if isinstance(atom, int):
            whole = math.floor(exponent)
            if abs(whole) * atom.bit_length() > MOST_BITS:
                raise TooLargeError("power")
            factor *= Fraction(atom) ** whole
            powers[atom] = exponent - whole
        elif atom == "i":
            if exponent.denominator != 1:
                raise UndecidedError("root of i")
            turn = exponent.numerator % 4
            factor *= -1 if turn >= 2 else 1
            powers[atom] = Fraction(turn % 2)
        if not powers[atom]:
            del powers[atom]
    return tuple(sorted(powers.items(), key=lambda pair: str(pair[0]))), factor


def _bounded(value: Fraction) -> None:
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if bits > MOST_BITS:
        raise TooLargeError("bits")
    _charge(bits * bits // 10**7)
