"""comparison.csv: what changed by language, kind or subset, and in all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, get_args

import polars as pl

from babelmath.comparing.matching import Matched
from babelmath.comparing.pairing import Pair
from babelmath.records import Status
from babelmath.statistics.frames import difference, measured
from babelmath.statistics.testing import holm

ALL = "all"
STATUSES: tuple[str, ...] = get_args(Status)
NAMES = ("benchmark", "setting", "model", "setting_b", "model_b", "scorer")
SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    **dict.fromkeys((*NAMES, "lang", "part"), pl.String),
    **dict.fromkeys(("n_a", "n_b", "common", "problems"), pl.Int64),
    **dict.fromkeys(("value_a", "value_b", "difference", "low", "high", "p", "p_holm"), pl.Float64),
    **dict.fromkeys(("to_correct", "to_wrong"), pl.Int64),
    **{f"{status}_{run}": pl.Int64 for status in STATUSES for run in ("a", "b")},
}


def names_of(pair: Pair) -> dict[str, str]:
    """The columns that say what a row is about."""
    values = (pair.a.benchmark, pair.a.setting, pair.a.model, pair.b.setting, pair.b.model,
              pair.a.scorer)  # fmt: skip
    return dict(zip(NAMES, values, strict=True))


def cells(matched: Matched) -> Iterator[dict[str, Any]]:
    """The rows of one pair of files, without `p_holm`.

    A row of all languages weighs each alike; a row of all of MMATH's subsets too, as its tables
    do. Rows of all kinds are shares of problems.
    """
    known = matched.counts.drop_nulls("part")
    langs = known["lang"].unique().sort().to_list()
    parts = known["part"].unique().sort().to_list()
    for lang in [*langs, ALL] if len(langs) != 1 else langs:
        for part in [*parts, ALL] if len(parts) > 1 else [ALL]:
            yield _cell(matched, lang, part)


def corrected(rows: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """All rows, their p-values corrected together within a benchmark and setting."""
    family = {index: (row["benchmark"], row["setting"]) for index, row in enumerate(rows)
              if row["p"] is not None}  # fmt: skip
    for one in dict.fromkeys(family.values()):
        members = [index for index, other in family.items() if other == one]
        adjusted = holm([rows[index]["p"] for index in members])
        for index, p in zip(members, adjusted, strict=True):
            rows[index]["p_holm"] = p
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row")


def _cell(matched: Matched, lang: str, part: str) -> dict[str, Any]:
    wanted = pl.lit(True)
    if lang != ALL:
        wanted &= pl.col("lang") == lang
    if part != ALL:
        wanted &= pl.col("part") == part
    held = matched.common.filter(wanted)
    counts = dict(matched.counts.filter(wanted).group_by("run").agg(pl.col("n").sum()).iter_rows())
    row: dict[str, Any] = {
        **names_of(matched.pair),
        "lang": lang,
        "part": part,
        "n_a": counts.get("A", 0),
        "n_b": counts.get("B", 0),
        "common": held.height,
        "problems": held["id"].n_unique(),
        "to_correct": held.filter(~pl.col("correct_a") & pl.col("correct_b")).height,
        "to_wrong": held.filter(pl.col("correct_a") & ~pl.col("correct_b")).height,
        "p": None,
    }
    for run in ("a", "b"):
        found = dict(held[f"status_{run}"].value_counts().iter_rows())
        row |= {f"{status}_{run}": found.get(status, 0) for status in STATUSES}
    return row | _change(held, matched.pair.a.benchmark, lang, part)


def _change(held: pl.DataFrame, benchmark: str, lang: str, part: str) -> dict[str, Any]:
    more = {}
    if lang == ALL:
        more["cell"] = pl.col("lang")
    if part == ALL and benchmark == "mmath":
        more["stratum"] = pl.col("part")
    before, after = (held.select("id", score=f"correct_{run}", **more) for run in ("a", "b"))
    one, two, change = measured(before), measured(after), difference(after, before)
    if one is None or two is None or change is None or change.span is None:
        return {}
    return {
        "value_a": one.value,
        "value_b": two.value,
        "difference": change.value,
        "low": change.span[0],
        "high": change.span[1],
        "p": change.p,
    }
