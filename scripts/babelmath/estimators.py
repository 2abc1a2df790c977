"""Estimates from several responses to one question: pass@k, maj@k, and their means.

All are exact: fractions, and expectations over every choice of k of a question's n responses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb


def pass_at(k: int, n: int, right: int) -> Fraction:
    """Chance that at least one of k responses, drawn from n without return, is right.

    The unbiased estimator 1 - C(n - right, k) / C(n, k). With k = n it says whether any response is
    right (Pass@3 of MathMist section 4.2, with three), with k = 1 it is the mean over responses.

    Raises:
        ValueError: k is not in 1..n, or right not in 0..n. More than n were never asked for.
    """
    _check(k, n, right)
    return 1 - Fraction(comb(n - right, k), comb(n, k))


def majority_at(k: int, right: int, others: Sequence[int], silent: int = 0) -> Fraction:
    """Chance that the answer most often given among k drawn responses is the right one.

    Where several answers are given equally often, one of them is drawn: the right one counts its
    share. Responses without an answer are drawn like all others and vote for nothing; if all k are
    silent, no answer wins.

    Args:
        k: responses drawn, without return.
        right: responses with the right answer.
        others: responses with each other answer.
        silent: responses without an answer.

    Raises:
        ValueError: k is not in 1..n, n being the sum of all, or a count is negative.
    """
    n = right + sum(others) + silent
    _check(k, n, right)
    if silent < 0 or min(others, default=1) < 1:
        raise ValueError(f"counts of answers {[*others]} and silence {silent}")
    won = Fraction(0)
    for votes in range(1, min(right, k) + 1):
        for ties, ways in enumerate(_drawn(others, silent, votes, k - votes)):
            won += Fraction(comb(right, votes) * ways, ties + 1)
    return won / comb(n, k)


def mean(values: Iterable[Fraction]) -> Fraction:
    """Mean over questions, of which there must be one."""
    held = list(values)
    return sum(held, Fraction(0)) / len(held)


def _drawn(others: Sequence[int], silent: int, most: int, left: int) -> list[int]:
    """Ways to draw `left` responses with no answer more than `most` times, by how many reach it."""
    # ways[ties][drawn]: of the answers seen so far.
    ways = [[1] + [0] * left]
    for count in others:
        grown = [[0] * (left + 1) for _ in range(len(ways) + 1)]
        for ties, row in enumerate(ways):
            for drawn, sofar in enumerate(row):
                for votes in range(min(count, most, left - drawn) + 1) if sofar else ():
                    grown[ties + (votes == most)][drawn + votes] += sofar * comb(count, votes)
        ways = grown
    return [
        sum(sofar * comb(silent, left - drawn) for drawn, sofar in enumerate(row)) for row in ways
    ]


def _check(k: int, n: int, right: int) -> None:
    if not 1 <= k <= n:
        raise ValueError(f"k = {k} of {n} responses")
    if not 0 <= right <= n:
        raise ValueError(f"{right} right of {n} responses")
