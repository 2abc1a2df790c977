"""The value that a text states after a final-answer phrase."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from babelmath.languages import Language
from babelmath.scoring import english
from babelmath.scoring.phrases import fold, hangul, phrase_ends, unspaced
from babelmath.scoring.plain.words import UNSPACED, number_word

LONGEST = 400  # characters after a phrase in which its value must begin and end
WORDS = 6  # an answer in more words is no answer
_MARKDOWN = r"[\s*_`~#>\"“”「『]"
_COLON = r"(?:[:：=∶]|\u0983|\\Rightarrow|→|➜|(?<=\s)[-–—](?=\s))"
_MATH = re.compile(
    r"\$\$(.+?)\$\$|(?<!\\)\$(?!\s)((?:[^$\n\\]|\\.)+?)(?<!\s)\$(?!\d)|\\\((.+?)\\\)|\\\[(.+?)\\\]",
    re.DOTALL,
)
_LETTER = r"[^\W\d_]"
_LATIN = "a-zA-Z\u00c0-\u024f\u1e00-\u1eff"
# A letter that stands alone; one of Latin may have a word of another script beside it.
_ALONE = rf"(?:(?<![{_LATIN}])[a-zA-Z](?![{_LATIN}])|(?<!{_LETTER}){_LETTER}(?!{_LETTER}))"
_STARTS_VALUE = re.compile(
    rf"[-+−±≈]?\s*(?:%?\d|[.√∛(\[{{|]|\\(?!text)|[€£¥₹৳$]\s*\d|{_ALONE}(?!\d))"
)
_LEAD = re.compile(r"\s*\\(?:text|textbf|textrm|mathrm)\s*\{([^{}]*)\}\s*(?=\S)")
# A point ends a sentence unless a digit or a small letter follows: 3.5, 25 sq. cm.
_SENTENCE = re.compile(
    r"\n|[。！？?؟！॥](?!\d)|।(?!\d)|!(?!\s*[=*/^+\\-])|\.(?=\s+(?![a-zа-яё])|\s*$|[*_]+(?:\s|$))"
)
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"[-+−]?[€£¥₹৳$]?\s?(?:\d|\\frac|\\sqrt|√)")
_MEMBER = re.compile(rf"{_NUMBER.pattern}|[(\[{{]|{_ALONE}(?:_\w)?\s*[=<>≤≥]")
_REMARK = re.compile(r"\s*\([^()]*[^\W\d_]{3}[^()]*\)\s*$")
# A run of mathematics in prose: no word of two letters or more but functions' names.
_RUN = re.compile(
    rf"(?:\\(?:text|mathrm|operatorname)\s*\{{[^{{}}]*\}}|\\[a-zA-Z]+|\\.|[^\w\s]|[\d_]|\s"
    rf"|(?<!{_LETTER})(?:sin|cos|tan|cot|log|ln|lg|tg|ctg|sqrt|pi|exp)(?!{_LETTER})"
    rf"|{_ALONE})+"
)
_UNIT_WORDS = re.compile(rf"(?:{_LETTER}[^\s\d,;:=]*\s*){{1,3}}(?=$|[,;(])")
_FIRST_WORD = re.compile(rf"{_LETTER}[^\s.,;:!?]*")


@dataclass(frozen=True)
class _Wording:
    """Patterns of one language, English included."""

    connector: re.Pattern[str]  # between phrase and value; its group `mark` binds the two
    copula: re.Pattern[str]
    gap: re.Pattern[str]  # between members of a list
    ending: re.Pattern[str]  # words that close a sentence after its value


def stated_value(text: str, language: Language) -> str | None:
    """The value of the last final-answer phrase that has one, as it stands in the text.

    That is the first mathematics after the phrase (with those that only a conjunction parts from
    it), else what the sentence says: a run of mathematics with its unit, the name of a number, or,
    where a copula or a colon asks for a value, a few words (yes, undefined).

    Args:
        text: composed (NFC), without invisible characters.
    """
    wording = _wording(
        tuple(language.copulas),
        tuple(language.endings),
        (*language.conjunctions, *language.alternatives),
    )
    for end, strong in phrase_ends(text, language):
        value = _value(text[end : end + LONGEST], strong, wording, language)
        if value:
            return value
    return None


def without_lead(text: str, language: Language) -> str:
    r"""What follows words in \text{...} that lead to it: \text{the area is } 5."""
    lead = _LEAD.match(text)
    if lead is None:
        return text
    words = fold(lead[1]).strip()
    copulas = tuple(" " + fold(one) for one in (*language.copulas, *english.COPULAS))
    return text[lead.end() :] if words.endswith((":", "=", *copulas)) else text


def _value(rest: str, strong: bool, wording: _Wording, language: Language) -> str | None:
    match = wording.connector.match(rest)
    assert match is not None  # it may be empty
    strong = strong or match["mark"] is not None or "\n" in match[0]
    rest = rest[match.end() :]
    math = _MATH.match(rest)
    if math:
        return _maths(rest, math, wording)
    stop = _SENTENCE.search(rest)
    sentence = rest[: stop.start()] if stop else rest
    inner = _MATH.search(sentence)
    if inner and not _DIGIT.search(before := sentence[: inner.start()]):
        told = strong or wording.copula.search(before)
        return _maths(sentence, inner, wording) if told else None
    value = _REMARK.sub("", sentence.strip(' \t*_`"”」』$')) or sentence
    if _STARTS_VALUE.match(value):
        return _mathematics(value, wording)
    word = _FIRST_WORD.match(value)
    if word and (digits := number_word(word[0], language)) != word[0]:
        return digits
    if _DIGIT.search(value):
        return _in_prose(value, strong, wording)
    if not strong:
        return None
    lines = rest[stop.end() :].lstrip() if stop and stop[0] == "\n" else ""
    below = _MATH.match(lines)
    return _maths(lines, below, wording) if below else _words(value, wording, language)


def _in_prose(value: str, strong: bool, wording: _Wording) -> str | None:
    """The value after the last copula of a sentence that begins with words, else its number."""
    for copula in reversed(list(wording.copula.finditer(value))):
        after = value[copula.end() :].lstrip(" *_`:=$")
        if _STARTS_VALUE.match(after):
            return _mathematics(after, wording)
    number = _NUMBER.search(value)
    return _mathematics(value[number.start() :], wording) if strong and number else None


def _maths(text: str, first: re.Match[str], wording: _Wording) -> str:
    end = first.end()
    while (gap := wording.gap.match(text, end)) and (following := _MATH.match(text, gap.end())):
        end = following.end()
    if end == first.end():
        return next(inside for inside in first.groups() if inside is not None)
    return text[first.start() : end]


def _mathematics(value: str, wording: _Wording) -> str:
    """The run of mathematics that a value begins with, and its unit if that ends the sentence."""
    value = wording.ending.sub("", value)
    end = 0
    while run := _RUN.match(value, end):
        end = run.end()
        if unit := _UNIT_WORDS.match(value, end):
            end = unit.end()
        gap = wording.gap.match(value, end)
        if gap is None or not _MEMBER.match(value, gap.end()):
            break
        end = gap.end()
    return value[:end].strip(" ,;:") or value


def _words(value: str, wording: _Wording, language: Language) -> str | None:
    value = wording.ending.sub("", value).strip(" .,;:*_")
    letters = UNSPACED & set(language.scripts)
    few = len(value) <= 4 * WORDS if letters else len(value.split()) <= WORDS
    return value if few and any(char.isalpha() for char in value) else None


@cache
def _wording(
    copulas: tuple[str, ...], endings: tuple[str, ...], conjunctions: tuple[str, ...]
) -> _Wording:
    words = "|".join(map(_spelt, _longest_first((*copulas, *english.COPULAS))))
    joining = (*conjunctions, *english.CONJUNCTIONS, *english.ALTERNATIVES)
    joined = "|".join(map(re.escape, _longest_first(joining)))
    ended = "|".join(map(re.escape, _longest_first(endings))) or "(?!)"
    return _Wording(
        connector=re.compile(
            rf"{_MARKDOWN}*(?:\([^()\n]{{0,40}}\){_MARKDOWN}*)?"
            rf"(?P<mark>(?:(?:{words}){_MARKDOWN}*)?{_COLON}|(?:{words})(?=[\s:：,、，$\\\d*]|$))?"
            rf"(?:{_MARKDOWN}|[:：,、，]|[.…]{{2,}}|-{{3,}})*",
            re.IGNORECASE,
        ),
        copula=re.compile(rf"(?:{words})|[:：=]", re.IGNORECASE),
        gap=re.compile(rf"\s*(?:[,;、，；،]?\s*(?:{joined})\s*|[,;、，；،]\s*)", re.IGNORECASE),
        ending=re.compile(rf"\s*(?:{ended})[\s.。]*$"),
    )


def _longest_first(words: tuple[str, ...]) -> list[str]:
    composed = {unicodedata.normalize("NFC", one) for one in words}
    return sorted(composed, key=lambda one: (-len(one), one))


def _spelt(copula: str) -> str:
    """A copula's pattern: a word of its own where its script parts words."""
    word = re.escape(copula)
    free = unspaced(copula[0]) or hangul(copula[0])
    return word if free else rf"(?<![^\W_]){word}(?![^\W_])"
