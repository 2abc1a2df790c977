"""How far two scorers agree: the share of equal decisions and Cohen's kappa, with intervals.

Several responses belong to one problem (languages, samples), so responses are no independent
draws: standard errors are those of clusters, one a problem.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from babelmath.statistics.frames import shares
from babelmath.statistics.shares import Span, Z


@dataclass(frozen=True)
class Agreement:
    """Two scorers on the same responses.

    Attributes:
        n: responses; `both`, `first`, `second`, `neither`: how many of them both scorers call
            correct, the first alone, the second alone, and none.
        share: equal decisions of all, 0 to 1; None where there are no responses.
        share_span: its 95% interval, as statistics.shares gives it for clusters.
        kappa: Cohen's; None where both scorers give one and the same decision throughout, since
            chance alone then agrees fully.
        kappa_span: its 95% interval by the delta method with the variance of clusters; None without
            kappa, with fewer than two problems, and where no other value could have come out: the
            scorers agree throughout, or one gives the same decision throughout (kappa is 0).
    """

    n: int
    both: int
    first: int
    second: int
    neither: int
    share: float | None
    share_span: Span | None
    kappa: float | None
    kappa_span: Span | None


def agreement(decisions: Sequence[tuple[str, bool, bool]]) -> Agreement:
    """Agreement over (problem, first scorer's decision, second scorer's decision)."""
    n = len(decisions)
    both = sum(one and two for _, one, two in decisions)
    first = sum(one and not two for _, one, two in decisions)
    second = sum(two and not one for _, one, two in decisions)
    neither = n - both - first - second
    if n == 0:
        return Agreement(0, 0, 0, 0, 0, None, None, None, None)
    share = (both + neither) / n
    p, q = (both + first) / n, (both + second) / n
    chance = p * q + (1 - p) * (1 - q)
    rows = [(problem, one == two) for problem, one, two in decisions]
    equal = pl.DataFrame(rows, schema={"id": pl.String, "score": pl.Boolean}, orient="row")
    span = shares(equal)[""].span
    if first + second == 0 and (both == 0 or neither == 0):
        return Agreement(n, both, first, second, neither, share, span, None, None)
    kappa = (share - chance) / (1 - chance)
    # What one response adds to kappa at first order: kappa = (share - chance) / (1 - chance), with
    # chance's derivatives 2q - 1 by p and 2p - 1 by q.
    influence = {
        (one, two): (
            (float(one == two) - share) * (1 - chance)
            - (1 - share) * ((one - p) * (2 * q - 1) + (two - q) * (2 * p - 1))
        )
        / (1 - chance) ** 2
        for one in (True, False)
        for two in (True, False)
    }
    variance = _variance(decisions, influence)
    around = None
    varied = 0 < p < 1 and 0 < q < 1 and first + second > 0
    if variance is not None and varied:
        half = Z * math.sqrt(variance)
        around = (max(-1.0, kappa - half), min(1.0, kappa + half))
    return Agreement(n, both, first, second, neither, share, span, kappa, around)


def _variance(
    decisions: Sequence[tuple[str, bool, bool]], influence: dict[tuple[bool, bool], float]
) -> float | None:
    """Variance of a mean of influences, over clusters; None with fewer than two problems."""
    sums: defaultdict[str, list[float]] = defaultdict(list)
    for problem, one, two in decisions:
        sums[problem].append(influence[one, two])
    if len(sums) < 2:
        return None
    total = math.fsum(math.fsum(parts) ** 2 for parts in sums.values())
    return total / len(decisions) ** 2 * len(sums) / (len(sums) - 1)
