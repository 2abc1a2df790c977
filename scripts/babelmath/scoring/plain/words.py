"""Words that stand for mathematics: and, or, names of numbers, East Asian numerals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from babelmath.languages import Language
from babelmath.scoring.english import ALTERNATIVES as ENGLISH_ALTERNATIVES
from babelmath.scoring.english import CONJUNCTIONS, NUMBER_WORDS
from babelmath.scoring.plain.draft import Draft
from babelmath.scoring.stated_words import MINUS, minus, of

UNSPACED = {"Han", "Hiragana", "Katakana", "Hangul", "Thai"}
_CHINESE = dict(zip("零〇一二三四五六七八九", [0, *range(10)], strict=True)) | {
    "两": 2, "兩": 2, "壹": 1, "贰": 2, "叁": 3,
}  # fmt: skip
_TENS = {"十": 10, "百": 100, "千": 1000}
_MYRIADS = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_CHINESE_NUMBER = re.compile(
    f"(负|負|マイナス)?([{''.join((*_CHINESE, *_TENS, *_MYRIADS))}]+)(?:[个個本人つ円元]|です)?"
)
_CHINESE_FRACTION = re.compile("([^分]+)分[之の]([^分]+)")
_PARTS = re.compile(r"(?<![\d.])(\d+)\s*(?:分[之の]|분의)\s*(\d+)(?![\d.])", re.ASCII)
_RELATION = re.compile(
    r"[=<>]|\\(?:l|g)?(?:eq?|t|eqslant)(?![a-zA-Z])|\\(?:in|ne|neq|approx)(?![a-zA-Z])"
)
_BUILDER = re.compile(r"\\?\{[^{}]*(?:\\mid|:|\|)[^{}]*\\?\}")
_PART = re.compile(r"[\d\\]|(?<![^\W\d_])[^\W\d_](?![^\W\d_])")
_TEXT = re.compile(r"\\text\s*\{[^{}]*\}")
_LOGICAL_OR = re.compile(r"\\(?:lor|vee)(?![a-zA-Z])")


@dataclass(frozen=True)
class _Joining:
    """Patterns of one language's words between parts, English ones included."""

    wrapped: re.Pattern[str]
    bare: re.Pattern[str]
    alternatives: frozenset[str]


def plain_words(draft: Draft, language: Language) -> None:
    r"""Join the parts of a list by commas, alternatives between relations by \text{ or }."""
    text = draft.text
    if text.isascii() and not re.search(r"[a-zA-Z]{2}", text):
        single = any(len(one) == 1 for one in language.conjunctions + language.alternatives)
        if not single:
            return
    draft.put("number words", _minus(language.code)[0].sub("-", text))
    draft.put("number words", _parts(number_word(draft.text, language)))
    draft.put("conjunctions", _joined(draft.text, language))


def number_word(text: str, language: Language) -> str:
    """Digits for a text that is the name of a number and nothing else."""
    if len(text) > 40 or re.search(r"\d", text):
        return text
    word = re.sub(r"^\\text\s*\{([^{}]*)\}$", r"\1", text).strip().casefold()
    sign = _minus(language.code)[1].match(word)
    bare = word[sign.end() :] if sign else word
    value = _named(tuple(language.number_words)).get(bare, _named(NUMBER_WORDS).get(bare))
    if value is None and {"Han"} & set(language.scripts):
        fraction = _CHINESE_FRACTION.fullmatch(bare)
        under, over = map(_chinese, fraction.groups()) if fraction else (None, None)
        if under and over is not None:
            return f"{'-' if sign else ''}\\frac{{{over}}}{{{under}}}"
        value = _chinese(word if sign is None else bare)
    return text if value is None else str(-value if sign else value)


@cache
def _minus(code: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A word for minus before digits, and one at the start of a word."""
    return minus(code), re.compile(rf"{of(MINUS, code)}\s*(?=\w)", re.IGNORECASE)


def _parts(text: str) -> str:
    """East Asian fractions of digits: 3分の1 is one third."""
    return _PARTS.sub(r"\\frac{\2}{\1}", text)


@cache
def _named(words: tuple[str, ...]) -> dict[str, int]:
    return {
        unicodedata.normalize("NFC", form).casefold(): value
        for value, forms in enumerate(words)
        for form in forms.split("|")
    }


def _chinese(word: str) -> int | None:
    """The value of 五, 十二, 一百零五, 三万二千, 二〇二四; None if it is no numeral."""
    match = _CHINESE_NUMBER.fullmatch(word)
    if not match:
        return None
    sign, digits = -1 if match[1] else 1, match[2]
    if not any(char in _TENS or char in _MYRIADS for char in digits):
        if len(digits) > 1 and len(digits) < 3 and "〇" not in digits:
            return None  # 三四 is "three or four"
        return sign * int("".join(str(_CHINESE[char]) for char in digits))
    total = section = digit = 0
    for char in digits:
        if char in _CHINESE:
            digit = _CHINESE[char]
        elif char in _TENS:
            section += (digit or 1) * _TENS[char]
            digit = 0
        else:
            total += (section + digit or 1) * _MYRIADS[char]
            section = digit = 0
    return sign * (total + section + digit)


def _joined(text: str, language: Language) -> str:
    joining = _joining(
        tuple(language.conjunctions),
        tuple(language.alternatives),
        bool(UNSPACED & set(language.scripts)),
    )
    relation = bool(_RELATION.search(text))
    if relation:
        text = _LOGICAL_OR.sub("\\\\text{ or }", text)
    if joining.wrapped.search(text):
        text = joining.wrapped.sub(_marker(text, joining, relation), text)
    places = _places(text, joining.bare)
    if places and _mathematical(text, places):
        mark, pieces, end = _marker(text, joining, relation), [], 0
        for match in places:
            pieces += [text[end : match.start()], mark(match)]
            end = match.end()
        text = "".join([*pieces, text[end:]])
    return text


def _marker(text: str, joining: _Joining, relation: bool) -> Callable[[re.Match[str]], str]:
    r"""What stands in place of a word: a comma, or \text{ or } between relations.

    In the condition of a set {x : x is even and x > 3} an "and" stays.
    """
    builders = [match.span() for match in _BUILDER.finditer(text)]

    def mark(match: re.Match[str]) -> str:
        if match[match.lastgroup or 0].casefold() in joining.alternatives:
            return " \\text{ or } " if relation else ", "
        inside = any(start <= match.start() < end for start, end in builders)
        return match[0] if inside else ", "

    return mark


def _places(text: str, bare: re.Pattern[str]) -> list[re.Match[str]]:
    r"""Where words join parts, outside of \text{...}."""
    found = list(bare.finditer(text))
    if found and "\\text" in text:
        texts = [match.span() for match in _TEXT.finditer(text)]
        found = [
            match
            for match in found
            if not any(start < match.end() and match.start() < end for start, end in texts)
        ]
    return found


def _mathematical(text: str, places: list[re.Match[str]]) -> bool:
    """Whether every part between the words has a number, a letter that stands alone, a command."""
    starts = [0, *(match.end() for match in places)]
    ends = [*(match.start() for match in places), len(text)]
    return all(_PART.search(text, start, end) for start, end in zip(starts, ends, strict=True))


@cache
def _joining(
    conjunctions: tuple[str, ...], alternatives: tuple[str, ...], unspaced: bool
) -> _Joining:
    own = [*conjunctions, *alternatives]
    every = sorted({*own, *CONJUNCTIONS, *ENGLISH_ALTERNATIVES}, key=len, reverse=True)
    # A word of one Latin letter could be a variable: alone it joins only what ends and begins in
    # digits, and \mathrm{e} is Euler's number.
    letters = "|".join(one for one in every if len(one) == 1 and one.isascii())
    longer = "|".join(re.escape(one) for one in every if len(one) > 1 or not one.isascii())
    blanks = r"(?:\s|\\[,;: ]|\\q?quad(?![a-zA-Z]))*"
    text = rf"\\(?:text|mathrm|operatorname)\s*\{{\s*,?\s*(?P<word>{longer})\s*,?\s*\}}"
    patterns = [rf"\s*[,;]?\s+(?P<word>{longer})\s*,?\s+(?![,;])"]
    if letters:
        text += rf"|\\text\s*\{{\s+(?P<letter>{letters})\s+\}}"
        patterns.append(rf"(?<=[\d}})\]%])\s*[,;]?\s+(?P<letter>{letters})\s+(?=-?\d|\\)")
    if unspaced:
        tight = "|".join(sorted(map(re.escape, own), key=len, reverse=True))
        before, after = r"(?<=[\da-zA-Z})\]%°])", r"(?=[\da-zA-Z\\({\[+-])"
        patterns.append(rf"{before}\s*[,;]?\s*(?P<tight>{tight})\s*,?\s*{after}")
    if "و" in conjunctions:
        patterns.append(r"(?<=[\d})\]%])\s+(?P<prefix>و)\s*(?=[\d\\({\[-])")
    return _Joining(
        re.compile(rf"{blanks}[,;]?{blanks}(?:{text}){blanks}", re.IGNORECASE),
        re.compile("|".join(patterns), re.IGNORECASE),
        frozenset(one.casefold() for one in [*alternatives, *ENGLISH_ALTERNATIVES]),
    )
