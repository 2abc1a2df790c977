"""What MMATH's tables and figures count (arXiv 2505.19126), from the records of a run."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from babelmath.sources import SUBSETS
from babelmath.statistics.frames import Measured, measured
from babelmath.tables.data import Data
from babelmath.tables.frame import share
from babelmath.tables.scored import over, responses

PAPER = "mmath"
NATIVE = "native"


def held_subsets(data: Data) -> list[str]:
    """The subsets that the benchmark holds, in the paper's order."""
    held = set(data.problems["subset"].to_list())
    return [one for one in SUBSETS if one in held]


def subset_accuracy(
    data: Data, setting: str, model: str, langs: Sequence[str], subset: str
) -> Measured | None:
    """Percent of correct responses over all samples of a subset's questions; the mean over
    languages where there are several. None where one of them has no records."""
    return over(responses(data, setting, model, langs, [subset]), langs, [subset])


def macro(data: Data, setting: str, model: str, langs: Sequence[str]) -> Measured | None:
    """Macro average over the subsets that the benchmark holds (section 3.1), n being all
    responses; the mean over languages where there are several. None where a part has no records."""
    subsets = held_subsets(data)
    return over(responses(data, setting, model, langs, subsets), langs, subsets)


def consistency(data: Data, setting: str, model: str, part: str) -> Measured | None:
    """Percent of responses whose label is the question's language: all languages, questions and
    samples pooled (section 3.1, released code)."""
    rows = data.labels.filter((pl.col("setting") == setting) & (pl.col("model") == model))
    return measured(rows.select("id", score=pl.col(part) == pl.col("lang")))


def target_accuracy(data: Data, model: str, langs: Sequence[str], target: bool) -> Measured | None:
    """Percent correct of AIME2024 responses that think in the question's language, or of those that
    do not (table 4; the subset follows from its single-language rows).

    The mean over the languages that have such responses, as the paper averages.
    """
    held = data.problems.filter((pl.col("subset") == "AIME2024") & pl.col("lang").is_in(langs))
    keys = ["setting", "model", "id", "lang", "sample"]
    rows = (
        data.verdicts.filter((pl.col("setting") == NATIVE) & (pl.col("model") == model))
        .join(held.select("id", "lang"), on=["id", "lang"])
        .join(data.labels.select(*keys, "thinking"), on=keys)
        .filter((pl.col("thinking") == pl.col("lang")) == target)
    )
    return measured(rows.select("id", score="correct", cell="lang"))


def matrix_frame(data: Data, setting: str, part: str, models: Sequence[str]) -> pl.DataFrame:
    """Share of each detected language by question language (figures 2, 3, 8 and 10).

    Columns model, question_lang, label, share (percent), n (responses of the question language);
    models and languages in the order given.
    """
    rows = []
    groups = data.labels.filter(pl.col("setting") == setting)
    for model in models:
        for lang in data.languages:
            labels = groups.filter((pl.col("model") == model) & (pl.col("lang") == lang))[part]
            rows += [
                (data.models[model].display, lang, label, share(count, labels.len()), labels.len())
                for label, count in labels.value_counts().sort(part).iter_rows()
            ]
    schema = {"model": pl.String, "question_lang": pl.String, "label": pl.String,
              "share": pl.Float64, "n": pl.Int64}  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def models_of(data: Data, *settings: str) -> list[str]:
    """The models that any of these settings asks, but those trained for the training study."""
    asked = {model for setting, model in data.pairs if setting in settings}
    return [model for model in data.models if model in asked and model not in data.trained]
