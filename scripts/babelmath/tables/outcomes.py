"""What became of every response, by model and language: states that sum to n (both papers)."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from babelmath.outcomes import CORRECT_ELSEWHERE, STATES, WRONG_ELSEWHERE, outcome_column
from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table
from babelmath.tables.protocols import without_records
from babelmath.tables.scored import about

KEYS = ["setting", "model", "id", "lang", "sample"]
ALL = "all"


def outcomes(paper: str, data: Data) -> Table:
    """Counts of each state by setting, model and language, and over all languages."""
    cells: list[Cell] = []
    silent: list[tuple[str, str]] = []
    states = state_frame(data)
    labelled = set(data.labels.select("setting", "model").unique().iter_rows())
    for setting, model in data.pairs:
        held = states.filter((pl.col("setting") == setting) & (pl.col("model") == model))
        if held.is_empty():
            silent.append((setting, model))
            continue
        found = [one for one in data.languages if one in set(held["lang"].to_list())]
        for lang in [*found, ALL] if len(found) > 1 else found:
            rows = held if lang == ALL else held.filter(pl.col("lang") == lang)
            name = "all languages" if lang == ALL else data.language_names[lang]
            row = f"{data.models[model].display}, {name}"
            of = about(paper, setting, model, found if lang == ALL else [lang])
            cells.append(Cell(setting, row, "n", rows.height, rows.height, "count", records=of))
            for state in STATES:
                by_language = state in (CORRECT_ELSEWHERE, WRONG_ELSEWHERE)
                told = not by_language or (setting, model) in labelled
                count = rows.filter(pl.col("state") == state).height
                cells.append(
                    Cell(setting, row, state.capitalize(), count if told else None, rows.height,
                         "count", absent="not labelled",
                         records=replace(of, state=(state,)) if told else None)
                )  # fmt: skip
    notes = [
        "Each response is in one state, the first that fits of: truncated; no answer; other "
        "(blocked, unresolved, timed out, unreadable truth); else correct or wrong, parted by "
        "whether the answer is in another language than the one asked for (strict label; und and "
        "mixed are no other language). The states sum to n.",
        "Where a setting's languages are not labelled, correct and wrong are in any language.",
        f"Strict protocol: {_scorers(data)}. A share of correct here counts single responses, "
        "no best of several.",
        *without_records(data, silent),
    ]
    return Table(paper, "outcomes", "What became of every response", "strict", cells, notes,
                 "Model, language")  # fmt: skip


def state_frame(data: Data) -> pl.DataFrame:
    """Verdicts with the state of each response."""
    rows = data.verdicts.join(
        data.labels.select(*KEYS, "strict_answering"), on=KEYS, how="left", maintain_order="left"
    )
    asked = pl.col("setting").replace_strict(
        {name: lang for name, lang in data.answers_in.items() if lang},
        default=None,
        return_dtype=pl.String,
    )
    expected = pl.coalesce(asked, pl.col("lang"))
    state = outcome_column(pl.col("status"), pl.col("strict_answering"), expected)
    return rows.with_columns(state=state)


def _scorers(data: Data) -> str:
    by: dict[str, list[str]] = {}
    for setting in dict.fromkeys(setting for setting, _ in data.pairs):
        by.setdefault(data.scorers[setting], []).append(setting)
    return "; ".join(f"{scorer} ({', '.join(settings)})" for scorer, settings in by.items())
