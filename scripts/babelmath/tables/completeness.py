"""Whether the verdicts and labels that a table counts are all that were asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import polars as pl

from babelmath.errors import InputError

REMEDY = "Remove the file and run again: what was answered is in the journal."


class Held(NamedTuple):
    """The rows of one file (id, lang, sample), about one model's responses in one setting."""

    setting: str
    model: str
    rows: pl.DataFrame
    path: Path


class Wanted(NamedTuple):
    """What a setting asks: responses to each question, and the languages of its questions."""

    samples: int
    languages: Collection[str]


def check_complete(
    files: Iterable[Held], wanted: Mapping[str, Wanted], released: Collection[str]
) -> None:
    """Check that every question has all its responses, in every file of a setting the same ones.

    A setting asks the same problems in all its languages and of all its models. What a release
    lacks cannot be asked again, so its models are not looked at; their n says what there is.

    Args:
        files: verdicts of every scorer, and labels; no key stands twice in one.
        wanted: by setting.
        released: models of released records.

    Raises:
        InputError: a part is missing, or something was never asked; it names the file and numbers.
    """
    first: dict[str, tuple[Path, set[tuple[str, str]]]] = {}
    for setting, model, rows, path in files:
        if model in released:
            continue
        _samples(rows, wanted[setting].samples, path)
        questions = set(rows.select("id", "lang").unique().iter_rows())
        _languages(questions, wanted[setting].languages, path)
        other, expected = first.setdefault(setting, (path, questions))
        if questions != expected:
            raise InputError(
                f"holds {len(questions)} questions, {other} {len(expected)}: "
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


def _languages(questions: set[tuple[str, str]], languages: Collection[str], path: Path) -> None:
    by_language: dict[str, set[str]] = {lang: set() for lang in languages}
    for identity, lang in sorted(questions):
        if lang not in by_language:
            raise InputError(f"holds questions in {lang}, which were never asked", file=path,
                             value=identity, remedy=REMEDY)  # fmt: skip
        by_language[lang].add(identity)
    every = set().union(*by_language.values())
    for lang, held in sorted(by_language.items()):
        if held != every:
            raise InputError(
                f"holds {len(held)} questions in {lang} and {len(every)} in all: "
                f"{min(every - held)} is missing",
                file=path,
                remedy=REMEDY,
            )
    if not every:
        raise InputError("holds nothing", file=path, remedy=REMEDY)
