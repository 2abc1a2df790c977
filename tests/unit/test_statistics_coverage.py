"""How often 95% intervals hold the truth, of seeded draws (all designs: make bench)."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from babelmath.statistics.frames import shares
from bench.coverage import (
    SHARES,
    clustered,
    deviation,
    drawn,
    latent,
    macro,
    paired,
    share,
    single,
    single_on_average,
)
from unit.test_statistics import rows

DRAWS = 600
LEAST, MOST = 0.92, 0.985  # MOST for 150 problems and more, of one response or unlike sides


@pytest.mark.parametrize("n", [6, 10, 15, 30, 150])
def test_shares_of_single_responses_are_held_95_times_of_100_on_average(n: int) -> None:
    found = single_on_average(n)
    assert 0.945 <= found.coverage <= 0.96
    assert 0.94 <= single(150, n / 160).coverage <= 0.965


def test_a_share_near_the_end_of_the_scale_is_held_less_often_by_few_problems() -> None:
    """Wilson's interval of ten problems falls short at some shares (Brown, Cai, DasGupta 2001)."""
    assert 0.91 < single(10, 0.95).coverage < 0.92


@pytest.mark.parametrize("n, of, p, alike", [
    (6, 4, 0.5, 0.6), (10, 40, 0.95, 0.9), (15, 4, 0.5, 0.2), (30, 40, 0.5, 0.6),
    (30, 4, 0.1, 0.9), (150, 4, 0.5, 0.6), (150, 40, 0.1, 0.2),
])  # fmt: skip
def test_shares_of_repeated_responses_are_held(n: int, of: int, p: float, alike: float) -> None:
    found = clustered(n, of, p, alike, DRAWS).coverage
    assert found >= LEAST and (n < 150 or found <= MOST)


@pytest.mark.parametrize("of", [1, 4, 40])
def test_means_over_subsets_are_held(of: int) -> None:
    assert all(macro(ps, of, 0.5, DRAWS).coverage >= LEAST for ps in SHARES)


@pytest.mark.parametrize("n, of, p1, p2, together", [
    (6, 1, 0.5, 0.5, 0.0), (15, 1, 0.5, 0.5, 0.0), (15, 4, 0.8, 0.7, 0.7), (30, 1, 0.8, 0.7, 0.0),
    (150, 1, 0.5, 0.5, 0.7), (150, 4, 0.8, 0.7, 0.0), (311, 1, 0.95, 0.9, 1.0),
])  # fmt: skip
def test_differences_over_the_same_problems_are_held(
    n: int, of: int, p1: float, p2: float, together: float
) -> None:
    found = paired(n, of, p1, p2, together, DRAWS).coverage
    assert found >= LEAST and (n < 150 or found <= MOST)


@pytest.mark.parametrize("sizes", [(1, 120), (2, 100), (1, 120, 110, 110, 110), (4, 20, 30, 110)])
def test_means_over_languages_of_unequal_size_are_held(sizes: tuple[int, ...]) -> None:
    """Responses of 30 problems asked four times, of which a language has few (MMATH's table 4)."""
    rng, truth, held, draws = np.random.default_rng(1), 0.4, 0, 150
    for _ in range(draws):
        hard = rng.beta(0.93, 1.4, 30)
        parts = []
        for lang, size in enumerate(sizes):
            at = rng.choice(120, size, replace=False) // 4
            parts.append(pl.DataFrame({"id": at.astype(str), "score": rng.random(size) < hard[at],
                                       "cell": str(lang)}))  # fmt: skip
        (found,) = shares(pl.concat(parts)).values()
        held += found.span[0] <= truth <= found.span[1]
    assert held / draws >= LEAST


@pytest.mark.parametrize("ps", [(0.5,) * 7, (0.4, 0.5, 0.6, 0.5, 0.45, 0.55, 0.7), (0.5, 0.6)])
def test_deviations_over_languages_are_held_even_where_there_is_none(ps: tuple[float, ...]) -> None:
    assert all(deviation(n, ps, DRAWS).coverage >= LEAST for n in (30, 150))


def test_what_is_measured_is_what_tables_take() -> None:
    """The share made of counts is the one made of rows."""
    rng = np.random.default_rng(1)
    right = drawn(latent(rng, 30), 4, 0.6, 0.5, rng)
    (made,) = shares(rows({
        f"{at:02d}": [1] * int(k) + [0] * (4 - int(k)) for at, k in enumerate(right)
    })).values()  # fmt: skip
    counted = share(right, 4)
    assert (made.value, made.n) == (counted.value, counted.n)
    assert made.influence == pytest.approx(counted.influence) and made.span == pytest.approx(
        counted.span
    )
