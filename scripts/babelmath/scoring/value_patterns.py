"""How values and what stands around them look after a final-answer phrase."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

from babelmath.languages import Language
from babelmath.scoring import english, stated_words
from babelmath.scoring.phrases import fold, hangul, unspaced

# Marks of emphasis; ">" quotes only at the start of a line, elsewhere it is a relation.
_MARKDOWN = r"(?:[\s*_`~#\"“”「『]|(?<=[\n>])>|(?<=\n )>)"
_COLON = r"(?:[:：∶]|\u0983|\\Rightarrow|→|⇒|➜|(?:={1,2}|-{1,2})>|=(?!\s*[<>]))"
_DASH = r"(?<=\s)[-–—](?=\s)"  # as a colon, where no copula asks for a value
_AFTER_MARK = rf"(?:{_MARKDOWN}|[:：,、，]|[.…]{{2,}}|-{{3,}}|[—―](?=\s)|(?<=\n)[-–•+](?=\s))*"
MATH = re.compile(
    r"\$\$(.+?)\$\$|(?<!\\)\$(?!\s)((?:[^$\n\\]|\\.)+?)(?<!\s)\$(?!\d)|\\\((.+?)\\\)|\\\[(.+?)\\\]",
    re.DOTALL,
)
_LETTER = r"[^\W\d_]"
_LATIN = "a-zA-Z\u00c0-\u024f\u1e00-\u1eff"
# Vowel signs and the like belong to the letter before: মা is a syllable of a word.
_SIGNED = (
    "\u0300-\u036f\u064b-\u0652\u0900-\u0903\u093a-\u094f\u0981-\u0983\u09bc-\u09cd\u0e31-\u0e4e"
)
_GOES_ON = r"(?:and|as|because|is|or|since|for|with|by|but|are|et|est|ou|es|car)\b"
# A letter that stands alone; one of Latin may have a word of another script beside it. An article
# ("a multiple") and an elision ("l'infini") are none.
_ALONE = (
    rf"(?:(?<![{_LATIN}])(?![aeouAO]\s+(?!{_GOES_ON})[{_LATIN}]{{2}}|\w['’][{_LATIN}])"
    rf"[a-zA-Z](?![{_LATIN}])"
    rf"|(?<!{_LETTER})(?<![{_SIGNED}])(?![{_LATIN}]){_LETTER}(?!{_LETTER}|[{_SIGNED}]))"
)
MINUS = "-−–—―‐‑‒﹣－⁃➖"
_SIGN = f"[{MINUS}+±≈＋]"
STARTS_VALUE = re.compile(
    rf"(?:[<>≤≥≠⩽⩾≦≧]=?\s*)?{_SIGN}?\s*(?:%?\d|[.√∛∞∅⌊⌈∑∏∫(\[{{|（［｛]|\\(?!text)|[€£¥₹৳$]\s*\d"
    rf"|{_ALONE}(?!\d))"
)
# A point ends a sentence unless a digit or a small letter follows: 3.5, 25 sq. cm.
SENTENCE = re.compile(
    r"\n|[。！？?؟！॥](?!\d)|।(?!\d)|!(?!\s*[=*/^+\\-])|\.(?=\s+(?![a-zа-яё])|\s*$|[*_]+(?:\s|$))"
)
DIGIT = re.compile(r"\d")
NUMBER = re.compile(rf"{_SIGN}?[€£¥₹৳$]?\s?(?:\d|\\frac|\\sqrt|√)")
MEMBER = re.compile(rf"{NUMBER.pattern}|[(\[{{]|{_ALONE}(?:_\w)?\s*[=<>≤≥]")
REMARK = re.compile(r"\s*\([^()]*[^\W\d_]{3}[^()]*\)\s*$")
# A run of mathematics in prose: no word of two letters or more but functions' names.
RUN = re.compile(
    rf"(?:\d+\s?(?:分[之の]|분의)\s?\d+|\\(?:text|mathrm|operatorname)\s*\{{[^{{}}]*\}}|\\[a-zA-Z]+|\\.|[^\w\s{_SIGNED}]|[\d_]|\s"
    rf"|(?<!{_LETTER})(?:sin|cos|tan|cot|log|ln|lg|tg|ctg|sqrt|pi|exp)(?!{_LETTER})"
    rf"|{_ALONE})+"
)
_WORDS = rf"(?:{_LETTER}[^\s\d,;:=]*\s*)"
UNIT_WORDS = re.compile(rf"{_WORDS}{{1,3}}(?=$|[,;(])")
UNIT_WORD = re.compile(rf"\s*{_LETTER}[^\s\d,;:=]*")
FIRST_WORD = re.compile(rf"{_LETTER}[^\s.,;:!?]*")
ITEM = re.compile(r"\s*(?:(\d{1,2})[.)]|[-–*•+])[ \t]+(?=\S)(.+)")
# The value goes no further: "7, i.e. 14/2".
REASON = re.compile(r"[\s,;(]+(?:i\.\s?e\.|e\.\s?g\.|viz\.|because|since|c\.-à-d\.|d\.h\.)")
_OPEN_REMARK = (
    rf"\([^()\n\d=+*/^\\<>|]*{_LETTER}{{2}}[^()\n\d=+*/^\\<>|]*\)(?!\s*[-+/^(=.,;∪∩]|\s*$)"
)


@dataclass(frozen=True)
class Wording:
    """Patterns of one language, English included."""

    weak: re.Pattern[str]  # between phrase and value; its group `mark` binds the two
    strong: re.Pattern[str]  # the same behind a phrase that ends in a copula or a colon
    copula: re.Pattern[str]
    gap: re.Pattern[str]  # between members of a list
    ending: re.Pattern[str]  # words that close a sentence after its value
    minus: re.Pattern[str]  # a word for minus before a number
    denied: re.Pattern[str]  # the end of what denies a value that follows
    binding: re.Pattern[str]  # the end of what makes something else of it: "half of"
    false: re.Pattern[str]
    false_before: re.Pattern[str]
    denied_after: re.Pattern[str]  # a value and what denies it
    contrary: re.Pattern[str]
    relation_after: re.Pattern[str]


def wording(language: Language) -> Wording:
    """The patterns of a language."""
    return _wording(
        language.code,
        tuple(language.copulas),
        tuple(language.endings),
        (*language.conjunctions, *language.alternatives),
    )


def asks(words: str, language: Language) -> bool:
    """Whether words end in a copula or a colon."""
    copulas = tuple(" " + fold(one) for one in (*language.copulas, *english.COPULAS))
    return fold(words).strip().endswith((":", "=", *copulas))


@cache
def _wording(
    code: str, copulas: tuple[str, ...], endings: tuple[str, ...], conjunctions: tuple[str, ...]
) -> Wording:
    words = "|".join(map(_spelt, _longest_first((*copulas, *english.COPULAS))))
    joining = (*conjunctions, *english.CONJUNCTIONS, *english.ALTERNATIVES)
    joined = "|".join(map(re.escape, _longest_first(joining)))
    ended = "|".join(map(re.escape, _longest_first(endings))) or "(?!)"
    copula = rf"(?:{words})(?=[{MINUS}\s:：,、，$\\\d*(+±√∞∅（]|$)"

    def connector(colon: str, label: str = "") -> re.Pattern[str]:
        mark = rf"(?:(?:{words}){_MARKDOWN}*)?{colon}|{copula}"
        remark = rf"\([^()\n]{{0,40}}\)(?={_MARKDOWN}*(?:{mark}))|{_OPEN_REMARK}{label}"
        return re.compile(
            rf"{_MARKDOWN}*(?:(?:{remark}){_MARKDOWN}*)?(?P<mark>{mark})?{_AFTER_MARK}",
            re.IGNORECASE,
        )

    def word(table: dict[str, str]) -> str:
        return stated_words.of(table, code)

    filler = r"[^\s\d$\\,;:，；]+"
    value = rf"{_SIGN}?(?:\d[\d.,/]*(?<![.,/])\s?\\?[%٪]?|{_ALONE}|{MATH.pattern})"
    return Wording(
        weak=connector(rf"(?:{_COLON}|{_DASH})", r"|\([a-z\d]\)(?=\s+[\w$\\])"),
        strong=connector(_COLON),
        copula=re.compile(rf"(?:{words})|[:：=]", re.IGNORECASE),
        gap=re.compile(rf"\s*(?:[,;、，；،]?\s*(?:{joined})\s*|[,;、，；،]\s*)", re.IGNORECASE),
        ending=re.compile(rf"\s*(?:{ended})[\s.。]*$"),
        minus=stated_words.minus(code),
        denied=re.compile(
            rf"{word(stated_words.DENIED)}(?:\s*{filler}){{0,2}}?[\s*_$\\({{\[]*\Z", re.IGNORECASE
        ),
        binding=re.compile(
            rf"{word(stated_words.BINDING)}(?:\s+(?:the|a))?[\s*_]*\Z", re.IGNORECASE
        ),
        false=re.compile(word(stated_words.FALSE), re.IGNORECASE),
        false_before=re.compile(rf"{word(stated_words.FALSE_BEFORE)}[\s*_]*\Z", re.IGNORECASE),
        denied_after=re.compile(
            rf"{value}[\s*_]*{word(stated_words.DENIED_AFTER)}", re.IGNORECASE | re.DOTALL
        ),
        contrary=re.compile(word(stated_words.CONTRARY), re.IGNORECASE),
        relation_after=re.compile(rf"\s*{word(stated_words.RELATION_AFTER)}", re.IGNORECASE),
    )


def _longest_first(words: tuple[str, ...]) -> list[str]:
    composed = {unicodedata.normalize("NFC", one) for one in words}
    return sorted(composed, key=lambda one: (-len(one), one))


def _spelt(copula: str) -> str:
    """A copula's pattern: a word of its own where its script parts words."""
    word = re.escape(copula)
    free = unspaced(copula[0]) or hangul(copula[0])
    return word if free else rf"(?<![^\W_]){word}(?![^\W\d_])"
