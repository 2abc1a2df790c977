"""An answer in plain notation: ASCII digits, decimal points, no groups, LaTeX for signs.

Decided by the item's language; every rewrite is listed by name. Units, percent and currency stay:
the comparison knows both sides and decides about them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from babelmath.languages import Language
from babelmath.scoring.escapes import repair_escapes, single_backslashes
from babelmath.scoring.plain.characters import plain_characters
from babelmath.scoring.plain.draft import Draft
from babelmath.scoring.plain.forms import plain_forms, plain_signs
from babelmath.scoring.plain.markup import balanced_braces, plain_layout, plain_markup
from babelmath.scoring.plain.numbers import (
    WESTERN,
    Convention,
    western_numbers,
    without_thin_blanks,
)
from babelmath.scoring.plain.words import plain_words

LONGEST = 4000  # characters; a longer text is no answer and stays as it is
PASSES = 8  # one rewrite can make room for another; all texts seen settle in three
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
_PLAIN = re.compile(r"-?\d+|-?\\frac\{\d+\}\{\d+\}|-?\d*\\sqrt\{\d+\}", re.ASCII)


@dataclass(frozen=True)
class Extracted:
    """An answer found in a text: how it was found (box, phrase, last number, gold) and every
    rewrite done to it."""

    text: str
    how: str
    rewrites: tuple[str, ...] = ()


def normalise(text: str, language: Language, how: str) -> Extracted:
    """One answer in plain notation; each rewrite that changed it is listed by name.

    Normalising the result again, with the same language, changes nothing.
    """
    return _normalise(text, language, how, Convention.of(language))


def gold_readings(text: str, language: Language, western: bool) -> tuple[Extracted, ...]:
    """What an exact answer can mean, the most likely first.

    Args:
        western: it is in Western notation whatever the item's language, as MMATH's are: one
            reading. Otherwise it is in the language's; where one mark between digits could also be
            Western (translations that kept 34.641, lists such as 5,1), that reading follows.
    """
    if western:
        return (_normalise(text, language, "gold", WESTERN),)
    first = normalise(text, language, "gold")
    if not _ambiguous(text, language):
        return (first,)
    second = _normalise(text, language, "gold", WESTERN)
    return (first,) if second.text == first.text else (first, second)


_GROUP_OF_THREE = re.compile(r"(?<![\d.,])[1-9]\d{0,2}[.,]\d{3}(?![\d.,])")
_NUMBER_FIRST = re.compile(r"\d")
_GROUP_FIRST = re.compile(r"\d{3}(?!\d)|\d\d,")
_TWO_NUMBERS = re.compile(r"\W*\d+,\d+\W*")


def _ambiguous(text: str, language: Language) -> bool:
    if language.decimal != ",":
        return False
    return bool(_GROUP_OF_THREE.search(text) or _TWO_NUMBERS.fullmatch(text))


def join(parts: list[str], language: Language) -> str:
    """Answers in plain notation as one list, whose commas read as such again."""
    decimal = language.decimal == ","
    numbers = any(
        left[-1:].isdigit() and (_NUMBER_FIRST if decimal else _GROUP_FIRST).match(right)
        for left, right in pairwise(parts)
    )
    return (", " if numbers else ",").join(parts)


def _normalise(text: str, language: Language, how: str, read: Convention) -> Extracted:
    text = text.strip(" \n")
    if _PLAIN.fullmatch(text) or len(text) > LONGEST:
        return Extracted(text, how)
    draft, kept = Draft(text), Convention.of(language)
    for _ in range(PASSES):
        before = draft.text
        _rewrite(draft, language, read, kept)
        if draft.text == before:
            break
        read = kept  # what is written so far is in plain notation
    return Extracted(draft.text, how, draft.names if draft.text != text else ())


def _rewrite(draft: Draft, language: Language, read: Convention, kept: Convention) -> None:
    repaired, names = repair_escapes(draft.text)
    draft.take(names, repaired)
    draft.text = draft.text.strip()
    draft.put("escape repaired: doubled backslashes", single_backslashes(draft.text))
    without_thin_blanks(draft)
    if not draft.text.isascii() or _CONTROL.search(draft.text):
        plain_characters(draft, language)
    plain_markup(draft)
    draft.put("braces", balanced_braces(draft.text))
    plain_layout(draft)
    plain_signs(draft)
    western_numbers(draft, read, kept)
    plain_forms(draft, language)
    plain_words(draft, language)
    draft.put("blanks", " ".join(draft.text.split()))
