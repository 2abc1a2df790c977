r"""Exact arithmetic: numbers, roots, \pi, e, i, and polynomials in the letters of an answer.

A value is a quotient of two polynomials with rational coefficients. Their monomials are powers of
atoms: primes under roots (between 0 and 1), "\pi", "e", "i" and letters. Distinct monomials are
linearly independent (roots of distinct radicands over the rationals; \pi over algebraic numbers;
of \pi with e no exception is known), so two values are equal exactly when the cross products are
the same polynomial.

Every operation has a bound in bits or terms. What is beyond the bits raises TooLargeError
(`magnitude` may still tell it apart), what is beyond the terms or no such value UndecidedError.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

from babelmath.scoring.same.polynomials import MOST_BITS, ONE, UNIT
from babelmath.scoring.same.quotients import (
    Exact,
    added,
    constant,
    factorial,
    inverse,
    logarithm,
    multiplied,
    raised,
)
from babelmath.scoring.same.tree import (
    Node,
    TooLargeError,
    UndecidedError,
    negative,
    number,
)


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
        return logarithm(exact(node.parts[0]), exact(node.parts[1]))
    if node.name not in (
        "abs",
        "floor",
        "ceil",
        "binom",
        "permutations",
        "bmod",
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
    if node.name == "bmod":
        if len(given) != 2 or not given[1]:
            raise UndecidedError(node.name)
        return constant(given[0] % given[1])
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
