"""flips.csv: every common response whose correctness changed, and whether the response did."""

from __future__ import annotations

import polars as pl

from babelmath.comparing.cells import NAMES, names_of
from babelmath.comparing.matching import Matched
from babelmath.comparing.pairing import Pair
from babelmath.comparing.reading import KEYS, readings, responses
from babelmath.comparing.runs import Run
from babelmath.files import is_there

SAME, CHANGED, WITHHELD, ABSENT = "same", "changed", "text not released", "no generations"
COLUMNS = (*NAMES, *KEYS, "part", "status_a", "status_b", "extracted_a", "extracted_b", "gold_a",
           "gold_b", "response")  # fmt: skip


def flips(a: Run, b: Run, matched: Matched) -> pl.DataFrame:
    """The flips of one pair of files, in the order of their keys.

    `response`: same (the raw text is the same: only the verdict changed), changed, text not
    released (one run's file holds another text than the model's), no generations (a file lacks, or
    lacks this response).

    Raises:
        InputError: a damaged file of verdicts or generations.
    """
    found = matched.common.filter(pl.col("correct_a") != pl.col("correct_b"))
    pair = matched.pair
    wanted = found.select(KEYS)
    if found.height:
        for run, place, side in ((a, pair.a, "a"), (b, pair.b, "b")):
            read = readings(run.root / place.verdicts, place.scorer, wanted)
            renamed = read.rename({name: f"{name}_{side}" for name in ("extracted", "gold")})
            found = found.join(renamed, on=KEYS, how="left")
        found = found.join(_compared(a, b, pair, wanted), on=KEYS, how="left")
    else:
        none = ("extracted_a", "extracted_b", "gold_a", "gold_b", "response")
        found = found.with_columns(pl.lit(None, pl.String).alias(name) for name in none)
    named = {name: pl.lit(value) for name, value in names_of(pair).items()}
    return (
        found.with_columns(**named, response=pl.col("response").fill_null(ABSENT))
        .select(COLUMNS)
        .sort(KEYS)
    )


def _compared(a: Run, b: Run, pair: Pair, wanted: pl.DataFrame) -> pl.DataFrame:
    paths = a.root / pair.a.generations, b.root / pair.b.generations
    if not all(map(is_there, paths)):
        return wanted.with_columns(response=pl.lit(ABSENT))
    one, two = (responses(path, wanted) for path in paths)
    both = one.join(two, on=KEYS, suffix="_b")
    return both.select(
        *KEYS,
        response=pl.when(~pl.col("own") | ~pl.col("own_b"))
        .then(pl.lit(WITHHELD))
        .when(pl.col("hash") == pl.col("hash_b"))
        .then(pl.lit(SAME))
        .otherwise(pl.lit(CHANGED)),
    )
