"""Final-answer phrases in a text: where they stand, and whether a value must follow."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache

from babelmath.languages import Language
from babelmath.scoring import english
from babelmath.scoring.plain.words import UNSPACED

MOST = 100  # phrases of one kind that are looked at, from the end
# Letters that are taken for others in phrases: accents and hamzas that writers leave out.
_TAKEN_FOR = {
    code: ord(unicodedata.normalize("NFD", chr(code))[0])
    for code in (*range(0xC0, 0x180), *range(0x1EA0, 0x1EFA))
} | str.maketrans("ıأإآى’：\u00a0\u202f\u3000\t", "iاااي':    ")


@dataclass(frozen=True)
class Place:
    """Where a phrase stands; `strong`: a value must follow, as it ends in a copula or a colon."""

    start: int
    end: int
    strong: bool


@dataclass(frozen=True)
class _Phrase:
    text: str
    offset: int  # of its stem
    strong: bool  # it ends in a copula or a colon


def phrase_places(text: str, language: Language) -> list[Place]:
    """Where the language's and English's phrases stand, the last first.

    Case, accents and blanks of other kinds make no difference. A phrase inside a word is none.

    Args:
        text: composed (NFC), without invisible characters.
    """
    folded = fold(text)
    found: dict[int, tuple[int, bool]] = {}
    stems = _stems(tuple(language.final_answer), tuple(language.copulas), tuple(language.scripts))
    for stem, phrases in stems:
        at = folded.rfind(stem)
        for _ in range(MOST):
            if at < 0:
                break
            for one in phrases:
                start = at - one.offset
                end = start + len(one.text)
                if start >= 0 and folded.startswith(one.text, start) and _alone(folded, start, end):
                    if end not in found or start < found[end][0]:
                        found[end] = (start, one.strong)
                    break
            at = folded.rfind(stem, 0, at + len(stem) - 1)
    places = (Place(start, end, strong) for end, (start, strong) in found.items())
    return sorted(places, key=lambda one: one.end, reverse=True)[:MOST]


def fold(text: str) -> str:
    """The text in small letters without accents; as long as it was."""
    folded = text.translate(_TAKEN_FOR).lower()
    if len(folded) != len(text):  # a letter whose small form is longer
        text = text.translate(_TAKEN_FOR)
        folded = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return folded


def unspaced(char: str) -> bool:
    """Whether the letter's script writes no blanks between words."""
    return "\u0e00" <= char <= "\u0e7f" or "\u3040" <= char <= "\u9fff"


def hangul(char: str) -> bool:
    return "\uac00" <= char <= "\ud7a3"


def _alone(text: str, start: int, end: int) -> bool:
    """Whether a phrase stands there as words of its own, where its script parts words."""
    return _edge(text, start - 1, start, True) and _edge(text, end, end - 1, False)


def _edge(text: str, outside: int, inside: int, before: bool) -> bool:
    if not 0 <= outside < len(text):
        return True
    out, own = text[outside], text[inside]
    if not (own.isalpha() or unicodedata.category(own)[0] == "M") or unspaced(own):
        return True
    if hangul(own):  # particles follow a word of Korean, nothing precedes it
        return not before or not out.isalnum()
    if out == "\u0983":  # Bangla's visarga, typed for a colon
        return True
    if before and out in "وف" and "\u0600" <= own <= "\u06ff":  # "and", "so", written together
        return outside == 0 or not text[outside - 1].isalpha()
    letter = out.isalnum() or out == "_" or unicodedata.category(out)[0] == "M"
    return not letter or unspaced(out)


@cache
def _stems(
    final_answer: tuple[str, ...], copulas: tuple[str, ...], scripts: tuple[str, ...]
) -> tuple[tuple[str, tuple[_Phrase, ...]], ...]:
    """Phrases by the shortest one in them, the longest first: `answer` finds `the answer is`."""
    composed = [unicodedata.normalize("NFC", one) for one in (*copulas, *english.COPULAS)]
    closers = tuple({fold(one) for one in composed})
    phrases = {
        fold(unicodedata.normalize("NFC", one)) for one in (*final_answer, *english.FINAL_ANSWER)
    }

    def strong(phrase: str) -> bool:
        if phrase.endswith(":"):
            return True
        if UNSPACED & set(scripts) and not phrase.isascii():
            return phrase.endswith(closers)
        return phrase.endswith(tuple(" " + one for one in closers))

    stems = sorted(one for one in phrases if not any(o in one for o in phrases - {one}))
    return tuple(
        (
            stem,
            tuple(
                _Phrase(one, one.index(stem), strong(one))
                for one in sorted((one for one in phrases if stem in one), key=len, reverse=True)
            ),
        )
        for stem in stems
    )
