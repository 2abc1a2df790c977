"""Several responses to a question: their mean, pass@k and maj@k (both papers)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import polars as pl

from babelmath.estimators import majority_at, mean, pass_at
from babelmath.statistics.frames import Measured, measured
from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table, number
from babelmath.tables.scored import about

SILENT = ("truncated", "blocked", "no_answer")  # statuses of responses that give no answer
ALL = "All languages"


def samples(paper: str, data: Data) -> Table:
    """pass@k and maj@k by language of every setting that asks a question more than once.

    All right answers are one answer, since each equals the exact one; the others are the same where
    they read the same in plain notation. A judge's verdicts name no answers, so they have no maj@k.
    """
    cells: list[Cell] = []
    blocks = [
        (ALL, data.languages),
        *((data.language_names[one], (one,)) for one in data.languages),
    ]
    for block, langs in blocks:
        for setting, model in data.pairs:
            rows = data.verdicts.filter(
                (pl.col("setting") == setting)
                & (pl.col("model") == model)
                & pl.col("lang").is_in(langs)
            )
            if rows.is_empty() or (block == ALL and rows["lang"].n_unique() == 1):
                continue
            name = f"{data.models[model].display}, {setting}"
            voted = not data.scorers[setting].startswith("judge-")
            records = about(paper, setting, model, langs)
            cells += [
                number(block, name, column, found, records)
                for column, found in estimates(rows, voted)
            ]
    by = [f"{one} by {data.scorers[one]}" for one in dict.fromkeys(one for one, _ in data.pairs)]
    notes = [
        f"Scored: {', '.join(by)}. n counts questions; all weigh the same.",
        "pass@k: one of k responses drawn from a question's is right (unbiased); pass@1 is the "
        "mean over all responses.",
        "maj@k: the answer given most often is right; several such answers share. Responses "
        "without an answer vote for nothing. A judge's verdicts name no answers and have none.",
    ]
    title = "Several responses to a question"
    return Table(paper, "samples", title, data.protocol, cells, notes, "Model, setting")


def estimates(rows: pl.DataFrame, voted: bool) -> list[tuple[str, Measured]]:
    """Each pass@k, and maj@k with the largest k; n counts questions.

    The estimates are exact fractions; a problem in several languages is one cluster.

    Args:
        rows: verdicts of one setting and model: id, lang, status, correct, extracted; not empty.
        voted: whether `extracted` is an answer that can win a vote.
    """
    questions = list(_votes(rows))
    kinds = {votes for _, votes in questions}
    most = min(one.responses for one in kinds)

    found = [
        (f"pass@{k}", {one: pass_at(k, one.responses, one.right) for one in kinds})
        for k in range(1, most + 1)
        if k <= 8 or k == most or k & (k - 1) == 0
    ]
    if voted:
        won = {one: majority_at(most, one.right, one.others, one.silent) for one in kinds}
        found.append((f"maj@{most}", won))
    return [(name, _over(questions, values)) for name, values in found]


def _over(questions: Sequence[tuple[str, Votes]], values: Mapping[Votes, Fraction]) -> Measured:
    """The mean over questions, itself exact, and its interval."""
    rows = [(identity, float(values[votes])) for identity, votes in questions]
    frame = pl.DataFrame(rows, schema={"id": pl.String, "score": pl.Float64}, orient="row")
    found = measured(frame)
    assert found is not None  # there are questions
    return replace(found, value=float(100 * mean(values[votes] for _, votes in questions)))


class Votes(NamedTuple):
    """The responses to one question: all, the right ones, and those that gave each other answer."""

    responses: int
    right: int
    others: tuple[int, ...]

    @property
    def silent(self) -> int:
        return self.responses - self.right - sum(self.others)


def _votes(rows: pl.DataFrame) -> Iterator[tuple[str, Votes]]:
    other = (
        rows.filter(
            ~pl.col("correct") & ~pl.col("status").is_in(SILENT) & pl.col("extracted").is_not_null()
        )
        .group_by("id", "lang", "extracted")
        .len()
        .group_by("id", "lang")
        .agg(others=pl.col("len").sort())
    )
    counted = rows.group_by("id", "lang", maintain_order=True).agg(
        responses=pl.len(), right=pl.col("correct").sum()
    )
    for one in counted.join(other, on=["id", "lang"], how="left", maintain_order="left").iter_rows(
        named=True
    ):
        yield one["id"], Votes(one["responses"], one["right"], tuple(one["others"] or ()))
