"""How many exact answers a rule can compare with (both papers)."""

from __future__ import annotations

import polars as pl

from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table

COLUMNS = (
    ("Exact answers", pl.lit(True)),
    ("Read by rule", pl.col("parsed")),
    ("Equal to itself", pl.col("equals_itself")),
    ("Left to the judge", ~(pl.col("parsed") & pl.col("equals_itself"))),
)


def golds(paper: str, data: Data) -> Table:
    """Exact answers by language: read as mathematics or a known word, and equal to themselves."""
    cells = []
    for lang in data.languages:
        held = data.golds.filter(pl.col("lang") == lang)
        for head, condition in COLUMNS:
            count = held.filter(condition).height
            cells.append(Cell("", data.language_names[lang], head, count, held.height, "count"))
    notes = [
        "Checked before anything is asked. Those left to the judge are named in golds.csv with the "
        "reason; where no judge is configured, their responses are unparsed_gold unless word for "
        "word the same.",
    ]
    title = "Exact answers that rules can read"
    return Table(paper, "golds", title, "counts", cells, notes, "Language")
