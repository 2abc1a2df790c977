"""Whether a gold can decide: it is mathematics that the comparison reads, and equals itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from babelmath.scoring.equivalence import Comparer
from babelmath.scoring.same.reading import read

FRACTION = re.compile(r"\\frac(?![A-Za-z])")
PLAIN_SIGN = re.compile(r"(?<![<>!\\])([=+])")


@dataclass(frozen=True)
class GoldCheck:
    """What was found out about a gold; only a gold that is `parsed` and equal to itself is put to
    the rules, the others go to a judge.

    Attributes:
        form: number, expression, list, set, tuple, equation, word ... or text.
        reason: why it cannot decide, empty where it can.
    """

    parsed: bool
    equal_to_itself: bool
    form: str
    reason: str = ""

    @property
    def decides(self) -> bool:
        return self.parsed and self.equal_to_itself


def check_gold(readings: Sequence[str], comparer: Comparer) -> GoldCheck:
    """Check a gold by its readings in plain notation; one that decides is enough.

    The gold is compared with a copy in other spelling, since a text always equals itself.
    """
    last = GoldCheck(False, False, "text", "empty")
    for text in readings:
        reading = read(text)
        if reading.form is None:
            last = GoldCheck(False, False, reading.kind, reading.reason)
            continue
        found = comparer.compare(text, respelt(text), True)
        if found.equal:
            return GoldCheck(True, True, reading.kind)
        last = GoldCheck(True, False, reading.kind, found.failed or "does not equal itself")
    return last


def respelt(text: str) -> str:
    r"""The same answer in other spelling: \displaystyle, \dfrac, wide blanks around signs."""
    changed = FRACTION.sub(r"\\dfrac", text).replace("\\sqrt{", "\\sqrt {")
    return "\\displaystyle " + PLAIN_SIGN.sub(r" \1 ", changed)
