"""Oddities of the released question files: labels, numbers, marks and texts as they came."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path

from babelmath.files import read_text
from babelmath.languages import Language
from babelmath.records import Problem
from babelmath.released.joining import whole_number
from babelmath.released.oddities import Oddities
from babelmath.released.reading import Entry, normalised, read_lines
from babelmath.sources import EATEN

MARKS = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
DOLLAR = re.compile(r"(?<!\\)\$")
TEXTS = ("question", "solution", "exact_answer", "answer")
KNOWN = {
    "language", "chapter_number", "example_number", "question", "solution", "exact_answer",
    "answer_type", "evaluation_method", "original_example_number", "original_example_number_(1)",
    "original_example_number_(2)", "answer", "data_source", "data_source_id", "gid", "lang",
}  # fmt: skip


def count_oddities(
    benchmark: str, path: Path, language: Language, problems: Sequence[Problem], oddities: Oddities
) -> None:
    """Count what is odd in one released question file that `read_problems` has accepted.

    Args:
        problems: the file's problems, in order; all texts are kept in them as they came.
    """
    for place, (line, entry) in enumerate(_rows(benchmark, path, oddities), start=1):
        spelt = entry.get("language")
        if isinstance(spelt, str) and spelt != language.name:
            oddities.add(path, f"language spelt {spelt}", line, spelt, "the file's name counts")
        kind = entry.get("answer_type")
        if isinstance(kind, str) and kind != kind.strip():
            oddities.add(path, "kind label with stray blanks", line, kind, "stripped")
        for name in ("chapter_number", "example_number"):
            number = str(entry.get(name, ""))
            if name == "example_number" and number and whole_number(number) != place:
                oddities.add(path, f"{name} is not its place", line, number, "the place counts")
            if any(unicodedata.category(one) == "Nd" and not one.isascii() for one in number):
                oddities.add(path, f"native digits in {name}", line, number, "not used")
        for name in TEXTS:
            text = entry.get(name)
            if isinstance(text, str):
                for what in text_oddities(text):
                    oddities.add(path, f"{name}: {what}", line, _around(text), "kept as it is")
    seen: set[str] = set()
    for problem in problems:
        if problem.question in seen:
            oddities.add(path, "question that stands twice", problem.provenance["line"],
                         problem.question, "both count")  # fmt: skip
        seen.add(problem.question)


def text_oddities(text: str) -> Iterator[str]:
    """What is odd about a text, each kind once."""
    if MARKS.search(text):
        yield "zero-width or direction mark"
    if "\r" in text:
        yield "carriage return"
    if EATEN.search(text.replace("\r\n", "\n")):
        yield "LaTeX command eaten by a JSON escape"
    if len(DOLLAR.findall(text)) % 2:
        yield "odd number of $"
    plain = re.sub(r"\\[{}\\]", "", text)
    if plain.count("{") != plain.count("}"):
        yield "unbalanced braces"
    if not text.strip():
        yield "blank"


def _around(text: str) -> str:
    return " ".join(text.split())


def _rows(benchmark: str, path: Path, oddities: Oddities) -> Iterator[tuple[int, Entry]]:
    if benchmark == "mmath":
        for number, raw in enumerate(json.loads(read_text(path)), start=1):
            yield number, normalised(raw, KNOWN, path, number, oddities)
    else:
        yield from read_lines(path, KNOWN, oddities)
