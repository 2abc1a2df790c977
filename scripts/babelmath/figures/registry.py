"""Figure functions by paper and name: each from the records to a figure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import polars as pl
from matplotlib.figure import Figure

from babelmath.figures.accuracy import cross_lingual
from babelmath.figures.matrices import language_matrices
from babelmath.figures.switching import code_switching
from babelmath.tables import mathmist, mmath
from babelmath.tables.data import Data

Facts = Mapping[str, Any]


def _cross_lingual(data: Data, facts: Facts) -> Figure:
    frame = mathmist.cross_lingual_frame(data)
    labels = pl.col("lang").replace_strict(facts["native_names"]).alias("lang_label")
    return cross_lingual(frame.with_columns(labels), _note(data, facts, "cross-lingual"))


def _code_switching(data: Data, facts: Facts) -> Figure:
    return code_switching(mathmist.code_switching_frame(data), _note(data, facts, "cs-bn-en"))


def _matrices(part: str) -> Callable[[Data, Facts], Figure]:
    def draw(data: Data, facts: Facts) -> Figure:
        frame = mmath.matrix_frame(data, "native", part, mmath.models_of(data, "native"))
        labels = pl.col("question_lang").replace_strict(facts["native_names"]).alias("lang_label")
        note = f"Protocol: {data.protocol} language labels. Scale: {facts['scale']}."
        return language_matrices(frame.with_columns(labels), note)

    return draw


def _note(data: Data, facts: Facts, setting: str) -> str:
    return f"Protocol: {data.protocol}, scored by {data.scorers[setting]}. Scale: {facts['scale']}."


FIGURES: dict[tuple[str, str], Callable[[Data, Facts], Figure]] = {
    ("mathmist", "cross_ling_accuracy"): _cross_lingual,
    ("mathmist", "code_switch"): _code_switching,
    ("mmath", "figure2"): _matrices("thinking"),
    ("mmath", "figure3"): _matrices("answering"),
}
