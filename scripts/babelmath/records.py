"""The records that stages exchange: one schema for all of them.

Fields and words are the project's contract (README, "Files and records"). Unknown fields are
refused when our own files are read; a repeated key is an error.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from babelmath.errors import InputError
from babelmath.files import read_jsonl, write_jsonl

Kind = Literal["numerical", "symbolic", "proof"]
Finish = Literal["stop", "length", "blocked", "error"]
Status = Literal[
    "correct",
    "wrong",
    "truncated",
    "blocked",
    "no_answer",
    "unparsed_gold",
    "timeout",
    "unresolved",
]
ErrorType = Literal[
    "step_omission",
    "incorrect_rule",
    "faulty_causality",
    "overgeneralization",
    "logical_fallacy",
]


WITHOUT_TEXT = "text not released"  # flag of a generation whose own text is not there
FIELDS = ("question", "solution", "answer")  # a problem's texts, in the order they are translated


class Record(BaseModel):
    """Base of all records: immutable, no unknown fields, no silent conversions."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @property
    def identity(self) -> tuple[Any, ...]:
        """What must be unique in a file."""
        raise NotImplementedError


class Problem(Record):
    """One problem in one language (MathMist section 3.1, MMATH section 2).

    `subset` is MMATH's source (AIME2024, ...) or "corpus"; `kind` and `subdomain` are MathMist's
    (None for MMATH). `provenance`: source, file, line, checks, and for translations the outcome.
    """

    id: str
    lang: str
    subset: str
    kind: Kind | None
    subdomain: str | None
    question: str
    solution: str | None
    answer: str
    provenance: dict[str, Any]

    @property
    def identity(self) -> tuple[str, str]:
        return self.id, self.lang


class ChoiceItem(Record):
    """A multiple-choice item (MathMist section 3.2): four options, the key A-D."""

    id: str
    lang: str
    question: str
    options: list[str]
    key: Literal["A", "B", "C", "D"]
    sources: list[str]
    provenance: dict[str, Any]

    @property
    def identity(self) -> tuple[str, str]:
        return self.id, self.lang


class EmbeddedError(Record):
    """One error inside a perturbed solution: its type, 1-based step, and the flawed words."""

    type: ErrorType
    step: int
    text: str


class Perturbed(Record):
    """A flawed solution made on purpose (MathMist section 3.3)."""

    id: str
    lang: str
    strategy: Literal[1, 2, 3]
    solution: str
    errors: list[EmbeddedError]
    checks: dict[str, Any]
    provenance: dict[str, Any]

    @property
    def identity(self) -> tuple[str, str, int]:
        return self.id, self.lang, self.strategy


class Generation(Record):
    """One response of an evaluated model.

    `thinking` is the part before the answer ("" where the model showed none), `raw` the text as
    received, `sent` what was really sent, `provenance` the journal key and the attempts.
    """

    id: str
    lang: str
    sample: int
    thinking: str
    answer: str
    raw: str
    finish: Finish
    prompt_tokens: int
    completion_tokens: int
    seed: int | None
    model: str
    engine: str
    sent: dict[str, Any]
    flags: list[str]
    provenance: dict[str, Any]

    @property
    def identity(self) -> tuple[str, str, int]:
        return self.id, self.lang, self.sample


class Verdict(Record):
    """What a scorer says of a generation; `correct` is true only for status correct."""

    id: str
    lang: str
    sample: int
    scorer: str
    status: Status
    correct: bool
    extracted: str | None
    gold: str
    rewrites: list[str]
    judge: dict[str, Any] | None
    provenance: dict[str, Any]

    @model_validator(mode="after")
    def _agrees(self) -> Verdict:
        if self.correct != (self.status == "correct"):
            raise ValueError("correct must be true for status correct and only then")
        return self

    @property
    def identity(self) -> tuple[str, str, int, str]:
        return self.id, self.lang, self.sample, self.scorer


class PartLabel(Record):
    """Language of one part of a generation: paper's and strict label, p, scripts present."""

    paper: str
    strict: str
    p: float
    scripts: dict[str, int]


class LanguageRecord(Record):
    """Languages of the thinking and of the answering part (MMATH section 3.1)."""

    id: str
    lang: str
    sample: int
    thinking: PartLabel
    answering: PartLabel

    @property
    def identity(self) -> tuple[str, str, int]:
        return self.id, self.lang, self.sample


class Proposal(Record):
    """A model's proposed distractor (MathMist section 3.2), before it is verified."""

    id: str
    lang: str
    text: str
    journal: str

    @property
    def identity(self) -> tuple[str, str]:
        return self.id, self.lang


class Construction(Record):
    """What became of one built thing (a translation, a set of choices, a perturbation).

    `stage`: translation, choices, perturbation. `field`: question, solution, answer, or None.
    `outcome`: accepted (first try), corrected (after `rounds` corrections), carried (no words to
    translate), unresolved. `text`: the result, or the last candidate where unresolved.
    `history`: every step, with requests' journal keys. `detail`: the stage's own facts.
    """

    id: str
    lang: str
    stage: Literal["translation", "choices", "perturbation"]
    field: str | None
    outcome: Literal["accepted", "corrected", "carried", "unresolved"]
    rounds: int
    text: str
    reason: str
    history: list[dict[str, Any]]
    detail: dict[str, Any]

    @property
    def identity(self) -> tuple[str, str, str, str | None]:
        return self.id, self.lang, self.stage, self.field


R = TypeVar("R", bound=Record)


def load_records(path: str | Path, model: type[R]) -> list[R]:
    """Read one of our own JSONL files.

    Raises:
        InputError: a bad line, an unknown or missing field, or a repeated key, with its line.
    """
    records: list[R] = []
    lines: dict[tuple[Any, ...], int] = {}
    for number, raw in read_jsonl(path):
        record = validate(raw, model, path, number)
        if record.identity in lines:
            raise InputError(
                f"key {record.identity} stands already in line {lines[record.identity]}",
                file=path,
                line=number,
                remedy="Remove one of the two lines.",
            )
        lines[record.identity] = number
        records.append(record)
    return records


def save_records(path: str | Path, records: Iterable[Record]) -> int:
    """Write records sorted by their key; refuses repeated keys. Returns their number."""
    ordered = sorted(records, key=lambda record: tuple(map(_sortable, record.identity)))
    for before, after in itertools.pairwise(ordered):
        if before.identity == after.identity:
            raise InputError(f"key {after.identity} occurs twice", file=path)
    return write_jsonl(path, (record.model_dump(mode="json") for record in ordered))


def validate(raw: dict[str, Any], model: type[R], path: str | Path, line: int) -> R:
    """One dictionary as a record; errors name file, line, field and value."""
    try:
        return model.model_validate(raw)
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(
            first["msg"],
            file=path,
            line=line,
            field=dotted(first["loc"]) or None,
            value=first["input"],
            remedy=f"See the {model.__name__} record in README.",
        ) from None


def dotted(location: Sequence[str | int]) -> str:
    """A pydantic error location as a dotted path."""
    return ".".join(str(part) for part in location)


def _sortable(value: Any) -> tuple[int, int, str]:
    return (0, value, "") if isinstance(value, int) else (1, 0, str(value or ""))
