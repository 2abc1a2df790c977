"""Released multiple-choice items and flawed solutions, as the workflow's own records."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from babelmath.errors import InputError
from babelmath.files import read_jsonl
from babelmath.records import ChoiceItem, Perturbed, Problem, validate
from babelmath.released.joining import check_kind, squashed
from babelmath.released.oddities import Oddities
from babelmath.released.reading import Document, normalised

LABEL = re.compile(r"^\s*[A-D]\s*[.):]\s*")
# What a LaTeX command looks like after a JSON escape ate its first letter: \times, \frac, \bar ...
EATEN = re.compile("[\t\f\b\v\r](?=[a-zA-Z])")
KNOWN = {
    "language", "chapter_number", "example_number", "question", "solution", "exact_answer",
    "answer_type", "evaluation_method", "original_example_number", "original_example_number_(1)",
    "original_example_number_(2)", "multiple_choices", "correct_answer", "mcq_metadata",
    "error_description", "erroneous_part", "wrong_solution_version_1", "wrong_solution_version_2",
    "wrong_solution_version_3",
}  # fmt: skip


def choices_file(language: str) -> str:
    """Path of a language's multiple-choice items inside the release."""
    return f"Data/MCQ/MCQ_Numerical_Symbolic_{language}.jsonl"


def flawed_file(language: str, strategy: int) -> str:
    """Path of a language's flawed solutions of one strategy inside the release."""
    return f"Data/Perturbation/{language}/{language}_Wrong_Strategy_{strategy}.jsonl"


def read_choices(
    path: Path, lang: str, problems: Sequence[Problem], oddities: Oddities
) -> list[ChoiceItem]:
    """The released items of a language, joined to the problems that are no proofs, in order.

    Args:
        problems: the whole corpus of the language.

    Raises:
        InputError: a damaged line, not four options, no key, or more items than such problems.
    """
    if not path.is_file():
        oddities.add(path, "no such file", None, "", "no items: their cells have no records")
        return []
    targets = [one for one in problems if one.kind != "proof"]
    items: list[ChoiceItem] = []
    differing = 0
    for index, (line, raw) in enumerate(read_jsonl(path)):
        entry = normalised(raw, KNOWN, path, line, oddities)
        if index >= len(targets):
            raise InputError(
                f"more items than problems with choices ({len(targets)})", file=path, line=line,
                remedy="A record stands twice, or the file belongs to other data.",
            )  # fmt: skip
        problem = targets[index]
        listed, key = entry.get("multiple_choices"), entry.get("correct_answer")
        if not isinstance(listed, list) or len(listed) != 4 or key not in ("A", "B", "C", "D"):
            raise InputError(
                "needs four choices and a key A-D", file=path, line=line, field="Multiple Choices",
                value=listed, remedy="Take the file from the release again.",
            )  # fmt: skip
        differing += squashed(entry.get("exact_answer")) != squashed(problem.answer)
        if differing > 0.05 * len(targets):
            raise InputError(
                "exact answers are not those of the corpus, in order", file=path, line=line,
                field="Exact Answer", value=entry.get("exact_answer"),
                remedy="A line is missing or stands twice, or the file belongs to other data.",
            )  # fmt: skip
        options = [LABEL.sub("", str(text)) for text in listed]
        _count_item(path, line, entry, problem, options, "ABCD".index(key), oddities)
        record = {
            "id": problem.id, "lang": lang, "question": str(entry.get("question", "")),
            "options": options, "key": key, "sources": [],
            "provenance": {"source": "release", "file": path.name, "line": index + 1, "checks": []},
        }  # fmt: skip
        items.append(validate(record, ChoiceItem, path, line))
    if len(items) < len(targets):
        oddities.add(path, "problems without an item", None, len(targets) - len(items), "left out")
    return items


def read_flawed(
    path: Path, lang: str, strategy: int, problems: Sequence[Problem], oddities: Oddities
) -> list[Perturbed]:
    """The released flawed solutions of one strategy, joined on the example number.

    Raises:
        InputError: a damaged line, no solution, an example number twice or that no problem has.
    """
    if not path.is_file():
        oddities.add(path, "no such file", None, "", "no flawed solutions: no records")
        return []
    by_number = {str(index): one for index, one in enumerate(problems, start=1)}
    found: list[Perturbed] = []
    seen: dict[str, int] = {}
    for line, raw in read_jsonl(path):
        entry = normalised(raw, KNOWN, path, line, oddities)
        number = str(entry.get("example_number", "")).strip()
        solution = entry.get(f"wrong_solution_version_{strategy}")
        problem = by_number.get(number)
        if problem is None or number in seen or not isinstance(solution, str):
            raise InputError(
                "no flawed solution" if problem and number not in seen
                else "no problem has this number" if problem is None
                else f"stands already in line {seen[number]}",
                file=path, line=line, field="Example Number", value=number,
                remedy="Take the file from the release again.",
            )  # fmt: skip
        seen[number] = line
        if squashed(entry.get("exact_answer")) != squashed(problem.answer):
            oddities.add(path, "exact_answer differs from the corpus", line,
                         entry.get("exact_answer"), "joined by its number")  # fmt: skip
        if EATEN.search(solution):
            oddities.add(path, "LaTeX commands eaten by JSON escapes", line,
                         EATEN.findall(solution)[0], "kept as it is")  # fmt: skip
        if not solution.strip():
            oddities.add(path, "empty flawed solution", line, "", "kept as it is")
        checks = {
            name: str(entry.get(name, "")) for name in ("error_description", "erroneous_part")
        }
        found.append(
            Perturbed(
                id=problem.id, lang=lang, strategy=strategy, solution=solution,  # type: ignore[arg-type]
                errors=[], checks=checks,
                provenance={"source": "release", "file": path.name, "line": line},
            )
        )  # fmt: skip
    return found


def _count_item(
    path: Path,
    line: int,
    entry: dict[str, object],
    problem: Problem,
    options: list[str],
    key: int,
    oddities: Oddities,
) -> None:
    check_kind(Document(path, [entry], {}), 0, entry, problem, oddities)
    if squashed(entry.get("question")) != squashed(problem.question):
        oddities.add(path, "question differs from the corpus", line, entry.get("question"),
                     "joined by order")  # fmt: skip
    if len(set(options)) < 4:
        oddities.add(path, "options that coincide", line, options, "both count in strict")
    dollars = ["$" in text for text in options]
    if dollars[key] and sum(dollars) == 1:
        oddities.add(path, "key alone in $...$", line, options[key], "kept as it is")
    if options[key].strip() != str(entry.get("exact_answer", "")).strip():
        oddities.add(path, "key's text differs from the exact answer", line, options[key],
                     "the key counts")  # fmt: skip
    if any(EATEN.search(text) for text in options):
        oddities.add(path, "LaTeX commands eaten by JSON escapes", line, options, "kept as it is")
