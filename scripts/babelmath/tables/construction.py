"""How well each building step went: translation, choices, perturbation."""

from __future__ import annotations

import polars as pl

from babelmath.tables.data import Data
from babelmath.tables.frame import Cell, Table, Unit


def construction_outcomes(paper: str, data: Data) -> Table:
    """What the models built by themselves, and what corrections replaced (both papers)."""
    cells: list[Cell] = []
    columns: tuple[tuple[str, str], ...] = (
        ("Accepted", "accepted"),
        ("Corrected by the verifier", "corrected"),
        ("Carried over", "carried"),
        ("Unresolved", "unresolved"),
    )
    groups = data.constructions.group_by(["stage", "lang", "field"], maintain_order=True)
    for (stage, lang, part), rows in groups:
        block = str(stage).capitalize()
        name = "strategy " + str(part) if stage == "perturbation" else part
        row = f"{data.language_names[str(lang)]}{f', {name}' if name else ''}"
        unit: Unit = "count"
        cells.append(Cell(block, row, "Items", rows.height, rows.height, unit))
        for head, word in columns:
            n = rows.filter(pl.col("outcome") == word).height
            cells.append(Cell(block, row, head, n, rows.height, unit))
        replaced = int(rows["replaced"].sum())
        cells.append(Cell(block, row, "Replaced by a correction", replaced, rows.height, unit))
    notes = [
        "The model's own outcome, whatever a correction of the review files replaced afterwards.",
        "Carried over: no words outside the mathematics. Unresolved and not replaced: left out.",
    ]
    return Table(paper, "construction_outcomes", "What the models built by themselves", "counts",
                 cells, notes, "Language, part")  # fmt: skip
