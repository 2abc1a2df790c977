"""The facts on other benchmarks that both papers compare with, from the claims ledger."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

CLAIMS = {"paper": pl.String, "where": pl.String, "row": pl.String, "column": pl.String,
          "printed": pl.String, "unit": pl.String}  # fmt: skip


def claim_frame(paths: Sequence[Path]) -> pl.DataFrame:
    """The ledger's printed numbers and words: paper, where, row, column, printed, unit.

    The run checks the ledger as it starts (audit.claims).
    """
    frames = [
        pl.read_csv(path, columns=list(CLAIMS), schema_overrides=CLAIMS).fill_null("")
        for path in paths
    ]
    return pl.concat([pl.DataFrame(schema=CLAIMS), *(one.select(*CLAIMS) for one in frames)])
