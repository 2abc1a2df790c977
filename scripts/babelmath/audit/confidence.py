"""95% confidence intervals of shares and means, for numbers recomputed from records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, pstdev, stdev

import numpy as np

Z = 1.959963984540054
RESAMPLES = 2000


def wilson(right: int, n: int) -> tuple[float, float]:
    """Wilson's score interval of a share of n items, in percent."""
    p, z2 = right / n, Z * Z
    centre = (p + z2 / (2 * n)) / (1 + z2 / n)
    half = Z * math.sqrt(p * (1 - p) / n + z2 / (4 * n * n)) / (1 + z2 / n)
    return 100 * max(0.0, centre - half), 100 * min(1.0, centre + half)


def of_mean(values: Sequence[float]) -> tuple[float, float] | None:
    """Normal interval of a mean of independent values (problems); None for fewer than two."""
    if len(values) < 2:
        return None
    half = Z * stdev(values) / math.sqrt(len(values))
    return fmean(values) - half, fmean(values) + half


def of_strata(groups: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """Normal interval of the unweighted mean of group means (macro average)."""
    if not groups or any(len(group) < 2 for group in groups):
        return None
    centre = fmean(fmean(group) for group in groups)
    variance = sum(stdev(group) ** 2 / len(group) for group in groups) / len(groups) ** 2
    return centre - Z * math.sqrt(variance), centre + Z * math.sqrt(variance)


def of_deviation(columns: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """Percentile bootstrap of the population deviation of column means, resampling rows.

    Args:
        columns: one column a language, one row a problem, in percent; seeded, so repeatable.
    """
    table = np.array(columns, dtype=float).T
    if len(table) < 2:
        return None
    draws = np.random.default_rng(0).integers(0, len(table), (RESAMPLES, len(table)))
    found = sorted(pstdev(map(float, table[draw].mean(axis=0))) for draw in draws)
    return found[round(0.025 * RESAMPLES)], found[round(0.975 * RESAMPLES) - 1]
