"""The final answer of a response: the paper's rule and the strict one.

`paper` follows MMATH section 3.1: the last box, else the last number of the whole text. `strict`
looks only at the answer part, and reads it as the item's language writes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from babelmath.languages import Language
from babelmath.scoring import english
from babelmath.scoring.boxes import last_box, last_boxes
from babelmath.scoring.escapes import repair_escapes
from babelmath.scoring.plain.notation import Extracted, gold_readings, join, normalise
from babelmath.scoring.stated import stated, stated_value, without_lead
from babelmath.scoring.value_patterns import Wording, wording

__all__ = [
    "Extracted",
    "extract_paper",
    "extract_strict",
    "gold_readings",
    "last_box",
    "normalise",
]

PAPER_NUMBER = re.compile(r"-?\d*\.?\d+", re.ASCII)
_INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
# Not a subscript, an exponent, or a part of a name: x_1, n^2, H2O.
_NUMBER = re.compile(
    r"(?<![a-zA-Z_^\d])(?<![\^_]\{)(?:(?<![\w)}\]])[-−–+])?"
    r"(?:\d*\\[dt]?frac\{-?\d+\}\{\d+\}|\d*(?:\\sqrt\{\d+\}|√\d+)"
    r"|\d+(?:(?:[.,:٫٬．]|\{[.,]\}|\\,)\d+|[ \u00a0\u202f\u2009]\d{3}(?!\d))*|\.\d+)"
    r"(?:/\d+)?(?:\s?\\?[%٪])?"
)
_MATHEMATICS = re.compile(
    r"\$\$(.{1,300}?)\$\$|(?<!\\)\$(?!\s)((?:[^$\n\\]|\\.){1,300}?)(?<!\s)\$(?!\d)"
    r"|\\\((.{1,300}?)\\\)|\\\[(.{1,300}?)\\\]"
    r"|\\begin\{((?:align|gather|equation|eqnarray|split)\w{0,5}\*?)\}(.{1,600}?)\\end\{\5\}",
    re.DOTALL,
)
_SIDE = re.compile(r"(?<![<>!])&?=|\\(?:approx|equiv|iff|implies|Rightarrow)(?![a-zA-Z])|\\\\")
_NO_VALUE = re.compile(
    r"[<>≤≥≠∈]|\\(?:[lg](?:e|eq|t|eqslant)|neq?|in|to|text\{[^{}]*\s[^{}]*\s)(?![a-zA-Z])"
)
_ANSWER_TAG = re.compile(r"<(/?)(?:final[_ ]?)?answer>", re.IGNORECASE)
_SENTENCE = re.compile(r"\\(?:text|mathrm)|[^\W\d_]{2}\s|[:：]")
_TEXT = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")
DENIED = "\n"  # stands in place of what decides nothing
_COPULA = 20  # characters before a list in which its copula stands
_END = 1000  # characters before the end in which the last number is looked for first


def extract_paper(raw: str) -> Extracted | None:
    """MMATH's rule with its quirks: box, else the last ASCII number (3/4 gives 4, 3,5 gives 5)."""
    box = last_box(raw)
    if box is not None:
        return Extracted(box, "box")
    numbers = PAPER_NUMBER.findall(raw)
    return Extracted(numbers[-1], "last number") if numbers else None


def extract_strict(answer: str, language: Language) -> Extracted | None:
    """The answer part's last boxes, else the value of a final-answer phrase, else the last number.

    Args:
        answer: what follows the thinking.

    Returns:
        The answer in plain notation, with how it was found and every rewrite by name; None if
        the text has none of the three.
    """
    text, repaired = repair_escapes(answer)
    if not text.isascii():
        text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    if "nswer>" in text:
        text = _ANSWER_TAG.sub(lambda match: "\n" if match[1] else "\nanswer: ", text)
    words = (
        *language.conjunctions, *language.alternatives,
        *english.CONJUNCTIONS, *english.ALTERNATIVES,
    )  # fmt: skip
    boxed = last_boxes(text, words, (*language.final_answer, *english.FINAL_ANSWER))
    if boxed and (found := _boxed(boxed, language)):
        return _with(found, repaired)
    said = stated(text, language)
    if said.values and (found := _listed(said.values, language)):
        return _with(found, repaired)
    for start, end in said.silent:  # in place: a number's surroundings stay as they are
        text = f"{text[:start]}{DENIED * (min(end, len(text)) - start)}{text[end:]}"
    number = _last_number(text, language)
    return _with(normalise(number, language, "last number"), repaired) if number else None


def _listed(values: Sequence[str], language: Language) -> Extracted | None:
    found = [one for value in values if (one := normalise(value, language, "phrase")).text]
    if len(found) < 2:
        return found[0] if found else None
    names = dict.fromkeys(name for one in found for name in one.rewrites)
    return Extracted(
        join([one.text for one in found], language), "phrase", (*names, "lines joined")
    )


def _boxed(contents: list[str], language: Language) -> Extracted | None:
    """One answer from the boxes that are one; boxes that say the same count once."""
    found: dict[str, Extracted] = {}
    for content in dict.fromkeys(contents):
        one = normalise(_without_phrase(content, language), language, "box")
        if one.text:
            found.setdefault(one.text, one)
    if not found:
        return None
    names = [name for one in found.values() for name in one.rewrites]
    if len(found) > 1:
        names.append("boxes joined")
    return Extracted(join(list(found), language), "box", tuple(dict.fromkeys(names)))


def _without_phrase(content: str, language: Language) -> str:
    r"""The value in a box that holds a sentence: \text{The answer is } 5."""
    if not _SENTENCE.search(content):
        return content
    plain = _TEXT.sub(r" \1 ", content)
    return stated_value(plain, language) or without_lead(content, language)


def _last_number(text: str, language: Language) -> str | None:
    """The last number, or the side of the last equation in mathematics that it stands on, or the
    list behind a copula that it ends: "are 1 and 2"."""
    for start in (max(0, len(text) - _END), 0):
        numbers = [
            match for match in _NUMBER.finditer(text, start) if match.start() > start or not start
        ]
        if numbers:
            last = numbers[-1]
            return _side(text, last, start) or _list(text, numbers, wording(language))
    return None


def _list(text: str, numbers: list[re.Match[str]], words: Wording) -> str:
    first = last = len(numbers) - 1
    while first and words.gap.fullmatch(text, numbers[first - 1].end(), numbers[first].start()):
        first -= 1
    start = numbers[first].start()
    before = text[max(0, start - _COPULA) : start].rstrip()
    copulas = list(words.copula.finditer(before)) if before[-1:].isalpha() else []
    if not copulas or copulas[-1].end() < len(before):
        first, start = last, numbers[last].start()
    return text[start : numbers[last].end()]


def _side(text: str, number: re.Match[str], start: int) -> str | None:
    for segment in _MATHEMATICS.finditer(text, start):
        if segment.start() < number.start() < segment.end():
            inside = next(part for part in segment.groups()[::-1] if part is not None)
            side = _SIDE.split(inside.strip().rstrip("\\"))[-1].strip(" &.,;")
            if number[0] in side and not _NO_VALUE.search(side):
                return side
    return None


def _with(found: Extracted, names: Sequence[str]) -> Extracted:
    return Extracted(found.text, found.how, tuple(dict.fromkeys([*names, *found.rewrites])))
