"""The responses that two runs have in common: the same question, asked in the same words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import polars as pl

from babelmath.comparing.pairing import Pair
from babelmath.comparing.reading import KEYS, asked, verdicts
from babelmath.comparing.runs import Run

ONLY = {"A": "only in A", "B": "only in B"}
OTHER_TEXT = "another question in B"
UNKNOWN = "not among the problems"


@dataclass(frozen=True)
class Matched:
    """A pair's responses.

    Attributes:
        pair: whose they are.
        common: id, lang, sample, part, status_a, correct_a, status_b, correct_b; sorted by key.
        counts: responses of each run, matched or not: run, lang, part, n.
        left_out: responses without a counterpart by (reason, lang), and one of their ids.
    """

    pair: Pair
    common: pl.DataFrame
    counts: pl.DataFrame
    left_out: dict[tuple[str, str], tuple[int, str]]


@dataclass
class Questions:
    """What both runs ask, read once, and the problems that they put in other words."""

    a: Run
    b: Run
    other_text: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    _held: dict[tuple[str, str, str, str], pl.DataFrame] = field(default_factory=dict)

    def of(self, run: Run, benchmark: str, lang: str, task: str) -> pl.DataFrame:
        key = (run.name, benchmark, lang, task)
        if key not in self._held:
            self._held[key] = asked(run.root, benchmark, lang, task)
        return self._held[key]

    def matched(self, pair: Pair) -> Matched:
        """The responses of a pair, matched by problem, language and sample.

        Raises:
            InputError: a damaged file of verdicts, problems, choices or flawed solutions.
        """
        benchmark, task = pair.a.benchmark, self.a.task(pair.a)
        sides = {}
        for run, place in ((self.a, pair.a), (self.b, pair.b)):
            rows = verdicts(run.root / place.verdicts, place.scorer)
            langs = rows["lang"].unique().sort().to_list()
            known = [self.of(run, benchmark, lang, task) for lang in langs]
            empty = {"id": pl.String, "lang": pl.String, "part": pl.String, "text": pl.UInt64}
            texts = pl.concat([pl.DataFrame(schema=empty), *known])
            sides[run.name] = rows.join(texts, on=["id", "lang"], how="left")
        both = sides["A"].join(sides["B"], on=KEYS, how="full", suffix="_b", coalesce=True)
        in_a, in_b = pl.col("status").is_not_null(), pl.col("status_b").is_not_null()
        reason = (
            pl.when(~in_b)
            .then(pl.lit(ONLY["A"]))
            .when(~in_a)
            .then(pl.lit(ONLY["B"]))
            .when(pl.col("text").is_null() | pl.col("text_b").is_null())
            .then(pl.lit(UNKNOWN))
            .when(pl.col("text") != pl.col("text_b"))
            .then(pl.lit(OTHER_TEXT))
        )
        both = both.with_columns(reason=reason)
        self._count(benchmark, both)
        common = both.filter(pl.col("reason").is_null()).select(
            *KEYS, "part", status_a="status", correct_a="correct", status_b="status_b",
            correct_b="correct_b",
        ).sort(KEYS)  # fmt: skip
        counts = [
            rows.group_by("lang", "part").len("n").with_columns(run=pl.lit(name))
            for name, rows in sides.items()
        ]
        return Matched(pair, common, pl.concat(counts), _left_out(both))

    def _count(self, benchmark: str, both: pl.DataFrame) -> None:
        other = both.filter(pl.col("reason") == OTHER_TEXT).group_by("lang", "id").len()
        for lang, identity, number in other.iter_rows():
            self.other_text[benchmark, lang, identity] += number


def _left_out(both: pl.DataFrame) -> dict[tuple[str, str], tuple[int, str]]:
    found = (
        both.filter(pl.col("reason").is_not_null())
        .group_by("reason", "lang")
        .agg(pl.len().alias("n"), pl.col("id").min())
        .sort("reason", "lang")
    )
    return {(reason, lang): (n, first) for reason, lang, n, first in found.iter_rows()}
