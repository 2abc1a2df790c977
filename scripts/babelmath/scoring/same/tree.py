"""The tree that an answer is read into, and what stops the reading or the comparing.

Kinds of node, with their parts:
  number (value; places: decimals shown, None if exact) · symbol (name) · sum · product · quotient ·
  power · root (radicand, degree) · factorial · call (name; arguments) · pm (left, right; name ± or
  ∓) · percent · degree · quantity (value; unit) · infinity · dots
  list (name: "," or "or" or "and") · fence (name: its two brackets) · set · builder (bound
  variable, condition) · union · intersection · difference · relation (sides; name: the operators,
  blank-separated) · matrix (rows) · row · ratio · based (value; name: its base) · word (name)
  opaque (name: notation that is compared by its parts only)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction


class UnreadableError(Exception):
    """The text is not mathematics of these notations."""


class TooLargeError(Exception):
    """The size guard: deciding would cost more than any answer is worth."""


class UndecidedError(Exception):
    """Exact arithmetic cannot tell; evaluation in a worker process can."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: its value in base units, the powers of its dimensions, and its words as written.

    `dimensions` is None where the words are no known unit (12 students).
    """

    words: str
    factor: Fraction = Fraction(1)
    dimensions: tuple[tuple[str, int], ...] | None = None


@dataclass(frozen=True, slots=True)
class Node:
    kind: str
    parts: tuple[Node, ...] = ()
    name: str = ""
    value: Fraction | None = None
    places: int | None = None
    unit: Unit | None = None


DOTS = Node("dots")
INFINITY = Node("infinity")
PI = Node("symbol", name="\\pi")


def number(value: int | Fraction, places: int | None = None) -> Node:
    return Node("number", value=Fraction(value), places=places)


def symbol(name: str) -> Node:
    return Node("symbol", name=name)


def negative(node: Node) -> Node:
    """The node with its sign changed; a literal stays a literal."""
    if node.kind == "number":
        assert node.value is not None
        return number(-node.value, node.places)
    if node.kind in ("quantity", "percent", "degree"):
        return Node(node.kind, (negative(node.parts[0]),), unit=node.unit)
    return Node("product", (number(-1), node))


def product_of(parts: list[Node]) -> Node:
    return parts[0] if len(parts) == 1 else Node("product", tuple(parts))


def sum_of(parts: list[Node]) -> Node:
    return parts[0] if len(parts) == 1 else Node("sum", tuple(parts))


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(one.parts)


CONSTANTS = ("\\pi", "e", "i")


def letters(node: Node) -> frozenset[str]:
    """Names of the variables in a tree."""
    return frozenset(
        one.name for one in walk(node) if one.kind == "symbol" and one.name not in CONSTANTS
    )
