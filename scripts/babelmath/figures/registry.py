"""Figure functions by paper and name: each from the records to a figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import polars as pl
from matplotlib.figure import Figure

from babelmath.figures.accuracy import cross_lingual
from babelmath.figures.compliance import compliance
from babelmath.figures.matrices import language_matrices
from babelmath.figures.switching import code_switching
from babelmath.tables import mathmist, mmath
from babelmath.tables.compliance import compliance_frame
from babelmath.tables.data import Data

Facts = Mapping[str, Any]

PARTS = ("thinking", "answering")


def _cross_lingual(data: Data, facts: Facts) -> Figure:
    frame = mathmist.cross_lingual_frame(data)
    labels = pl.col("lang").replace_strict(facts["native_names"]).alias("lang_label")
    return cross_lingual(frame.with_columns(labels), _note(data, facts, "cross-lingual"))


def _code_switching(data: Data, facts: Facts) -> Figure:
    return code_switching(mathmist.code_switching_frame(data), _note(data, facts, "cs-bn-en"))


def _compliance(paper: str, data: Data, facts: Facts) -> Figure:
    """The models and languages of the one setting that the item is of."""
    setting = data.pairs[0][0]
    keys = {
        "model": [data.models[model].display for _, model in data.pairs],
        "lang": _asked(facts, setting),
    }
    frame = _completed(compliance_frame(paper, data), keys)
    return compliance(frame, f"Language labels: strict. {_note(data, facts, setting)}")


def _matrices(parts: Sequence[str], data: Data, facts: Facts) -> Figure:
    """A panel a model of the one setting that the item is of; with two parts, two a model."""
    setting = data.pairs[0][0]
    frames, panels = [], []
    for _, model in data.pairs:
        for part in parts:
            name = data.models[model].display
            panels.append(name if len(parts) == 1 else f"{name}, {part}")
            frame = mmath.matrix_frame(data, setting, part, [model]).drop("model")
            frames.append(frame.select(pl.lit(panels[-1]).alias("panel"), pl.all()))
    keys = {"panel": panels, "question_lang": _asked(facts, setting)}
    frame = _completed(pl.concat(frames), keys)
    # A row without records has no label; its own language stands for one.
    frame = frame.with_columns(
        pl.col("label").fill_null(pl.col("question_lang")),
        pl.col("question_lang").replace_strict(facts["native_names"]).alias("lang_label"),
    )
    note = f"Protocol: {data.protocol} language labels. Scale: {facts['scale']}."
    return language_matrices(frame, note)


def _asked(facts: Facts, setting: str) -> list[str]:
    """The languages that a setting asks questions in, in the configuration's order."""
    asked = set(facts["wanted"][setting][1])
    return [lang for lang in facts["languages"] if lang in asked]


def _completed(frame: pl.DataFrame, keys: Mapping[str, Sequence[str]]) -> pl.DataFrame:
    """The frame in the order of two keys, with a row of nulls where a pair of them has none."""
    first, second = (pl.DataFrame({name: values}) for name, values in keys.items())
    every = first.join(second, how="cross")
    return every.join(frame, on=list(keys), how="left", maintain_order="left").with_columns(
        pl.col("n").fill_null(0)
    )


def _note(data: Data, facts: Facts, setting: str) -> str:
    return f"Protocol: {data.protocol}, scored by {data.scorers[setting]}. Scale: {facts['scale']}."


FIGURES: dict[tuple[str, str], Callable[[Data, Facts], Figure]] = {
    ("mathmist", "cross_ling_accuracy"): _cross_lingual,
    ("mathmist", "code_switch"): _code_switching,
    ("mathmist", "compliance"): partial(_compliance, "mathmist"),
    ("mmath", "figure2"): partial(_matrices, ["thinking"]),
    ("mmath", "figure3"): partial(_matrices, ["answering"]),
    ("mmath", "figure8"): partial(_matrices, ["answering"]),
    ("mmath", "figure10"): partial(_matrices, PARTS),
    ("mmath", "languages"): partial(_matrices, PARTS),
    ("mmath", "compliance"): partial(_compliance, "mmath"),
}
