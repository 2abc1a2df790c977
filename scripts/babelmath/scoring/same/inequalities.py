"""Inequalities as sets of real numbers: in chains, of absolute values, linear in a letter."""

from __future__ import annotations

from fractions import Fraction

from babelmath.scoring.same.exact import exact
from babelmath.scoring.same.quotients import UndefinedError
from babelmath.scoring.same.regions import ALL, Region, infinite, joined, point
from babelmath.scoring.same.tree import (
    Node,
    TooLargeError,
    UndecidedError,
    letters,
    negative,
    number,
)

SWAPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "ne": "ne"}


def inequality(node: Node) -> Region | None:
    operators, sides = node.name.split(), node.parts
    if not set(operators) <= SWAPPED.keys():
        return None
    parts = []
    for at, operator in enumerate(operators):
        part = _half_line(sides[at], operator, sides[at + 1])
        if part is None:
            return None
        parts.append(part)
    return parts[0] if len(parts) == 1 else joined("and", parts)


def _half_line(left: Node, operator: str, right: Node) -> Region | None:
    if right.kind == "call" and right.name == "abs" and left.kind != "call":
        left, operator, right = right, SWAPPED[operator], left
    if left.kind == "call" and left.name == "abs" and operator != "ne" and not letters(right):
        sides = [
            _half_line(left.parts[0], operator, right),
            _half_line(left.parts[0], SWAPPED[operator], negative(right)),
        ]
        found = [side for side in sides if side is not None]
        inside = operator in ("lt", "le")
        return joined("and" if inside else "or", found) if len(found) == 2 else None
    if right.kind == "symbol" and letters(right) and left.kind != "symbol":
        left, operator, right = right, SWAPPED[operator], left
    if left.kind != "symbol" or not letters(left):
        solved = _solved(left, operator, right)
        if solved is None:
            return None
        left, operator, right = solved
    if left.name in letters(right):
        return None
    if operator == "ne":
        return Region("minus", (Region(ALL), point(right)), variable=left.name)
    if infinite(right):
        return Region(ALL, variable=left.name)
    above = operator in ("gt", "ge")
    equal = operator in ("ge", "le")
    return Region(
        "interval", (), right if above else None, None if above else right,
        (equal and above, equal and not above), variable=left.name,
    )  # fmt: skip


def _solved(left: Node, operator: str, right: Node) -> tuple[Node, str, Node] | None:
    """A linear inequality in one letter, solved for it."""
    difference = Node("sum", (left, negative(right)))
    found = letters(difference)
    if len(found) != 1:
        return None
    name = next(iter(found))
    try:
        value = exact(difference)
        rest = exact(_without(difference, name))
    except (UndecidedError, TooLargeError, UndefinedError):
        return None
    slope = value.above.get(((name, Fraction(1)),))
    powers = [monomial for monomial in value.above if any(atom == name for atom, _ in monomial)]
    if slope is None or len(powers) != 1 or value.below != rest.below or len(value.below) != 1:
        return None
    bound = Node("quotient", (negative(_without(difference, name)), number(slope)))
    return Node("symbol", name=name), operator if slope > 0 else SWAPPED[operator], bound


def _without(node: Node, name: str) -> Node:
    """The tree with 0 for a letter."""
    if node.kind == "symbol":
        return number(0) if node.name == name else node
    parts = tuple(_without(part, name) for part in node.parts)
    return Node(node.kind, parts, node.name, node.value, node.places, node.unit)
