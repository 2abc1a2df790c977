"""States of generations."""

from __future__ import annotations

import itertools
from typing import get_args

import polars as pl
import pytest

from babelmath.outcomes import STATES, outcome, outcome_column
from babelmath.records import Status

LABELS = (None, "en", "fr", "und", "mixed")


@pytest.mark.parametrize(
    ("status", "answering", "expected", "state"),
    [
        ("truncated", "en", "fr", "truncated"),
        ("no_answer", "en", "fr", "no answer"),
        ("blocked", None, "fr", "other"),
        ("unresolved", "en", "fr", "other"),
        ("timeout", "fr", "fr", "other"),
        ("unparsed_gold", "en", "fr", "other"),
        ("correct", "en", "fr", "correct, other language"),
        ("wrong", "en", "fr", "wrong, other language"),
        ("correct", "fr", "fr", "correct"),
        ("wrong", "fr", "fr", "wrong"),
        ("correct", "und", "fr", "correct"),
        ("wrong", "mixed", "fr", "wrong"),
        ("correct", None, "fr", "correct"),
        ("wrong", None, "fr", "wrong"),
    ],
)
def test_a_state_is_the_first_that_fits(
    status: str, answering: str | None, expected: str, state: str
) -> None:
    assert outcome(status, answering, expected) == state


def test_columns_and_single_generations_have_the_same_states() -> None:
    every = list(itertools.product(get_args(Status), LABELS, ("en", "fr")))
    frame = pl.DataFrame(
        every, schema={one: pl.String for one in ("status", "label", "expected")}, orient="row"
    )
    column = frame.select(
        state=outcome_column(pl.col("status"), pl.col("label"), pl.col("expected"))
    )["state"]
    assert column.to_list() == [outcome(*one) for one in every]
    assert set(column) == set(STATES)


def test_an_unknown_status_has_no_state() -> None:
    with pytest.raises(ValueError, match="'splendid'"):
        outcome("splendid", None, "en")
    frame = pl.DataFrame({"status": ["splendid", None]}, schema={"status": pl.String})
    state = outcome_column(pl.col("status"), pl.lit(None, pl.String), pl.lit("en"))
    assert frame.select(state.alias("state"))["state"].to_list() == [None, None]


def test_columns_without_any_label_have_states() -> None:
    frame = pl.DataFrame({"status": ["correct", "wrong"]})
    state = outcome_column(pl.col("status"), pl.lit(None, pl.String), pl.lit("en"))
    assert frame.select(state.alias("state"))["state"].to_list() == ["correct", "wrong"]
