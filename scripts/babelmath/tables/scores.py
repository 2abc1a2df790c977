"""Verdicts of several scorers on the same responses, read for their few columns."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import polars as pl

from babelmath.errors import InputError

SCORES = {"setting": pl.String, "model": pl.String, "scorer": pl.String, "id": pl.String,
          "lang": pl.String, "sample": pl.Int64, "status": pl.String, "correct": pl.Boolean,
          "decision": pl.String}  # fmt: skip
KEYS = ("id", "lang", "sample")
# The other fields of a verdict are passed over: this run wrote the file, through the schema.
HELD: dict[str, pl.DataType | type[pl.DataType]] = {
    "id": pl.String, "lang": pl.String, "sample": pl.Int64, "status": pl.String,
    "correct": pl.Boolean, "judge": pl.Struct({"decision": pl.String}),
}  # fmt: skip


def score_frame(files: Mapping[tuple[str, str, str], Path]) -> pl.DataFrame:
    """Verdicts by (setting, model, scorer), in the order of the files.

    Raises:
        InputError: a file that is not there or no JSONL, a verdict without its fields, or a
            repeated key, with the file.
    """
    frames = [pl.DataFrame(schema=SCORES)]
    for (setting, model, scorer), path in files.items():
        rows = _read(path)
        frames.append(
            rows.select(
                setting=pl.lit(setting),
                model=pl.lit(model),
                scorer=pl.lit(scorer),
                id="id",
                lang="lang",
                sample="sample",
                status="status",
                correct="correct",
                decision=pl.col("judge").struct.field("decision"),
            )
        )
    return pl.concat(frames)


def _read(path: Path) -> pl.DataFrame:
    try:
        if not path.stat().st_size:  # a model without records
            return pl.DataFrame(schema=HELD)
        rows = pl.read_ndjson(path, schema=HELD)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"cannot be read as verdicts: {error}", file=path) from None
    needed = rows.select(*KEYS, "status", "correct")
    if sum(needed.null_count().row(0)):
        raise InputError("holds a verdict without id, lang, sample, status or correct", file=path)
    if rows.select(KEYS).is_duplicated().any():
        raise InputError("holds two verdicts on one response", file=path)
    return rows
