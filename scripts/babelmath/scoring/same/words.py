"""The words of `words.yaml`: units, scales, answers in words, conjunctions, in all languages."""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).with_suffix(".yaml")
LISTS = (
    "per", "nothing", "percent", "degree", "approximately", "ordinals", "small", "changing",
    "changing_inside", "and", "or",
)  # fmt: skip


@dataclass(frozen=True)
class Words:
    """Every list by its squeezed words; `short` units are as written, since Mg is not mg;
    `opposites` tells the groups that a word belongs to, and its place in each."""

    short: dict[str, tuple[str, Fraction]] = field(default_factory=dict)
    units: dict[str, tuple[str, Fraction]] = field(default_factory=dict)
    before: dict[str, int] = field(default_factory=dict)
    after: dict[str, int] = field(default_factory=dict)
    scales: dict[str, int] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    lists: dict[str, frozenset[str]] = field(default_factory=dict)
    opposites: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)

    def changes(self, word: str) -> bool:
        """Whether a word changes the number beside it: it names nothing that was counted."""
        inside = any(part in squeezed(word) for part in self.lists["changing_inside"])
        return inside or self.is_in(word, "changing")

    def is_in(self, word: str, name: str) -> bool:
        return squeezed(word) in self.lists[name]

    def unit(self, word: str) -> tuple[str, Fraction] | None:
        """What a word measures and its size in base units."""
        return self.short.get(word) or self.units.get(squeezed(word))


@functools.lru_cache(maxsize=4096)
def squeezed(text: str) -> str:
    """The form under which words are kept: no case, dots, blanks, hyphens or apostrophes."""
    folded = unicodedata.normalize("NFKC", text.replace("İ", "i")).casefold()
    return re.sub(r"[\s.\-‐‑'’]+", "", folded)


@functools.cache
def words() -> Words:
    """The lists, read once."""
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # all texts: `no` is a word here
    raw: dict[str, Any] = yaml.load(FILE.read_text(encoding="utf-8"), loader)
    found = Words()
    for entry in raw["units"]:
        measured, size = entry["of"], Fraction(entry["size"])
        for short in entry.get("short", []):
            found.short[short] = (measured, size)
        for word in entry["words"]:
            found.units[squeezed(word)] = (measured, size)
    for entry in raw["units"]:
        if not entry.get("prefixed"):
            continue
        measured, size = entry["of"], Fraction(entry["size"])
        for prefix in raw["prefixes"]:
            larger = (measured, size * Fraction(prefix["size"]))
            for start in prefix["short"]:
                for short in entry["short"]:
                    found.short.setdefault(start + short, larger)
            for start in prefix["words"]:
                for word in entry["words"]:
                    found.units.setdefault(squeezed(start + word), larger)
    for power, places in raw["powers"].items():
        found.before.update({squeezed(word): int(power) for word in places["before"]})
        found.after.update({squeezed(word): int(power) for word in places["after"]})
    for entry in raw["scales"]:
        found.scales.update({squeezed(word): int(entry["size"]) for word in entry["words"]})
    for meaning, spellings in raw["answers"].items():
        found.answers.update({squeezed(word): meaning for word in spellings})
    for group, members in enumerate(raw["opposites"]):
        for place, member in enumerate(members):
            for word in map(squeezed, member):
                found.opposites[word] = (*found.opposites.get(word, ()), (group, place))
    for name in LISTS:
        found.lists[name] = frozenset(squeezed(word) for word in raw[name])
    return found
