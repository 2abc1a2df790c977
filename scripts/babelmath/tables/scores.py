"""Verdicts of several scorers on the same responses, read for their few columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import polars as pl

from babelmath.errors import InputError
from babelmath.records import Status, Verdict, load_records
from babelmath.tables.reading import Schema, columns_of

SCORES: Schema = {"setting": pl.String, "model": pl.String, "id": pl.String, "lang": pl.String,
          "sample": pl.Int64, "status": pl.String, "correct": pl.Boolean, "scorer": pl.String,
          "decision": pl.String, "judge": pl.String, "file": pl.String,
          "extracted": pl.String}  # fmt: skip
KEYS = ("id", "lang", "sample")
REMEDY = "Remove the file and run again."
# The other fields of a verdict are passed over: this run wrote the file, through the schema.
HELD: Schema = {name: SCORES[name] for name in SCORES if name not in ("setting", "model")}


def score_frame(files: Mapping[tuple[str, str, str], Path]) -> pl.DataFrame:
    """Verdicts by (setting, model, scorer), in the order of the files.

    Raises:
        InputError: a file that is not there or no JSONL, a verdict without its fields or of another
            scorer, one that contradicts its status, or a repeated key, with file and line.
    """
    return _framed(
        ((setting, model), scorer, path) for (setting, model, scorer), path in files.items()
    )


def verdict_frame(
    files: Mapping[tuple[str, str], Path], scorers: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """Verdicts by (setting, model); of the setting's scorer alone, where `scorers` name it.

    Raises:
        InputError: as `score_frame`.
    """
    return _framed((pair, (scorers or {}).get(pair[0]), path) for pair, path in files.items())


def _framed(files: Iterable[tuple[tuple[str, str], str | None, Path]]) -> pl.DataFrame:
    frames = [
        _read(path, scorer).select(pl.lit(pair[0]).alias("setting"), pl.lit(pair[1]).alias("model"),
                                   pl.all())
        for pair, scorer, path in files
    ]  # fmt: skip
    return pl.concat([pl.DataFrame(schema=SCORES), *frames])


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


def _read(path: Path, scorer: str | None) -> pl.DataFrame:
    whose = pl.col("scorer") == scorer if scorer is not None else pl.col("scorer").is_not_null()
    sound = (
        (pl.col("sample") >= 0)
        & whose
        & pl.col("status").is_in(get_args(Status))
        & (pl.col("correct") == (pl.col("status") == "correct"))
    )
    return columns_of(path, HELD, KEYS, sound, _row, lambda: _records(path, scorer))


def _row(raw: dict[str, Any]) -> tuple[Any, ...]:
    judge = raw["judge"] or {}
    found = None if raw["scorer"].startswith("judge-") else raw["extracted"]
    plain = (raw[name] for name in ("id", "lang", "sample", "status", "correct", "scorer"))
    file = raw["provenance"].get("file")
    return (*plain, judge.get("decision"), judge.get("model"), file, found)


def _records(path: Path, scorer: str | None) -> pl.DataFrame:
    """The slow way through the schema, which says where a fault is."""
    verdicts = of_scorer(load_records(path, Verdict), scorer, path)
    rows = [_row(one.model_dump()) for one in verdicts]
    return pl.DataFrame(rows, schema=HELD, orient="row")
