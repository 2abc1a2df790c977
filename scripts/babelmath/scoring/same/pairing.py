"""Pairing off the parts of two lists, each with one of its own on the other side."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from babelmath.scoring.same.forms import Form, Labelled, Value
from babelmath.scoring.same.opposites import nouns
from babelmath.scoring.same.tree import TooLargeError, UndecidedError

MOST_PARTS = 100  # of lists that are matched in any order

Same = Callable[[Form, Form], bool]


def matched(one: Sequence[Form], other: Sequence[Form], same: Same) -> bool:
    """Whether parts pair off in some order; one that cannot be decided counts only if it matters.

    What was counted pairs off with its own name, where both sides name it: 3 boys, 5 girls.

    Raises:
        UndecidedError, TooLargeError: whether parts pair off hangs on pairs that are undecided.
    """
    if len(one) != len(other):
        return False
    if len(one) > MOST_PARTS:
        return all(same(a, b) for a, b in zip(one, other, strict=True))
    names = [[_counted(part) for part in parts] for parts in (one, other)]
    shared = {name for name in names[0] if name} & {name for name in names[1] if name}
    found: dict[tuple[int, int], bool | Exception] = {}

    def verdict(left: int, right: int) -> bool | Exception:
        if (left, right) not in found:
            first, second = names[0][left], names[1][right]
            if first != second and not shared.isdisjoint((first, second)):
                found[left, right] = False
                return False
            try:
                found[left, right] = same(one[left], other[right])
            except (UndecidedError, TooLargeError) as error:
                found[left, right] = error
        return found[left, right]

    if pairs_off(len(one), lambda left, right: verdict(left, right) is True):
        return True
    if not pairs_off(len(one), lambda left, right: verdict(left, right) is not False):
        return False
    errors = [error for error in found.values() if isinstance(error, Exception)]
    raise next((error for error in errors if isinstance(error, UndecidedError)), errors[0])


def pairs_off(count: int, fits: Callable[[int, int], bool]) -> bool:
    """Whether each of so many things on the left has one of its own on the right that fits."""
    partner: dict[int, int] = {}

    def place(left: int, tried: set[int]) -> bool:
        for right in range(count):
            if right not in tried and fits(left, right):
                tried.add(right)
                if right not in partner or place(partner[right], tried):
                    partner[right] = left
                    return True
        return False

    return all(place(left, set()) for left in range(count))


def labels_of(parts: Sequence[Form]) -> set[str]:
    """The names of the parts that are named values."""
    return {part.label.name for part in parts if isinstance(part, Labelled) and not part.member}


def are_of_one(names: set[str]) -> bool:
    """Whether names only number the values of one letter: x_1, x_2."""
    return all("_" in name for name in names) and len({name.split("_")[0] for name in names}) == 1


def are_statements(parts: Sequence[Form]) -> bool:
    """Whether parts are single letters, as the statements p and q are."""
    return all(isinstance(part, Value) and part.node.kind == "symbol" for part in parts)


def _counted(part: Form) -> str:
    """The words of what was counted, where no unit measures it."""
    if isinstance(part, Value) and part.node.kind == "quantity" and part.node.unit is not None:
        return "" if part.node.unit.dimensions else nouns(part.node.unit.words)
    return ""
