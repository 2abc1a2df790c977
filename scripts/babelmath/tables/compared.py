"""The papers' comparisons with other benchmarks: facts as printed, and this run's own row."""

from __future__ import annotations

import polars as pl

from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table, text

# Columns of tab:data_comparison that say what a run has: the settings of which one is enough.
TASKS = {
    "MCQ": ("mcq",),
    "CoT": ("cot",),
    "CS-CoT": ("cs-bn-en", "cs-bn-bn", "cs-en-en", "cs-en-bn"),
    "Perturb. Reasoning": ("detect", "identify"),
}
NOTE = ("Facts on other benchmarks as the paper prints them (config/printed/claims.csv); the last "
        "row counts this run.")  # fmt: skip


def mathmist_comparison(data: Data) -> Table:
    """MathMist beside other benchmarks (tab:data_comparison)."""
    cells = _printed(data, "mathmist", "tab:data_comparison")
    row = "MathMist (this run)"
    parts = (data.problems.height, data.choices or 0, data.perturbed or 0)
    cells.append(_count(row, "Lang.", len(data.languages)))
    cells.append(_count(row, "Size", sum(parts)))
    for column, settings in TASKS.items():
        cells.append(text("", row, column, _yes(any(s in data.configured for s in settings))))
    cells.append(text("", row, "Parallel", _yes(len(data.languages) > 1)))
    notes = [NOTE, "Size of this run: problems of all languages, multiple-choice items and flawed "
             "solutions."]  # fmt: skip
    named = zip(("multiple-choice items", "flawed solutions"), parts[1:], strict=True)
    notes += [f"The run has no records of {name}: its size is without them."
              for name, count in named if not count]  # fmt: skip
    title = "MathMist and other benchmarks"
    return Table("mathmist", "data_comparison", title, "counts", cells, notes, "Benchmark")


def mmath_comparison(data: Data) -> Table:
    """MMATH beside other benchmarks (table 1)."""
    cells = _printed(data, "mmath", "table1")
    row = "MMATH (this run)"
    each = data.problems.filter(pl.col("lang") == data.languages[0]).height
    cells += [
        _count(row, "#Languages", len(data.languages)),
        _count(row, "#Problems", each),
        text("", row, "Difficulty", "Mixed"),
    ]
    notes = [NOTE, "#Problems are those of one language."]
    return Table("mmath", "table1", "MMATH and other benchmarks", "counts", cells, notes,
                 "Benchmark")  # fmt: skip


def _printed(data: Data, paper: str, where: str) -> list[Cell]:
    held = data.claims.filter((pl.col("paper") == paper) & (pl.col("where") == where))
    return [
        _count(one["row"], one["column"], int(one["printed"]))
        if one["printed"].isdecimal()
        else text("", one["row"], one["column"], one["printed"])
        for one in held.iter_rows(named=True)
    ]


def _count(row: str, column: str, value: int) -> Cell:
    return Cell("", row, column, value, value, "count")


def _yes(held: bool) -> str:
    return "yes" if held else "no"
