"""left_out.csv: everything that stands in only one run, or that the runs ask in other words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from babelmath.comparing.matching import OTHER_TEXT, Matched
from babelmath.comparing.pairing import Alone

EMPTY = "a file without records"
SCHEMA = {
    "what": pl.String, "run": pl.String, "benchmark": pl.String, "setting": pl.String,
    "model": pl.String, "scorer": pl.String, "lang": pl.String, "id": pl.String,
    "reason": pl.String, "responses": pl.Int64,
}  # fmt: skip
Row = tuple[str | int | None, ...]


def of_files(alone: Sequence[Alone]) -> list[Row]:
    """Files of verdicts without a counterpart."""
    return [("verdicts", run, *place, None, None, reason, None) for run, place, reason in alone]


def of_pair(matched: Matched) -> list[Row]:
    """A pair's files without records; and its responses without a counterpart by language, with
    the first of their ids."""
    rows: list[Row] = []
    held = set(matched.counts["run"].to_list())
    empty = [run for run in ("A", "B") if run not in held]
    if empty:
        place = matched.pair.b if empty == ["B"] else matched.pair.a
        run = "both" if len(empty) == 2 else empty[0]
        rows.append(("verdicts", run, *place, None, None, EMPTY, 0))
    for (reason, lang), (n, first) in matched.left_out.items():
        run = reason[-1] if reason.startswith("only in") else "both"
        place = matched.pair.b if run == "B" else matched.pair.a
        rows.append(("responses", run, *place, lang, first, reason, n))
    return rows


def of_problems(other_text: Mapping[tuple[str, str, str], int]) -> list[Row]:
    """Problems of one id in other words, and how many responses that leaves out."""
    return [
        ("problem", "both", benchmark, None, None, None, lang, identity, OTHER_TEXT, n)
        for (benchmark, lang, identity), n in sorted(other_text.items())
    ]


def frame(rows: Sequence[Row]) -> pl.DataFrame:
    """All that is left out, in the order found."""
    return pl.DataFrame(list(rows), schema=SCHEMA, orient="row")
