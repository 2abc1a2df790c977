"""The interval of a deviation of shares over languages, which may be none at all."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from babelmath.statistics.shares import FEW, Span, Z, student


def deviation_of(table: npt.NDArray[np.float64]) -> Span:
    """95% interval of the population deviation of the rows' means, 0 to 1.

    Chance alone makes means differ, so a deviation that is found is larger than the true one on
    average, and resampling it would make it larger still. Here the squares of the means' distances
    are taken to follow a scaled noncentral chi-squared distribution (Box 1954), whose noncentrality
    is the true deviation; the interval holds all deviations that agree with what was found (Steiger
    2004). It always reaches to the deviation found. Where fewer than five problems have outcomes
    that differ between languages, they count as five.

    Args:
        table: scores, one row a language, one column a problem; at least two of each.
    """
    # Only this function needs it, and it takes a moment to load.
    from scipy.special import chndtr, chndtrinc

    languages, problems = table.shape
    apart = table.mean(axis=1) - table.mean()
    found = math.sqrt(float(apart @ apart) / languages)
    spread = np.cov(table - table.mean(axis=0)) / problems
    total, squares = float(np.trace(spread)), float((spread * spread).sum())
    least = FEW * (1 - 1 / languages) / problems**2
    # The variance in all directions, or in the one in which the means differ if it is larger.
    scale = squares / total if total > 0 else 0.0
    if found > 0:
        scale = max(scale, float(apart @ spread @ apart) / (languages * found**2))
    scale = max(scale, least / (languages - 1))
    df = min(max(total, least) / scale, languages - 1)
    scale *= (student(problems - 1) / Z) ** 2
    seen = languages * found**2 / scale

    def end(distance: float, chance: float) -> float:
        if chndtr(distance, df, 0.0) <= chance:  # no deviation at all would make more
            return 0.0
        return math.sqrt(float(chndtrinc(distance, df, chance)) * scale / languages)

    # Less than what chance makes tells no more than what chance makes.
    return min(end(seen, 0.975), found), max(end(max(seen, df), 0.025), found)
