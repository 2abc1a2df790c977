"""The paper's protocol against the strict one: shares of correct responses, and what strict says.

Of both papers: what reproduces their numbers (paper) and what corrects its quirks (strict).
"""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from babelmath.scorers import protocol_scorers
from babelmath.selection import Records
from babelmath.statistics.frames import difference, measured
from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table, number
from babelmath.tables.scored import about

STATUSES = (
    ("Correct", "correct"),
    ("Wrong", "wrong"),
    ("No answer", "no_answer"),
    ("Truncated", "truncated"),
    ("Blocked", "blocked"),
    ("Unresolved", "unresolved"),
    ("Time-out", "timeout"),
    ("Unreadable truth", "unparsed_gold"),
)


def protocols(paper: str, data: Data) -> Table:
    """Accuracy under both protocols, their difference, and the strict statuses, by setting."""
    cells: list[Cell] = []
    silent: list[tuple[str, str]] = []
    used: dict[tuple[str, str], list[str]] = {}
    for setting, model in data.pairs:
        names = protocol_scorers([one for at, _, one in data.scored if at == setting])
        if names is None:
            continue
        if setting not in used.setdefault(names, []):
            used[names].append(setting)
        rows = data.scores.filter((pl.col("setting") == setting) & (pl.col("model") == model))
        if rows.is_empty():
            silent.append((setting, model))
        else:
            cells += _row(
                setting, data.models[model].display, rows, names, about(paper, setting, model, ())
            )
    by = [f"{one} and {two} ({', '.join(at)})" for (one, two), at in used.items()]
    notes = [
        "Shares of all responses, languages and samples pooled: neither a macro average nor the "
        "best of several attempts. Change is strict minus paper, in points.",
        "The other columns count the strict protocol's statuses; they add up to n.",
        f"Scorers, paper and strict: {'; '.join(by) or 'none'}.",
        *without_records(data, silent),
    ]
    title = "The paper's protocol against the strict one"
    return Table(paper, "protocols", title, "paper and strict", cells, notes)


def without_records(data: Data, silent: list[tuple[str, str]]) -> list[str]:
    """A note that names the settings and models of which there is nothing to show."""
    by_model: dict[str, list[str]] = {}
    for setting, model in silent:
        by_model.setdefault(data.models[model].display, []).append(setting)
    told = [f"{name} ({', '.join(settings)})" for name, settings in by_model.items()]
    return [f"No records: {'; '.join(told)}."] if told else []


def _row(
    setting: str, row: str, rows: pl.DataFrame, names: tuple[str, str], of: Records
) -> list[Cell]:
    paper, strict = (
        rows.filter(pl.col("scorer") == name).select("id", "status", score="correct")
        for name in names
    )
    n = strict.height
    first, second = (replace(of, scorer=(name,)) for name in names)
    return [
        Cell(setting, row, "n", n, n, "count", records=of),
        number(setting, row, "Paper", measured(paper), first),
        number(setting, row, "Strict", measured(strict), second),
        number(setting, row, "Change", difference(strict, paper), of, "difference"),
        *(
            Cell(setting, row, head, strict.filter(pl.col("status") == one).height, n, "count",
                 records=replace(second, status=(one,)))
            for head, one in STATUSES
        ),
    ]  # fmt: skip
