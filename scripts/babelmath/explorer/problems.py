"""The problems behind the generations, in chunks of their own: a question is written once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from babelmath.errors import InputError
from babelmath.explorer.generations import MOST_CHARACTERS
from babelmath.explorer.packing import json_bytes, write_packet
from babelmath.explorer.sources import plain
from babelmath.explorer.texts import Texts
from babelmath.questions import STRATEGY
from babelmath.records import ChoiceItem, Perturbed, Problem, Record, load_records

MOST_ROWS = 100
R = TypeVar("R", bound=Record)
Place = tuple[str, str]  # id, lang


@dataclass(frozen=True)
class Files:
    """The files of a benchmark's problems, options and flawed solutions."""

    problems: Sequence[Path]
    choices: Sequence[Path] = ()
    perturbed: Sequence[Path] = ()


@dataclass(frozen=True)
class Facts:
    """What the index says of a problem: its kind and subset, and where its texts are."""

    kind: str
    subset: str
    chunk: str
    place: int


@dataclass
class _Writing:
    folder: Path
    benchmark: str
    number: int = 0
    texts: Texts = field(default_factory=Texts)
    entries: list[dict[str, Any]] = field(default_factory=list)

    @property
    def chunk(self) -> str:
        return f"{self.benchmark}/problems.{self.number}"

    def add(self, entry: dict[str, Any]) -> None:
        self.entries.append(entry)
        if len(self.entries) == MOST_ROWS or self.texts.size > MOST_CHARACTERS:
            self.flush()

    def flush(self) -> None:
        if self.entries:
            chunk = {"texts": self.texts.texts, "formulas": self.texts.formulas,
                     "rows": self.entries}  # fmt: skip
            write_packet(self.folder, self.chunk, json_bytes(chunk))
            self.number, self.texts, self.entries = self.number + 1, Texts(), []


def write_problems(
    benchmark: str, files: Files, wanted: Collection[Place], folder: Path
) -> dict[Place, Facts]:
    """Write the chunks of the wanted problems, and say where each stands.

    Raises:
        InputError: a damaged file, or a wanted problem that no file has.
    """
    try:
        return _write(benchmark, files, wanted, folder)
    except (KeyError, TypeError, AttributeError):
        kinds = (files.problems, Problem), (files.choices, ChoiceItem), (files.perturbed, Perturbed)
        for paths, model in kinds:
            for path in paths:
                load_records(path, model)  # the schema says which field is not as it must be
        raise


def _write(
    benchmark: str, files: Files, wanted: Collection[Place], folder: Path
) -> dict[Place, Facts]:
    choices = _by_place(files.choices, ChoiceItem)
    flawed = _by_place(files.perturbed, Perturbed, strategy=STRATEGY)
    found: dict[Place, Facts] = {}
    writing = _Writing(folder, benchmark)
    for path in files.problems:
        for one in _records(path, Problem):
            place = one["id"], one["lang"]
            if place in wanted:
                found[place] = Facts(one["kind"] or "", one["subset"], writing.chunk,
                                     len(writing.entries))  # fmt: skip
                writing.add(_entry(one, choices.get(place), flawed.get(place), writing.texts))
    writing.flush()
    for place in sorted(set(wanted) - found.keys()):
        raise InputError(f"a generation is of {place}, which no file of problems holds",
                         file=files.problems[0], remedy="Make the problems again.")  # fmt: skip
    return found


def _entry(
    problem: Mapping[str, Any],
    choice: Mapping[str, Any] | None,
    flawed: Mapping[str, Any] | None,
    texts: Texts,
) -> dict[str, Any]:
    entry = {
        "subdomain": problem["subdomain"],
        "question": texts.prose(problem["question"]),
        "solution": texts.plain(problem["solution"]),
        "answer": texts.value(problem["answer"]),
        "provenance": problem["provenance"],
    }
    if choice:
        entry["choice"] = {
            "question": texts.prose(choice["question"]),
            "options": [texts.value(one) for one in choice["options"]],
            "key": choice["key"],
            "sources": choice["sources"],
        }
    if flawed:
        errors = [
            {"type": one["type"], "step": one["step"], "text": texts.prose(one["text"])}
            for one in flawed["errors"]
        ]
        entry["flawed"] = {"solution": texts.prose(flawed["solution"]), "errors": errors}
    return entry


def _by_place(
    paths: Iterable[Path], model: type[R], **wanted: object
) -> dict[Place, dict[str, Any]]:
    return {
        (one["id"], one["lang"]): one
        for path in paths
        for one in _records(path, model)
        if all(one[key] == value for key, value in wanted.items())
    }


def _records(path: Path, model: type[R]) -> list[dict[str, Any]]:
    """A file's records as plain JSON: this run wrote it through the schema.

    Raises:
        InputError: it is missing, or not what this run writes.
    """
    try:
        with open(path, "rb") as handle:
            found = [plain(line) for line in handle if line.strip()]
        if all(one.keys() == model.model_fields.keys() for one in found):
            return found
    except (OSError, ValueError, AttributeError):
        pass
    return [one.model_dump(mode="json") for one in load_records(path, model)]
