"""Whether two answers are the same set of real numbers."""

from __future__ import annotations

from babelmath.scoring.same.forms import Form, Many
from babelmath.scoring.same.numbers import Judging, sign_between
from babelmath.scoring.same.regions import Region, same_region
from babelmath.scoring.same.sets import region_of
from babelmath.scoring.same.tree import Node, UndecidedError, letters
from babelmath.scoring.same.values import same_value


def as_regions(one: Form, other: Form, judging: Judging) -> bool | None:
    """The verdict on two sets of real numbers, None where they are not surely that."""
    first, second = region_of(one), region_of(other)
    if first is None or second is None or not (first.sure or second.sure):
        return None
    if _brackets(one) and _brackets(other) and not (first.variable and second.variable):
        return _intervals(first, second, judging)
    try:
        found = same_region(first, second, lambda a, b: sign_between(a, b, judging))
    except UndecidedError:
        ends = _all_ends(first) + _all_ends(second)
        if judging.order is None and not any(map(letters, ends)):
            raise
        if first.kind == second.kind == "interval":
            return _intervals(first, second, judging)
        return None
    judging.used("sets of numbers")
    return found


def _brackets(form: Form) -> bool:
    return isinstance(form, Many) and form.kind == "tuple"


def _intervals(one: Region, other: Region, judging: Judging) -> bool:
    """Two single intervals, end by end; their ends may hold letters."""
    judging.used("intervals")
    if one.closed != other.closed:
        return False
    if one.variable and other.variable and one.variable != other.variable:
        return False
    return all(
        first is second is None
        or (first is not None and second is not None and same_value(first, second, judging))
        for first, second in ((one.low, other.low), (one.high, other.high))
    )


def _all_ends(region: Region) -> list[Node]:
    own = [end for end in (region.low, region.high) if end is not None]
    return own + [end for part in region.parts for end in _all_ends(part)]
