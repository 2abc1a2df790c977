"""Sets of real numbers: intervals, inequalities, unions, complements, finite sets.

A region is a tree of conditions. Two are the same when they agree on every cell that their ends cut
the real line into: the ends themselves and the open gaps between them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from babelmath.scoring.same.tree import Node, TooLargeError, number

MOST_ENDS = 40
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


def named(region: Region, variable: str, sure: bool | None = None) -> Region:
    return Region(region.kind, region.parts, region.low, region.high, region.closed,
                  region.sure if sure is None else sure, variable)  # fmt: skip


def point(node: Node) -> Region:
    copy = Node(node.kind, node.parts, node.name, node.value, node.places, node.unit)
    return Region("interval", (), node, copy, (True, True), sure=False)


def joined(kind: str, parts: Sequence[Region], sure: bool = True) -> Region | None:
    names = {part.variable for part in parts if part.variable}
    if len(names) > 1:
        return None
    return Region(kind, tuple(parts), sure=sure, variable=next(iter(names), ""))


def infinite(node: Node) -> int:
    """1 for infinity, -1 for minus infinity, 0 for anything else."""
    if node.kind == "infinity":
        return 1
    if node.kind == "product" and node.parts == (number(-1), Node("infinity")):
        return -1
    if node.kind == "sum" and len(node.parts) == 1:
        return infinite(node.parts[0])
    return 0
