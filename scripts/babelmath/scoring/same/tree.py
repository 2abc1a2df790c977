"""The tree that an answer is read into, and what stops the reading or the comparing.

Kinds of node, with their parts:
  number (value; places: decimals shown, None if exact) · symbol (name) · sum · product · quotient ·
  power · root (radicand, degree) · factorial · call (name; arguments) · pm (left, right; name ± or
  ∓) · percent · degree · quantity (value; unit) · infinity · dots
  bracket (an answer in square brackets: its value or its whole part) · congruence (what holds;
  modulus) · rounded (exact value; decimal shown)
  list (name: "," or "or" or "and") · fence (name: its two brackets) · set · builder (bound
  variable, condition) · union · intersection · difference · relation (sides; name: the operators,
  blank-separated) · matrix (rows) · row · ratio · based (value; name: its base) · word (name)
  opaque (name: notation that is compared by its parts only) · apply (name: an unknown function;
  argument), also d/dx and the cross product
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


class AmbiguousError(UndecidedError):
    """The texts may be read in several ways, and are the same in some: nothing is decided."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: its value in base units, the powers of its dimensions, and its words as written.

    `dimensions` is None where the words measure nothing: "units", or what was counted (students),
    which is not `known`.
    """

    words: str
    factor: Fraction = Fraction(1)
    dimensions: tuple[tuple[str, int], ...] | None = None
    known: bool = True


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


# Kinds that are no numbers: inside an expression only the same tree equals it.
STRUCTURES = frozenset((
    "list", "fence", "set", "builder", "union", "intersection", "difference", "relation", "row",
    "ratio", "based", "word", "quantity", "congruence", "rounded",
))  # fmt: skip


def holds(node: Node, kinds: frozenset[str]) -> bool:
    """Whether a node of these kinds stands in a tree; the limits of a series are no part of it."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.kind in kinds:
            return True
        waiting.extend(one.parts[1:] if one.kind == "opaque" else one.parts)
    return False


CONSTANTS = ("\\pi", "e", "i")


def letters(node: Node) -> frozenset[str]:
    """Names of the variables in a tree; the index of a series is none."""
    if node.kind == "symbol":
        return frozenset(() if node.name in CONSTANTS else (node.name,))
    found = frozenset[str]().union(*map(letters, node.parts))
    if node.kind == "apply":  # an unknown function is unknown as a letter is
        found |= {f"{node.name}()"}
    index = index_of(node)
    return found if index is None else found - {index}


def index_of(node: Node) -> str | None:
    r"""The index of a series with both its limits: k in \sum_{k=1}^{n}."""
    if node.kind != "opaque" or len(node.parts) != 3 or node.parts[0].kind != "relation":
        return None
    index = node.parts[0].parts[0]
    return index.name if index.kind == "symbol" else None
