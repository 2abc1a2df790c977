"""Interval arithmetic: an interval result holds every result that its numbers can give."""

from __future__ import annotations

import operator
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from babelmath.audit.intervals import Interval, largest, mean, smallest, total

NUMBERS = st.fractions(-1000, 1000, max_denominator=1000)
SHARES = st.fractions(0, 1, max_denominator=50)
OPERATIONS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
SEVERAL = [
    (total, sum),
    (mean, lambda values: sum(values, Fraction(0)) / len(values)),
    (smallest, min),
    (largest, max),
]


@st.composite
def held(draw: st.DrawFn) -> tuple[Interval, Fraction]:
    """An interval and a number inside it (often an end)."""
    low, high = sorted((draw(NUMBERS), draw(NUMBERS)))
    return Interval(low, high), low + (high - low) * draw(SHARES)


def between(low: float | str, high: float | str) -> Interval:
    return Interval(Fraction(str(low)), Fraction(str(high)))


@pytest.mark.parametrize("name", OPERATIONS)
@given(held(), held())
def test_an_operation_holds_every_point_result(name, left, right):
    (a, x), (b, y) = left, right
    assume(name != "/" or 0 not in b)
    assert OPERATIONS[name](x, y) in OPERATIONS[name](a, b)


@pytest.mark.parametrize("sign", [operator.neg, abs])
@given(held())
def test_a_sign_holds_every_point_result(sign, pair):
    interval, value = pair
    assert sign(value) in sign(interval)


@pytest.mark.parametrize(("of_intervals", "of_points"), SEVERAL)
@given(st.lists(held(), min_size=1, max_size=6))
def test_a_function_of_several_holds_every_point_result(of_intervals, of_points, pairs):
    result = of_intervals([interval for interval, _ in pairs])
    assert of_points([value for _, value in pairs]) in result


@pytest.mark.parametrize(("of_intervals", "of_points"), SEVERAL)
@given(st.lists(NUMBERS, min_size=1, max_size=6))
def test_points_stay_points(of_intervals, of_points, values):
    result = of_intervals([Interval.point(value) for value in values])
    assert result == Interval.point(Fraction(of_points(values)))


@pytest.mark.parametrize(
    ("result", "low", "high"),
    [
        (between(1, 2) + between(10, 20), 11, 22),
        (between(1, 2) - between(10, 20), -19, -8),
        (between(-1, 2) * between(3, 4), -4, 8),
        (between(-1, 2) * between(-3, 4), -6, 8),
        (between(-2, -1) * between(-4, -3), 3, 8),
        (between(1, 2) / between(4, 8), "0.125", "0.5"),
        (between(1, 2) / between(-8, -4), "-0.5", "-0.125"),
        (-between(-1, 2), -2, 1),
        (abs(between(-3, 2)), 0, 3),
        (abs(between(-3, -2)), 2, 3),
        (abs(between(2, 3)), 2, 3),
        (mean([between(0, 1), between(10, 13)]), 5, 7),
        (total([between(0, 1), between(10, 13)]), 10, 14),
        (smallest([between(0, 5), between(1, 3)]), 0, 3),
        (largest([between(0, 5), between(1, 3)]), 1, 5),
        (Interval.around(Fraction("60.9"), Fraction("0.05")), "60.85", "60.95"),
    ],
)
def test_ends(result, low, high):
    assert result == between(low, high)


@pytest.mark.parametrize(
    ("other", "meets"),
    [
        (between(2, 3), True),
        (between(-1, 1), True),
        (between("1.2", "1.4"), True),
        (between(0, 9), True),
        (between("2.001", 3), False),
        (between(0, "0.999"), False),
    ],
)
def test_ends_belong_to_an_interval(other, meets):
    assert between(1, 2).meets(other) is meets
    assert other.meets(between(1, 2)) is meets


@pytest.mark.parametrize("divisor", [(0, 0), (0, 1), (-1, 0), (-1, 1)])
def test_division_by_what_may_be_zero_is_refused(divisor):
    with pytest.raises(ZeroDivisionError, match="holds 0"):
        between(1, 2) / between(*divisor)


@pytest.mark.parametrize("function", [total, mean, smallest, largest])
def test_nothing_has_no_sum_and_no_mean(function):
    with pytest.raises(ValueError, match="no numbers left"):
        function([])


def test_an_interval_does_not_run_down():
    with pytest.raises(ValueError, match="down"):
        between(2, 1)
