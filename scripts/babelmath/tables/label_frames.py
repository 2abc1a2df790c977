"""Language labels, a person's check of them, and the identifier's confusion, as frames."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import polars as pl

from babelmath.label_review import of_sample, read_checked, read_sample
from babelmath.records import LanguageRecord, iter_records
from babelmath.response_parts import EMPTY, TRUNCATED

LABEL_COLUMNS = {
    "setting": pl.String, "model": pl.String, "id": pl.String, "lang": pl.String,
    "sample": pl.Int64, "thinking": pl.String, "answering": pl.String,
    "paper_thinking": pl.String, "paper_answering": pl.String, "strict_thinking": pl.String,
    "strict_answering": pl.String, "truncated": pl.Boolean, "empty": pl.Boolean,
}  # fmt: skip


def label_frame(files: Mapping[tuple[str, str], Path], protocol: str) -> pl.DataFrame:
    """Language labels by (setting, model): the protocol's, and both the paper's and the strict."""
    which = "paper" if protocol == "paper" else "strict"
    rows = [
        (setting, model, one.id, one.lang, one.sample, getattr(one.thinking, which),
         getattr(one.answering, which), one.thinking.paper, one.answering.paper,
         one.thinking.strict, one.answering.strict, TRUNCATED in one.flags, EMPTY in one.flags)
        for (setting, model), path in files.items()
        for one in iter_records(path, LanguageRecord)
    ]  # fmt: skip
    return pl.DataFrame(rows, schema=LABEL_COLUMNS, orient="row")


def review_frame(
    sampled: Sequence[Path], reviewed: Sequence[Path], ids: Collection[str]
) -> tuple[pl.DataFrame, int]:
    """A person's verdicts on sampled labels, and the number of those on labels of other samples."""
    checked = [one for path in reviewed for one in read_checked(path, ids)]
    found = of_sample(checked, (one for path in sampled for one in read_sample(path)))
    rows = [(one.key[1], one.verdict) for one in found]
    schema = {"lang": pl.String, "verdict": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row"), len(checked) - len(found)


def confusion_frame(paths: Sequence[Path]) -> pl.DataFrame:
    """How often known languages got which label."""
    schema = {"identifier": pl.String, "text": pl.String, "labelling": pl.String,
              "lang": pl.String, "label": pl.String, "count": pl.Int64}  # fmt: skip
    frames = [pl.read_csv(path, columns=list(schema), schema_overrides=schema) for path in paths]
    return pl.concat(frames) if frames else pl.DataFrame(schema=schema)
