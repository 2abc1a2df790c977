"""The responses of a setting, checked against what was asked: the door to labels and verdicts."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from babelmath.config import Asked, Selection
from babelmath.questions import Material, Question, complete, questions
from babelmath.records import (
    ChoiceItem,
    Generation,
    Perturbed,
    Problem,
    R,
    iter_records,
    load_records,
)
from babelmath.shards import Shard
from babelmath.sources import select

Files = Mapping[str, Sequence[str]]


def asked_questions(
    asked: Mapping[str, Any], files: Files
) -> tuple[list[Question], dict[str, list[str]]]:
    """The questions of a setting, and the problems left out (see `questions.questions`).

    Args:
        asked: `setting` (fields of config.Asked), `sample` (a selection, or None for all), `seed`.
        files: `population` (the problems to choose from), and by question language `problems`, and
            `choices` or `perturbed` where the setting asks them.
    """
    setting = Asked.model_validate(asked["setting"])

    def by_language(name: str, record: type[R]) -> dict[str, list[R]]:
        paths = zip(setting.question_languages, files.get(name, ()), strict=False)
        return {lang: load_records(path, record) for lang, path in paths}

    population = load_records(files.get("population", ())[0], Problem)
    chosen = select(population, Selection.model_validate(asked["sample"] or {}), asked["seed"])
    return questions(
        setting,
        Material(
            chosen,
            by_language("problems", Problem),
            by_language("choices", ChoiceItem),
            by_language("perturbed", Perturbed),
        ),
    )


def responses(
    path: str | Path, asked: Mapping[str, Any] | None, files: Files
) -> Iterator[Generation]:
    """The responses of a file as they come, which must be exactly those that were asked for.

    Args:
        asked: as `asked_questions`; None for released records, of which there is what there is.

    Raises:
        InputError: a bad record, or a set that is not complete (see `questions.complete`).
    """
    held = iter_records(path, Generation)
    if asked is None:
        return held
    wanted, _ = asked_questions(asked, files)
    return complete(held, wanted, Asked.model_validate(asked["setting"]).samples, path)


def merged(
    parts: Sequence[str | Path], asked: Mapping[str, Any], files: Files
) -> Iterator[Generation]:
    """The responses of all shards as they come, in the order in which one job would save them.

    Args:
        parts: the files of shard 1 to n.
        asked: as `asked_questions`.

    Raises:
        InputError: a bad record, or a file that does not hold exactly its shard's part of what was
            asked (see `questions.complete`).
    """
    wanted, _ = asked_questions(asked, files)
    samples = Asked.model_validate(asked["setting"]).samples
    return heapq.merge(
        *(
            complete(
                iter_records(path, Generation),
                Shard(number, len(parts)).take(wanted),
                samples,
                path,
            )
            for number, path in enumerate(parts, start=1)
        ),
        key=lambda one: one.identity,
    )
