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
NUMBER = re.compile(
    r"[-−+]?(?:\d+(?:(?:[.,٫٬．]|\{,\})\d+|[ \u00a0\u202f\u2009]\d{3}(?!\d))*|\.\d+)(?:/\d+)?%?"
)
CLOSERS = "。．.،؛;；,，।:：!?？！ \n\t"
END_MARKS = CLOSERS.replace("!", "")  # after a value "!" is a factorial
DISPLAY = re.compile(r"^(?:\$\$|\\\[)\s*\n\s*")  # display mathematics opens on a line of its own
SIGNS = {"−": "-", "–": "-", "﹣": "-", "－": "-", "×": "\\times ", "·": "\\cdot ", "÷": "/"}
SEPARATORS = {
    "،": ",", "؛": ";", "，": ",", "、": ",", "；": ";", "：": ":", "٫": ".", "٬": ",", "．": ".",
}  # fmt: skip


@dataclass(frozen=True)
class Extracted:
    """An answer found in a text: how it was found and every rewrite done to it."""

    text: str
    how: str
    rewrites: tuple[str, ...] = ()


def last_box(text: str) -> str | None:
    r"""Content of the last \boxed{...} whose braces balance, or None."""
    for match in reversed(list(BOX.finditer(text))):
        depth, start, escaped = 1, match.end(), False
        for index in range(start, len(text)):
            char = text[index]
            if char in "{}" and not escaped:
                depth += 1 if char == "{" else -1
                if depth == 0:
                    return text[start:index].strip()
            escaped = char == "\\" and not escaped
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
    ends = [
        match.end()
        for phrase in language.final_answer
        for match in re.finditer(re.escape(phrase), answer, re.IGNORECASE)
    ]
    if ends:
        rest = answer[max(ends) :].lstrip(CLOSERS + "*=")
        line = DISPLAY.sub("", rest).split("\n", 1)[0]
        if line.strip(CLOSERS + "*$"):
            return normalise(_value(line), language, "phrase")
    digits = "".join(_digit(char) for char in answer)
    numbers = NUMBER.findall(digits)
    return normalise(numbers[-1], language, "last number") if numbers else None


def normalise(text: str, language: Language, how: str) -> Extracted:
    """One answer in plain notation; each rewrite that changed it is listed by name."""
    rewrites: list[str] = []

    def step(name: str, changed: str) -> None:
        nonlocal text
        if changed != text:
            rewrites.append(name)
            text = changed

    before = None
    while before != text:  # taking one mark away can bring two others together
        before = text
        step("invisible marks", "".join(c for c in text if unicodedata.category(c) != "Cf"))
        step("markdown", text.replace("**", "").replace("__", ""))
        step("native digits", "".join(_digit(char) for char in text))
        step("signs", "".join(SIGNS.get(char, char) for char in text))
        step("separators", "".join(SEPARATORS.get(char, char) for char in text))
        step("dollars", re.sub(r"(?<!\\)\\[$()\[\]]|\$", "", text))
        step("end mark", text.strip().rstrip(END_MARKS))
    step("thousands", _ungroup(text, language))
    if language.decimal == "," and text.count(",") == 1:  # several commas part a list
        step("decimal comma", re.sub(r"(?<=\d)(?:\{,\}|,)(?=\d+$)", ".", text))
    return Extracted(text.strip(), how, tuple(dict.fromkeys(rewrites)))


def _ungroup(text: str, language: Language) -> str:
    text = re.sub(r"(?<=\d)(?:\\[,;! ]|~|\u00a0|\u202f|\u2009)(?=\d{3}(?!\d))", "", text)
    for mark in language.grouping:
        group = r"\{?" + re.escape(mark) + r"\}?"
        whole = re.compile(rf"[-+]?[1-9]\d{{0,2}}(?:{group}\d{{2,3}})*{group}\d{{3}}(?:\D.*)?")
        if whole.fullmatch(text):
            text = re.sub(rf"(?<=\d){group}(?=\d{{2,3}})", "", text)
    return text


def _value(line: str) -> str:
    """The value in the rest of a sentence: its first mathematics, else the text up to its end."""
    math = re.search(r"(?<!\\)\$+(.+?)(?<!\\)\$+|\\\((.+?)\\\)", line)
    if math:
        return math.group(1) or math.group(2)
    text = re.split(r"(?<!\d)[.。।]|[.。।](?!\d)", line.replace("**", ""), maxsplit=1)[0]
    return text.strip().rstrip("!")


def _digit(char: str) -> str:
    if char.isascii() or unicodedata.category(char) != "Nd":
        return char
    return str(unicodedata.digit(char))
