"""Intervals and tests of scored responses: against statsmodels and scipy, by hand, by property."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import permutation_test
from scipy.stats import t as student_t
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint

from babelmath.statistics.frames import (
    Measured,
    deviation_span,
    difference,
    mapped,
    measured,
    shares,
)
from babelmath.statistics.shares import FEW, Z, combined, wilson
from babelmath.statistics.testing import (
    DRAWS,
    detectable,
    detectable_unpaired,
    holm,
    sign_flips,
)

FEW_EXAMPLES = settings(max_examples=40, deadline=None)


def rows(scores: dict[str, Sequence[float]], **fields: Any) -> pl.DataFrame:
    """Responses by problem, in the fields given."""
    table = [{"id": key, "score": float(one), **fields} for key, many in scores.items()
             for one in many]  # fmt: skip
    return pl.DataFrame(table)


def single(marks: Sequence[float], prefix: str = "p") -> pl.DataFrame:
    """One response to each problem."""
    return rows({f"{prefix}{at:04d}": [one] for at, one in enumerate(marks)})


def drawn(seed: int, problems: int, most: int) -> dict[str, list[float]]:
    """Unequal numbers of responses to problems of unequal hardness."""
    rng = random.Random(seed)
    return {
        f"p{at:03d}": [float(rng.random() < hard) for _ in range(rng.randint(1, most))]
        for at, hard in enumerate(rng.random() for _ in range(problems))
    }


def known(one: Measured | None) -> Measured:
    assert one is not None and one.span is not None
    return one


# Against statsmodels and scipy


@pytest.mark.parametrize("right, n", [(0, 6), (1, 6), (3, 10), (75, 150), (149, 150), (843, 1445)])
def test_one_response_a_problem_has_wilsons_interval(right: int, n: int) -> None:
    found = known(measured(single([1.0] * right + [0.0] * (n - right))))
    low, high = proportion_confint(right, n, method="wilson")
    assert found.span == pytest.approx((100 * low, 100 * high), abs=1e-9)
    assert (found.value, found.n, found.clusters) == (pytest.approx(100 * right / n), n, n)


@pytest.mark.parametrize("seed, problems, most", [(5, 17, 4), (2, 30, 40), (3, 150, 4)])
def test_repeated_responses_have_the_clustered_standard_error(
    seed: int, problems: int, most: int
) -> None:
    """OLS on a constant with errors clustered by problem, and Wilson's interval of as many
    independent responses as would have that error."""
    held = drawn(seed, problems, most)
    score = np.array([one for many in held.values() for one in many])
    group = np.array([at for at, many in enumerate(held.values()) for _ in many])
    fit = OLS(score, np.ones(len(score))).fit(cov_type="cluster", cov_kwds={"groups": group})
    (share,) = shares(rows(held)).values()
    assert problems * min(share.value, 1 - share.value) >= FEW
    variance = problems / (problems - 1) * float((share.influence**2).sum())
    assert share.value == pytest.approx(float(fit.params[0]))
    assert math.sqrt(variance) == pytest.approx(float(fit.bse[0]))
    p = float(fit.params[0])
    as_sure = p * (1 - p) / fit.bse[0] ** 2 * (Z / student_t.ppf(0.975, problems - 1)) ** 2
    nobs = min(max(as_sure, 1), len(score))
    assert share.span == pytest.approx(proportion_confint(p * nobs, nobs, method="wilson"))


@pytest.mark.parametrize("seed, n", [(1, 6), (2, 12), (3, 40), (4, 150), (5, 1445)])
def test_one_response_a_side_is_tested_as_mcnemar_does(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    one, two = rng.random(n) < 0.6, rng.random(n) < 0.5
    square = [[(one & two).sum(), (one & ~two).sum()], [(~one & two).sum(), (~one & ~two).sum()]]
    found = known(difference(single(one.tolist()), single(two.tolist())))
    assert found.p == pytest.approx(mcnemar(square, exact=True).pvalue)
    assert found.value == pytest.approx(100 * (one.mean() - two.mean()))


GAPS = (
    [0.25, -0.5, 0.75, 1.0, 0.0, 0.25],
    [1 / 3, 2 / 3, -1 / 3, 1.0, 1.0, 2 / 3, 1 / 3],
    [0.1, -0.1, 0.1, -0.1],
    [1.0] * 6,
    [0.3, 0.7123, -0.21, 0.5501, 0.9, 0.11, 0.42, -0.07],
    [-1.0, 1.0],
)


@pytest.mark.parametrize("gaps", GAPS)
def test_several_responses_are_tested_by_flipping_signs(gaps: list[float]) -> None:
    def mean(x: np.ndarray, axis: int) -> Any:
        return np.mean(x, axis=axis)

    exact = permutation_test((np.array(gaps),), mean, permutation_type="samples", n_resamples=9999)
    # Fewer than 2**13 signs: scipy counts all; off the grid this project draws.
    assert sign_flips([np.array(gaps)]) == pytest.approx(exact.pvalue, abs=0.012)
    if all(round(one * 60) == pytest.approx(one * 60) for one in gaps):
        assert sign_flips([np.array(gaps)]) == pytest.approx(exact.pvalue, abs=1e-12)


def test_drawn_signs_come_close_to_all_signs() -> None:
    """The same differences on a grid, and moved off it by a little."""
    rng = np.random.default_rng(7)
    gaps = rng.integers(-3, 6, 40) / 4
    moved = gaps * (1 + 1e-4 * rng.random(40))
    exact, near = sign_flips([gaps]), sign_flips([moved])
    assert near != exact and near * (DRAWS + 1) == pytest.approx(round(near * (DRAWS + 1)))
    assert near == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / DRAWS) + 1e-4)


@settings(max_examples=12, deadline=None)  # statsmodels takes 40 ms for one
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_many_tests_are_corrected_as_holm_does(values: list[float]) -> None:
    assert holm(values) == pytest.approx(multipletests(values, method="holm")[1].tolist())


@pytest.mark.parametrize(
    "a, b, c, d", [(20, 10, 5, 15), (1, 5, 0, 9), (70, 3, 9, 68), (0, 4, 5, 1)]
)
def test_a_paired_difference_has_newcombes_interval(a: int, b: int, c: int, d: int) -> None:
    """Newcombe 1998: square and add Wilson's distances, less what both sides share; here the
    correlation of the square (a both right, b the first alone, c the second alone, d neither) is
    lowered by its standard error."""
    n = a + b + c + d
    first, second = [1] * (a + b) + [0] * (c + d), [1] * a + [0] * b + [1] * c + [0] * d
    phi = (a * d - b * c) / math.sqrt((a + b) * (c + d) * (a + c) * (b + d))
    phi = phi if phi < 0 else max(0.0, phi - 1 / math.sqrt(n))
    p1, p2 = (a + b) / n, (a + c) / n
    l1, u1 = proportion_confint(a + b, n, method="wilson")
    l2, u2 = proportion_confint(a + c, n, method="wilson")
    below = math.sqrt((p1 - l1) ** 2 - 2 * phi * (p1 - l1) * (u2 - p2) + (u2 - p2) ** 2)
    above = math.sqrt((u1 - p1) ** 2 - 2 * phi * (u1 - p1) * (p2 - l2) + (p2 - l2) ** 2)
    found = known(difference(single(first), single(second)))
    assert found.span == pytest.approx((100 * (p1 - p2 - below), 100 * (p1 - p2 + above)))


@pytest.mark.parametrize(
    "right1, n1, right2, n2", [(7, 10, 3, 12), (0, 6, 5, 6), (90, 150, 80, 150)]
)
def test_a_difference_of_unrelated_problems_has_newcombes_interval(
    right1: int, n1: int, right2: int, n2: int
) -> None:
    one = single([1] * right1 + [0] * (n1 - right1), "a")
    two = single([1] * right2 + [0] * (n2 - right2), "b")
    found = known(difference(one, two))
    wanted = confint_proportions_2indep(right1, n1, right2, n2, method="newcomb", compare="diff")
    assert found.span == pytest.approx((100 * wanted[0], 100 * wanted[1]))
    assert (found.n, found.p, found.spread) == (0, None, None)  # no problem in common, no test


def test_a_mean_over_strata_adds_their_distances_as_variances() -> None:
    counts = {"a": (18, 30), "b": (7, 15), "c": (12, 18), "m": (290, 311)}
    held = pl.concat(
        single([1] * right + [0] * (n - right), name).with_columns(stratum=pl.lit(name))
        for name, (right, n) in counts.items()
    )
    ends = [proportion_confint(right, n, method="wilson") for right, n in counts.values()]
    values = [right / n for right, n in counts.values()]
    below = math.hypot(*(v - low for v, (low, _) in zip(values, ends, strict=True))) / 4
    above = math.hypot(*(high - v for v, (_, high) in zip(values, ends, strict=True))) / 4
    mean, found = sum(values) / 4, known(measured(held))
    assert found.value == pytest.approx(100 * mean) and found.n == found.clusters == 374
    assert found.span == pytest.approx((100 * (mean - below), 100 * (mean + above)))


def test_a_mean_over_cells_weighs_cells_alike_whatever_their_sizes() -> None:
    held = pl.concat([
        rows({"x": [1, 1], "y": [1, 0]}, cell="en"),  # 3 of 4
        rows({"x": [0], "z": [0]}, cell="bn"),
    ])  # fmt: skip
    found = known(measured(held))
    assert (found.value, found.n, found.clusters) == (37.5, 6, 3)
    (share,) = shares(held).values()
    by_id = dict(zip(share.ids, share.influence, strict=True))
    assert by_id == pytest.approx({"x": (0.5 / 4 + 0) / 2, "y": (-0.5 / 4) / 2, "z": 0.0})


def test_a_cell_of_one_response_makes_the_mean_as_unsure_as_it_is() -> None:
    """One right response in one language, 60 of 120 in another: 75%, of which half hangs on one."""
    many = {f"p{at:02d}": [1, 0, 1, 0] for at in range(30)}
    low, high = known(measured(pl.concat([
        rows({"p00": [1]}, cell="ko"), rows(many, cell="en"),
    ]))).span or (0, 0)  # fmt: skip
    assert low < 40 and high > 90
    one_each = [rows({f"p{at:02d}": [at % 2] for at in range(29)}, cell="en"),
                rows({"p29": [0]}, cell="ko")]  # fmt: skip
    found = known(measured(pl.concat(one_each)))
    expected = proportion_confint(found.value / 100 * 3.867, 3.867, method="wilson")
    assert found.span == pytest.approx([100 * end for end in expected], abs=0.01)


@pytest.mark.parametrize("first, second", [((1, 3, 3), (3, 3, 1)), ((0, 1, 3), (1, 3, 0))])
def test_rounding_is_no_difference_of_a_problem(
    first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    """As many of nine responses right on both sides, in thirds whose float sums differ."""

    def side(rights: tuple[int, ...]) -> pl.DataFrame:
        return pl.concat([
            rows({f"p{at}": [1] * right + [0] * (3 - right) for at in range(8)}, cell=str(lang))
            for lang, right in enumerate(rights)
        ])  # fmt: skip

    found = known(difference(side(first), side(second)))
    assert (found.p, found.spread) == (1.0, 0.0)


# Differences that could be found


def test_a_detectable_difference_is_found_four_times_in_five() -> None:
    """One response a side to 150 problems, a third of which differ."""
    n, differ = 150, 1 / 3
    gap = 0.0
    for _ in range(20):  # the spread depends on the difference itself
        gap = (detectable(100 * math.sqrt(differ - gap**2), n, 100) or 0.0) / 100
    rng = np.random.default_rng(11)
    chances = [(differ - gap) / 2, 1 - differ, (differ + gap) / 2]
    draws = rng.choice([-1.0, 0.0, 1.0], (500, n), p=chances)
    found = sum(sign_flips([one]) < 0.05 for one in draws) / 500
    assert 0.70 < found < 0.87  # the exact test rejects a little less than 5%


def test_a_detectable_difference_of_unrelated_responses_is_the_normal_powers() -> None:
    for n in (6, 150, 1445):
        effect = NormalIndPower().solve_power(nobs1=n, alpha=0.05, power=0.8, ratio=1)
        reach = 100 * Z * math.sqrt(0.25 / n)
        assert detectable_unpaired(reach) == pytest.approx(100 * 0.5 * effect, rel=1e-4)


@pytest.mark.parametrize(
    "spread, n, step, wanted",
    [
        (50, 5, 100, None),  # 2 / 2**5 is above 0.05
        (0, 6, 100, 100.0),
        (10, 30, 100, 20.0),  # six problems of thirty
        (50, 100, 25, 2.8015852 * 5),
    ],
)
def test_fewer_than_six_problems_find_nothing_and_no_difference_is_below_six_problems(
    spread: float, n: int, step: float, wanted: float | None
) -> None:
    assert detectable(spread, n, step) == (wanted if wanted is None else pytest.approx(wanted))


def test_six_problems_in_one_direction_are_the_fewest_that_tell() -> None:
    assert sign_flips([np.ones(5)]) == 0.0625 and sign_flips([np.ones(6)]) == 0.03125


# Deviations over languages


def test_a_deviation_of_two_languages_has_the_interval_of_half_their_distance() -> None:
    rng = np.random.default_rng(3)
    one, two = (rng.random(400) < 0.9).astype(float), (rng.random(400) < 0.4).astype(float)
    found = deviation_span({"en": single(one.tolist()), "bn": single(two.tolist())})
    error = (one - two).std(ddof=1) / math.sqrt(400)
    reach = student_t.ppf(0.975, 399) * error
    gap = (one - two).mean()
    assert found == pytest.approx((50 * (gap - reach), 50 * (gap + reach)), rel=1e-6)


@pytest.mark.parametrize("mark", [0.0, 1.0])
def test_languages_that_are_all_alike_may_still_deviate_a_little(mark: float) -> None:
    columns = {lang: single([mark] * 150) for lang in ("en", "bn", "fr")}
    low, high = deviation_span(columns) or (-1.0, -1.0)
    assert low == 0.0 and 0 < high < 5


def test_a_deviation_needs_two_languages_with_two_problems_in_common() -> None:
    some = single([1, 0, 1])
    assert deviation_span({}) is None and deviation_span({"en": some}) is None
    assert deviation_span({"en": some, "bn": single([1, 0], "q")}) is None
    whole = deviation_span({"en": some, "bn": single([0, 0, 1])})
    more = deviation_span({"en": some, "bn": pl.concat([single([0, 0, 1]), single([1], "q")])})
    assert whole == more


# Properties

MARKS = st.lists(st.booleans(), min_size=1, max_size=4)
HELD = st.dictionaries(st.integers(0, 30), MARKS, min_size=1, max_size=14)


def frame(held: dict[int, list[bool]], names: Sequence[str] = ()) -> pl.DataFrame:
    return rows({names[key] if names else f"p{key:02d}": many for key, many in held.items()})


@FEW_EXAMPLES
@given(HELD, HELD)
def test_intervals_hold_their_number_and_stay_on_the_scale(
    one: dict[int, list[bool]], two: dict[int, list[bool]]
) -> None:
    found = known(measured(frame(one)))
    assert 0 <= found.span[0] <= found.value <= found.span[1] <= 100  # type: ignore[index]
    assert found.n == sum(map(len, one.values())) and found.clusters == len(one)
    gap = known(difference(frame(one), frame(two)))
    assert -100 <= gap.span[0] <= gap.value <= gap.span[1] <= 100  # type: ignore[index]
    assert gap.n == len(one.keys() & two.keys())
    assert gap.p is None if gap.n == 0 else 0 < (gap.p or 0) <= 1


@FEW_EXAMPLES
@given(HELD, HELD)
def test_swapping_the_sides_of_a_difference_mirrors_it(
    one: dict[int, list[bool]], two: dict[int, list[bool]]
) -> None:
    there, back = (known(difference(a, b)) for a, b in (
        (frame(one), frame(two)), (frame(two), frame(one))))  # fmt: skip
    assert there.span is not None and back.span is not None
    assert (back.value, *back.span) == (-there.value, -there.span[1], -there.span[0])
    assert (back.n, back.p, back.spread) == (there.n, there.p, there.spread)


@FEW_EXAMPLES
@given(HELD, HELD, st.randoms())
def test_names_and_order_change_not_a_bit(
    one: dict[int, list[bool]], two: dict[int, list[bool]], rng: random.Random
) -> None:
    names = [f"n{at:02d}" for at in range(31)]
    rng.shuffle(names)
    plain = [frame(one), frame(two)]
    other = [frame(held, names) for held in (one, two)]
    other = [one.sample(fraction=1, shuffle=True, seed=rng.randint(0, 99)) for one in other]
    assert difference(*plain) == difference(*other)
    assert measured(plain[0]) == measured(other[0])


@FEW_EXAMPLES
@given(st.lists(st.booleans(), min_size=1, max_size=60), st.integers(2, 40))
def test_repeating_every_response_tells_nothing_new(marks: list[bool], times: int) -> None:
    once = known(measured(single(marks)))
    again = known(measured(pl.concat([single(marks)] * times)))
    assert again.value == pytest.approx(once.value) and again.n == times * once.n
    assert once.span is not None and again.span is not None
    assert again.span[0] <= once.span[0] + 1e-9 and once.span[1] <= again.span[1] + 1e-9


def test_fractions_in_another_order_give_the_same_bits() -> None:
    rng = np.random.default_rng(0)
    held = pl.DataFrame({
        "id": [f"p{at % 17}" for at in range(200)],
        "cell": [f"l{at % 3}" for at in range(200)],
        "score": rng.random(200),
    })  # fmt: skip
    other = held.sample(fraction=1, shuffle=True, seed=5)
    before = held.with_columns(score=1 - pl.col("score"))
    assert measured(held) == measured(other)
    assert difference(held, before) == difference(other, before)


# Ends of the scale, and what is not there


@pytest.mark.parametrize("mark, low, high", [(1.0, 20.6549, 100.0), (0.0, 0.0, 79.3451)])
def test_one_problem_asked_forty_times_is_one_problem(mark: float, low: float, high: float) -> None:
    found = known(measured(rows({"p": [mark] * 40})))
    assert found.span == pytest.approx((low, high), abs=1e-4) and found.n == 40


def test_all_right_leaves_room_below_by_the_number_of_problems() -> None:
    spans = [known(measured(rows({f"p{at}": [1] * of for at in range(30)}))).span for of in (1, 40)]
    assert spans[0] == spans[1] and spans[0] == (pytest.approx(88.6487, abs=1e-4), 100)


def test_no_rows_give_no_number() -> None:
    none = single([1]).clear()
    assert measured(none) is None
    assert difference(none, single([1])) is None and difference(single([1]), none) is None


def test_a_stratum_that_one_side_lacks_leaves_no_difference() -> None:
    both = pl.concat(single([1, 0], name).with_columns(stratum=pl.lit(name)) for name in "ab")
    alone = both.filter(pl.col("stratum") == "a")
    assert difference(both, alone) is None and difference(alone, both) is None
    assert known(difference(both, both)).n == 4


def test_no_difference_at_all_is_no_finding_and_has_an_interval() -> None:
    same = single([1, 0] * 20)
    found = known(difference(same, same))
    assert (found.value, found.p, found.spread) == (0.0, 1.0, 0.0)
    assert found.span is not None and found.span[0] == -found.span[1] < 0


def test_unequal_numbers_of_responses_count_responses_in_shares_and_problems_in_tests() -> None:
    one, two = rows({"a": [1, 1, 1], "b": [0]}), rows({"a": [1], "b": [0, 0]})
    found = known(difference(one, two))
    assert found.value == pytest.approx(75 - 100 / 3)  # shares of responses
    assert (found.n, found.p) == (2, 1.0)  # each problem alike on both sides


def test_f1_is_mapped_from_the_share_it_grows_with() -> None:
    """With every item an error: F1 = 2r / (1 + r) of the share r that is found."""
    share = known(measured(single([1] * 40 + [0] * 10)))
    found = mapped(share, lambda r: 2 * r / (1 + r / 100))
    assert share.span is not None
    assert found.value == pytest.approx(100 * 2 * 40 / (2 * 40 + 10)) and found.n == 50
    assert found.span == tuple(2 * end / (1 + end / 100) for end in share.span)


@given(st.floats(0, 1), st.floats(0.5, 1e6))
def test_wilsons_interval_holds_its_share_for_any_number(share: float, n: float) -> None:
    low, high = wilson(share, n)
    assert 0 <= low <= share <= high <= 1
    mirrored = wilson(1 - share, n)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=1e-9)


def test_a_sum_of_one_estimate_is_that_estimate() -> None:
    assert combined([0.4], [(0.2, 0.7)], [1.0]) == pytest.approx((0.2, 0.7))


def test_six_problems_of_the_largest_subset_are_the_least_that_can_be_found():
    rows = [(f"{name}{at}", name, 1.0) for name, n in (("a", 15), ("m", 311)) for at in range(n)]
    schema = {"id": pl.String, "stratum": pl.String, "score": pl.Float64}
    before = pl.DataFrame(rows, schema=schema, orient="row")
    changed = [f"m{at}" for at in range(6)]
    after = before.with_columns(
        score=pl.when(pl.col("id").is_in(changed)).then(0.0).otherwise("score")
    )
    found = difference(after, before)
    assert found is not None and found.six == pytest.approx(6 / 311 / 2)
    assert detectable(0.0, found.n, 100, found.six) == pytest.approx(-found.value)
    assert found.p == pytest.approx(2 / 2**6)
