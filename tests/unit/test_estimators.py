"""Estimates over several responses: exact, and equal to what trying every choice gives."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.estimators import majority_at, mean, pass_at
from stand_ins import UNTIMED

COUNTS = st.integers(0, 4)
OTHERS = st.lists(st.integers(1, 3), max_size=3)


def tried_pass(k: int, n: int, right: int) -> Fraction:
    """Of all choices of k responses, the share with a right one."""
    found = [any(choice) for choice in combinations([True] * right + [False] * (n - right), k)]
    return Fraction(sum(found), len(found))


def tried_majority(k: int, right: int, others: list[int], silent: int) -> Fraction:
    """Over all choices of k responses, the mean share of the right answer among the most given."""
    given = ["right"] * right + [str(i) for i, c in enumerate(others) for _ in range(c)]
    shares = []
    for choice in combinations(given + [""] * silent, k):
        votes = {one: choice.count(one) for one in choice if one}
        first = [one for one, count in votes.items() if count == max(votes.values())]
        shares.append(Fraction(int("right" in first), max(len(first), 1)))
    return sum(shares, Fraction(0)) / len(shares)


@pytest.mark.parametrize(
    ("k", "n", "right", "chance"),
    [
        (1, 4, 1, Fraction(1, 4)),
        (2, 4, 1, Fraction(1, 2)),
        (3, 4, 1, Fraction(3, 4)),
        (4, 4, 1, Fraction(1)),
        (2, 4, 2, Fraction(5, 6)),
        (3, 3, 1, Fraction(1)),
        (3, 3, 0, Fraction(0)),
        (1, 1, 1, Fraction(1)),
        (10, 200, 3, 1 - Fraction(comb(197, 10), comb(200, 10))),
    ],
)
def test_pass_at_k_by_hand(k: int, n: int, right: int, chance: Fraction) -> None:
    assert pass_at(k, n, right) == chance


@UNTIMED
@given(st.integers(1, 8), st.integers(0, 8), st.integers(1, 8))
def test_pass_at_k_is_what_all_choices_give(n: int, right: int, k: int) -> None:
    right, k = min(right, n), min(k, n)
    assert pass_at(k, n, right) == tried_pass(k, n, right)


@UNTIMED
@given(st.integers(1, 300), st.data())
def test_pass_at_one_is_the_mean_and_pass_grows_with_k(n: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, n))
    assert pass_at(1, n, right) == Fraction(right, n)
    assert pass_at(n, n, right) == int(right > 0)
    k = data.draw(st.integers(1, n))
    assert pass_at(max(k - 1, 1), n, right) <= pass_at(k, n, right) <= 1


@pytest.mark.parametrize(
    ("k", "n", "right"), [(5, 4, 1), (0, 4, 1), (1, 0, 0), (1, 4, 5), (1, 4, -1)]
)
def test_more_than_there_is_is_refused(k: int, n: int, right: int) -> None:
    with pytest.raises(ValueError):
        pass_at(k, n, right)


@pytest.mark.parametrize(
    ("k", "right", "others", "silent", "chance"),
    [
        (4, 2, [1, 1], 0, Fraction(1)),
        (4, 2, [2], 0, Fraction(1, 2)),
        (4, 1, [1, 1], 1, Fraction(1, 3)),
        (4, 1, [2], 1, Fraction(0)),
        (4, 1, [], 3, Fraction(1)),
        (4, 0, [], 4, Fraction(0)),
        (1, 1, [3], 0, Fraction(1, 4)),
        (3, 2, [2], 0, Fraction(1, 2)),
        (2, 2, [2], 0, Fraction(1, 2)),
    ],
)
def test_majority_by_hand(
    k: int, right: int, others: list[int], silent: int, chance: Fraction
) -> None:
    assert majority_at(k, right, others, silent) == chance


@UNTIMED
@given(COUNTS, OTHERS, COUNTS, st.integers(1, 6))
def test_majority_is_what_all_choices_give(
    right: int, others: list[int], silent: int, k: int
) -> None:
    n = right + sum(others) + silent
    if n:
        assert majority_at(min(k, n), right, others, silent) == tried_majority(
            min(k, n), right, others, silent
        )


@UNTIMED
@given(st.integers(0, 20), OTHERS, st.integers(0, 20))
def test_majority_of_one_is_the_mean(right: int, others: list[int], silent: int) -> None:
    n = right + sum(others) + silent
    if n:
        assert majority_at(1, right, others, silent) == Fraction(right, n) == pass_at(1, n, right)


def test_majority_of_many_responses_is_exact() -> None:
    assert majority_at(64, 20, [19, 15, 5], 5) == 1
    chance = majority_at(32, 30, [20, 10], 4)
    assert 0 < chance < 1 and comb(64, 32) * 6 % chance.denominator == 0


@pytest.mark.parametrize(("others", "silent"), [([0], 1), ([-1], 3), ([2], -1)])
def test_an_answer_that_nobody_gave_is_no_answer(others: list[int], silent: int) -> None:
    with pytest.raises(ValueError):
        majority_at(1, 2, others, silent)


def test_mean_over_questions() -> None:
    assert mean([Fraction(1), Fraction(0), Fraction(1, 3)]) == Fraction(4, 9)
