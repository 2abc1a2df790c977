"""Intervals of shares: Wilson's, for responses that come in clusters, and of sums of shares.

A problem is one cluster: its translations and its repeated samples say little that is new. No
interval here rests on a normal distribution of the estimate, so all hold for few problems too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Z = 1.959963984540054  # 95%, two-sided
FEW = (
    5.0  # problems' worth of the rarer outcome, below which a variance of clusters says too little
)
Span = tuple[float, float]


@dataclass(frozen=True)
class Share:
    """A share of clustered responses.

    Attributes:
        ids: the clusters (problems).
        value: the share, 0 to 1.
        n: responses.
        influence: what each cluster adds to the share beyond its mean, at first order; they sum to
            0, and the sum of their squares is the share's variance (but for m / (m - 1)).
        cells: responses and problems of each cell, where the share is the mean over cells.
    """

    ids: tuple[str, ...]
    value: float
    n: int
    influence: npt.NDArray[np.float64]
    cells: tuple[tuple[int, int], ...] = ()

    @property
    def span(self) -> Span:
        """The 95% interval: Wilson's for the number of independent responses that would be as sure.

        With one response to a problem that number is n. Else it is the share's binomial variance
        over its variance between clusters, lowered for the clusters being few by Student's t (Korn
        and Graubard 1998), and at most n. Where the rarer outcome is rarer than five problems, a
        variance between clusters says too little, and a problem counts as one response. Cells that
        weigh alike are as sure as the smallest of them let them be: at most so many responses count
        as would be as sure as independent ones in cells of these sizes.
        """
        clusters, most = len(self.ids), float(self.n)
        rarer, few = min(self.value, 1 - self.value), 0.0
        if self.cells:
            small = [problems * rarer < FEW for _, problems in self.cells]
            sizes = [held[1] if one else held[0]
                     for held, one in zip(self.cells, small, strict=True)]  # fmt: skip
            weight = len(self.cells) ** 2
            most = min(most, weight / math.fsum(1 / size for size in sizes))
            few = math.fsum(1 / size for size, one in zip(sizes, small, strict=True) if one)
            few /= weight
        if self.n == clusters or clusters * rarer < FEW:
            return wilson(self.value, min(clusters, most))
        binomial = self.value * (1 - self.value)
        # A cell of one problem never differs from its own mean: its variance is not seen there.
        variance = clusters / (clusters - 1) * products(self.influence, self.influence)
        variance += few * binomial
        if variance <= 0:
            return wilson(self.value, most)
        independent = binomial / variance * (Z / student(clusters - 1)) ** 2
        return wilson(self.value, min(max(independent, 1.0), most))


def wilson(share: float, n: float) -> Span:
    """Wilson's 95% interval of a share of n independent draws, 0 to 1; n may be a fraction."""
    middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n)
    half = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    # At the ends of the scale rounding must not leave the share outside.
    return min(max(0.0, middle - half), share), max(min(1.0, middle + half), share)


def combined(values: Sequence[float], spans: Sequence[Span], weights: Sequence[float]) -> Span:
    """The interval of a weighted sum of independent estimates, from their own intervals.

    The distances to the ends add up as variances do (Zou and Donner 2008, MOVER).

    Args:
        weights: not negative.
    """
    total = math.fsum(w * value for w, value in zip(weights, values, strict=True))
    below = [w * (v - low) for w, v, (low, _) in zip(weights, values, spans, strict=True)]
    above = [w * (high - v) for w, v, (_, high) in zip(weights, values, spans, strict=True)]
    return total - math.hypot(*below), total + math.hypot(*above)


def products(left: npt.NDArray[np.float64], right: npt.NDArray[np.float64]) -> float:
    """The sum of two rows' products, rounded once: the same in whatever order they stand."""
    return math.fsum((left * right).tolist())


def student(df: int) -> float:
    """The 97.5% quantile of Student's t."""
    # Only clusters of several responses need it, and it takes a moment to load.
    from scipy.special import stdtrit

    return float(stdtrit(df, 0.975))
