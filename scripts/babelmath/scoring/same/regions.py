"""Sets of real numbers: intervals, inequalities, unions, complements, finite sets.

A region is a tree of conditions. Two are the same when they agree on every cell that their ends cut
the real line into: the ends themselves and the open gaps between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from babelmath.scoring.same.exact import UndefinedError, exact
from babelmath.scoring.same.forms import NUMBER_SETS, Form, Labelled, Many, Value, form_of
from babelmath.scoring.same.tree import (
    Node,
    TooLargeError,
    UndecidedError,
    letters,
    negative,
    number,
)

MOST_ENDS = 40
SWAPPED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "ne": "ne"}
ALL = "all"
REALS = ("R", "\\mathbb{R}")

Signed = Callable[[Node, Node], int]  # the sign of the first minus the second


@dataclass(frozen=True, slots=True)
class Region:
    """`kind`: interval (ends in `low`, `high`; None is infinite), or, and, minus, all.

    `sure` is False where the text can also be a point or a list; `variable` is the letter named.
    """

    kind: str
    parts: tuple[Region, ...] = ()
    low: Node | None = None
    high: Node | None = None
    closed: tuple[bool, bool] = (False, False)
    sure: bool = True
    variable: str = ""


def region_of(form: Form) -> Region | None:
    """The region that a form stands for, or None."""
    if isinstance(form, Labelled):
        if form.label.kind != "symbol":
            return None
        inner = region_of(form.form)
        if inner is None or not (form.member or isinstance(form.form, Value)):
            return None
        return _named(inner, form.label.name, sure=inner.sure and form.member)
    if isinstance(form, Value):
        if form.node.name in REALS and form.node.kind == "symbol":
            return Region(ALL, sure=form.node.name != "R")
        taken = _taken_away(form.node)
        if taken is not None:
            return taken
        return None if letters(form.node) else _point(form.node)
    if isinstance(form, Many):
        return _several(form)
    return _of_node(form.node)


def same_region(one: Region, other: Region, sign: Signed) -> bool:
    """Whether two regions are the same set; named variables must be the same.

    Raises:
        UndecidedError, TooLargeError: the ends cannot be put in order.
    """
    if one.variable and other.variable and one.variable != other.variable:
        return False
    ends = _ordered([*_ends(one), *_ends(other)], sign)
    cells = range(2 * len(ends) + 1)  # even: gaps, odd: ends
    places = {id(end): 2 * at + 1 for at, same in enumerate(ends) for end in same}
    return all(_holds(one, cell, places) == _holds(other, cell, places) for cell in cells)


def _holds(region: Region, cell: int, places: dict[int, int]) -> bool:
    match region.kind:
        case "interval":
            low = -1 if region.low is None else places[id(region.low)]
            high = 10**9 if region.high is None else places[id(region.high)]
            above = cell > low or (region.closed[0] and cell == low)
            return above and (cell < high or (region.closed[1] and cell == high))
        case "or":
            return any(_holds(part, cell, places) for part in region.parts)
        case "and":
            return all(_holds(part, cell, places) for part in region.parts)
        case "minus":
            first, second = region.parts
            return _holds(first, cell, places) and not _holds(second, cell, places)
    return True


def _ends(region: Region) -> list[Node]:
    own = [end for end in (region.low, region.high) if end is not None]
    return own + [end for part in region.parts for end in _ends(part)]


def _ordered(ends: Sequence[Node], sign: Signed) -> list[list[Node]]:
    """Ends in order, equal ones together."""
    if len(ends) > MOST_ENDS:
        raise TooLargeError("ends of intervals")
    groups: list[list[Node]] = []
    for end in ends:
        for at, group in enumerate(groups):
            order = sign(end, group[0])
            if order == 0:
                group.append(end)
            elif order < 0:
                groups.insert(at, [end])
            else:
                continue
            break
        else:
            groups.append([end])
    return groups


def _named(region: Region, variable: str, sure: bool | None = None) -> Region:
    return Region(region.kind, region.parts, region.low, region.high, region.closed,
                  region.sure if sure is None else sure, variable)  # fmt: skip


def _point(node: Node) -> Region:
    copy = Node(node.kind, node.parts, node.name, node.value, node.places, node.unit)
    return Region("interval", (), node, copy, (True, True), sure=False)


def _joined(kind: str, parts: Sequence[Region], sure: bool = True) -> Region | None:
    names = {part.variable for part in parts if part.variable}
    if len(names) > 1:
        return None
    return Region(kind, tuple(parts), sure=sure, variable=next(iter(names), ""))


def _several(form: Many) -> Region | None:
    if form.kind == "tuple":
        return _interval(form.node) if form.node is not None else None
    if not form.parts:
        return Region("or", sure=False)
    parts = [region_of(part) for part in form.parts]
    found = [part for part in parts if part is not None]
    if len(found) < len(parts):
        return None
    if form.kind == "list" and form.join == ",":
        if any(part.sure for part in found):
            return None  # whether all or one of them holds is not said
        return _joined("or", found, sure=False)
    if form.kind == "list" and form.join == "and":
        return _joined("and", found) if all(part.sure for part in found) else None
    return _joined("or", found, sure=any(part.sure for part in found))


def _interval(node: Node) -> Region | None:
    if len(node.parts) != 2:
        return None
    low, high = node.parts
    closed = (node.name[0] == "[", node.name[1] == "]")
    if _infinite(low) not in (0, -1) or _infinite(high) not in (0, 1):
        return None
    if any(part.kind in ("relation", "fence", "list", "set") for part in node.parts):
        return None
    return Region(
        "interval", (), None if _infinite(low) else low, None if _infinite(high) else high,
        (closed[0] and not _infinite(low), closed[1] and not _infinite(high)),
        sure=node.name != "()" or bool(_infinite(low) or _infinite(high)),
    )  # fmt: skip


def _infinite(node: Node) -> int:
    """1 for infinity, -1 for minus infinity, 0 for anything else."""
    if node.kind == "infinity":
        return 1
    if node.kind == "product" and node.parts == (number(-1), Node("infinity")):
        return -1
    if node.kind == "sum" and len(node.parts) == 1:
        return _infinite(node.parts[0])
    return 0


def _taken_away(node: Node) -> Region | None:
    r"""R-\{4\}, written with a minus sign."""
    if node.kind != "sum" or node.parts[0].name not in REALS:
        return None
    away: list[Region] = []
    for part in node.parts[1:]:
        if part.kind != "product" or part.parts[0] != number(-1) or part.parts[1].kind != "set":
            return None
        inner = region_of(form_of(part.parts[1]))
        if inner is None:
            return None
        away.append(inner)
    return Region("minus", (Region(ALL), Region("or", tuple(away))))


def _of_node(node: Node) -> Region | None:
    match node.kind:
        case "word":
            return Region(ALL) if node.name == "reals" else None
        case "union" | "intersection" | "difference":
            parts = [region_of(form_of(part)) for part in node.parts]
            found = [part for part in parts if part is not None]
            if len(found) < len(parts):
                return None
            kinds = {"union": "or", "intersection": "and", "difference": "minus"}
            return _joined(kinds[node.kind], found)
        case "relation":
            return _inequality(node)
        case "builder":
            return _built(node)
    return None


def _built(node: Node) -> Region | None:
    bound, condition = node.parts
    if (
        bound.kind == "relation"
        and bound.name == "in"
        and bound.parts[1].name in ("R", "\\mathbb{R}")
    ):
        bound = bound.parts[0]
    if bound.kind != "symbol":
        return None
    conditions = [condition]
    if condition.kind == "list" and condition.name in (",", "and"):
        conditions = list(condition.parts)
    parts: list[Region] = []
    for one in conditions:
        domain = one.kind == "relation" and one.name == "in" and one.parts[1].name in NUMBER_SETS
        if domain and one.parts[1].name in REALS:
            continue
        part = None if domain else region_of(form_of(one))
        if part is None or part.variable != bound.name:
            return None
        parts.append(part)
    return _named(Region("and", tuple(parts)), "") if parts else None


def _inequality(node: Node) -> Region | None:
    operators, sides = node.name.split(), node.parts
    if not set(operators) <= SWAPPED.keys():
        return None
    parts = []
    for at, operator in enumerate(operators):
        part = _half_line(sides[at], operator, sides[at + 1])
        if part is None:
            return None
        parts.append(part)
    return parts[0] if len(parts) == 1 else _joined("and", parts)


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
        return _joined("and" if inside else "or", found) if len(found) == 2 else None
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
        return Region("minus", (Region(ALL), _point(right)), variable=left.name)
    if _infinite(right):
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
