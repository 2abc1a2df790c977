"""The records that an audit recomputes from, as frames, one set a reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from babelmath.records import ChoiceItem, Perturbed
from babelmath.tables.data import (
    Data,
    ModelName,
    composition_frame,
    count_records,
    problem_frame,
)
from babelmath.tables.label_frames import label_frame
from babelmath.tables.scores import verdict_frame


@dataclass(frozen=True)
class Evidence:
    """What numbers are recomputed from.

    `released`: released records under the papers' reading; `reread`: the same under the strict one;
    `own`: the responses of this run's models, under the papers' reading.
    """

    released: Data
    reread: Data
    own: Data


def evidence(facts: Mapping[str, Any], files: Mapping[str, Sequence[str]]) -> Evidence:
    """All records of a benchmark, parted by where they come from.

    Args:
        facts: models (display, parameters), language_names, languages, source_languages,
            cot_columns, the (setting, model) pairs of each kind of file (`paper`, `strict`,
            `labels`, `generations`), and `released`: by model, and for `problems`, `choices` and
            `perturbed`, whether the release gave them.
        files: paths by kind: problems, choices, perturbed, and those four.
    """

    def paired(kind: str) -> dict[tuple[str, str], Path]:
        pairs = [(setting, model) for setting, model in facts[kind]]
        return dict(zip(pairs, map(Path, files.get(kind, ())), strict=True))

    def paths(kind: str) -> list[Path]:
        return [Path(path) for path in files.get(kind, ())]

    first, second = paired("paper"), paired("strict")
    paper = Data(
        protocol="paper",
        models={name: ModelName(*one) for name, one in facts["models"].items()},
        language_names=facts["language_names"],
        languages=tuple(facts["languages"]),
        source_languages=tuple(facts["source_languages"]),
        pairs=tuple(first),
        cot_columns=facts["cot_columns"],
        problems=problem_frame(paths("problems")),
        verdicts=verdict_frame(first),
        labels=label_frame(paired("labels"), "paper"),
        compositions=composition_frame(paired("generations")),
        choices=count_records(paths("choices"), ChoiceItem),
        perturbed=count_records(paths("perturbed"), Perturbed),
    )
    flags = facts["released"]
    released = part(paper, flags, True)
    again = {
        pair: path
        for pair, path in second.items()
        if path != first[pair] and flags.get(pair[1], False)
    }
    names = [f"{setting}/{model}" for setting, model in again]
    kept = ~pl.concat_str("setting", "model", separator="/").is_in(names)
    verdicts = pl.concat([released.verdicts.filter(kept), verdict_frame(again)])
    reread = replace(released, protocol="strict", verdicts=verdicts)
    return Evidence(released, reread, part(paper, flags, False))


def part(data: Data, released: Mapping[str, bool], wanted: bool) -> Data:
    """The records that the release gave, or those that this run made."""
    models = [model for model in data.models if released.get(model, False) == wanted]

    def held(frame: pl.DataFrame) -> pl.DataFrame:
        return frame.filter(pl.col("model").is_in(models))

    def count(name: str, number: int | None) -> int | None:
        return number if released.get(name, False) == wanted else None

    return replace(
        data,
        pairs=tuple(pair for pair in data.pairs if pair[1] in models),
        # Problems count as the release's; every measure needs their kinds and subsets.
        problems=data.problems,
        verdicts=held(data.verdicts),
        labels=held(data.labels),
        compositions=held(data.compositions),
        choices=count("choices", data.choices),
        perturbed=count("perturbed", data.perturbed),
    )
