r"""The form of an answer: what kind of thing a tree is, with its choices made.

\pm becomes a list, x=5 a value with a label, `x=2 \text{ or } x=3` one label with two values,
`x=1, y=2` a list of labelled values, A(1,0) a labelled point, a chain a=b=c its last side.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from babelmath.scoring.same.applications import VARIABLES
from babelmath.scoring.same.approximate import rounded
from babelmath.scoring.same.exact import exact
from babelmath.scoring.same.quotients import UndefinedError
from babelmath.scoring.same.tree import (
    STRUCTURES,
    Node,
    TooLargeError,
    UndecidedError,
    holds,
    letters,
    negative,
)

EQUALITIES = frozenset(("=", "equiv", "approx"))
NUMBER_SETS = frozenset(f"\\mathbb{{{letter}}}" for letter in "NZQRC") | frozenset("NZQRC")
NO_EQUATION = STRUCTURES | {"matrix", "infinity", "pm"}  # sides of what is no equation of numbers
NO_ROUNDING = NO_EQUATION - {"relation", "quantity"} | {"rounded"}
MOST_CHOICES = 4  # signs left open in one answer
SETS = ("union", "intersection", "difference", "builder")


@dataclass(frozen=True, slots=True)
class Value:
    """An expression, perhaps with a unit."""

    node: Node


@dataclass(frozen=True, slots=True)
class Many:
    """Several things: a `list`, a `set`, or a `tuple` in brackets."""

    kind: str
    parts: tuple[Form, ...]
    join: str = ","
    node: Node | None = None  # the tuple's tree, which may be an interval


@dataclass(frozen=True, slots=True)
class Labelled:
    """A value under a name; `equation` is the difference of both sides, `member` says "in"."""

    label: Node
    form: Form
    equation: Node | None = None
    member: bool = False


@dataclass(frozen=True, slots=True)
class Other:
    """A relation, a set expression, a ratio, a matrix, a word: compared by its own kind."""

    node: Node


Form = Value | Many | Labelled | Other


def form_of(node: Node) -> Form:
    """The form of a tree."""
    match node.kind:
        case "list":
            return _list([form_of(part) for part in node.parts], node.name)
        case "set":
            return Many("set", _spliced([form_of(part) for part in node.parts]))
        case "relation":
            return _relation(node)
        case (
            "word"
            | "ratio"
            | "matrix"
            | "based"
            | "congruence"
            | "rounded"
            | "union"
            | "intersection"
            | "difference"
        ):
            return Other(node)
        case "builder":
            return Other(node)
        case "fence":
            choices = _choices(node)
            if len(choices) > 1:
                return Many("list", tuple(form_of(one) for one in choices))
            return Many("tuple", tuple(form_of(part) for part in node.parts), node=node)
        case "product" if len(node.parts) == 2 and node.parts[1].kind == "fence":
            point = form_of(node.parts[1])
            if node.parts[0].kind == "symbol":
                return Labelled(node.parts[0], point)
    choices = _choices(node)
    if len(choices) > 1:
        return Many("list", tuple(Value(one) for one in choices))
    return Value(choices[0])


def parts_of(form: Form) -> tuple[Form, ...]:
    return form.parts if isinstance(form, Many) else (form,)


def _choices(node: Node) -> list[Node]:
    r"""All values of a tree with \pm; with \mp the signs move together."""
    signs = _signs(node)
    if not signs:
        return [node]
    if len(signs) > MOST_CHOICES:
        raise TooLargeError("open signs")
    choices: list[tuple[bool, ...]]
    if "mp" in signs:
        upper = tuple(sign == "pm" for sign in signs)
        choices = [upper, tuple(not one for one in upper)]
    else:
        choices = [*itertools.product((True, False), repeat=len(signs))]
    return [_chosen(node, list(choice)) for choice in choices]


def _signs(node: Node) -> list[str]:
    """The open signs, in the order in which `_chosen` meets them."""
    own = [node.name] if node.kind == "pm" else []
    return own + [sign for part in node.parts for sign in _signs(part)]


def _chosen(node: Node, plus: list[bool]) -> Node:
    parts: tuple[Node, ...]
    if node.kind == "pm":
        positive = plus.pop(0)
        parts = tuple(_chosen(part, plus) for part in node.parts)
        last = parts[-1] if positive else negative(parts[-1])
        return Node("sum", (*parts[:-1], last)) if len(parts) > 1 else last
    if not node.parts:
        return node
    parts = tuple(_chosen(part, plus) for part in node.parts)
    return Node(node.kind, parts, node.name, node.value, node.places, node.unit)


def _spliced(forms: Sequence[Form]) -> tuple[Form, ...]:
    r"""Parts of a list, with lists that \pm made put in their place."""
    found: list[Form] = []
    for form in forms:
        found += parts_of(form) if isinstance(form, Many) and form.kind == "list" else (form,)
    return tuple(found)


def _list(forms: list[Form], join: str) -> Form:
    kept = [form for form in forms if not _is_domain(form)]
    parts = _spliced(kept or forms)
    labelled = [part for part in parts if isinstance(part, Labelled) and not part.member]
    if labelled and len(labelled) == len(parts):
        names = [part.label for part in labelled]
        once = list(dict.fromkeys(names))
        if len(once) == 1:
            return Labelled(names[0], Many("list", _spliced([one.form for one in labelled])))
        if len(once) < len(names) and names == once * (len(names) // len(once)):
            rows = [labelled[at : at + len(once)] for at in range(0, len(names), len(once))]
            return Many("list", tuple(Many("list", tuple(row)) for row in rows))
        parts = _grouped(labelled)
    elif len(labelled) == 1 and parts[0] is labelled[0]:
        if all(isinstance(part, Value) for part in parts[1:]) and isinstance(
            labelled[0].form, Value
        ):
            return Labelled(labelled[0].label, Many("list", (labelled[0].form, *parts[1:])))
    elif labelled:
        parts = _grouped(parts)
    return parts[0] if len(parts) == 1 else Many("list", tuple(parts), join)


def _grouped(parts: Sequence[Form]) -> tuple[Form, ...]:
    """Values under one name put together, where the name first stands."""
    found: dict[Node, list[Form]] = {}
    order: list[Form | Node] = []
    for part in parts:
        if not isinstance(part, Labelled) or part.member:
            order.append(part)
        else:
            if part.label not in found:
                order.append(part.label)
            found.setdefault(part.label, []).append(part)
    result: list[Form] = []
    for one in order:
        if not isinstance(one, Node):
            result.append(one)
        elif len(found[one]) == 1:
            result.append(found[one][0])
        else:
            forms = [part.form for part in found[one] if isinstance(part, Labelled)]
            result.append(Labelled(one, Many("list", _spliced(forms))))
    return tuple(result)


def _is_domain(form: Form) -> bool:
    r"""`k \in \mathbb{Z}` beside an answer says what k may be."""
    return (
        isinstance(form, Labelled)
        and form.member
        and isinstance(form.form, Value)
        and form.form.node.name in NUMBER_SETS
    )


def _relation(node: Node) -> Form:
    operators, sides = node.name.split(), node.parts
    if operators == ["in"]:
        return Labelled(sides[0], form_of(sides[1]), member=True)
    if not set(operators) <= EQUALITIES:
        return Other(node)
    at = operators.index("approx") if "approx" in operators else -1
    if at >= 0 and not any(map(letters, sides[at:])) and not holds(node, NO_ROUNDING):
        value = rounded(sides[at], sides[-1])
        if at == 0:
            return form_of(value)
        return _relation(Node("relation", (*sides[:at], value), " ".join(operators[:at])))
    if len(sides) == 2 and sides[1].kind == "symbol" and sides[0].kind != "symbol":
        sides = (sides[1], sides[0])
    first, last = sides[0], sides[-1]
    if all(not letters(side) for side in sides) and last.kind not in ("word", "relation"):
        return form_of(last)
    names = list(dict.fromkeys(sides[:-1]))
    if len(names) > 1 and all(one.kind == "symbol" for one in names) and not letters(last):
        return Many("list", tuple(Labelled(one, form_of(last)) for one in names))  # x = y = 2
    if first.kind == "fence" and last.kind in ("fence", "matrix"):
        values = (
            last.parts if last.kind == "fence" else [p for row in last.parts for p in row.parts]
        )
        if len(values) == len(first.parts) and all(one.kind == "symbol" for one in first.parts):
            pairs = zip(first.parts, values, strict=True)
            return _list([Labelled(name, form_of(value)) for name, value in pairs], ",")
    equation = None
    of_numbers = not any(holds(side, NO_EQUATION) for side in sides)
    if len(sides) == 2 and operators == ["="] and of_numbers:
        equation = Node("sum", (first, negative(last)))
    if _is_name(first, last):
        return Labelled(first, form_of(last), equation)
    return Other(node)


def _is_name(first: Node, last: Node) -> bool:
    """Whether the left side only names what the right side is."""
    if first.kind == "symbol":
        return first.name not in letters(last)
    joined = first.kind == "product" and all(part.kind == "symbol" for part in first.parts)
    if joined and not letters(first) & letters(last):  # AB = 5
        return True
    if first.kind == "product" and len(first.parts) == 2:
        head = first.parts[0]
        if head.kind == "power" and head.parts[1].value == -1:
            head = head.parts[0]
        if head.name in VARIABLES and letters(last):
            return False
        if head.kind == "symbol" and head.name not in letters(last):
            return first.parts[1].kind in ("symbol", "quotient", "sum", "fence", "power", *SETS)
    if first.kind == "apply":  # f(x), f^{-1}(x), P(A \cup B), dy/dx
        return f"{first.name}()" not in letters(last)
    if first.kind in ("ratio", "call", *SETS):
        return True
    if holds(first, frozenset(("apply",))):  # f(3)+1=7 asks for f(3)
        return False
    return not letters(last) and bool(letters(first)) and not _is_to_be_solved(first)


def _is_to_be_solved(node: Node) -> bool:
    """A polynomial in one letter: an equation with it asks for the letter (3x+2=8)."""
    try:
        value = exact(node)
    except (UndecidedError, TooLargeError, UndefinedError):
        return False
    return len(value.letters) == 1 and not any(
        exponent < 0 for monomial in value.above for _, exponent in monomial
    )
