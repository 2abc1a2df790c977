"""Scored responses as rows of statistics: what the numbers of both papers are made of.

Rows have `id` (the problem, which is the cluster), `score` (0 or 1), `cell` (the language, where a
number is the mean over languages) and `stratum` (the subset, where it is the mean over subsets).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import polars as pl

from babelmath.selection import Records
from babelmath.statistics.frames import Measured, difference, measured
from babelmath.tables.data import Data

ABOUT = ("setting", "model", "lang")


def verdicts_of(data: Data, setting: str, model: str, langs: Collection[str]) -> pl.DataFrame:
    """The verdicts of a model in a setting, in some languages."""
    return data.of_pair(setting, model).filter(pl.col("lang").is_in(list(langs)))


def solved(
    data: Data, setting: str, model: str, langs: Sequence[str], kind: str | None = None
) -> pl.DataFrame:
    """Problems, with whether one of all attempts at them is correct: Pass@k of MathMist section
    4.2, k being the attempts there are. With one attempt it is plain correctness.

    Args:
        kind: of these problems alone.
    """
    rows = verdicts_of(data, setting, model, langs)
    if kind is not None and not rows.is_empty():
        held = data.problems.filter(pl.col("lang").is_in(list(langs)) & (pl.col("kind") == kind))
        rows = rows.join(held.select("id", "lang"), on=["id", "lang"], how="semi")
    return (
        rows.group_by("id", "lang", maintain_order=True)
        .agg(score=pl.col("correct").any())
        .select("id", "score", cell="lang")
    )


def responses(
    data: Data, setting: str, model: str, langs: Sequence[str], subsets: Collection[str]
) -> pl.DataFrame:
    """All samples of MMATH's questions of some subsets, with whether they are correct."""
    held = data.problems.filter(pl.col("subset").is_in(list(subsets)))
    rows = verdicts_of(data, setting, model, langs).join(
        held.select("id", "lang", "subset"), on=["id", "lang"], maintain_order="left"
    )
    return rows.select("id", score="correct", cell="lang", stratum="subset")


def over(
    rows: pl.DataFrame, langs: Sequence[str], subsets: Collection[str] = ()
) -> Measured | None:
    """The mean over languages and subsets; None where one of them has no rows: a mean over fewer
    cells is another number."""
    return measured(rows) if _complete(rows, langs, subsets) else None


def change(
    after: pl.DataFrame,
    before: pl.DataFrame,
    langs: Sequence[str],
    subsets: Collection[str] = (),
) -> Measured | None:
    """The first mean less the second; None where either lacks a language or subset."""
    if not all(_complete(rows, langs, subsets) for rows in (after, before)):
        return None
    return difference(after, before)


def _complete(rows: pl.DataFrame, langs: Sequence[str], subsets: Collection[str]) -> bool:
    if not subsets:
        return set(rows["cell"].to_list()) >= set(langs)
    found = set(rows.select("cell", "stratum").unique().iter_rows())
    return found >= {(lang, subset) for lang in langs for subset in subsets}


def about(
    benchmark: str, setting: str | Sequence[str], model: str, langs: Sequence[str], **more: str
) -> Records:
    """The generations behind a number."""
    settings = (setting,) if isinstance(setting, str) else tuple(dict.fromkeys(setting))
    values = {key: (value,) for key, value in more.items() if value}
    return Records((benchmark,), settings, (model,), tuple(langs), **values)
