"""Exact interval arithmetic: what can be said of numbers that are known to half a digit.

Ends are fractions and belong to the interval. The same number met twice counts as two: the result
may be wider than need be, never too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from `low` to `high`, both included."""

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"an interval from {self.low} down to {self.high}")

    @classmethod
    def point(cls, value: Fraction) -> Interval:
        """An exact number."""
        return cls(value, value)

    @classmethod
    def around(cls, value: Fraction, half: Fraction) -> Interval:
        """A number known to `half` on either side."""
        return cls(value - half, value + half)

    def __contains__(self, value: Fraction) -> bool:
        return self.low <= value <= self.high

    def meets(self, other: Interval) -> bool:
        """Whether the two have a number in common."""
        return self.low <= other.high and other.low <= self.high

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __abs__(self) -> Interval:
        if self.low >= 0:
            return self
        if self.high <= 0:
            return -self
        return Interval(Fraction(0), max(-self.low, self.high))

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def __mul__(self, other: Interval) -> Interval:
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def __truediv__(self, other: Interval) -> Interval:
        """Raises ZeroDivisionError where `other` holds 0."""
        if other.low <= 0 <= other.high:
            raise ZeroDivisionError("division by an interval that holds 0")
        return self * Interval(1 / other.high, 1 / other.low)


def total(intervals: Sequence[Interval]) -> Interval:
    """The sum; raises ValueError where there is nothing to add."""
    _some(intervals)
    return Interval(
        sum((each.low for each in intervals), Fraction(0)),
        sum((each.high for each in intervals), Fraction(0)),
    )


def mean(intervals: Sequence[Interval]) -> Interval:
    """The unweighted mean; raises ValueError where there is nothing to average."""
    whole = total(intervals)
    return Interval(whole.low / len(intervals), whole.high / len(intervals))


def smallest(intervals: Sequence[Interval]) -> Interval:
    """The minimum; raises ValueError where there is none."""
    _some(intervals)
    return Interval(min(each.low for each in intervals), min(each.high for each in intervals))


def largest(intervals: Sequence[Interval]) -> Interval:
    """The maximum; raises ValueError where there is none."""
    _some(intervals)
    return Interval(max(each.low for each in intervals), max(each.high for each in intervals))


def _some(intervals: Sequence[Interval]) -> None:
    if not intervals:
        raise ValueError("no numbers left")
