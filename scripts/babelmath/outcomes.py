"""What became of a generation, in one word: states that exclude each other and sum to n."""

from __future__ import annotations

from typing import get_args

import polars as pl

from babelmath.language_codes import MIXED, UNDETERMINED
from babelmath.records import Status

CORRECT, WRONG = "correct", "wrong"
CORRECT_ELSEWHERE, WRONG_ELSEWHERE = "correct, other language", "wrong, other language"
NO_ANSWER, TRUNCATED, OTHER = "no answer", "truncated", "other"
# In the order that tables and pages show them.
STATES = (CORRECT, CORRECT_ELSEWHERE, WRONG, WRONG_ELSEWHERE, NO_ANSWER, TRUNCATED, OTHER)

NO_LANGUAGE = (UNDETERMINED, MIXED)  # labels that name no one language
_JUDGED = ("correct", "wrong")
_FAILED = {
    "truncated": TRUNCATED,
    "no_answer": NO_ANSWER,
    "blocked": OTHER,
    "unresolved": OTHER,
    "timeout": OTHER,
    "unparsed_gold": OTHER,
}
assert {*_JUDGED, *_FAILED} == {*get_args(Status)}


def outcome(status: str, answering: str | None, expected: str) -> str:
    """The state of one generation; the first that fits of truncated, no answer, other, the wrong
    language, and what the verdict says.

    Args:
        status: of the strict protocol's verdict.
        answering: the strict label of the answering part; None where it was not labelled.
        expected: the language it was to answer in: the setting's reasoning language, else the
            question's.

    Raises:
        ValueError: no such status.
    """
    if status in _FAILED:
        return _FAILED[status]
    if status not in _JUDGED:
        raise ValueError(f"no status of a verdict: {status!r}")
    elsewhere = answering is not None and answering not in (*NO_LANGUAGE, expected)
    if status == "correct":
        return CORRECT_ELSEWHERE if elsewhere else CORRECT
    return WRONG_ELSEWHERE if elsewhere else WRONG


def outcome_column(status: pl.Expr, answering: pl.Expr, expected: pl.Expr) -> pl.Expr:
    """`outcome` of whole columns; null where a status is null or no word of a verdict."""
    elsewhere = (~answering.is_in(NO_LANGUAGE) & (answering != expected)).fill_null(False)
    return (
        pl.when(status.is_in(list(_FAILED)))
        .then(status.replace_strict(_FAILED, default=None, return_dtype=pl.String))
        .when((status == "correct") & elsewhere)
        .then(pl.lit(CORRECT_ELSEWHERE))
        .when(status == "correct")
        .then(pl.lit(CORRECT))
        .when((status == "wrong") & elsewhere)
        .then(pl.lit(WRONG_ELSEWHERE))
        .when(status == "wrong")
        .then(pl.lit(WRONG))
    )
