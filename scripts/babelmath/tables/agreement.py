"""Agreement of judges with the strict rule and with each other (MathMist section 4.2)."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from babelmath.agreement import Agreement, agreement
from babelmath.scorers import compared_scorers
from babelmath.statistics.shares import Span
from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table
from babelmath.tables.protocols import without_records

RIGHT = ("YES", "TP")
RESPONSE = ["id", "lang", "sample"]

ABSENT = "none decided"  # by both


def judge_agreement(paper: str, data: Data) -> Table:
    """Share of equal decisions and Cohen's kappa, one block a pair of scorers."""
    cells: list[Cell] = []
    silent: list[tuple[str, str]] = []
    pairs: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for setting, model in data.pairs:
        scorers = [one for a, b, one in data.scored if (a, b) == (setting, model)]
        for pair in compared_scorers(scorers):
            pairs.setdefault(pair, []).append((setting, model))
    for pair, places in pairs.items():
        for setting, model in places:
            rows = data.scores.filter((pl.col("setting") == setting) & (pl.col("model") == model))
            if rows.is_empty():
                silent.append((setting, model))
                continue
            found, left_out = compare(rows, *pair)
            name = f"{data.models[model].display}, {setting}"
            cells += _row(f"{pair[0]} and {pair[1]}", name, found, left_out)
    notes = [
        "n: responses on which both decided; left out: those with a verdict of both, on which one "
        "did not. A judge decides by its word; the rule where its status is correct or wrong and "
        "no judge decided in its place.",
        "First and second: only this scorer calls the response correct. Two judges whose names "
        "differ in -strict alone are one judge, its replies read in two ways.",
        "Intervals take the responses to one problem as a cluster: that of kappa by the delta "
        "method.",
        "Kappa is undefined where both give one and the same decision throughout; it has no "
        "interval where they agree throughout or one of them never varies.",
        *without_records(data, list(dict.fromkeys(silent))),
    ]
    return Table(paper, "judge_agreement", "Agreement of judges and rules", "paper and strict",
                 cells, notes, "Model, setting")  # fmt: skip


def compare(rows: pl.DataFrame, first: str, second: str) -> tuple[Agreement, int]:
    """Agreement of two scorers of one setting and model, and how many responses it leaves out."""
    one, two = (_decisions(rows, name) for name in (first, second))
    held = one.join(two, on=RESPONSE, suffix="_second").sort(RESPONSE)
    decided = held.drop_nulls()
    triples = decided.select("id", "right", "right_second").rows()
    return agreement(triples), held.height - decided.height


def _decisions(rows: pl.DataFrame, scorer: str) -> pl.DataFrame:
    """(response, right): right is null where the scorer did not decide by itself."""
    own = rows.filter(pl.col("scorer") == scorer)
    if scorer.startswith("judge-"):
        right = pl.when(pl.col("decision").is_not_null()).then(pl.col("decision").is_in(RIGHT))
    else:
        by_rule = pl.col("status").is_in(("correct", "wrong")) & pl.col("decision").is_null()
        right = pl.when(by_rule).then(pl.col("correct"))
    return own.select(*RESPONSE, right=right)


def _row(block: str, row: str, found: Agreement, left_out: int) -> list[Cell]:
    n = found.n
    counts = (("n", n), ("Left out", left_out), ("Both", found.both), ("First", found.first),
              ("Second", found.second), ("Neither", found.neither))  # fmt: skip
    share = None if found.share is None else 100 * found.share
    low, high = (None, None) if found.share_span is None else found.share_span
    ends = None if low is None or high is None else (100 * low, 100 * high)
    return [
        *(Cell(block, row, head, value, n, "count") for head, value in counts),
        _with_ends(Cell(block, row, "Agreement", share, n, absent=ABSENT), ends),
        _with_ends(Cell(block, row, "Kappa", found.kappa, n, "coefficient", 3, ABSENT),
                   found.kappa_span),
    ]  # fmt: skip


def _with_ends(cell: Cell, span: Span | None) -> Cell:
    return cell if span is None else replace(cell, low=span[0], high=span[1])
