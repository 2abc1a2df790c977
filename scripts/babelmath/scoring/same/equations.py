"""Whether two equations or inequalities say the same: one side's difference is a multiple of the
other's, by a constant that is not 0 (for inequalities: that is positive)."""

from __future__ import annotations

from fractions import Fraction

from babelmath.scoring.same.bounds import sign
from babelmath.scoring.same.exact import exact
from babelmath.scoring.same.numbers import Judging, same_tree
from babelmath.scoring.same.polynomials import UNIT, Atom, Monomial, Polynomial, times
from babelmath.scoring.same.quotients import Exact, UndefinedError, inverse, multiplied
from babelmath.scoring.same.tree import (
    CONSTANTS,
    STRUCTURES,
    Node,
    TooLargeError,
    UndecidedError,
    holds,
    negative,
)

DIRECTIONS = {"lt": ("gt", 1), "gt": ("gt", -1), "le": ("ge", 1), "ge": ("ge", -1), "ne": ("ne", 1)}


def same_equation(one: Node, other: Node, judging: Judging) -> bool:
    """Whether two expressions are 0 together.

    Raises:
        UndecidedError: they hold functions, and `judging` has no evaluation.
    """
    if same_tree(one, other):
        return True
    if any(holds(node, STRUCTURES | {"dots"}) for node in (one, other)):
        return False
    try:
        first, second = exact(one), exact(other)
        judging.used("equations")
        return _ratio(_cleared(first.above), _cleared(second.above)) is not None
    except UndefinedError:
        return False
    except (UndecidedError, TooLargeError):
        return _by_evaluation(one, other, judging) is not None


def same_inequality(one: Node, other: Node, judging: Judging) -> bool:
    """Whether two simple inequalities hold together."""
    first_kind, first_sign = DIRECTIONS[one.name]
    second_kind, second_sign = DIRECTIONS.get(other.name, ("", 0))
    if first_kind != second_kind:
        return False
    first, second = _greater(one), _greater(other)
    if any(holds(node, STRUCTURES | {"dots"}) for node in (first, second)):
        return False
    try:
        above, below = exact(first), exact(second)
        quotient = _constant_quotient(above, below)
        judging.used("inequalities")
        if quotient is None:
            return False
        positive = first_kind == "ne" or sign(quotient) == first_sign * second_sign
        return positive
    except UndefinedError:
        return False
    except (UndecidedError, TooLargeError):
        found = _by_evaluation(first, second, judging)
        if found is None:
            return False
        return first_kind == "ne" or found == first_sign * second_sign


def _greater(relation: Node) -> Node:
    return Node("sum", (relation.parts[0], negative(relation.parts[1])))


def _by_evaluation(one: Node, other: Node, judging: Judging) -> int | None:
    if judging.multiple is None:
        raise UndecidedError("equations with functions")
    judging.used("evaluation")
    return judging.multiple(one, other)


def _constant_quotient(one: Exact, other: Exact) -> Exact | None:
    """The quotient of two expressions where it holds no letter, else None."""
    if not one.above or not other.above:
        return None
    ratio = _ratio(times(one.above, other.below), times(other.above, one.below))
    if ratio is None:
        return None
    return multiplied(Exact(ratio[0], UNIT), inverse(Exact(ratio[1], UNIT)))


def _ratio(one: Polynomial, other: Polynomial) -> tuple[Polynomial, Polynomial] | None:
    """Coefficients (with roots and pi in them) by which two polynomials are multiples, or None."""
    first, second = _by_letters(one), _by_letters(other)
    if first.keys() != second.keys():
        return None
    if not first:
        return UNIT, UNIT
    at = min(first, key=lambda monomial: [(str(atom), power) for atom, power in monomial])
    for key, coefficient in first.items():
        if times(coefficient, second[at]) != times(second[key], first[at]):
            return None
    return first[at], second[at]


def _cleared(one: Polynomial) -> Polynomial:
    """A polynomial times the letters that it divides by: y=1/x is xy=1."""
    lowest: dict[Atom, Fraction] = {}
    for monomial in one:
        for atom, exponent in monomial:
            if isinstance(atom, str) and atom not in CONSTANTS:
                lowest[atom] = min(exponent, lowest.get(atom, exponent))
    below = tuple((atom, -exponent) for atom, exponent in lowest.items() if exponent < 0)
    return (
        times(one, {tuple(sorted(below, key=lambda pair: str(pair[0]))): Fraction(1)})
        if below
        else one
    )


def _by_letters(one: Polynomial) -> dict[Monomial, Polynomial]:
    """A polynomial's terms by their letters; the rest of each is its coefficient. A factor that
    all terms share is no part of an equation only where it is a number."""
    found: dict[Monomial, Polynomial] = {}
    for monomial, coefficient in one.items():
        key = tuple(
            pair for pair in monomial if isinstance(pair[0], str) and pair[0] not in CONSTANTS
        )
        rest = tuple(pair for pair in monomial if pair not in key)
        found.setdefault(key, {})[rest] = coefficient
    return found
