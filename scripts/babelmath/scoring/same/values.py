"""Whether two values are equal, their units, percent and degree signs considered.

What one side lacks is set aside; where both have units they are converted and must agree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from babelmath.scoring.same.numbers import Judging, same_number
from babelmath.scoring.same.opposites import contradict, differ_in_power
from babelmath.scoring.same.tree import PI, Node, Unit, number
from babelmath.scoring.same.units import in_lengths


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
    if differ_in_power(one.unit, other.unit) or contradict(one.unit.words, other.unit.words):
        return False
    if one.unit.dimensions is None or other.unit.dimensions is None:
        if same_number(one.core, other.core, judging):
            if one.unit.words != other.unit.words:
                judging.set_aside(f"words {one.unit.words} and {other.unit.words}")
            return True
        return False
    first, second = in_lengths(one.unit), in_lengths(other.unit)
    if first.dimensions != second.dimensions:
        return False
    one, other = replace(one, unit=first), replace(other, unit=second)
    assert one.unit is not None and other.unit is not None
    if one.unit.factor == other.unit.factor:
        return same_number(one.core, other.core, judging)
    judging.used("units converted")
    larger, smaller = (one, other) if one.unit.factor > other.unit.factor else (other, one)
    assert larger.unit is not None and smaller.unit is not None
    ratio = number(larger.unit.factor / smaller.unit.factor)
    return same_number(Node("product", (larger.core, ratio)), smaller.core, judging)
