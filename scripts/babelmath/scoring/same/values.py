"""Whether two expressions have one value: exactly, as a rounded decimal, by size, with units.

A decimal stands for an exact number when it is that number rounded or cut off, and shows at least
six digits that count: 0.333333 is 1/3, 0.333 is not.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction

from babelmath.scoring.same.bounds import bounds
from babelmath.scoring.same.bounds import sign as sign_of
from babelmath.scoring.same.exact import (
    Exact,
    UndefinedError,
    added,
    constant,
    exact,
    multiplied,
    same_exact,
)
from babelmath.scoring.same.magnitude import differ, size
from babelmath.scoring.same.tree import (
    PI,
    Node,
    TooLargeError,
    UndecidedError,
    Unit,
    letters,
    negative,
    number,
    walk,
)

DIGITS_THAT_COUNT = 6

Evaluate = Callable[[Node, Node], bool]


@dataclass
class Judging:
    """How a pair is judged, and what was needed for it.

    Attributes:
        numeric: compares two expressions by evaluation, None where that is another process's work.
        order: sign of a difference by evaluation, likewise.
        rounded: whether a decimal is an expression's value, likewise.
        multiple: sign of the constant by which one expression is a multiple of another, likewise.
        rules: names of the rules that decided, in order.
        aside: what was set aside (a unit that one side lacks).
    """

    numeric: Evaluate | None = None
    order: Callable[[Node, Node], int] | None = None
    rounded: Callable[[Fraction, int, Node], bool] | None = None
    multiple: Callable[[Node, Node], int | None] | None = None
    rules: dict[str, None] = field(default_factory=dict)
    aside: dict[str, None] = field(default_factory=dict)

    def used(self, rule: str) -> None:
        self.rules[rule] = None

    def set_aside(self, what: str) -> None:
        self.aside[what] = None


def same_value(one: Node, other: Node, judging: Judging) -> bool:
    """Whether two expressions are equal, a unit that only one has set aside.

    Raises:
        UndecidedError: evaluation is needed and `judging` has none.
        TooLargeError: too large to evaluate and not told apart by size.
    """
    if one == other:
        return True
    first, second = _measured(one), _measured(other)
    if first.kind == second.kind == "":
        return same_number(one, other, judging)
    if second.kind == "" or (first.kind != "" and first.kind > second.kind):
        first, second = second, first
    if first.kind == "":
        return _one_measured(first.core, second, judging)
    if first.kind == second.kind != "unit":
        return same_number(first.core, second.core, judging)
    if first.kind == "degree" and second.kind == "unit" and second.unit is not None:
        if second.unit.dimensions == (("angle", 1),):
            return same_number(_in_radians(first.core), second.core, judging)
        if second.unit.dimensions and second.unit.dimensions[0][0].startswith("temperature"):
            return same_number(first.core, second.core, judging)
        return False
    if first.kind != second.kind or first.unit is None or second.unit is None:
        return False
    return _both_measured(first, second, judging)


@dataclass(frozen=True)
class _Measured:
    core: Node
    kind: str = ""
    unit: Unit | None = None


def _measured(node: Node) -> _Measured:
    """An expression without its unit; `0.21*100%` is 21%, and a minus sign goes inside."""
    if node.kind == "quantity":
        return _Measured(node.parts[0], "unit", node.unit)
    if node.kind in ("percent", "degree"):
        return _Measured(node.parts[0], node.kind)
    if node.kind == "product":
        last = _measured(node.parts[-1])
        if last.kind:
            return _Measured(Node("product", (*node.parts[:-1], last.core)), last.kind, last.unit)
    return _Measured(node)


def _in_radians(core: Node) -> Node:
    return Node("quotient", (Node("product", (core, PI)), number(180)))


def _one_measured(plain: Node, measured: _Measured, judging: Judging) -> bool:
    """A bare number against one with a percent sign, degrees or a unit."""
    if measured.kind == "unit" and measured.unit is not None:
        if same_number(plain, measured.core, judging):
            judging.set_aside(f"unit {measured.unit.words}")
            return True
        return False
    sign = {"percent": "percent sign", "degree": "degree sign"}[measured.kind]
    if same_number(plain, measured.core, judging):
        judging.set_aside(sign)
        return True
    if measured.kind == "percent":
        return same_number(plain, Node("quotient", (measured.core, number(100))), judging)
    return same_number(plain, _in_radians(measured.core), judging)


def _both_measured(one: _Measured, other: _Measured, judging: Judging) -> bool:
    assert one.unit is not None and other.unit is not None
    if one.unit.dimensions is None or other.unit.dimensions is None:
        if same_number(one.core, other.core, judging):
            if one.unit.words != other.unit.words:
                judging.set_aside(f"words {one.unit.words} and {other.unit.words}")
            return True
        return False
    if one.unit.dimensions != other.unit.dimensions:
        return False
    if one.unit.factor == other.unit.factor:
        return same_number(one.core, other.core, judging)
    judging.used("units converted")
    larger, smaller = (one, other) if one.unit.factor > other.unit.factor else (other, one)
    assert larger.unit is not None and smaller.unit is not None
    ratio = number(larger.unit.factor / smaller.unit.factor)
    return same_number(Node("product", (larger.core, ratio)), smaller.core, judging)


def same_number(one: Node, other: Node, judging: Judging) -> bool:
    """Whether two expressions without units are equal."""
    if one == other or _key(one) == _key(other):
        return True
    if _runs_over_index(one) or _runs_over_index(other):
        return False
    endless = [_endless(node) for node in (one, other)]
    if any(endless):
        return endless[0] == endless[1] != "inside"
    try:
        first, second = exact(one), exact(other)
    except UndefinedError:
        return False
    except TooLargeError:
        return _by_size(one, other, judging)
    except UndecidedError:
        return _evaluated(one, other, judging)
    judging.used("exact")
    if same_exact(first, second):
        return True
    if letters(one) or letters(other):
        return False
    return _is_rounded(one, second, judging) or _is_rounded(other, first, judging)


def sign_between(one: Node, other: Node, judging: Judging) -> int:
    """Sign of the difference of two constants.

    Raises:
        UndecidedError: they hold letters, or evaluation is needed and `judging` has none.
    """
    if one == other:
        return 0
    if letters(one) or letters(other):
        raise UndecidedError("ends with letters")
    try:
        return sign_of(added(exact(one), multiplied(exact(other), constant(-1))))
    except (UndecidedError, UndefinedError):
        if judging.order is None:
            raise UndecidedError("order") from None
        return judging.order(one, other)


def literal_of(node: Node) -> tuple[Fraction, int] | None:
    r"""A decimal as written, with the places it shows: -0.50, 1.5\times 10^{-3}."""
    if node.kind == "number" and node.places is not None and node.value is not None:
        return node.value, node.places
    if node.kind == "product" and len(node.parts) == 2:
        first, second = node.parts
        if first == number(-1) and (inner := literal_of(second)):
            return -inner[0], inner[1]
        power = second.kind == "power" and second.parts[0] == number(10)
        exponent = second.parts[1].value if power else None
        if first.kind == "number" and first.places is not None and exponent is not None:
            assert first.value is not None
            if exponent.denominator == 1 and abs(exponent) < 10_000:
                return first.value * Fraction(10) ** exponent.numerator, first.places - int(
                    exponent
                )
    return None


def is_rounding(shown: Fraction, places: int, low: Fraction, high: Fraction) -> bool | None:
    """Whether a decimal is the rounded or cut off value of a number between two bounds; None
    where the bounds are too wide to tell."""
    step = Fraction(1) / Fraction(10) ** places
    if len(str(abs(shown) // step)) < DIGITS_THAT_COUNT:
        return False
    if shown < 0:
        shown, low, high = -shown, -high, -low
    inside = [shown - step / 2 <= end < shown + step for end in (low, high)]
    return inside[0] if inside[0] == inside[1] else None


def _is_rounded(decimal: Node, value: Exact, judging: Judging) -> bool:
    shown = literal_of(decimal)
    if shown is None:
        return False
    rational = value.rational
    if rational is not None and rational.denominator == 1:
        return False
    digits = min(max(shown[1], 0) + 30, 400)
    try:
        low, high = (rational, rational) if rational is not None else bounds(value, digits)
    except UndecidedError:
        return False
    if is_rounding(*shown, low, high):
        judging.used("rounded decimal")
        return True
    return False


def _by_size(one: Node, other: Node, judging: Judging) -> bool:
    try:
        if differ(size(one), size(other)):
            judging.used("size")
            return False
    except (UndecidedError, UndefinedError):
        pass
    raise TooLargeError("size")


def _evaluated(one: Node, other: Node, judging: Judging) -> bool:
    if judging.numeric is None or judging.rounded is None:
        raise UndecidedError("evaluation")
    judging.used("evaluation")
    for decimal, node in ((one, other), (other, one)):
        shown = literal_of(decimal)
        if shown is not None:
            return judging.rounded(*shown, node) or judging.numeric(one, other)
    return judging.numeric(one, other)


def _runs_over_index(node: Node) -> bool:
    """Whether a series has terms like F_k with its index in theirs; only its copy equals it."""
    for part in walk(node):
        if part.kind == "opaque" and len(part.parts) == 3 and part.parts[0].kind == "relation":
            index = part.parts[0].parts[0].name
            names = [one.name for one in walk(part.parts[2]) if one.kind == "symbol"]
            if any("_" in name and index in name.split("_", 1)[1] for name in names):
                return True
    return False


def _endless(node: Node) -> str:
    """`+` or `-` for an infinity, `inside` where one is part of an expression."""
    if not any(part.kind == "infinity" for part in walk(node)):
        return ""
    if node.kind == "infinity":
        return "+"
    if node == negative(Node("infinity")):
        return "-"
    return "inside"


@functools.lru_cache(maxsize=2048)
def _key(node: Node) -> tuple[object, ...]:
    """A tree with its sums and products flattened and in one order."""
    if node.kind not in ("sum", "product", "union", "intersection"):
        parts = tuple(_key(part) for part in node.parts)
        return (node.kind, node.name, node.value, node.places, node.unit, parts)
    flat: list[Node] = []
    waiting = list(node.parts)
    while waiting:
        part = waiting.pop()
        if part.kind == node.kind:
            waiting += part.parts
        else:
            flat.append(part)
    return (node.kind, tuple(sorted(map(repr, map(_key, flat)))))


def same_tree(one: Node, other: Node) -> bool:
    """Whether two trees are the same up to the order of what commutes."""
    return _key(one) == _key(other)
