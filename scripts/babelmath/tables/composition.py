"""Language composition of solutions that should be in Bangla (MathMist appendix A.3)."""

from __future__ import annotations

import polars as pl

from babelmath.composition import LABELS, MIXED
from babelmath.statistics.frames import measured
from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table, number

QUESTIONS = {"cs-bn-bn": "Bangla", "cs-en-bn": "English"}


def language_composition(setting: str, data: Data) -> Table:
    """Counts and shares of Bangla, English, Chinese and mixed solutions, and of the scripts of the
    mixed ones: four of the paper's eight tables lang_stats, a block a model.
    """
    cells: list[Cell] = []
    for model in [model for one, model in data.pairs if one == setting]:
        rows = data.compositions.filter((pl.col("setting") == setting) & (pl.col("model") == model))
        block = data.models[model].display
        others = sorted(set(rows["label"].to_list()) - set(LABELS))
        for label in (*LABELS, *others):
            _pair(cells, block, label, rows, pl.col("label") == label)
        mixed = rows.filter(pl.col("label") == MIXED)
        found = mixed.group_by("scripts").len().sort(["len", "scripts"], descending=[True, False])
        for scripts in found["scripts"].to_list():
            _pair(cells, block, scripts, mixed, pl.col("scripts") == scripts)
    notes = [
        "Told by the scripts of the letters outside the mathematics; the paper let a model tell.",
        "Shares of script combinations are of the mixed solutions.",
        "Only solutions whose own text is there count.",
    ]
    name = f"lang_stats_{setting.removeprefix('cs-').replace('-', '_')}"
    title = f"Languages of solutions, question in {QUESTIONS[setting]}, CoT in Bangla"
    return Table("mathmist", name, title, "counts", cells, notes, "Language")


def _pair(cells: list[Cell], block: str, row: str, rows: pl.DataFrame, condition: pl.Expr) -> None:
    n = rows.height
    count = rows.filter(condition).height if n else None
    cells.append(Cell(block, row, "Count", count, n, "count"))
    found = measured(rows.select("id", score=condition))
    cells.append(number(block, row, "Proportion", found, decimals=1))
