"""Verdicts of several scorers on the same responses, read for their few columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

import polars as pl

from babelmath.errors import InputError
from babelmath.records import Status, Verdict, load_records

SCORES = {"setting": pl.String, "model": pl.String, "scorer": pl.String, "id": pl.String,
          "lang": pl.String, "sample": pl.Int64, "status": pl.String, "correct": pl.Boolean,
          "decision": pl.String}  # fmt: skip
KEYS = ("id", "lang", "sample")
REMEDY = "Remove the file and run again."
# The other fields of a verdict are passed over: this run wrote the file, through the schema.
HELD: dict[str, pl.DataType | type[pl.DataType]] = {
    "id": pl.String, "lang": pl.String, "sample": pl.Int64, "scorer": pl.String,
    "status": pl.String, "correct": pl.Boolean, "judge": pl.Struct({"decision": pl.String}),
}  # fmt: skip


def score_frame(files: Mapping[tuple[str, str, str], Path]) -> pl.DataFrame:
    """Verdicts by (setting, model, scorer), in the order of the files.

    Raises:
        InputError: a file that is not there or no JSONL, a verdict without its fields or of another
            scorer, one that contradicts its status, or a repeated key, with file and line.
    """
    frames = [pl.DataFrame(schema=SCORES)]
    for (setting, model, scorer), path in files.items():
        rows = _read(path, scorer)
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


def of_scorer(verdicts: Sequence[Verdict], scorer: str | None, path: Path) -> Sequence[Verdict]:
    """The verdicts of a file, which must all be this scorer's (None: anyone's).

    Raises:
        InputError: one is another's.
    """
    for one in verdicts:
        if scorer is not None and one.scorer != scorer:
            raise InputError(f"holds a verdict on {one.id} that is not of {scorer}", file=path,
                             field="scorer", value=one.scorer, remedy=REMEDY)  # fmt: skip
    return verdicts


def _read(path: Path, scorer: str) -> pl.DataFrame:
    try:
        if not path.stat().st_size:  # a model without records
            return pl.DataFrame(schema=HELD)
        rows = pl.read_ndjson(path, schema=HELD)
    except (OSError, pl.exceptions.PolarsError):
        return _records(path, scorer)
    sound = (
        pl.all_horizontal(pl.col(*KEYS).is_not_null())
        & (pl.col("sample") >= 0)
        & (pl.col("scorer") == scorer)
        & pl.col("status").is_in(get_args(Status))
        & (pl.col("correct") == (pl.col("status") == "correct"))
    )
    if rows.select((~sound.fill_null(False)).any() | pl.struct(KEYS).is_duplicated().any()).item():
        return _records(path, scorer)
    return rows


def _records(path: Path, scorer: str) -> pl.DataFrame:
    """The slow way through the schema, which says where a fault is."""
    verdicts = of_scorer(load_records(path, Verdict), scorer, path)
    rows = [
        {name: getattr(one, name) for name in HELD if name != "judge"}
        | {"judge": {"decision": (one.judge or {}).get("decision")}}
        for one in verdicts
    ]
    return pl.DataFrame(rows, schema=HELD, orient="row")
