"""MathMist's tables (arXiv 2510.14305), from the records of a run."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from babelmath.sources import KINDS, SUBDOMAINS
from babelmath.statistics.frames import Measured, deviation_span, mapped, measured
from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table, deviation, number
from babelmath.tables.scored import about, change, over, solved

PAPER = "mathmist"
COLUMNS = (
    ("Numerical", "numerical"),
    ("Symbolic", "symbolic"),
    ("Proof", "proof"),
    ("Overall", None),
)


def accuracy(
    data: Data, setting: str, model: str, lang: str, kind: str | None = None
) -> Measured | None:
    """Percent of problems solved, of all or of one kind; None without records.

    Pass@k of section 4.2, k being all the attempts at a problem: it is solved if one of them is
    correct. With one attempt it is plain accuracy.
    """
    return measured(solved(data, setting, model, [lang], kind))


def accuracy_change(
    data: Data, after: str, before: str, model: str, lang: str, kind: str | None = None
) -> Measured | None:
    """Points between two settings on the same problems."""
    rows = [solved(data, setting, model, [lang], kind) for setting in (after, before)]
    return change(rows[0], rows[1], [lang])


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
            for label, setting in (("Zero-Shot", "zero-shot"), ("CoT", cot)):
                for head, kind in columns:
                    column = label if len(columns) == 1 else f"{label} | {head}"
                    found = accuracy(data, setting, model, lang, kind)
                    records = about(PAPER, setting, model, [lang], kind=kind or "")
                    cells.append(number(block, row, column, found, records))
            for head, kind in columns:
                column = "Change" if len(columns) == 1 else f"Change | {head}"
                found = accuracy_change(data, cot, "zero-shot", model, lang, kind)
                records = about(PAPER, ["zero-shot", cot], model, [lang], kind=kind or "")
                cells.append(number(block, row, column, found, records, "difference"))
    notes = [
        f"CoT is setting {_cot_settings(data)}; change is CoT minus zero-shot, in "
        "points, before rounding.",
        *_notes(data, "zero-shot", *data.cot_columns.values()),
    ]
    return Table(PAPER, name, title, data.protocol, cells, notes, ranked=True)


def zero_shot_mcq(data: Data) -> Table:
    """Multiple choice by kind (tab:zero_shot_mcq)."""
    cells = [
        number(data.language_names[lang], _row(data, model), head,
               accuracy(data, "mcq", model, lang, kind),
               about(PAPER, "mcq", model, [lang], kind=kind or ""))
        for lang in ("bn", "en")
        for model in _models(data, "mcq")
        for head, kind in COLUMNS
        if kind != "proof"
    ]  # fmt: skip
    return Table(PAPER, "zero_shot_mcq", "Multiple choice, zero-shot", data.protocol, cells,
                 _notes(data, "mcq"), ranked=True)  # fmt: skip


def identified(data: Data, model: str, lang: str) -> Measured | None:
    """Percent of true positives of error identification, one attempt each; None without records."""
    return measured(
        data.of_pair("identify", model)
        .filter((pl.col("lang") == lang) & (pl.col("sample") == 0))
        .select("id", score="correct")
    )


def f1(found: Measured | None) -> Measured | None:
    """2TP / (2TP + FP + FN) in percent, from the percent of true positives: the rest of the n is
    false positives and false negatives, whichever, so that it is 2TP / (TP + n)."""
    return None if found is None else mapped(found, lambda rate: 200 * rate / (100 + rate))


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
            detected, found = accuracy(data, "detect", model, lang), identified(data, model, lang)
            flawed = about(PAPER, "identify", model, [lang], sample="0")
            cells += [
                number(block, row, "Error Detection", detected,
                       about(PAPER, "detect", model, [lang])),
                number(block, row, "Identification | TP rate", found, flawed),
                number(block, row, "Identification | F1", f1(found), flawed),
            ]  # fmt: skip
    notes = ["The truth is always YES: every solution shown is flawed.",
             _scored(data, "detect", "identify"), *_attempts(data, "detect")]  # fmt: skip
    if data.samples["identify"] > 1:
        notes.append("Identification counts the first attempt at each problem.")
    return Table(PAPER, "perturbation_eval", "Error detection and identification", data.protocol,
                 cells, notes, ranked=True)  # fmt: skip


def code_switch_breakdown(data: Data) -> Table:
    """Code-switched CoT by kind (tab:code_switch_breakdown)."""
    cells: list[Cell] = []
    for lang in ("bn", "en"):
        block = f"Question {data.language_names[lang]}"
        settings = {"en": f"cs-{lang}-en", "bn": f"cs-{lang}-bn"}
        for model in _models(data, *settings.values()):
            row = _row(data, model)
            for reasoning, setting in settings.items():
                for head, kind in COLUMNS:
                    column = f"CoT {data.language_names[reasoning]} | {head}"
                    found = accuracy(data, setting, model, lang, kind)
                    records = about(PAPER, setting, model, [lang], kind=kind or "")
                    cells.append(number(block, row, column, found, records))
            for head, kind in COLUMNS:
                found = accuracy_change(data, settings["bn"], settings["en"], model, lang, kind)
                records = about(PAPER, [*settings.values()], model, [lang], kind=kind or "")
                cells.append(number(block, row, f"Change | {head}", found, records, "difference"))
    notes = ["Change is reasoning in Bangla minus reasoning in English, in percentage points.",
             *_notes(data, "cs-bn-en", "cs-bn-bn", "cs-en-en", "cs-en-bn")]  # fmt: skip
    return Table(PAPER, "code_switch_breakdown", "Code-switched CoT by kind of problem",
                 data.protocol, cells, notes, ranked=True)  # fmt: skip


def cross_lingual_table(data: Data) -> Table:
    """Accuracy by language, its mean and population deviation (fig:cross_ling_accuracy)."""
    cells: list[Cell] = []
    for model in _models(data, "cross-lingual"):
        row = _row(data, model)
        for lang in data.languages:
            found = accuracy(data, "cross-lingual", model, lang)
            records = about(PAPER, "cross-lingual", model, [lang])
            cells.append(number("", row, data.language_names[lang], found, records, decimals=1))
        every = about(PAPER, "cross-lingual", model, data.languages)
        mean = language_mean(data, model)
        spread = language_deviation(data, model)
        cells.append(number("", row, "Mean", mean, every, decimals=1))
        cells.append(number("", row, "Deviation", spread, every, "points", 1))
    notes = ["Mean and population deviation need all languages; n counts their problems.",
             *_notes(data, "cross-lingual")]  # fmt: skip
    return Table(PAPER, "cross_ling_accuracy", "Zero-shot accuracy across languages",
                 data.protocol, cells, notes, ranked=True)  # fmt: skip


def language_mean(data: Data, model: str) -> Measured | None:
    """Mean accuracy over languages, the same problems in each; None where a language lacks."""
    return over(solved(data, "cross-lingual", model, data.languages), data.languages)


def language_deviation(data: Data, model: str) -> Measured | None:
    """Population standard deviation of accuracy over languages, in points; without an interval
    where a language lacks problems that another has."""
    rows = solved(data, "cross-lingual", model, data.languages)
    columns = {lang: rows.filter(pl.col("cell") == lang) for lang in data.languages}
    parts = [measured(one) for one in columns.values()]
    value = deviation([None if one is None else one.value for one in parts])
    if value is None:
        return None
    alike = len({tuple(one["id"].sort()) for one in columns.values()}) == 1
    each = {lang: one.drop("cell") for lang, one in columns.items()}
    span = deviation_span(each) if alike else None
    return Measured(value, rows.height, span, rows["id"].n_unique())


def cross_lingual_frame(data: Data) -> pl.DataFrame:
    """Accuracy by model and language (fig:cross_ling_accuracy): model, lang, value, low, high,
    n."""
    rows = [
        (data.models[model].display, lang, accuracy(data, "cross-lingual", model, lang))
        for model in _models(data, "cross-lingual")
        for lang in data.languages
    ]
    return plotted(rows, "lang")


def code_switching_frame(data: Data) -> pl.DataFrame:
    """Accuracy by model and language pair (fig:code_switch): model, pair, value, low, high, n."""
    pairs = ("cs-bn-bn", "cs-bn-en", "cs-en-en", "cs-en-bn")
    rows = [
        (data.models[model].display, pair, accuracy(data, pair, model, pair.split("-")[1]))
        for model in _models(data, *pairs)
        for pair in pairs
    ]
    return plotted(rows, "pair")


def plotted(rows: Sequence[tuple[str, str, Measured | None]], key: str) -> pl.DataFrame:
    """Numbers of a figure: model, the key, value, low, high and n; nulls and 0 without records."""
    schema = {"model": pl.String, key: pl.String, "value": pl.Float64, "low": pl.Float64,
              "high": pl.Float64, "n": pl.Int64}  # fmt: skip
    values = [
        (model, name, None, None, None, 0)
        if found is None
        else (model, name, found.value, *(found.span or (None, None)), found.n)
        for model, name, found in rows
    ]
    return pl.DataFrame(values, schema=schema, orient="row")


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
    return [_scored(data, *settings), *_attempts(data, *settings)]


def _scored(data: Data, *settings: str) -> str:
    return f"Scored by {' and '.join(sorted({data.scorers[setting] for setting in settings}))}."


def _attempts(data: Data, *settings: str) -> list[str]:
    attempts = max(data.samples[setting] for setting in settings)
    if attempts == 1:
        return []
    return [f"A problem counts as solved if one of up to {attempts} attempts is correct."]
