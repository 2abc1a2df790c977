"""How many tokens a text has by its characters: rates of tokenizer families, measured once.

resources/tokens.yaml holds them, and says how they were measured and how far they err.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from babelmath.files import read_text
from babelmath.prompts import Message

TABLE = Path(__file__).parents[3] / "resources" / "tokens.yaml"
LATIN = ("en", "fr", "fi", "tr", "lt", "es", "pt", "vi")  # languages of the table in Latin letters
ENGLISH = "en"


class Rates:
    """Tokens by characters, from the table.

    Args:
        family: the table's.
        stand_in: it is not the model's family.
        unread: the model's own tokenizer is here and cannot be read.
    """

    def __init__(self, family: str, stand_in: bool = False, unread: bool = False) -> None:
        table = _table()
        self._rates = table["families"][family]
        self._frame = float(table["frame"])
        error = "error unknown: another's vocabulary" if stand_in else (
            f"within {self._rates['error']:g}%")  # fmt: skip
        unable = "; its own tokenizer cannot be read" if unread else ""
        self.name = f"{family} rates ({error}{unable})"
        self.own = False

    def count(self, text: str, lang: str) -> float:
        """See TokenCounter."""
        latin, letters, digits, blanks, marks = _classes(text)
        rates = self._rates["letters"]
        own = rates.get(lang, rates[ENGLISH])
        total = (own if lang in LATIN else rates[ENGLISH]) * latin + own * letters
        total += self._rates["digits"] * digits + self._rates["blanks"] * blanks
        return float(total + self._rates["marks"] * marks)

    def ratio(self, lang: str) -> float:
        """See TokenCounter; 1 for a language that was not measured."""
        return float(self._rates["ratio"].get(lang, 1.0))

    def frame(self, messages: Sequence[Message]) -> float:
        """See TokenCounter."""
        return self._frame * len(messages)

    def close(self) -> None:
        """See TokenCounter."""


def family_of(name: str) -> tuple[str, bool]:
    """The table's family for weights or a service of this name, and whether it is theirs."""
    table = _table()
    for rule in table["models"]:
        if re.search(rule["name"], name, re.IGNORECASE):
            return rule["family"], True
    return table["stand_in"], False


@functools.cache
def _table() -> dict[str, Any]:
    found: dict[str, Any] = yaml.load(read_text(TABLE), Loader=yaml.CSafeLoader)
    return found


@functools.lru_cache(maxsize=50_000)
def _classes(text: str) -> tuple[int, int, int, int, int]:
    """Latin letters, other letters, ASCII digits, blanks and marks of a text."""
    found: Counter[str] = Counter()
    for char, times in Counter(text).items():
        found[_class(char)] += times
    return found["latin"], found["letter"], found["digit"], found["blank"], found["mark"]


@functools.lru_cache(maxsize=20_000)
def _class(char: str) -> str:
    category = unicodedata.category(char)
    if category[0] in "LM":
        return "latin" if unicodedata.name(char, "").startswith("LATIN") else "letter"
    if category[0] == "N":
        return "digit" if char.isascii() else "letter"
    return "blank" if category[0] == "Z" or char in "\n\t\r" else "mark"
