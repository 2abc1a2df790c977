"""Finding the final answer in a response and writing it in one notation.

`paper` follows MMATH section 3.1: the last box, else the last number of the whole text. `strict`
looks only at the answer part, and reads numbers as the item's language writes them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from babelmath.languages import Language

PAPER_NUMBER = re.compile(r"-?\d*\.?\d+", re.ASCII)
BOX = re.compile(r"\\(?:boxed|fbox)\s*\{")
NUMBER = re.compile(r"[-−+]?\d[\d.,\s]*(?:\{,\}\d+)?(?:/\d+)?%?")
CLOSERS = "。．.،؛;；,，।:：!?？！ \n\t"
SIGNS = {"−": "-", "–": "-", "﹣": "-", "－": "-", "×": "\\times ", "·": "\\cdot ", "÷": "/"}
SEPARATORS = {"،": ",", "؛": ";", "，": ",", "、": ",", "；": ";", "：": ":", "٫": ".", "٬": ","}


@dataclass(frozen=True)
class Extracted:
    """An answer found in a text: how it was found and every rewrite done to it."""

    text: str
    how: str
    rewrites: tuple[str, ...] = ()


def last_box(text: str) -> str | None:
    r"""Content of the last \boxed{...} whose braces balance, or None."""
    for match in reversed(list(BOX.finditer(text))):
        depth, start = 1, match.end()
        for index in range(start, len(text)):
            char = text[index]
            if char in "{}" and (index == 0 or text[index - 1] != "\\"):
                depth += 1 if char == "{" else -1
                if depth == 0:
                    return text[start:index].strip()
    return None


def extract_paper(text: str) -> Extracted | None:
    """MMATH's rule with its quirks: box, else the last ASCII number (3/4 gives 4, 3,5 gives 5)."""
    box = last_box(text)
    if box is not None:
        return Extracted(box, "box")
    numbers = PAPER_NUMBER.findall(text)
    return Extracted(numbers[-1], "last number") if numbers else None


def extract_strict(answer: str, language: Language) -> Extracted | None:
    """The answer part's last box, else what follows a final-answer phrase, else the last number."""
    box = last_box(answer)
    if box is not None:
        return normalise(box, language, "box")
    lowered = answer.casefold()
    ends = [
        (lowered.rfind(phrase.casefold()) + len(phrase), phrase)
        for phrase in language.final_answer
        if phrase.casefold() in lowered
    ]
    if ends:
        line = answer[max(ends)[0] :].lstrip(CLOSERS + "*=").split("\n", 1)[0]
        if line.strip(CLOSERS + "*$"):
            return normalise(_value(line), language, "phrase")
    digits = "".join(_digit(char) for char in answer)
    numbers = [match.group().strip(CLOSERS) for match in NUMBER.finditer(digits)]
    return normalise(numbers[-1], language, "last number") if numbers else None


def normalise(text: str, language: Language, how: str) -> Extracted:
    """One answer in plain notation; each rewrite that changed it is listed by name."""
    rewrites: list[str] = []

    def step(name: str, changed: str) -> None:
        nonlocal text
        if changed != text:
            rewrites.append(name)
            text = changed

    step("invisible marks", "".join(c for c in text if unicodedata.category(c) != "Cf"))
    step("markdown", text.replace("**", "").replace("__", ""))
    step("native digits", "".join(_digit(char) for char in text))
    step("signs", "".join(SIGNS.get(char, char) for char in text))
    step("separators", "".join(SEPARATORS.get(char, char) for char in text))
    step("dollars", re.sub(r"\$|\\[()\[\]]", "", text))
    step("end mark", text.strip().rstrip(CLOSERS))
    step("thousands", _ungroup(text, language))
    if language.decimal == ",":
        step("decimal comma", re.sub(r"(?<=\d)(?:\{,\}|,)(?=\d+$)", ".", text))
    return Extracted(text.strip(), how, tuple(rewrites))


def _ungroup(text: str, language: Language) -> str:
    text = re.sub(r"(?<=\d)(?:\\[,;! ]|~|\u00a0|\u202f|\u2009)(?=\d{3}(?!\d))", "", text)
    for mark in language.grouping:
        group = r"\{?" + re.escape(mark) + r"\}?"
        whole = re.compile(rf"[-+]?\d{{1,3}}(?:{group}\d{{2,3}})*{group}\d{{3}}(?:\D.*)?")
        if whole.fullmatch(text):
            text = re.sub(rf"(?<=\d){group}(?=\d{{2,3}})", "", text)
    return text


def _value(line: str) -> str:
    """The value in the rest of a sentence: its first mathematics, else the text up to its end."""
    math = re.search(r"\$+(.+?)\$+|\\\((.+?)\\\)", line)
    if math:
        return math.group(1) or math.group(2)
    return re.split(r"(?<!\d)[.。।]|[.。।](?!\d)", line.replace("**", ""), maxsplit=1)[0].strip()


def _digit(char: str) -> str:
    if char.isascii() or unicodedata.category(char) != "Nd":
        return char
    return str(unicodedata.digit(char))
