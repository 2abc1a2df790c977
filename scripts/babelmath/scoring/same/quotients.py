"""Exact values as quotients of polynomials, and the operations on them."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from fractions import Fraction

from babelmath.scoring.same.polynomials import (
    MOST_BITS,
    UNIT,
    Atom,
    Polynomial,
    normal,
    plus,
    times,
)
from babelmath.scoring.same.tree import CONSTANTS, TooLargeError, UndecidedError

LARGEST_TRIED = 10_000  # primes tried to take a number under a root apart


class UndefinedError(Exception):
    """Division by zero."""


@dataclass(frozen=True, slots=True)
class Exact:
    """A quotient of polynomials; `below` is one term of 1 unless it has several terms."""

    above: Polynomial
    below: Polynomial

    @property
    def rational(self) -> Fraction | None:
        """The number, when it is rational."""
        if not self.above:
            return Fraction(0)
        if self.above.keys() == {()} == self.below.keys():
            return self.above[()] / self.below[()]
        return None

    @property
    def letters(self) -> frozenset[str]:
        return frozenset(
            atom
            for one in (self.above, self.below)
            for monomial in one
            for atom, _ in monomial
            if isinstance(atom, str) and atom not in CONSTANTS
        )


def constant(value: Fraction | int) -> Exact:
    value = Fraction(value)
    return Exact({(): value} if value else {}, UNIT)


def same_exact(one: Exact, other: Exact) -> bool:
    """Whether two values are equal wherever both are defined."""
    if one.below == other.below:
        return one.above == other.above
    return times(one.above, other.below) == times(other.above, one.below)


def added(one: Exact, other: Exact) -> Exact:
    if one.below == other.below:
        return Exact(plus(one.above, other.above), one.below)
    above = plus(times(one.above, other.below), times(other.above, one.below))
    return _simple(above, times(one.below, other.below))


def multiplied(one: Exact, other: Exact) -> Exact:
    return _simple(times(one.above, other.above), times(one.below, other.below))


def inverse(one: Exact) -> Exact:
    if not one.above:
        raise UndefinedError
    return _simple(one.below, one.above)


def raised(base: Exact, exponent: Exact) -> Exact:
    """A power with a rational exponent; roots only of numbers and of single letters."""
    power = exponent.rational
    if power is None:
        raise UndecidedError("exponent")
    if power.denominator == 1:
        return _whole_power(base, power.numerator)
    if not base.above:
        if power < 0:
            raise UndefinedError
        return constant(0)
    if base.below != UNIT or len(base.above) != 1:
        raise UndecidedError("root of a sum")
    ((monomial, coefficient),) = base.above.items()
    if abs(power) > 64 or power.denominator > 64:
        raise UndecidedError("exponent")
    powers: dict[Atom, Fraction] = {}
    sign = 1
    if coefficient < 0:
        coefficient = -coefficient
        if power.denominator % 2:
            sign = -1 if power.numerator % 2 else 1
        elif power.denominator == 2 and not monomial:
            powers["i"] = Fraction(power.numerator)
        else:
            raise UndecidedError("root of a negative number")
    for atom, count in monomial:
        positive = isinstance(atom, int) or atom in ("\\pi", "e")
        if not positive and (count != 1 or atom == "i" or coefficient != 1 or len(monomial) > 1):
            raise UndecidedError("root of a letter's power")
        powers[atom] = count * power
    for prime, times_in in _signed_factors(coefficient).items():
        powers[prime] = powers.get(prime, Fraction(0)) + times_in * power
    monomial, factor = normal(powers)
    return Exact({monomial: factor * sign}, UNIT)


def factorial(one: Exact) -> Exact:
    value = one.rational
    if value is None or value.denominator != 1 or value < 0:
        raise UndecidedError("factorial")
    if value > 5000:
        raise TooLargeError("factorial")
    return constant(math.factorial(value.numerator))


def _simple(above: Polynomial, below: Polynomial) -> Exact:
    """The quotient; one with a single term below has 1 below."""
    if not above:
        if not below:
            raise UndefinedError
        return Exact({}, UNIT)
    if len(below) == 1:
        ((monomial, coefficient),) = below.items()
        if not monomial:
            if coefficient == 1:
                return Exact(above, UNIT)
            return Exact({key: value / coefficient for key, value in above.items()}, UNIT)
        monomial, factor = normal({atom: -exponent for atom, exponent in monomial})
        return Exact(times(above, {monomial: factor / coefficient}), UNIT)
    if not below:
        raise UndefinedError
    if above == below:
        return Exact(UNIT, UNIT)
    return Exact(above, below)


def _whole_power(base: Exact, power: int) -> Exact:
    if power < 0:
        return inverse(_whole_power(base, -power))
    value = base.rational
    if value is not None:
        if power == 0 and value == 0:
            raise UndefinedError
        bits = max(value.numerator.bit_length(), value.denominator.bit_length()) - 1
        if abs(value) != 1 and value and max(bits, 1) * power > MOST_BITS:
            raise TooLargeError("power")
        return constant(value**power if abs(value) != 1 else value ** (power % 2))
    if len(base.above) == 1 and base.below == UNIT:
        ((monomial, coefficient),) = base.above.items()
        raise_to = _whole_power(constant(coefficient), power).above[()]
        monomial, factor = normal({atom: exponent * power for atom, exponent in monomial})
        return Exact({monomial: raise_to * factor}, UNIT)
    if power > 200:
        raise UndecidedError("exponent")
    result, square = Exact(UNIT, UNIT), base
    while power:
        if power % 2:
            result = multiplied(result, square)
        power //= 2
        if power:
            square = multiplied(square, square)
    return result


def logarithm(one: Exact, base: Exact) -> Exact:
    """A logarithm of one rational number to another that is rational itself."""
    value, root = one.rational, base.rational
    if value is None or root is None or value <= 0 or root <= 0 or root == 1:
        raise UndecidedError("log")
    powers, bases = _signed_factors(value), _signed_factors(root)
    if not powers:
        return constant(0)
    if powers.keys() != bases.keys():
        raise UndecidedError("log")
    ratios = {Fraction(count, bases[prime]) for prime, count in powers.items()}
    if len(ratios) > 1:
        raise UndecidedError("log")
    return constant(ratios.pop())


def _signed_factors(value: Fraction) -> dict[int, int]:
    return dict([*_factors(value.numerator), *((p, -n) for p, n in _factors(value.denominator))])


@functools.lru_cache(maxsize=1024)
def _factors(value: int) -> tuple[tuple[int, int], ...]:
    """The primes of a number with their exponents.

    Raises:
        UndecidedError: two primes above LARGEST_TRIED might be left.
    """
    if value.bit_length() > 2000:
        raise UndecidedError("factors")
    found, prime = [], 2
    while prime * prime <= value:
        if prime > LARGEST_TRIED:
            raise UndecidedError("factors")
        count = 0
        while value % prime == 0:
            value //= prime
            count += 1
        if count:
            found.append((prime, count))
        prime += 1 if prime == 2 else 2
    if value > 1:
        found.append((value, 1))
    return tuple(found)
