"""MathMist's tables (arXiv 2510.14305), from the records of a run."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from babelmath.estimators import pass_at
from babelmath.sources import KINDS, SUBDOMAINS
from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table, deviation, difference, mean, share

PAPER = "mathmist"
COLUMNS = (
    ("Numerical", "numerical"),
    ("Symbolic", "symbolic"),
    ("Proof", "proof"),
    ("Overall", None),
)


def accuracy(
    data: Data, setting: str, model: str, lang: str, kind: str | None = None
) -> tuple[float | None, int]:
    """Percent of problems solved and their number.

    Pass@k of section 4.2, k being all the attempts at a problem: it is solved if one of them is
    correct. With one attempt it is plain accuracy.
    """
    rows = data.verdicts.filter(
        (pl.col("setting") == setting) & (pl.col("model") == model) & (pl.col("lang") == lang)
    )
    if kind is not None and not rows.is_empty():
        held = data.problems.filter((pl.col("lang") == lang) & (pl.col("kind") == kind))
        rows = rows.join(held.select("id"), on="id", how="semi")
    attempts = rows.group_by("id").agg(pl.len(), pl.col("correct").sum())
    alike = attempts.group_by("len", "correct").agg(problems=pl.len())
    solved = sum(count * pass_at(k, k, right) for k, right, count in alike.iter_rows())
    return share(int(solved), attempts.height), attempts.height


def corpus_stat(data: Data) -> Table:
    """Problems by kind and subdomain of one language, and all artefacts (tab:corpus_stat)."""
    first = data.problems.filter(pl.col("lang") == data.source_languages[0])
    cells: list[Cell] = []

    def count(block: str, row: str, value: int | None) -> None:
        cells.append(Cell(block, row, "Count", value, value or 0, "count"))

    for kind in KINDS:
        group = first.filter(pl.col("kind") == kind)
        unlabelled = group["subdomain"].null_count()
        for subdomain in SUBDOMAINS[kind]:
            labelled = group.filter(pl.col("subdomain") == subdomain).height
            # Where a source labels nothing, no count is known; 0 would be one.
            count(kind.capitalize(), subdomain, labelled if labelled or not unlabelled else None)
        if unlabelled:
            count(kind.capitalize(), "not labelled", unlabelled)
        count(kind.capitalize(), f"Total ({kind.capitalize()})", group.height)
    for lang in data.languages:
        count("All", f"Problems, {data.language_names[lang]}",
              data.problems.filter(pl.col("lang") == lang).height)  # fmt: skip
    count("All", f"Across {len(data.languages)} languages", data.problems.height)
    count("All", "MCQs (all languages)", data.choices)
    count("All", "Perturbed solutions (all languages)", data.perturbed)
    parts = (data.problems.height, data.choices, data.perturbed)
    known = [one for one in parts if one is not None]
    count("All", "Grand total", sum(known) if len(known) == len(parts) else None)
    note = f"Kinds and subdomains are those of {data.language_names[data.source_languages[0]]}."
    return Table(PAPER, "corpus_stat", "Corpus statistics", "counts", cells, [note], "Part")


def zero_cot(data: Data) -> Table:
    """Zero-shot against CoT, overall (tab:zero_cot)."""
    return _against(data, "zero_cot", "Zero-shot against CoT", (("Overall", None),))


def zero_cot_by_kind(data: Data) -> Table:
    """Zero-shot against CoT by kind (tab:zero_cot_en_bn_category_wise)."""
    return _against(
        data, "zero_cot_en_bn_category_wise", "Zero-shot against CoT by kind of problem", COLUMNS
    )


def _against(
    data: Data, name: str, title: str, columns: tuple[tuple[str, str | None], ...]
) -> Table:
    cells: list[Cell] = []
    for lang in ("bn", "en"):
        block = data.language_names[lang]
        cot = data.cot_columns[lang]
        for model in _models(data, "zero-shot", cot):
            row = _row(data, model)
            before = {
                head: accuracy(data, "zero-shot", model, lang, kind) for head, kind in columns
            }
            after = {head: accuracy(data, cot, model, lang, kind) for head, kind in columns}
            for label, values in (("Zero-Shot", before), ("CoT", after)):
                for head, (value, n) in values.items():
                    column = label if len(columns) == 1 else f"{label} | {head}"
                    cells.append(Cell(block, row, column, value, n))
            cells += [
                Cell(block, row, "Change" if len(columns) == 1 else f"Change | {head}",
                     difference(after[head][0], before[head][0]), after[head][1], "difference")
                for head, _ in columns
            ]  # fmt: skip
    notes = [
        f"CoT is setting {_cot_settings(data)}; change is CoT minus zero-shot, in "
        "points, before rounding.",
        *_notes(data, "zero-shot", *data.cot_columns.values()),
    ]
    return Table(PAPER, name, title, data.protocol, cells, notes)


def zero_shot_mcq(data: Data) -> Table:
    """Multiple choice by kind (tab:zero_shot_mcq)."""
    cells = []
    for lang in ("bn", "en"):
        for model in _models(data, "mcq"):
            for head, kind in COLUMNS:
                if kind != "proof":
                    value, n = accuracy(data, "mcq", model, lang, kind)
                    cells.append(Cell(data.language_names[lang], _row(data, model), head, value, n))
    return Table(PAPER, "zero_shot_mcq", "Multiple choice, zero-shot", data.protocol, cells,
                 _notes(data, "mcq"))  # fmt: skip


@dataclass(frozen=True)
class Identified:
    """True positives and false positives of error identification; the rest is false negatives."""

    right: int
    false_positives: int
    n: int

    @property
    def f1(self) -> float:
        """2TP / (2TP + FP + FN), in percent."""
        return 200 * self.right / (self.right + self.n)


def identified(data: Data, model: str, lang: str) -> Identified | None:
    """Identification of one model in one language; None without records."""
    rows = data.verdicts.filter(
        (pl.col("setting") == "identify")
        & (pl.col("model") == model)
        & (pl.col("lang") == lang)
        & (pl.col("sample") == 0)
    )
    if rows.is_empty():
        return None
    false_positives = rows.filter(pl.col("decision") == "FP").height
    return Identified(int(rows["correct"].sum()), false_positives, rows.height)


def perturbation_eval(data: Data) -> Table:
    """Error detection and identification (tab:perturbation_eval).

    Detection: share of flawed solutions called flawed. Identification: share of true positives;
    F1 = 2TP / (2TP + FP + FN), where every problem without a true or false positive is a false
    negative (no answer, unresolved).
    """
    cells: list[Cell] = []
    for lang in ("bn", "en"):
        block = data.language_names[lang]
        for model in _models(data, "detect", "identify"):
            row = _row(data, model)
            detected, n = accuracy(data, "detect", model, lang)
            cells.append(Cell(block, row, "Error Detection", detected, n))
            found = identified(data, model, lang)
            rate = None if found is None else share(found.right, found.n)
            n = 0 if found is None else found.n
            cells.append(Cell(block, row, "Identification | TP rate", rate, n))
            f1 = None if found is None else found.f1
            cells.append(Cell(block, row, "Identification | F1", f1, n))
    notes = ["The truth is always YES: every solution shown is flawed.",
             *_notes(data, "detect", "identify")]  # fmt: skip
    return Table(PAPER, "perturbation_eval", "Error detection and identification", data.protocol,
                 cells, notes)  # fmt: skip


def code_switch_breakdown(data: Data) -> Table:
    """Code-switched CoT by kind (tab:code_switch_breakdown)."""
    cells: list[Cell] = []
    for lang in ("bn", "en"):
        block = f"Question {data.language_names[lang]}"
        settings = {"en": f"cs-{lang}-en", "bn": f"cs-{lang}-bn"}
        for model in _models(data, *settings.values()):
            values = {
                (reasoning, head): accuracy(data, setting, model, lang, kind)
                for reasoning, setting in settings.items()
                for head, kind in COLUMNS
            }
            row = _row(data, model)
            cells += [
                Cell(block, row, f"CoT {data.language_names[reasoning]} | {head}", value, n)
                for (reasoning, head), (value, n) in values.items()
            ]
            cells += [
                Cell(block, row, f"Change | {head}",
                     difference(values["bn", head][0], values["en", head][0]),
                     values["bn", head][1], "difference")
                for head, _ in COLUMNS
            ]  # fmt: skip
    notes = ["Change is reasoning in Bangla minus reasoning in English, in percentage points.",
             *_notes(data, "cs-bn-en", "cs-bn-bn", "cs-en-en", "cs-en-bn")]  # fmt: skip
    return Table(PAPER, "code_switch_breakdown", "Code-switched CoT by kind of problem",
                 data.protocol, cells, notes)  # fmt: skip


def cross_lingual_table(data: Data) -> Table:
    """Accuracy by language, its mean and population deviation (fig:cross_ling_accuracy)."""
    cells: list[Cell] = []
    for model in _models(data, "cross-lingual"):
        values = {lang: accuracy(data, "cross-lingual", model, lang) for lang in data.languages}
        row = _row(data, model)
        cells += [
            Cell("", row, data.language_names[lang], value, n, "percent", 1)
            for lang, (value, n) in values.items()
        ]
        found = [value for value, _ in values.values()]
        n = 0 if None in found else sum(count for _, count in values.values())
        cells.append(Cell("", row, "Mean", mean(found), n, "percent", 1))
        cells.append(Cell("", row, "Deviation", deviation(found), n, "percent", 1))
    notes = ["Mean and population deviation need all languages; n counts their problems.",
             *_notes(data, "cross-lingual")]  # fmt: skip
    return Table(PAPER, "cross_ling_accuracy", "Zero-shot accuracy across languages",
                 data.protocol, cells, notes)  # fmt: skip


def cross_lingual_frame(data: Data) -> pl.DataFrame:
    """Accuracy by model and language (fig:cross_ling_accuracy): model, lang, value, n."""
    rows = []
    for model in _models(data, "cross-lingual"):
        for lang in data.languages:
            value, n = accuracy(data, "cross-lingual", model, lang)
            rows.append((data.models[model].display, lang, value, n))
    schema = {"model": pl.String, "lang": pl.String, "value": pl.Float64, "n": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def code_switching_frame(data: Data) -> pl.DataFrame:
    """Accuracy by model and language pair (fig:code_switch): model, pair, value, n."""
    rows = []
    pairs = ("cs-bn-bn", "cs-bn-en", "cs-en-en", "cs-en-bn")
    for model in _models(data, *pairs):
        for pair in pairs:
            value, n = accuracy(data, pair, model, pair.split("-")[1])
            rows.append((data.models[model].display, pair, value, n))
    schema = {"model": pl.String, "pair": pl.String, "value": pl.Float64, "n": pl.Int64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _models(data: Data, *settings: str) -> list[str]:
    asked = {model for setting, model in data.pairs if setting in settings}
    return [model for model in data.models if model in asked]


def _cot_settings(data: Data) -> str:
    """`cot`, or which setting stands for it in which language."""
    used = list(dict.fromkeys(data.cot_columns.values()))
    if len(used) == 1:
        return f"`{used[0]}`"
    return " and ".join(
        f"`{setting}` ({data.language_names[lang]})" for lang, setting in data.cot_columns.items()
    )


def _row(data: Data, model: str) -> str:
    name = data.models[model]
    return f"{name.display} ({name.parameters})" if name.parameters else name.display


def _notes(data: Data, *settings: str) -> list[str]:
    scorers = sorted({data.scorers[setting] for setting in settings})
    attempts = max(data.samples[setting] for setting in settings)
    notes = [f"Scored by {' and '.join(scorers)}."]
    if attempts > 1:
        notes.append(f"A problem counts as solved if one of up to {attempts} attempts is correct.")
    return notes
