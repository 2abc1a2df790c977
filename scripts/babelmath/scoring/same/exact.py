r"""Exact arithmetic: numbers, roots, \pi, e, i, and polynomials in the letters of an answer.

A value is a quotient of two polynomials with rational coefficients. Their monomials are powers of
atoms: primes under roots (between 0 and 1), "\pi", "e", "i" and letters. Distinct monomials are
linearly independent (roots of distinct radicands over the rationals; \pi over algebraic numbers),
so two values are equal exactly when the cross products are the same polynomial.

Every operation has a bound in bits or terms. What is beyond the bits raises TooLargeError
(`magnitude` may still tell it apart), what is beyond the terms or no such value UndecidedError.
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from babelmath.scoring.same.tree import (
    CONSTANTS,
    Node,
    TooLargeError,
    UndecidedError,
    negative,
    number,
)

MOST_BITS = 60_000
MOST_TERMS = 1500
MOST_WORK = 60_000  # products of terms for one pair of answers; long numbers count for several
LARGEST_TRIED = 10_000  # primes tried to take a number under a root apart
ONE = Fraction(1)

Atom = int | str
Monomial = tuple[tuple[Atom, Fraction], ...]
Polynomial = dict[Monomial, Fraction]


class UndefinedError(Exception):
    """Division by zero."""


class _Budget(threading.local):
    left = MOST_WORK


_budget = _Budget()


@contextmanager
def fresh_budget() -> Iterator[None]:
    """Count the work from here on anew, so that it is the same whatever was done before."""
    before, _budget.left = _budget.left, MOST_WORK
    try:
        yield
    finally:
        _budget.left = before


def _charge(work: int) -> None:
    _budget.left -= work
    if _budget.left < 0:
        raise UndecidedError("work")


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


UNIT: Polynomial = {(): ONE}


def exact(node: Node) -> Exact:
    """The value of a tree.

    Raises:
        UndecidedError: it holds a function, a power or a root that is no quotient of polynomials.
        TooLargeError: its numbers are beyond MOST_BITS.
        UndefinedError: it divides by zero.
    """
    match node.kind:
        case "number":
            assert node.value is not None
            return constant(node.value)
        case "symbol":
            return Exact({((node.name, ONE),): ONE}, UNIT)
        case "dots":
            return Exact({(("…", ONE),): ONE}, UNIT)
        case "sum":
            return functools.reduce(added, (exact(part) for part in node.parts))
        case "product":
            return functools.reduce(multiplied, (exact(part) for part in node.parts))
        case "quotient":
            try:
                return multiplied(exact(node.parts[0]), inverse(exact(node.parts[1])))
            except TooLargeError:
                smaller = cancelled(node)
                if smaller is None:
                    raise
                return exact(smaller)
        case "percent":
            return multiplied(exact(node.parts[0]), constant(Fraction(1, 100)))
        case "degree":
            turn = Exact({(("\\pi", ONE),): Fraction(1, 180)}, UNIT)
            return multiplied(exact(node.parts[0]), turn)
        case "power":
            return raised(exact(node.parts[0]), exact(node.parts[1]))
        case "root":
            return raised(exact(node.parts[0]), inverse(exact(node.parts[1])))
        case "factorial":
            return factorial(exact(node.parts[0]))
        case "call":
            return called(node)
    raise UndecidedError(node.kind)


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
    normal, factor = _normal(powers)
    return Exact({normal: factor * sign}, UNIT)


def factorial(one: Exact) -> Exact:
    value = one.rational
    if value is None or value.denominator != 1 or value < 0:
        raise UndecidedError("factorial")
    if value > 5000:
        raise TooLargeError("factorial")
    return constant(math.factorial(value.numerator))


def cancelled(node: Node) -> Node | None:
    """A quotient after factorials or powers of one base in it have met (2^9/2^8), or None."""
    above, below = (_factors_of(part) for part in node.parts)
    for upper in above:
        for lower in below:
            if upper.kind != lower.kind:
                continue
            if upper.kind == "factorial":
                meeting = _factorials_met(upper.parts[0], lower.parts[0])
            elif upper.kind == "power" and upper.parts[0] == lower.parts[0]:
                exponent = Node("sum", (upper.parts[1], negative(lower.parts[1])))
                meeting = Node("power", (upper.parts[0], exponent))
            else:
                meeting = number(1) if upper == lower else None
            if meeting is not None:
                above.remove(upper)
                below.remove(lower)
                return Node(
                    "quotient",
                    (Node("product", (*above, meeting)), Node("product", (*below, number(1)))),
                )
    return None


def _factors_of(node: Node) -> list[Node]:
    if node.kind == "product":
        return [factor for part in node.parts for factor in _factors_of(part)]
    return [node]


def _factorials_met(upper: Node, lower: Node) -> Node | None:
    """n!/m! for whole n and m that lie near each other."""
    values = [exact(node).rational for node in (upper, lower)]
    if any(one is None or one.denominator != 1 or one < 0 for one in values):
        return None
    n, m = (one.numerator for one in values if one is not None)
    if abs(n - m) * max(n, m).bit_length() > MOST_BITS:
        return None
    product = math.prod(range(min(n, m) + 1, max(n, m) + 1))
    return number(product if n >= m else Fraction(1, product))


def called(node: Node) -> Exact:
    """Functions of rational numbers that give rational numbers."""
    if node.name == "exp":
        return raised(Exact({(("e", ONE),): ONE}, UNIT), exact(node.parts[0]))
    if node.name == "log" and len(node.parts) == 2:
        return _logarithm(exact(node.parts[0]), exact(node.parts[1]))
    if node.name not in (
        "abs",
        "floor",
        "ceil",
        "binom",
        "permutations",
        "gcd",
        "lcm",
        "max",
        "min",
    ):
        raise UndecidedError(node.name)
    values = [exact(part).rational for part in node.parts]
    given = [value for value in values if value is not None]
    if len(given) < len(values) or not given:
        raise UndecidedError(node.name)
    whole = [value.numerator for value in given if value.denominator == 1]
    if node.name == "abs":
        return constant(abs(given[0]))
    if node.name in ("floor", "ceil"):
        return constant((math.floor if node.name == "floor" else math.ceil)(given[0]))
    if node.name in ("max", "min"):
        return constant((max if node.name == "max" else min)(given))
    if len(whole) < len(given):
        raise UndecidedError(node.name)
    if node.name in ("gcd", "lcm"):
        return constant((math.gcd if node.name == "gcd" else math.lcm)(*whole))
    if len(whole) != 2 or min(whole) < 0:
        raise UndecidedError(node.name)
    above, below = whole
    smaller = min(below, above - below) if node.name == "binom" else below
    if above.bit_length() * max(smaller, 1) > MOST_BITS:
        raise TooLargeError(node.name)
    return constant((math.comb if node.name == "binom" else math.perm)(above, below))


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
    return _normal(powers)


def _normal(powers: dict[Atom, Fraction]) -> tuple[Monomial, Fraction]:
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
        normal, factor = _normal({atom: -exponent for atom, exponent in monomial})
        return Exact(times(above, {normal: factor / coefficient}), UNIT)
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
        normal, factor = _normal({atom: exponent * power for atom, exponent in monomial})
        return Exact({normal: raise_to * factor}, UNIT)
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


def _logarithm(one: Exact, base: Exact) -> Exact:
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


def _bounded(value: Fraction) -> None:
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    if bits > MOST_BITS:
        raise TooLargeError("bits")
    _charge(bits * bits // 10**7)
