"""Tests of paired differences, their correction for being many, and what they could have found."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from babelmath.statistics.shares import Z

POWER = 0.8416212335729143  # the 80% quantile of the normal distribution
DRAWS = 9999
MOST_STATES = 200_000  # sums that an exact distribution is worked out for
MOST_SIGNS = 2_000_000  # that are held at once
FEWEST = 6  # problems that must differ, all in one direction, for p < 0.05 (2 / 2**6)


def sign_flips(groups: Sequence[np.ndarray]) -> float:
    """Two-sided p-value of the paired sign-flip test: were both alike, any sign were as likely.

    With one response to a problem and one group it is McNemar's exact test. The distribution of the
    sum is worked out exactly where its values lie on a grid; else 9,999 seeded draws stand for it.

    Args:
        groups: differences by problem, weighted as they enter the sum; one group a stratum.
    """
    gaps = np.concatenate(list(groups))
    gaps = gaps[gaps != 0]
    if not len(gaps):
        return 1.0
    # By size: the problems' names and the direction of the difference make no difference.
    gaps = gaps[np.argsort(np.abs(gaps), kind="stable")]
    whole = _on_a_grid(gaps)
    return _drawn(gaps) if whole is None else _exact(whole)


def _on_a_grid(gaps: np.ndarray) -> list[int] | None:
    """The sizes as multiples of one unit, where few enough sums are possible."""
    unit = float(np.abs(gaps).min())
    for parts in range(1, 61):
        scaled = np.abs(gaps) / unit * parts
        whole = np.rint(scaled)
        if np.abs(scaled - whole).max() < 1e-6 * parts:
            signed = [int(size) if gap > 0 else -int(size)
                      for size, gap in zip(whole, gaps, strict=True)]  # fmt: skip
            divisor = math.gcd(*signed)
            signed = [one // divisor for one in signed]
            total = sum(map(abs, signed))
            return signed if total * len(signed) <= MOST_STATES * 100 else None
    return None


def _exact(gaps: Sequence[int]) -> float:
    total = sum(map(abs, gaps))
    chances = np.zeros(2 * total + 1)
    chances[total] = 1.0
    for gap in map(abs, gaps):
        moved = np.zeros_like(chances)
        moved[gap:] += chances[: len(chances) - gap]
        moved[: len(chances) - gap] += chances[gap:]
        chances = moved / 2
    seen = abs(sum(gaps))
    return min(1.0, float(chances[: total - seen + 1].sum() + chances[total + seen :].sum())
               if seen else 1.0)  # fmt: skip


def _drawn(gaps: np.ndarray) -> float:
    generator = np.random.default_rng(0)
    seen = abs(math.fsum(gaps.tolist())) * (1 - 1e-9)
    sizes = np.abs(gaps)
    beyond = 0
    step = min(1000, max(1, MOST_SIGNS // len(gaps)))
    for start in range(0, DRAWS, step):
        size = (min(step, DRAWS - start), len(gaps))
        signs = generator.integers(0, 2, size, dtype=np.int8) * 2 - 1
        beyond += int((np.abs(signs @ sizes) >= seen).sum())
    return (beyond + 1) / (DRAWS + 1)


def holm(values: Sequence[float]) -> list[float]:
    """Holm's adjusted p-values, in the order given: the chance of any false finding stays 5%."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    adjusted, least = [0.0] * len(values), 0.0
    for rank, index in enumerate(order):
        least = max(least, min(1.0, (len(values) - rank) * values[index]))
        adjusted[index] = least
    return adjusted


def detectable(spread: float, n: int, step: float, six: float | None = None) -> float | None:
    """The difference that a test at 5% finds in four of five cases, in points.

    By the normal approximation, for planning; never below what six problems make when all differ in
    one direction. None where n is too small for any difference to be found.

    Args:
        spread: standard deviation of the problems' differences, in points.
        n: problems.
        step: what the smallest difference of one problem is, in points (100 for one response).
        six: what the six problems weigh that weigh least, 0 to 1; None where all weigh alike.
    """
    if n < FEWEST:
        return None
    floor = step * (FEWEST / n if six is None else six)
    return max((Z + POWER) * spread / math.sqrt(n), floor)


def detectable_unpaired(reach: float) -> float:
    """The same for two values of unrelated problems whose 95% intervals reach so far from them."""
    return reach * math.sqrt(2) * (Z + POWER) / Z
