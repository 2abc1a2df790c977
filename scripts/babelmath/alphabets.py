"""Which scripts the letters of a text belong to, counted fast enough for long reasoning.

Scripts are the first words of the letters' Unicode names (LATIN, BENGALI, HAN for ideographs).
Letters that are signs of mathematics, units or marks (ℝ, ℵ, µ, º) belong to none.
"""

from __future__ import annotations

import functools
import unicodedata
from collections import Counter
from typing import Any

import numpy as np

# First words of Unicode names of letters that belong to no script.
SYMBOLS = frozenset([
    "MATHEMATICAL", "DOUBLE", "SCRIPT", "BLACK", "EULER", "PLANCK", "TURNED", "ALEF", "BET",
    "GIMEL", "DALET", "OHM", "KELVIN", "ANGSTROM", "MICRO", "INFORMATION", "SUPERSCRIPT",
    "MODIFIER", "CARON", "FEMININE", "MASCULINE", "VERTICAL", "MASU", "UNKNOWN",
])  # fmt: skip
FOLDED = {"CJK": "HAN", "IDEOGRAPHIC": "HAN", "FULLWIDTH": "LATIN"}
IDEOGRAPHS = 0x20000  # two planes of nothing else
NO_LETTERS = bytes(code for code in range(128) if not chr(code).isalpha())
LAST = 0x3FFFF  # the planes above hold no letters


def scripts_of(text: str) -> Counter[str]:
    """Letters of each script, in alphabetical order of the scripts."""
    if text.isascii():
        letters = len(text.encode().translate(None, NO_LETTERS))
        return Counter({"LATIN": letters} if letters else {})
    table, names = _table()
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    counts = np.bincount(table.take(codes, mode="clip"), minlength=len(names))
    return Counter({names[one]: int(counts[one]) for one in np.flatnonzero(counts).tolist() if one})


@functools.lru_cache(maxsize=4096)
def script_of(letter: str) -> str:
    """The script of one letter; "" for anything else."""
    if unicodedata.category(letter)[0] != "L":
        return ""
    words = unicodedata.name(letter, "UNKNOWN").replace("-", " ").split()
    if words[0] in SYMBOLS or "MATHEMATICAL" in words:  # U+1EE00 is ARABIC MATHEMATICAL ALEF
        return ""
    if words[0] == "HALFWIDTH":
        return words[1]
    return FOLDED.get(words[0], words[0])


@functools.cache
def _table() -> tuple[np.ndarray[Any, np.dtype[np.uint16]], list[str]]:
    """The number of each code point's script, and the scripts' names; 0 is no letter."""
    found = [script_of.__wrapped__(chr(code)) for code in range(IDEOGRAPHS)]
    names = sorted({*found, "HAN"})
    numbers = {name: number for number, name in enumerate(names)}
    rest = (unicodedata.category(chr(code)) == "Lo" for code in range(IDEOGRAPHS, LAST))
    numbered = [numbers[one] for one in found] + [numbers["HAN"] * one for one in rest]
    return np.array([*numbered, 0], dtype=np.uint16), names
