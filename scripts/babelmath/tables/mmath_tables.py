"""MMATH's tables (arXiv 2505.19126), from the records of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import polars as pl

from babelmath.sources import SUBSETS
from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table, number
from babelmath.tables.mmath import (
    NATIVE,
    PAPER,
    consistency,
    held_subsets,
    macro,
    models_of,
    subset_accuracy,
    target_accuracy,
)
from babelmath.tables.scored import about

ELICITED = ("atp", "dit", "qrt")
PARTS = (("Thinking LCR", "thinking"), ("Answering LCR", "answering"))
OVER = "Macro average over the subsets; AVG is the mean over languages."


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
    cells = [
        cell
        for model in models_of(data, NATIVE)
        for cell in _by_language(data, "", data.models[model].display, NATIVE, model)
    ]
    return Table(PAPER, "table2", "Main results", data.protocol, cells,
                 [OVER, _scored(data, NATIVE)], ranked=True)  # fmt: skip


def language_consistency(data: Data) -> Table:
    """Language consistency ratio of thinking and answering (table 3): pools all responses."""
    cells = [
        cell
        for model in models_of(data, NATIVE)
        for cell in _ratios(data, "", data.models[model].display, NATIVE, model)
    ]
    return Table(PAPER, "table3", "Language consistency ratio", data.protocol, cells,
                 _label_notes(data), ranked=True)  # fmt: skip


def target_thinking(data: Data) -> Table:
    """Accuracy where the thinking is in the question's language and where it is not (table 4)."""
    cells: list[Cell] = []
    for model in models_of(data, NATIVE):
        asked = set(data.of_pair(NATIVE, model).to_dict(as_series=False).get("lang", ()))
        for row, target, word in (("Target", True, "on"), ("Off-target", False, "off")):
            block = data.models[model].display
            for head, langs in _columns(data):
                found = target_accuracy(data, model, langs, target)
                records = about(PAPER, NATIVE, model, langs, subset="AIME2024", target=word)
                absent = "N/A" if asked & set(langs) else "no records"
                cells.append(number(block, row, head, found, records, decimals=0, absent=absent))
    notes = [
        "AIME2024 alone: the paper's single-language rows are those cells. AVG is the mean over "
        "the languages that have such responses.",
        "N/A: no response thinks so. A response without a thinking part counts whole as thinking.",
        _scored(data, NATIVE),
        _labels(data),
    ]
    title = "Accuracy by language of thinking, target and off-target"
    return Table(PAPER, "table4", title, data.protocol, cells, notes, "Type", ranked=True)


def elicitation_accuracy(data: Data) -> Table:
    """Accuracy under the elicitation strategies (table 5): ATP, DIT and QRT beside native."""
    cells = [
        cell
        for model, settings in _elicited(data)
        for setting in settings
        for cell in _by_language(
            data, data.models[model].display, _strategy(setting), setting, model
        )
    ]
    notes = [OVER, _scored(data, NATIVE, *ELICITED),
             "Paired tests of each strategy against native: `tests_settings`."]  # fmt: skip
    return Table(PAPER, "table5", "Accuracy by elicitation strategy", data.protocol, cells, notes,
                 "Strategy", ranked=True)  # fmt: skip


def elicitation_consistency(data: Data) -> Table:
    """Language consistency under the elicitation strategies (table 6)."""
    cells = [
        cell
        for model, settings in _elicited(data)
        for setting in settings
        for cell in _ratios(data, data.models[model].display, _strategy(setting), setting, model)
    ]
    title = "Language consistency by elicitation strategy"
    return Table(PAPER, "table6", title, data.protocol, cells, _label_notes(data), "Strategy",
                 ranked=True)  # fmt: skip


def training_accuracy(data: Data) -> Table:
    """Accuracy of trained models beside the one they were trained from (table 7)."""
    cells: list[Cell] = []
    for base, trained in _families(data):
        block = data.models[base].display
        cells += _by_language(data, block, "Base", NATIVE, base)
        for model in trained:
            cells += _by_language(data, block, data.models[model].display, NATIVE, model)
    return Table(PAPER, "table7", "Accuracy by training strategy", data.protocol, cells,
                 [OVER, _scored(data, NATIVE)], "Training", ranked=True)  # fmt: skip


def training_consistency(data: Data) -> Table:
    """Language consistency of trained models (table 8)."""
    cells = [
        cell
        for base, trained in _families(data)
        for model in trained
        for cell in _ratios(
            data, data.models[base].display, data.models[model].display, NATIVE, model
        )
    ]
    title = "Language consistency by training strategy"
    return Table(PAPER, "table8", title, data.protocol, cells, _label_notes(data), "Training",
                 ranked=True)  # fmt: skip


def subset_results(data: Data) -> Table:
    """Accuracy by subset, model and language (table 13)."""
    rows = [(model, data.models[model].display) for model in models_of(data, NATIVE)]
    return _by_subset(data, "table13", "Results by subset", rows)


def training_by_subset(data: Data) -> Table:
    """Accuracy of trained models by subset and language (table 14)."""
    rows = [
        (model, data.models[model].display) for _, trained in _families(data) for model in trained
    ]
    return _by_subset(data, "table14", "Training by subset", rows)


def _by_subset(data: Data, name: str, title: str, rows: Sequence[tuple[str, str]]) -> Table:
    cells: list[Cell] = []
    for subset in held_subsets(data):
        for model, row in rows:
            for head, langs in _columns(data):
                found = subset_accuracy(data, NATIVE, model, langs, subset)
                records = about(PAPER, NATIVE, model, langs, subset=subset)
                cells.append(number(subset, row, head, found, records))
    for model, row in rows:
        cells += _by_language(data, "MMATH", row, NATIVE, model)
    notes = ["MMATH: macro average over the subsets. AVG is the mean over languages.",
             _scored(data, NATIVE)]  # fmt: skip
    return Table(PAPER, name, title, data.protocol, cells, notes, ranked=True)


def _by_language(data: Data, block: str, row: str, setting: str, model: str) -> Iterator[Cell]:
    """Macro averages by language, and their mean over languages."""
    for head, langs in _columns(data):
        records = about(PAPER, setting, model, langs)
        yield number(block, row, head, macro(data, setting, model, langs), records)


def _ratios(data: Data, block: str, row: str, setting: str, model: str) -> Iterator[Cell]:
    for head, part in PARTS:
        records = about(PAPER, setting, model, ())
        yield number(block, row, head, consistency(data, setting, model, part), records)


def _columns(data: Data) -> list[tuple[str, tuple[str, ...]]]:
    return [*((lang.upper(), (lang,)) for lang in data.languages), ("AVG", data.languages)]


def _elicited(data: Data) -> list[tuple[str, list[str]]]:
    """Models with an elicitation strategy, and the settings that they were asked in."""
    return [
        (model, [one for one in (NATIVE, *ELICITED) if (one, model) in data.pairs])
        for model in models_of(data, *ELICITED)
    ]


def _families(data: Data) -> list[tuple[str, list[str]]]:
    """Models that others were trained from, with those."""
    found: dict[str, list[str]] = {}
    for model, base in data.trained.items():
        found.setdefault(base, []).append(model)
    return list(found.items())


def _strategy(setting: str) -> str:
    return "Native" if setting == NATIVE else setting.upper()


def _scored(data: Data, *settings: str) -> str:
    held = [one for one in settings if one in data.scorers]
    scorers = dict.fromkeys(data.scorers[one] for one in held)
    each = {one: data.samples[one] for one in held}
    if len(set(each.values())) == 1:
        told = f"{each[held[0]]} a question"
    else:
        told = ", ".join(f"{one} {count}" for one, count in each.items()) + " a question"
    return f"Scored by {' and '.join(scorers)}; n counts responses ({told})."


def _label_notes(data: Data) -> list[str]:
    return [
        "Share of responses whose detected language is the question's; all languages, questions "
        "and samples are pooled.",
        "A response without a thinking part counts whole as thinking and as answer.",
        _labels(data),
    ]


def _labels(data: Data) -> str:
    if data.protocol == "paper":
        return "Labels: fastText's first label."
    return "Labels: strict; und and mixed count as off, the table label_shares shows them apart."
