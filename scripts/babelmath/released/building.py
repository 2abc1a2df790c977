"""Released multiple-choice items and flawed solutions, as the workflow's own records."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from babelmath.errors import InputError
from babelmath.files import is_there
from babelmath.languages import Language
from babelmath.records import ChoiceItem, Perturbed, Problem, validate
from babelmath.released.joining import AGAIN, OTHER_DATA, compare, too_many, whole_number
from babelmath.released.oddities import Oddities
from babelmath.released.reading import Entry, read_lines
from babelmath.sources import EATEN, read_problems, source_files

LABEL = re.compile(r"^\s*[A-D]\s*[.):] *")  # a TAB or form feed after it is an eaten command's
KNOWN = {
    "language", "chapter_number", "example_number", "question", "solution", "exact_answer",
    "answer_type", "evaluation_method", "original_example_number", "original_example_number_(1)",
    "original_example_number_(2)", "multiple_choices", "correct_answer", "mcq_metadata",
    "error_description", "erroneous_part", "wrong_solution_version_1", "wrong_solution_version_2",
    "wrong_solution_version_3",
}  # fmt: skip


def corpus_of(folder: Path, language: Language) -> list[Problem]:
    """The whole released corpus of a language, which numbers of other files are about."""
    path = folder / source_files("mathmist", True, language)
    return read_problems("mathmist", path, language, release=True)


def choices_file(language: str) -> str:
    """Path of a language's multiple-choice items inside the release."""
    return f"Data/MCQ/MCQ_Numerical_Symbolic_{language}.jsonl"


def flawed_file(language: str, strategy: int) -> str:
    """Path of a language's flawed solutions of one strategy inside the release."""
    return f"Data/Perturbation/{language}/{language}_Wrong_Strategy_{strategy}.jsonl"


def read_choices(
    path: Path, lang: str, problems: Sequence[Problem], oddities: Oddities
) -> list[ChoiceItem]:
    """The released items of a language, joined on their numbers among the problems but proofs.

    Args:
        problems: the whole corpus of the language.

    Raises:
        InputError: a damaged line, not four options, no key, a number twice or that no problem
            has, or other data.
    """
    if not is_there(path):
        oddities.add(path, "no such file", None, "", "no items")
        return []
    targets = dict(enumerate((one for one in problems if one.kind != "proof"), start=1))
    items: list[ChoiceItem] = []
    for number, line, entry in _joined(path, targets, oddities):
        problem = targets[number]
        listed, key = entry.get("multiple_choices"), entry.get("correct_answer")
        if not isinstance(listed, list) or len(listed) != 4:
            raise InputError(
                "needs four choices", file=path, line=line, field="Multiple Choices",
                value=listed, remedy="Take the file from the release again.",
            )  # fmt: skip
        if key not in ("A", "B", "C", "D"):
            raise InputError(
                "needs a key A-D", file=path, line=line, field="Correct Answer",
                value=key, remedy="Take the file from the release again.",
            )  # fmt: skip
        options = [LABEL.sub("", str(text)) for text in listed]
        _count_item(path, line, entry, options, "ABCD".index(key), oddities)
        record = {
            "id": problem.id, "lang": lang, "question": str(entry.get("question", "")),
            "options": options, "key": key, "sources": [],
            "provenance": {"source": "release", "file": path.name, "line": line, "number": number,
                           "checks": []},
        }  # fmt: skip
        items.append(validate(record, ChoiceItem, path, line))
    if len(items) < len(targets):
        oddities.add(path, "problems without an item", None, len(targets) - len(items), "left out")
    return sorted(items, key=lambda one: one.id)


def read_flawed(
    path: Path, lang: str, strategy: int, problems: Sequence[Problem], oddities: Oddities
) -> list[Perturbed]:
    """The released flawed solutions of one strategy, joined on the example number.

    Raises:
        InputError: a damaged line, no solution, an example number twice or that no problem has,
            or other data.
    """
    if not is_there(path):
        oddities.add(path, "no such file", None, "", "no flawed solutions: no records")
        return []
    targets = dict(enumerate(problems, start=1))
    found: list[Perturbed] = []
    for number, line, entry in _joined(path, targets, oddities):
        problem, solution = targets[number], entry.get(f"wrong_solution_version_{strategy}")
        if not isinstance(solution, str):
            raise InputError(
                "no flawed solution", file=path, line=line,
                field=f"Wrong_Solution_Version_{strategy}", value=solution,
                remedy="Take the file from the release again.",
            )  # fmt: skip
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
    if len(found) < len(targets):
        oddities.add(path, "problems without a flawed solution", None, len(targets) - len(found),
                     "left out")  # fmt: skip
    return found


def _joined(
    path: Path, targets: Mapping[int, Problem], oddities: Oddities
) -> list[tuple[int, int, Entry]]:
    """Number, line and entry of each line of a file; what differs from the corpus is counted."""
    lines: dict[int, int] = {}
    wrong: list[int] = []
    found = []
    for line, entry in read_lines(path, KNOWN, oddities):
        value = entry.get("example_number")
        number = whole_number(value)
        if number is None or number not in targets or number in lines:
            first = lines.get(number or 0)
            raise InputError(
                f"the problem of line {first} again" if first else "no problem has this number",
                file=path, line=line, field="Example Number", value=value,
                remedy=AGAIN if first else f"They go from 1 to {len(targets)}.",
            )  # fmt: skip
        lines[number] = line
        if compare(path, line, entry, targets[number], oddities):
            wrong.append(line)
        found.append((number, line, entry))
    if too_many(len(wrong), len(found)):
        raise InputError(
            f"{len(wrong)} of {len(found)} records do not match the corpus, this one the first",
            file=path, line=wrong[0], field="Question", remedy=OTHER_DATA,
        )  # fmt: skip
    return found


def _count_item(
    path: Path,
    line: int,
    entry: Entry,
    options: list[str],
    key: int,
    oddities: Oddities,
) -> None:
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
