"""The words by which judges decide: keys before a decision, and what stands for each word.

English first, then the fifteen languages of both papers: a judge that is asked in English at times
answers in the language of what it judges.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

# Direction marks, zero-width blanks, byte order marks, soft hyphens. Joiners spell words and stay.
UNSEEN = dict.fromkeys([0xAD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F),
                        *range(0x2060, 0x2065), *range(0x2066, 0x206A), 0xFEFF])  # fmt: skip
ENDS = dict.fromkeys([0x85, 0x2028, 0x2029], "\n")  # other ends of lines


def readable(text: str) -> str:
    """The text as decisions are looked for in it: letters composed, unseen marks left out, and
    every line ended alike."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\v", "\n")
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", text.translate(UNSEEN | ENDS))


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
    rf"(?:(?:not|n['’]t)[\s_]+(?:mathematically\s+)?{SAME}"
    r"|(?:mathematically\s+)?(?:in|non[-_ ]?)equivalent|unequal|different|incorrect|wrong)"
)
ENGLISH = {
    "FP": r"fp|false[\s_-]*positive",
    "FN": r"fn|false[\s_-]*negative",
    "TP": r"tp|true[\s_-]*positive",
    "NO": rf"(?:(?:is|are)\s?)?{OTHER}|no|false",
    "YES": rf"(?:(?:is|are)\s)?(?:mathematically\s+)?{SAME}|yes|true",
}
NATIVE = {
    "NO": "না|নয়|ভুল|সঠিক নয়|不等价|不相等|不相同|不同|不是|不正确|错误|否|لا|غير صحيح|خطأ|non"
    "|pas équivalente?s?|non équivalente?s?|incorrecte?|incorrecta|incorrecto|incorreta"
    "|incorreto|no son equivalentes|no equivalentes?|não são equivalentes"
    "|não equivalentes?|não|いいえ|正しくない|不正解|等価ではない|等価でない|아니오|아니요"
    "|같지 않음"
    "|같지 않다|다름|틀림|오답"
    "|ไม่ใช่|ไม่ถูกต้อง|ไม่เท่ากัน|ไม่|ผิด|không đúng|không tương đương|không|sai|ei"
    "|väärin|hayır|yanlış|ne|neteisinga|neteisingas|жоқ|бұрыс|қате|нет|неверно",
    "YES": "হ্যাঁ|হ্যা|হাঁ|সঠিক|等价|相等|相同|正确|是|نعم|صحيح|oui|équivalente?s?|sí|correcta|correcto"
    "|equivalentes?|sim|correta|correto|はい|正しい|正解|等価|예|네|같음|같다|맞음|정답|ใช่|ถูกต้อง|เท่ากัน"
    "|có|đúng|tương đương|kyllä|oikein|evet|doğru|taip|teisinga|teisingas|иә|дұрыс|да"
    "|верно",
}


def _spelt(word: str) -> str:
    """What stands for a word, as a pattern is tried: `no son equivalentes` before `no`."""
    native = NATIVE.get(word, "").split("|")
    of_several = [one for one in native if " " in one]
    alone = [one for one in native if one and " " not in one]
    return "|".join([*of_several, ENGLISH[word], *alone])


WORDS = {word: readable(_spelt(word)) for word in ENGLISH}  # `not equivalent` before `equivalent`
COUNTS = {"NO": r"0(?:\.0+)?(?:\s?/\s?1)?", "YES": r"1(?:\.0+)?(?:\s?/\s?1)?"}
START, END = r"(?<![^\W_])", r"(?![^\W_])"  # of a word; `_YES_` is one
OR = r"(?:or|oder|ou|অথবা|বা|或|أو|または|또는)"
MARKS = r"\s*_\"'`“”‘’(\[<"  # Markdown, quotes and brackets before a word
WRAPS = r"(?:\\(?:boxed|text|textbf|mathbf|mathrm)\{|\$)*+"  # \boxed{\text{NO}}
AFTER = r"[\s*_\"'`“”‘’)\]}>$]*+"
SEPARATOR = rf"[{MARKS}]*+(?:[-=]>|[:：=＝?？>→⇒|]|[-–—]{{1,3}}\s|\bis\b:?)"


@dataclass(frozen=True)
class Patterns:
    """A word (`said`) and the marks behind it; a word alone; words and conjunctions; each word."""

    begins: re.Pattern[str]
    alone: re.Pattern[str]
    choice: re.Pattern[str]
    each: re.Pattern[str]


@cache
def patterns(allowed: frozenset[str]) -> Patterns:
    """How the words of a judging are written; a group of a word's name tells which it is."""
    groups = {
        word: "|".join(filter(None, (spelt, COUNTS.get(word))))
        for word, spelt in WORDS.items()
        if word in allowed
    }
    words = "|".join(groups.values())
    named = "|".join(f"(?P<{word}>{spelt})" for word, spelt in groups.items())
    return Patterns(
        re.compile(rf"[{MARKS}]*+{WRAPS}(?P<said>{named}){END}(?!\.\d){AFTER}", re.IGNORECASE),
        re.compile(
            rf"[{MARKS}#>•–-]*+{WRAPS}(?P<said>{words}){END}[.!।。]?{AFTER}[.!।。]?", re.IGNORECASE
        ),
        re.compile(rf"(?:[\W_]|(?:{words}|{OR}|{KEY}){END})*+", re.IGNORECASE),
        re.compile(rf"{START}(?:{named}){END}", re.IGNORECASE),
    )
