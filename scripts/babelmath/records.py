"""The records that stages exchange: one schema for all of them.

Fields and words are the project's contract (README, "Files and records"). Unknown fields are
refused when our own files are read; a repeated key is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

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
Sample = Annotated[int, Field(ge=0)]
LabelFlag = Literal["truncated", "empty thinking"]
# A language as an identifier names it, or und (undetermined) or mixed.
Label = Annotated[str, StringConstraints(pattern=r"^([a-z]{2,3}|mixed)$")]

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
    sample: Sample
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
    sample: Sample
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
    """Language of one part of a generation: the paper's label and the strict one.

    `p`: how sure the strict label is, 0 to 1. `scripts`: letters of the part's words by script, of
    an excerpt where the part is long.
    """

    paper: Label
    strict: Label
    p: Annotated[float, Field(ge=0, le=1)]
    scripts: dict[str, Annotated[int, Field(ge=0)]]


class LanguageRecord(Record):
    """Languages of the thinking and of the answering part (MMATH section 3.1).

    `flags`: `truncated` (the response was cut off), `empty thinking` (a thinking part without
    text).
    """

    id: str
    lang: str
    sample: Sample
    thinking: PartLabel
    answering: PartLabel
    flags: list[LabelFlag]

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
Order = tuple[tuple[int, int, str], ...]  # how keys are sorted


def load_records(path: str | Path, model: type[R]) -> list[R]:
    """Read one of our own JSONL files, in whatever order its records stand.

    Raises:
        InputError: a bad line, an unknown or missing field, or a repeated key, with its line.
    """
    records: list[R] = []
    lines: dict[tuple[Any, ...], int] = {}
    for number, raw in read_jsonl(path):
        record = validate(raw, model, path, number)
        if record.identity in lines:
            raise _repeated(record, lines[record.identity], path, number)
        lines[record.identity] = number
        records.append(record)
    return records


def iter_records(path: str | Path, model: type[R]) -> Iterator[R]:
    """Read one of our own JSONL files a record at a time; it must be in the order of its keys.

    That order, in which `save_records` and `write_records` write, is what shows a repeated key
    without a memory of all of them.

    Raises:
        InputError: as `load_records`, or a record out of order, with its line.
    """
    before: R | None = None
    highest: Order = ()
    last = 0
    for number, raw in read_jsonl(path):
        record = validate(raw, model, path, number)
        order = _order(record)
        if before is not None and not highest < order:
            if before.identity == record.identity:
                raise _repeated(record, last, path, number)
            raise InputError(
                f"key {record.identity} stands after {before.identity}",
                file=path,
                line=number,
                remedy="Records must be in the order of their keys: remove the file, and the next "
                "run makes it again from what was answered.",
            )
        yield record
        before, highest, last = record, order, number


def save_records(path: str | Path, records: Iterable[Record]) -> int:
    """Write records sorted by their key; refuses repeated keys. Returns their number."""
    return write_records(path, sorted(records, key=_order))


def write_records(path: str | Path, records: Iterable[Record]) -> int:
    """Write records as they come, whole or not at all; returns their number.

    Raises:
        InputError: a repeated key, or a record out of the order of keys.
    """

    def lines() -> Iterator[dict[str, Any]]:
        before: Record | None = None
        highest: Order = ()  # before all
        for record in records:
            order = _order(record)
            if before is not None and not highest < order:
                again = before.identity == record.identity
                problem = "occurs twice" if again else f"comes after {before.identity}"
                raise InputError(f"key {record.identity} {problem}", file=path)
            yield record.model_dump(mode="json")
            before, highest = record, order

    return write_jsonl(path, lines())


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


def _order(record: Record) -> Order:
    return tuple(map(_sortable, record.identity))


def _repeated(record: Record, first: int, path: str | Path, line: int) -> InputError:
    return InputError(
        f"key {record.identity} stands already in line {first}",
        file=path,
        line=line,
        remedy="Remove one of the two lines.",
    )


def _sortable(value: Any) -> tuple[int, int, str]:
    if isinstance(value, int):
        return 0, value, ""
    return (1, 1, str(value)) if value is not None else (1, 0, "")
