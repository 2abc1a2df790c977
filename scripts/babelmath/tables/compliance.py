"""Accuracy beside language compliance, by model and language: a figure that the papers lack."""

from __future__ import annotations

import polars as pl

from babelmath.statistics.frames import Measured, measured
from babelmath.tables import mathmist, mmath
from babelmath.tables.data import Data

FRAME = {"model": pl.String, "lang": pl.String, "compliance": pl.Float64,
         "compliance_low": pl.Float64, "compliance_high": pl.Float64, "value": pl.Float64,
         "low": pl.Float64, "high": pl.Float64, "n": pl.Int64}  # fmt: skip


def compliance_frame(paper: str, data: Data) -> pl.DataFrame:
    """By model and language: how many answers are in the language asked for, how many right.

    Compliance is the share of responses whose answer has the strict label of the language asked for
    (the setting's reasoning language, else the question's); und and mixed do not comply. Accuracy
    is the paper's own: of problems (MathMist), or the macro average (MMATH). Models without labels,
    and languages without records, have no row.
    """
    rows = []
    for setting, model in data.pairs:
        for lang in data.languages:
            comply = _compliance(data, setting, model, lang)
            right = _accuracy(paper, data, setting, model, lang)
            if comply is not None and right is not None:
                ends = (comply.span or (None, None)), (right.span or (None, None))
                rows.append((data.models[model].display, lang, comply.value, *ends[0],
                             right.value, *ends[1], comply.n))  # fmt: skip
    return pl.DataFrame(rows, schema=FRAME, orient="row")


def _compliance(data: Data, setting: str, model: str, lang: str) -> Measured | None:
    rows = data.labels.filter(
        (pl.col("setting") == setting) & (pl.col("model") == model) & (pl.col("lang") == lang)
    )
    wanted = data.answers_in.get(setting) or lang
    return measured(rows.select("id", score=pl.col("strict_answering") == wanted))


def _accuracy(paper: str, data: Data, setting: str, model: str, lang: str) -> Measured | None:
    if paper == mmath.PAPER:
        return mmath.macro(data, setting, model, [lang])
    return mathmist.accuracy(data, setting, model, lang)
