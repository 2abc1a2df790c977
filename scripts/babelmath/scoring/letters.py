"""Option letters and YES/NO words in responses (MathMist sections 3.2, 4.4)."""

from __future__ import annotations

import re

# Letters that stand for A-D in Bangla schoolbooks.
NATIVE = str.maketrans({"ক": "A", "খ": "B", "গ": "C", "ঘ": "D"})
STANDALONE = r"(?<![A-Za-z\\])({letters})(?![A-Za-z])"
STATED = re.compile(
    r"(?:answer|option|choice|উত্তর|विकल्प)\s*(?:is|:|=|হলো|হল)?\s*[*(\[$\\boxedtext{ ]*"
    r"([A-D])(?![A-Za-z])",
    re.IGNORECASE,
)
BOXED = re.compile(r"\\boxed\{\s*(?:\\text\{)?\s*\(?([A-D])\)?\s*\}?\s*\}")
FLAGS = re.compile(r"\b(YES|NO)\b", re.IGNORECASE)


def option_paper(text: str) -> str | None:
    """The first capital A-D that stands alone; anything else is no letter."""
    match = re.search(STANDALONE.format(letters="[A-D]"), text)
    return match.group(1) if match else None


def option_strict(text: str) -> str | None:
    """The last stated decision (a box, `Answer: X`), else the only letter in the text.

    Two different letters without a statement are no answer. The article "A" before a word is none.
    """
    text = text.translate(NATIVE)
    stated = [(match.end(), match.group(1).upper()) for match in BOXED.finditer(text)]
    stated += [(match.end(), match.group(1).upper()) for match in STATED.finditer(text)]
    if stated:
        return max(stated)[1]
    alone = {
        match.group(1)
        for match in re.finditer(STANDALONE.format(letters="[A-D]"), text)
        if not re.match(r"\s+[a-z]", text[match.end() :])
    }
    return alone.pop() if len(alone) == 1 else None


def flag_paper(text: str) -> str | None:
    """The first YES or NO."""
    match = FLAGS.search(text)
    return match.group(1).upper() if match else None


def flag_strict(text: str) -> str | None:
    """YES or NO where only one of them occurs."""
    found = {match.group(1).upper() for match in FLAGS.finditer(text)}
    return found.pop() if len(found) == 1 else None
