"""Whether two numbers are equal: exactly, as a rounded decimal, by size, or by evaluation.

A decimal stands for an exact number when it is that number rounded or cut off, and shows at least
six digits that count: 0.333333 is 1/3, 0.333 is not.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import blake2b

from babelmath.scoring.same.bounds import bounds
from babelmath.scoring.same.bounds import sign as sign_of
from babelmath.scoring.same.exact import exact
from babelmath.scoring.same.magnitude import differ, size
from babelmath.scoring.same.quotients import (
    Exact,
    UndefinedError,
    added,
    constant,
    multiplied,
    same_exact,
)
from babelmath.scoring.same.tree import (
    STRUCTURES,
    AmbiguousError,
    Node,
    TooLargeError,
    UndecidedError,
    holds,
    index_of,
    letters,
    negative,
    number,
    walk,
)

DIGITS_THAT_COUNT = 6
DOTTED = frozenset(("dots",))

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


def same_number(one: Node, other: Node, judging: Judging) -> bool:
    """Whether two expressions without units are equal."""
    if one == other or key_of(one) == key_of(other):
        return True
    if "bracket" in (one.kind, other.kind):
        return _bracketed(one, other, judging)
    if _runs_over_index(one) or _runs_over_index(other):
        return False
    if holds(one, STRUCTURES) or holds(other, STRUCTURES):
        return False
    dotted = [holds(node, DOTTED) for node in (one, other)]
    if any(dotted):
        return all(dotted) and _same_terms(one, other, judging)
    endless = [_endless(node) for node in (one, other)]
    if "inside" in endless:
        raise UndecidedError("infinity in an expression")  # an infinite sum has a value
    if any(endless):
        return endless[0] == endless[1]
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
    return _is_rounded(one, other, second, judging) or _is_rounded(other, one, first, judging)


def _bracketed(one: Node, other: Node, judging: Judging) -> bool:
    """Values of which one at least stands in square brackets, perhaps for its whole part."""
    if one.kind == other.kind:
        return same_number(one.parts[0], other.parts[0], judging)
    bracket, plain = (one, other) if one.kind == "bracket" else (other, one)
    (inner,) = bracket.parts
    value = same_number(inner, plain, judging)
    if value != same_number(Node("call", (inner,), "floor"), plain, judging):
        raise AmbiguousError("square brackets")
    return value


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
    if abs(shown) // step < 10 ** (DIGITS_THAT_COUNT - 1):
        return False
    if shown < 0:
        shown, low, high = -shown, -high, -low
    inside = [shown - step / 2 <= end < shown + step for end in (low, high)]
    return inside[0] if inside[0] == inside[1] else None


def _is_rounded(decimal: Node, node: Node, value: Exact, judging: Judging) -> bool:
    """Whether a decimal stands for an expression, whose exact value is given too."""
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
        if judging.rounded is None:
            raise
        return judging.rounded(*shown, node)
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


def _same_terms(one: Node, other: Node, judging: Judging) -> bool:
    r"""Whether two sums that go on (1+3x+\ldots) show the same terms in the same order."""
    if not one.kind == other.kind == "sum" or len(one.parts) != len(other.parts):
        return False
    return all(same_number(a, b, judging) for a, b in zip(one.parts, other.parts, strict=True))


def _runs_over_index(node: Node) -> bool:
    """Whether a series has terms like F_k with its index in theirs; only its copy equals it."""
    for part in walk(node):
        index = index_of(part)
        if index is not None:
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


@functools.lru_cache(maxsize=4096)
def key_of(node: Node) -> bytes:
    """A hash of a tree with its sums and products flattened and in one order."""
    if node.kind not in ("sum", "product", "union", "intersection"):
        keys = [key_of(part) for part in node.parts]
    else:
        flat: list[Node] = []
        waiting = list(node.parts)
        while waiting:
            part = waiting.pop()
            if part.kind == node.kind:
                waiting += part.parts
            else:
                flat.append(part)
        keys = sorted(map(key_of, flat))
    value = node.value  # in hexadecimal: decimal digits of huge numbers are refused
    digits = "" if value is None else f"{value.numerator:x}/{value.denominator:x}"
    own = (node.kind, node.name, digits, str(node.places), repr(node.unit))
    return blake2b(b"".join(["\x1f".join(own).encode(), *keys]), digest_size=16).digest()


def same_tree(one: Node, other: Node) -> bool:
    """Whether two trees are the same up to the order of what commutes."""
    return key_of(one) == key_of(other)
