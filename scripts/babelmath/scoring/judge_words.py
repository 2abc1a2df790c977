"""The words by which judges decide: keys before a decision, and what stands for each word.

English first, then the fifteen languages of both papers: a judge that is asked in English at times
answers in the language of what it judges.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

# Direction marks, zero-width blanks, byte order marks. Joiners spell words and stay.
UNSEEN = dict.fromkeys([0x061C, 0x200B, 0x200E, 0x200F, 0x2060, 0xFEFF, *range(0x202A, 0x202F),
                        *range(0x2066, 0x206A)])  # fmt: skip


def readable(text: str) -> str:
    """The text as decisions are looked for in it: letters composed, unseen marks left out."""
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(UNSEEN))


# Keys that name a decision: `DECISION: YES`, `"verdict": "no"`.
KEY = readable(
    r"(?:(?:(?:secondary|final|my|overall)[\s_]*){0,2}(?:decision|verdict|judge?ment)"
    "|সিদ্ধান্ত|রায়|判定|决定|裁决|決定|القرار|الحكم|décision|decisión|veredicto|decisão|판정|결정|판단"
    "|คำตัดสิน|การตัดสิน|quyết định|phán quyết|päätös|karar|sprendimas|шешім|решение|вердикт)"
)
# Keys that may also head a step of the judge's analysis: they count only where no other stands.
WEAK_KEY = readable(
    r"(?:(?:is[\s_]*)?(?:mathematically[\s_]+)?(?:equivalent|equivalence|equal|correct)"
    r"|(?:final[\s_]*)?(?:conclusion|result|score|grade|evaluation|assessment)"
    "|结论|結論|উপসংহার|결론|conclusión|conclusão|johtopäätös|sonuç|kết luận|สรุป)"
)
SAME = r"(?:equivalent|equal|the same|correct|right)"
OTHER = (
    rf"(?:(?:not|n['’]t)\s+(?:mathematically\s+)?{SAME}"
    r"|(?:mathematically\s+)?(?:in|non-?)equivalent|unequal|different|incorrect|wrong)"
)
# A pattern is tried from left to right: `not equivalent` before `equivalent`.
WORDS = {
    "FP": r"fp|false[\s_-]*positive",
    "FN": r"fn|false[\s_-]*negative",
    "TP": r"tp|true[\s_-]*positive",
    "NO": rf"{OTHER}|no|false|না|নয়|不等价|不是|不正确|错误|否|لا|non|não|いいえ|아니오|아니요"
    "|ไม่ใช่|ไม่|không|ei|hayır|ne|жоқ|нет",
    "YES": rf"(?:mathematically\s+)?{SAME}|yes|true|হ্যাঁ|হ্যা|হাঁ|等价|正确|是|نعم|oui|sí|sim|はい"
    "|예|네|ใช่|có|đúng|kyllä|evet|taip|иә|да",
}
COUNTS = {"NO": r"0(?:\.0+)?", "YES": r"1(?:\.0+)?"}
OR = r"(?:or|oder|ou|অথবা|বা|或|أو|または|또는)"
MARKS = r"\s*_\"'`“”‘’(\[<"  # Markdown, quotes and brackets before a word
WRAPS = r"(?:\\(?:boxed|text|textbf|mathbf|mathrm)\{|\$)*"  # \boxed{\text{NO}}
AFTER = r"[\s*_\"'`“”‘’)\]}>$]*"
GOES_ON = r"[.,;:!()\[{<—–،、，；：！（।。]|-\s|(?:because|since|as|for|due)\b"
SEPARATOR = rf"[{MARKS}]*(?:[-=]>|[:：=＝?？>→⇒]|[-–—]{{1,3}}\s|\bis\b:?)"
CLOSED = re.compile(r"</\w{1,30}>")  # <decision>NO</decision>
CLOSING = re.compile(
    r"(?:(?:therefore|thus|hence|so|in conclusion|overall|finally),? )?"
    r"(?:(?:the|these|those|both|two|student['’]?s?|given|provided|final|reference|ground|truth|"
    r"answers?|expressions?|values?|solutions?|results?|forms?|sets?|numbers?|they|it|and) )+"
    rf"(?:is|are) ?(?:(?P<NO>{OTHER})|(?:mathematically )?(?P<YES>{SAME}))"
    r"(?: to (?:the |each )?(?:ground truth|truth|other|reference(?: answer)?))?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Patterns:
    """A word and what may follow it; a word alone (`said`); nothing but words and conjunctions."""

    begins: re.Pattern[str]
    alone: re.Pattern[str]
    choice: re.Pattern[str]


@cache
def patterns(allowed: frozenset[str]) -> Patterns:
    """How the words of a judging are written."""
    groups = {
        word: "|".join(filter(None, (readable(spelt), COUNTS.get(word))))
        for word, spelt in WORDS.items()
        if word in allowed
    }
    words = "|".join(groups.values())
    named = "|".join(f"(?P<{word}>{spelt})" for word, spelt in groups.items())
    return Patterns(
        re.compile(
            rf"[{MARKS}]*{WRAPS}(?P<said>{named})(?!\w|\.\d){AFTER}(?=\Z|{GOES_ON}|{OR}\b)",
            re.IGNORECASE,
        ),
        re.compile(
            rf"[{MARKS}#>•–-]*{WRAPS}(?P<said>{words})(?!\w)[.!।。]?{AFTER}[.!।。]?", re.IGNORECASE
        ),
        re.compile(rf"(?:\W|(?:{words}|{OR}|{KEY})(?!\w))*", re.IGNORECASE),
    )


def decision_word(value: str, allowed: frozenset[str], counted: bool = True) -> str | None:
    """The word that a value begins with, where nothing but a mark or a reason follows.

    Args:
        counted: whether 1 and 0 stand for YES and NO.
    """
    match = patterns(allowed).begins.match(value)
    if match is None:
        return closing_word(value) if allowed >= {"YES", "NO"} else None
    rest = CLOSED.sub("", value[match.end() :])
    if re.search(r"\w", rest) and patterns(allowed).choice.fullmatch(rest):
        return None  # the prompt's own "YES or NO"
    if not counted and not match["said"].strip("01."):
        return None
    return next(word for word in allowed if match[word] is not None)


def closing_word(sentence: str) -> str | None:
    """YES or NO of a sentence that says nothing but that the answers are, or are not, the same."""
    match = CLOSING.fullmatch(" ".join(sentence.strip(" *_.!\r\n").split()))
    return None if match is None else "NO" if match["NO"] else "YES"
