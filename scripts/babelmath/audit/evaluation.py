"""What the checks of the ledger come to, in exact interval arithmetic."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from babelmath.audit.intervals import Interval, largest, mean, smallest, total
from babelmath.audit.syntax import (
    MOST_DIGITS,
    Call,
    Chain,
    Negation,
    Node,
    Number,
    Reference,
    format_node,
)
from babelmath.errors import InputError

FUNCTIONS: dict[str, Callable[[Sequence[Interval]], Interval]] = {
    "mean": mean,
    "sum": total,
    "min": smallest,
    "max": largest,
    "abs": lambda intervals: abs(intervals[0]),
}
OPERATORS: dict[str, Callable[[Interval, Interval], Interval]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
COMPARISONS: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
}


def evaluate(node: Node, values: Mapping[str, Interval | None]) -> Interval:
    """What an expression comes to.

    Args:
        values: the claims' numbers; None for N/A, which mean, sum, min and max leave out. With
            points the result is the central value, with intervals it holds every possible one.

    Raises:
        InputError: N/A outside those functions or nothing left inside, a division by what may be
            0, a result of more than 30 digits before the decimal sign.
        KeyError: an id that `values` lacks.
    """
    try:
        result = _value(node, values)
    except (ArithmeticError, ValueError) as error:
        raise _refusal(
            str(error), node, "Write it so that it can be computed whatever was rounded."
        ) from None
    if max(abs(result.low), abs(result.high)) >= 10**MOST_DIGITS:
        raise _refusal("the result is too large", node, "Percentages and counts are small numbers.")
    return result


def is_missing(node: Node, values: Mapping[str, Interval | None]) -> bool:
    """Whether an argument is the bare id of a claim printed N/A, and so is left out."""
    return isinstance(node, Reference) and values[node.id] is None


def _value(node: Node, values: Mapping[str, Interval | None]) -> Interval:
    match node:
        case Number(value):
            return Interval.point(value)
        case Reference(id):
            known = values[id]
            if known is None:
                raise ValueError(f"{id} is N/A")
            return known
        case Negation(operand):
            return -_value(operand, values)
        case Chain(first, rest):
            result = _value(first, values)
            for sign, part in rest:
                result = OPERATORS[sign](result, _value(part, values))
            return result
        case Call(function, arguments):
            given = [
                _value(argument, values)
                for argument in arguments
                if function == "abs" or not is_missing(argument, values)
            ]
            return FUNCTIONS[function](given)


def _refusal(problem: str, node: Node, remedy: str) -> InputError:
    return InputError(
        f"cannot be computed: {problem}", field="checks", value=format_node(node), remedy=remedy
    )
