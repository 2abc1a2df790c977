"""Option letters and YES/NO words in responses (MathMist sections 3.2, 4.4)."""

from __future__ import annotations

import re

# Letters that stand for A-D in Bangla schoolbooks.
NATIVE = {"ক": "A", "খ": "B", "গ": "C", "ঘ": "D"}
ALONE_IN_BANGLA = re.compile(r"(?<![\u0980-\u09ff])[কখগঘ](?![\u0980-\u09ff])")
STANDALONE = r"(?<![A-Za-z\\])({letters})(?![A-Za-z])"
MARKUP = r"(?:[*(\[${\s]|\\boxed|\\text)*"
LINK = r"[\s*]*(?:is|:|=|হলো|হল)"
OPTION = r"(?:option|choice|বিকল্প|विकल्प)"
LETTER = r"([A-D])(?![A-Za-z])"
# "Answer B", "the answer is option B", "correct option: B"; a bare "option B" states nothing.
STATED = re.compile(
    rf"(?:(?:answer|উত্তর)(?:{LINK})?(?:\s*{OPTION})?|{OPTION}{LINK}){MARKUP}{LETTER}", re.IGNORECASE
)
MENTIONED = re.compile(rf"{OPTION}{MARKUP}{LETTER}", re.IGNORECASE)
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
    text = ALONE_IN_BANGLA.sub(lambda match: NATIVE[match.group()], text)
    stated = [(match.end(), match.group(1).upper()) for match in BOXED.finditer(text)]
    stated += [
        (match.end(), match.group(1).upper())
        for match in STATED.finditer(text)
        if not _article(match, "a")
    ]
    if stated:
        return max(stated)[1]
    alone = [
        *(m for m in re.finditer(STANDALONE.format(letters="[A-D]"), text) if not _article(m, "A")),
        *(m for m in MENTIONED.finditer(text) if not _article(m, "a")),
    ]
    letters = {match.group(1).upper() for match in alone}
    return letters.pop() if len(letters) == 1 else None


def flag_paper(text: str) -> str | None:
    """The first YES or NO."""
    match = FLAGS.search(text)
    return match.group(1).upper() if match else None


def flag_strict(text: str) -> str | None:
    """YES or NO where only one of them occurs."""
    found = {match.group(1).upper() for match in FLAGS.finditer(text)}
    return found.pop() if len(found) == 1 else None


def _article(match: re.Match[str], spelling: str) -> bool:
    """Whether a letter is the English article: so spelt, and before a word in small letters."""
    follows = re.match(r"\s+(?!(?:and|as|because|is|or|since)\b)[a-z]", match.string[match.end() :])
    return match.group(1) == spelling and follows is not None
