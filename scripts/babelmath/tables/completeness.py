"""Whether the verdicts that a table counts are all that were asked for."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import polars as pl

from babelmath.errors import InputError

REMEDY = "Remove the file and run again: what was answered is in the journal."


def check_complete(
    verdicts: pl.DataFrame,
    files: Mapping[tuple[str, str], Path],
    samples: Mapping[str, int],
    released: Collection[str],
) -> None:
    """Check that every question has all its responses, and every model of a setting the same ones.

    A setting asks the same problems in all its languages and of all its models. What a release
    lacks cannot be asked again, so its models are not looked at; their n says what there is.

    Args:
        verdicts: as `Data.verdicts`; no key stands twice.
        files: where each (setting, model) comes from.
        samples: responses to a question by setting.
        released: models of released records.

    Raises:
        InputError: a part is missing, or something was never asked; it names the file and numbers.
    """
    first: dict[str, tuple[str, set[tuple[str, str]]]] = {}
    for (setting, model), path in files.items():
        if model in released:
            continue
        rows = verdicts.filter((pl.col("setting") == setting) & (pl.col("model") == model))
        _samples(rows, samples[setting], path)
        questions = set(rows.select("id", "lang").unique().iter_rows())
        _languages(questions, path)
        other, expected = first.setdefault(setting, (model, questions))
        if questions != expected:
            raise InputError(
                f"holds {len(questions)} questions, those of {other} {len(expected)}: "
                f"{min(questions ^ expected)} is in one only",
                file=path,
                remedy=REMEDY,
            )


def _samples(rows: pl.DataFrame, wanted: int, path: Path) -> None:
    counts = rows.group_by("id", "lang").agg(held=pl.len(), last=pl.col("sample").max())
    odd = counts.filter((pl.col("held") != wanted) | (pl.col("last") != wanted - 1))
    if odd.height:
        identity, lang, held, last = odd.sort("id", "lang").row(0)
        raise InputError(
            f"holds {rows.height} responses to {counts.height} questions of {wanted} each: "
            f"({identity}, {lang}) has {held}, the last numbered {last}",
            file=path,
            remedy=REMEDY,
        )


def _languages(questions: set[tuple[str, str]], path: Path) -> None:
    by_language: dict[str, set[str]] = {}
    for identity, lang in questions:
        by_language.setdefault(lang, set()).add(identity)
    every = set().union(*by_language.values())
    for lang, held in sorted(by_language.items()):
        if held != every:
            raise InputError(
                f"holds {len(held)} questions in {lang} and {len(every)} in all: "
                f"{min(every - held)} is missing",
                file=path,
                remedy=REMEDY,
            )
