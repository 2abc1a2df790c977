"""MMATH's tables (arXiv 2505.19126), from the records of a run."""

from __future__ import annotations

import polars as pl

from babelmath.sources import SUBSETS
from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table, mean, share

PAPER = "mmath"


def subset_accuracy(
    data: Data, setting: str, model: str, lang: str, subset: str
) -> tuple[float | None, int]:
    """Percent of correct responses over all samples of a subset's questions, and their number."""
    rows = data.verdicts.filter(
        (pl.col("setting") == setting) & (pl.col("model") == model) & (pl.col("lang") == lang)
    ).join(data.problems.filter(pl.col("subset") == subset).select("id", "lang"), on=["id", "lang"])
    return share(int(rows["correct"].sum()), rows.height), rows.height


def macro(data: Data, setting: str, model: str, lang: str) -> tuple[float | None, int]:
    """Macro average over the subsets that the benchmark holds (section 3.1), and all responses."""
    held = set(data.problems["subset"].to_list())
    parts = [subset_accuracy(data, setting, model, lang, one) for one in SUBSETS if one in held]
    return mean([value for value, _ in parts]), sum(n for _, n in parts)


def consistency(data: Data, setting: str, model: str, part: str) -> tuple[float | None, int]:
    """Percent of responses whose label is the question's language: all languages, questions and
    samples pooled (section 3.1, released code)."""
    rows = data.labels.filter((pl.col("setting") == setting) & (pl.col("model") == model))
    same = rows.filter(pl.col(part) == pl.col("lang")).height
    return share(same, rows.height), rows.height


def target_accuracy(data: Data, model: str, lang: str, target: bool) -> tuple[float | None, int]:
    """Percent correct of AIME2024 responses that think in the question's language, or of those that
    do not (table 4; the subset follows from its single-language rows)."""
    held = data.problems.filter((pl.col("subset") == "AIME2024") & (pl.col("lang") == lang))
    keys = ["setting", "model", "id", "lang", "sample"]
    rows = (
        data.verdicts.filter((pl.col("setting") == "native") & (pl.col("model") == model))
        .join(held.select("id", "lang"), on=["id", "lang"])
        .join(data.labels.select(*keys, "thinking"), on=keys)
        .filter((pl.col("thinking") == pl.col("lang")) == target)
    )
    return share(int(rows["correct"].sum()), rows.height), rows.height


def problem_counts(data: Data) -> Table:
    """Problems by source and language (section 2)."""
    cells: list[Cell] = []
    for lang in data.languages:
        held = data.problems.filter(pl.col("lang") == lang)
        for subset in SUBSETS:
            n = held.filter(pl.col("subset") == subset).height
            cells.append(Cell("", subset, lang.upper(), n, n, "count"))
        cells.append(Cell("", "MMATH", lang.upper(), held.height, held.height, "count"))
    return Table(PAPER, "problems", "Problems by source and language", "counts", cells, [],
                 "Source")  # fmt: skip


def main_results(data: Data) -> Table:
    """Macro-averaged accuracy by model and language (table 2)."""
    cells: list[Cell] = []
    for model in _models(data):
        name = data.models[model]
        values = {lang: macro(data, "native", model, lang) for lang in data.languages}
        cells += [
            Cell("", name.display, lang.upper(), value, n) for lang, (value, n) in values.items()
        ]
        average = mean([value for value, _ in values.values()])
        cells.append(Cell("", name.display, "AVG", average, sum(n for _, n in values.values())))
    notes = [
        "Macro average over the subsets; AVG is the mean over languages.",
        f"Scored by {data.scorers['native']}; n counts responses "
        f"({data.samples['native']} a question).",
    ]
    return Table(PAPER, "table2", "Main results", data.protocol, cells, notes)


def language_consistency(data: Data) -> Table:
    """Language consistency ratio of thinking and answering (table 3): pools all responses."""
    cells: list[Cell] = []
    for model in _models(data):
        for head, part in (("Thinking LCR", "thinking"), ("Answering LCR", "answering")):
            value, n = consistency(data, "native", model, part)
            cells.append(Cell("", data.models[model].display, head, value, n))
    notes = [
        "Share of responses whose detected language is the question's; all languages, questions "
        "and samples are pooled.",
        "A response without a thinking part counts whole as thinking and as answer.",
        "Labels: "
        + (
            "fastText's first label."
            if data.protocol == "paper"
            else "strict; und and mixed count as off, the table label_shares shows them apart."
        ),
    ]
    return Table(PAPER, "table3", "Language consistency ratio", data.protocol, cells, notes)


def matrix_frame(data: Data, part: str) -> pl.DataFrame:
    """Share of each detected language by question language (figures 2 and 3).

    Columns model, question_lang, label, share (percent), n (responses of the question language);
    models and languages in the configuration's order.
    """
    rows = []
    groups = data.labels.filter(pl.col("setting") == "native")
    for model, name in data.models.items():
        for lang in data.languages:
            labels = groups.filter((pl.col("model") == model) & (pl.col("lang") == lang))[part]
            rows += [
                (name.display, lang, label, share(count, labels.len()), labels.len())
                for label, count in labels.value_counts().sort(part).iter_rows()
            ]
    schema = {"model": pl.String, "question_lang": pl.String, "label": pl.String,
              "share": pl.Float64, "n": pl.Int64}  # fmt: skip
    return pl.DataFrame(rows, schema=schema, orient="row")


def _models(data: Data) -> list[str]:
    asked = {model for _, model in data.pairs}
    return [model for model in data.models if model in asked]
