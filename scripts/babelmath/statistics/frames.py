"""From scored responses to a number with its interval: shares, means of shares, differences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from babelmath.statistics.deviations import deviation_of
from babelmath.statistics.shares import Share, Span, combined, products
from babelmath.statistics.testing import FEWEST, sign_flips

_ROUNDING = 1e-12  # below what any difference of counts can be


@dataclass(frozen=True)
class Measured:
    """A number in percent (or points), what it counts, and its 95% interval.

    Attributes:
        value: the number.
        n: responses (or problems) counted.
        span: the interval; None where there is none.
        clusters: problems.
        p: of a difference, the two-sided p-value against none.
        spread: of a difference, the standard deviation of the problems' differences, in points.
        six: of a difference, what the six problems weigh in it that weigh least, 0 to 1.
    """

    value: float
    n: int
    span: Span | None = None
    clusters: int = 0
    p: float | None = None
    spread: float | None = None
    six: float | None = None


def shares(rows: pl.DataFrame) -> dict[str, Share]:
    """The share of each stratum.

    Args:
        rows: one a response: `id` (the cluster), `score` (0 to 1), and where they are needed
            `stratum` (the strata have clusters of their own; the number is the mean over them) and
            `cell` (a stratum's share is the mean over its cells, as over languages, whatever their
            sizes).
    """
    if rows.is_empty():
        return {}
    named = rows.with_columns(
        pl.lit("").alias(name) for name in ("stratum", "cell") if name not in rows.columns
    )
    # Sorted, so that sums of fractions come out the same in whatever order the rows stand.
    parts = (
        named.sort("stratum", "cell", "id", "score")
        .group_by("stratum", "cell", "id", maintain_order=True)
        .agg(pl.col("score").cast(pl.Float64).sum().alias("total"), n=pl.len().cast(pl.Int64))
    )
    held: dict[str, Share] = {}
    for (stratum,), part in parts.group_by(["stratum"], maintain_order=True):
        held[str(stratum)] = _share(part)
    return held


def _share(parts: pl.DataFrame) -> Share:
    cells = parts.with_columns(
        of=pl.col("n").sum().over("cell"),
        mean=pl.col("total").sum().over("cell") / pl.col("n").sum().over("cell"),
    )
    count = cells["cell"].n_unique()
    by_cluster = (
        cells.group_by("id", maintain_order=True)
        .agg(((pl.col("total") - pl.col("mean") * pl.col("n")) / pl.col("of")).sum() / count)
        .sort("id")
    )
    value = cells.group_by("cell").agg(pl.col("mean").first())["mean"].sort().sum() / count
    sizes = cells.group_by("cell").agg(pl.col("n").sum(), problems=pl.len()).sort("cell")
    return Share(
        tuple(by_cluster["id"].to_list()),
        min(max(float(value), 0.0), 1.0),
        int(parts["n"].sum()),
        by_cluster["total"].to_numpy(),
        tuple(sizes.select("n", "problems").iter_rows()) if count > 1 else (),
    )


def measured(rows: pl.DataFrame) -> Measured | None:
    """The mean over strata of their shares, in percent, with its interval; None without rows.

    Args:
        rows: as `shares` takes them.
    """
    held = list(shares(rows).values())
    if not held:
        return None
    values, weights = [one.value for one in held], [1 / len(held)] * len(held)
    span = combined(values, [one.span for one in held], weights)
    value = math.fsum(values) / len(held)
    return Measured(
        100 * value,
        sum(one.n for one in held),
        (100 * min(max(span[0], 0.0), value), 100 * max(min(span[1], 1.0), value)),
        sum(len(one.ids) for one in held),
    )


def difference(after: pl.DataFrame, before: pl.DataFrame) -> Measured | None:
    """The second number taken from the first, in points, with its interval and p-value.

    The interval is made of both numbers' own and of how far the same problems go together
    (Newcombe 1998, Zou and Donner 2008); that correlation is lowered by its own standard error. The
    p-value is of the sign-flip test over the problems that both have. `n` counts these problems.

    Args:
        after: rows as `shares` takes them, with the strata of `before`.
        before: likewise.
    """
    one, two = shares(after), shares(before)
    strata = [name for name in one if name in two]
    if not strata or len(one) != len(strata) or len(two) != len(strata):
        return None
    weight = 1 / len(strata)
    values = [one[name].value - two[name].value for name in strata]
    spans = [paired_span(one[name], two[name]) for name in strata]
    span = combined(values, spans, [weight] * len(strata))
    value = math.fsum(values) / len(strata)
    gaps = [_gaps(after, before, name) for name in strata]
    n = sum(len(gap) for gap in gaps)
    return Measured(
        100 * value,
        n,
        (100 * max(-1.0, min(span[0], value)), 100 * min(1.0, max(span[1], value))),
        n,
        sign_flips([gap * (weight / len(gap)) for gap in gaps if len(gap)]) if n else None,
        _spread(gaps),
        math.fsum(sorted(weight / len(gap) for gap in gaps for _ in gap)[:FEWEST]),
    )


def paired_span(one: Share, two: Share) -> Span:
    (low1, high1), (low2, high2) = one.span, two.span
    together = _correlation(one, two)
    value = one.value - two.value

    def reach(first: float, second: float) -> float:
        both = first * second
        return math.sqrt(
            max(0.0, math.fsum((first * first, -2 * together * both, second * second)))
        )

    return (
        value - reach(one.value - low1, high2 - two.value),
        value + reach(high1 - one.value, two.value - low2),
    )


def _correlation(one: Share, two: Share) -> float:
    """How far two shares vary together, over all their clusters; at most what is sure of it."""
    place = {key: index for index, key in enumerate(two.ids)}
    common = [(i, place[key]) for i, key in enumerate(one.ids) if key in place]
    size = math.sqrt(
        products(one.influence, one.influence) * products(two.influence, two.influence)
    )
    if not common or size <= 0:
        return 0.0
    left, right = (np.array(side) for side in zip(*common, strict=True))
    found = products(one.influence[left], two.influence[right]) / size
    return found if found < 0 else max(0.0, found - 1 / math.sqrt(len(common)))


def _gaps(after: pl.DataFrame, before: pl.DataFrame, stratum: str) -> np.ndarray:
    """By problem that both have: its mean score after, less that before."""
    one, two = (_by_problem(rows, stratum) for rows in (after, before))
    both = one.join(two, on="id", suffix="_before").sort("id")
    gaps = (both["score"] - both["score_before"]).to_numpy()
    # Means of thirds that are the same may differ in a last bit: that is no sign to flip.
    return np.where(np.abs(gaps) < _ROUNDING, 0.0, gaps)


def _by_problem(rows: pl.DataFrame, stratum: str) -> pl.DataFrame:
    if "stratum" in rows.columns:
        rows = rows.filter(pl.col("stratum") == stratum)
    keys = ["id", "cell"] if "cell" in rows.columns else ["id"]
    rows = (
        rows.sort(*keys, "score")
        .group_by(keys, maintain_order=True)
        .agg(pl.col("score").cast(pl.Float64).mean())
    )
    return rows.group_by("id", maintain_order=True).agg(pl.col("score").mean())


def _spread(gaps: Sequence[np.ndarray]) -> float | None:
    """What sqrt(n) times the standard error of the mean over strata is, in points."""
    if any(len(gap) < 2 for gap in gaps):
        return None
    n = sum(len(gap) for gap in gaps)
    variance = math.fsum(_variance(gap) / len(gap) for gap in gaps) / len(gaps) ** 2
    return 100 * math.sqrt(variance * n)


def _variance(gaps: np.ndarray) -> float:
    mean = math.fsum(gaps.tolist()) / len(gaps)
    return math.fsum(((gaps - mean) ** 2).tolist()) / (len(gaps) - 1)


def deviation_span(columns: Mapping[str, pl.DataFrame]) -> Span | None:
    """Interval of the population deviation of several shares over the same problems, in points.

    Args:
        columns: rows as `shares` takes them, by language, without strata. Problems that one of them
            lacks are left out. None with fewer than two languages or problems.
    """
    tables = [_by_problem(rows, "") for rows in columns.values()]
    if len(tables) < 2:
        return None
    common = tables[0].select("id")
    for one in tables[1:]:
        common = common.join(one, on="id", how="semi")
    if common.height < 2:
        return None
    held = [common.join(one, on="id", how="left", maintain_order="left") for one in tables]
    low, high = deviation_of(np.array([one["score"].to_numpy() for one in held]))
    return 100 * low, 100 * high


def mapped(one: Measured, change: Callable[[float], float]) -> Measured:
    """The number and its interval under an increasing function of the number."""
    span = None if one.span is None else (change(one.span[0]), change(one.span[1]))
    return replace(one, value=change(one.value), span=span)
