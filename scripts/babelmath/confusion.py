"""How well languages are told: labels of texts whose language is known, the problems' questions."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields

from babelmath.files import sha256_file
from babelmath.identification import Identifier
from babelmath.packages import fasttext_path
from babelmath.prose import words
from babelmath.records import Problem

SHORT = 40  # characters that the first words are cut to, where a script has no blanks


@dataclass(frozen=True, order=True)
class Told:
    """How often texts of one language got a label.

    `identifier`: the model file's name, `sha256` its hash. `text`: question or first words.
    `labelling`: paper or strict.
    """

    identifier: str
    sha256: str
    text: str
    labelling: str
    lang: str
    label: str
    count: int


def confusion(problems: Iterable[Problem], identifier: Identifier, weights: str) -> list[Told]:
    """Labels of all questions and of their first words, sorted."""
    path = fasttext_path(weights)
    mark = sha256_file(path)
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for problem in problems:
        for kind, text in _texts(problem.question):
            label = identifier.label(text)
            counts[kind, "paper", problem.lang, label.paper] += 1
            counts[kind, "strict", problem.lang, label.strict] += 1
    return sorted(Told(path.name, mark, *key, count) for key, count in counts.items())


def confusion_csv(rows: Iterable[Told]) -> str:
    """The rows as CSV, the fields' names above."""
    lines = io.StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(one.name for one in fields(Told))
    writer.writerows(map(astuple, rows))
    return lines.getvalue()


def _texts(question: str) -> Iterator[tuple[str, str]]:
    """The question, and its first three words, where it has words."""
    yield "question", question
    if first := " ".join(words(question)[:3])[:SHORT]:
        yield "first words", first
