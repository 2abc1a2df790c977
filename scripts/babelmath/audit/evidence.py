"""The records that an audit recomputes from, as frames, one set a reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from babelmath.records import ChoiceItem, Perturbed
from babelmath.tables.data import (
    Data,
    ModelName,
    composition_frame,
    count_records,
    label_frame,
    problem_frame,
    verdict_frame,
)


def evidence(facts: Mapping[str, Any], files: Mapping[str, Sequence[str]]) -> tuple[Data, Data]:
    """All records of a benchmark under the papers' reading and under the strict one.

    Args:
        facts: models (display, parameters), language_names, languages, source_languages,
            cot_columns, and the (setting, model) pairs of each kind of file: `paper`, `strict`,
            `labels`, `generations`.
        files: paths by kind: problems, choices, perturbed, and those four.
    """

    def paired(kind: str) -> dict[tuple[str, str], Path]:
        pairs = [(setting, model) for setting, model in facts[kind]]
        return dict(zip(pairs, map(Path, files.get(kind, ())), strict=True))

    def paths(kind: str) -> list[Path]:
        return [Path(path) for path in files.get(kind, ())]

    first, second, labels = paired("paper"), paired("strict"), paired("labels")
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
        labels=label_frame(labels, "paper"),
        compositions=composition_frame(paired("generations")),
        choices=count_records(paths("choices"), ChoiceItem),
        perturbed=count_records(paths("perturbed"), Perturbed),
    )
    other = {pair: path for pair, path in second.items() if path != first[pair]}
    kept = paper.verdicts.filter(
        ~pl.concat_str("setting", "model", separator="/").is_in([f"{a}/{b}" for a, b in other])
    )
    strict = replace(
        paper,
        protocol="strict",
        verdicts=pl.concat([kept, verdict_frame(other)]),
        labels=label_frame(labels, "strict"),
    )
    return paper, strict
