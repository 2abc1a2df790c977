"""Words beside a number that contradict each other: profit and loss, AM and PM, March and May."""

from __future__ import annotations

import functools
import itertools
import re

from babelmath.scoring.same.tree import Unit
from babelmath.scoring.same.words import squeezed, words

SQUARES = re.compile(r"\^ ?-?(\d)|([²³])")
WITHOUT_BLANKS = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")


def contradict(one: str, other: str) -> bool:
    """Whether two texts name different things of one group of opposites."""
    first, second = _members(one), _members(other)
    return any(not first[group] & second[group] for group in first.keys() & second.keys())


def differ_in_power(one: Unit, other: Unit) -> bool:
    """Whether one unit is of areas and the other of volumes, or lengths where it is told."""
    first, second = _power(one), _power(other)
    return first != second and 0 not in (first, second)


def nouns(text: str) -> str:
    """The words of what was counted, in the spelling that words are compared in."""
    return " ".join(squeezed(word) for word in text.split())


@functools.lru_cache(maxsize=4096)
def _members(text: str) -> dict[int, frozenset[int]]:
    """The groups that a text's words belong to, with the places in them; also two words as one."""
    pieces = text.split()
    joined = [f"{a}{b}" for a, b in itertools.pairwise(pieces)]
    found: dict[int, frozenset[int]] = {}
    known = words().opposites
    for piece in map(squeezed, (*pieces, *joined)):
        inside = [word for word in known if WITHOUT_BLANKS.match(word) and word in piece]
        for word in {piece, *inside}:
            for group, place in known.get(word, ()):
                found[group] = found.get(group, frozenset()) | {place}
    return found


def _power(unit: Unit) -> int:
    """1, 2, 3 for lengths, areas, volumes; 0 where the words tell none."""
    if unit.dimensions:
        powers = {"length": 1, "area": 2, "volume": 3}
        (name, power), *more = unit.dimensions
        return 0 if more else powers.get(name, 0) * power
    known = words()
    for piece in unit.words.split():
        power = known.before.get(squeezed(piece), known.after.get(squeezed(piece), 0))
        if power:
            return power
    match = SQUARES.search(unit.words)
    if match is None:
        return 0
    return int(match.group(1)) if match.group(1) else "²³".index(match.group(2)) + 2
