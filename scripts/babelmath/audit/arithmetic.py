"""What the papers' numbers say of each other: each check of the ledger, and its verdict.

Arithmetic is exact. A check is `consistent` where the expected number, from the digits as printed,
rounds to the printed one (half up and half even both pass); `within rounding` where it can be so
for some numbers that are printed like this; else it `contradicts`. `unattainable` is a share that
no whole number of the items gives.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from babelmath.audit.claims import Claim
from babelmath.audit.evaluation import COMPARISONS, evaluate, is_missing
from babelmath.audit.intervals import Interval
from babelmath.audit.syntax import (
    Attainable,
    Comparison,
    Equation,
    Node,
    OneOf,
    labels,
    parse_check,
)
from babelmath.errors import InputError

Verdict = Literal["consistent", "within rounding", "contradicts", "unattainable"]

VERDICTS: tuple[Verdict, ...] = ("consistent", "within rounding", "contradicts", "unattainable")
FAILED: tuple[Verdict, ...] = ("contradicts", "unattainable")
Numbers = Mapping[str, Interval | None]


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one check of one claim; numbers are in the claim's unit.

    `expected` is the value from the digits as printed and `low` to `high` what it can be (None for
    comparisons; for k/n the attainable shares nearest to the printed one). `candidates` and `fits`
    belong to one_of: short names of all, and of those that fit.
    """

    claim: str
    where: str
    check: str
    verdict: Verdict
    expected: Fraction | None = None
    low: Fraction | None = None
    high: Fraction | None = None
    note: str = ""
    candidates: tuple[str, ...] = ()
    fits: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the printed numbers cannot all be right."""
        return self.verdict in FAILED


@dataclass(frozen=True, slots=True)
class Inference:
    """Which of the same candidates fit all of `claims` claims of one table."""

    where: str
    candidates: tuple[str, ...]
    fitting: tuple[str, ...]
    claims: int


def audit_arithmetic(claims: Mapping[str, Claim]) -> list[Finding]:
    """One finding a check, in the order of the claims and of their checks.

    Raises:
        InputError: a check that does not parse or cannot be computed (load_claims refuses these).
    """
    intervals: Numbers = {claim.id: claim.interval for claim in claims.values()}
    counted = {key: _counted(claim) for key, claim in claims.items()}
    points: Numbers = {
        claim.id: None if claim.value is None else Interval.point(claim.value)
        for claim in claims.values()
    }
    # Where a printed share fixes the number of items, sentences are held to that number.
    sharp = [{key: counted[key] or held[key] for key in claims} for held in (points, intervals)]
    return [
        _finding(claim, text, points, intervals, sharp)
        for claim in claims.values()
        for text in claim.checks
    ]


def _counted(claim: Claim) -> Interval | None:
    """The one share of whole items that a number with check k/n can stand for, where it is one."""
    if claim.value is None or claim.n is None or "k/n" not in claim.checks:
        return None
    fitting = attainable(claim.value, claim.half, claim.n)
    if len(fitting) != 1:
        return None
    return Interval.point(Fraction(100 * fitting[0], claim.n))


def by_claim(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """Findings by the claim that they are of."""
    found: dict[str, list[Finding]] = {}
    for one in findings:
        found.setdefault(one.claim, []).append(one)
    return found


def verdict_of(findings: Iterable[Finding]) -> Verdict | None:
    """The worst verdict of one claim's findings; None where there are none."""
    return max((one.verdict for one in findings), key=VERDICTS.index, default=None)


def inferred(findings: Iterable[Finding]) -> list[Inference]:
    """What the one_of checks of each table say together, in the order of the findings.

    Checks of one table over candidates of the same short names are taken together: a candidate
    fits where it fits each of them.
    """
    groups: dict[tuple[str, tuple[str, ...]], list[Finding]] = {}
    for one in findings:
        if one.candidates:
            groups.setdefault((one.where, one.candidates), []).append(one)
    return [
        Inference(
            where,
            candidates,
            tuple(name for name in candidates if all(name in one.fits for one in group)),
            len({one.claim for one in group}),
        )
        for (where, candidates), group in groups.items()
    ]


def attainable(value: Fraction, half: Fraction, n: int, least: int = 0) -> range:
    """The whole numbers k, `least` to n, whose share 100k/n lies within `half` of `value`."""
    first, last = ceil((value - half) * n / 100), floor((value + half) * n / 100)
    return range(max(first, least), min(last, n) + 1)


def rounded(value: Fraction, decimals: int) -> str:
    """A number with so many decimals, half up (away from zero), as both papers print."""
    scale = Fraction(10) ** decimals
    whole = floor(abs(value) * scale + Fraction(1, 2))
    sign = "-" if value < 0 and whole else ""
    if decimals <= 0:
        return f"{sign}{whole * 10**-decimals}"
    digits = str(whole).rjust(decimals + 1, "0")
    return f"{sign}{digits[:-decimals]}.{digits[-decimals:]}"


def _finding(
    claim: Claim, text: str, points: Numbers, intervals: Numbers, sharp: Sequence[Numbers]
) -> Finding:
    match parse_check(text):
        case Attainable():
            return _share(claim, text)
        case Equation(expression):
            return _equation(claim, text, expression, points, intervals)
        case Comparison(left, sign, right):
            sides = [(evaluate(one, sharp[0]).low, evaluate(one, sharp[1]))
                     for one in (left, right)]  # fmt: skip
            return _comparison(claim, text, sign, *sides)
        case OneOf(candidates):
            return _one_of(claim, text, candidates, points, intervals)


def _share(claim: Claim, text: str) -> Finding:
    value, n = _number(claim, text), claim.n
    if n is None:
        raise _unfit(claim, text, "k/n without n")
    least = -n if claim.unit == "points" else 0
    fitting = attainable(value, claim.half, n, least)
    if fitting:
        nearest = min(max(round(value * n / 100), fitting[0]), fitting[-1])
        span = f"{fitting[0]}" if len(fitting) == 1 else f"{fitting[0]} to {fitting[-1]}"
        return Finding(
            claim.id, claim.where, text, "consistent", Fraction(100 * nearest, n),
            Fraction(100 * fitting[0], n), Fraction(100 * fitting[-1], n), f"k = {span} of {n}",
        )  # fmt: skip
    below = floor(value * n / 100)
    around = [k for k in (below, below + 1) if least <= k <= n]
    shares = [f"{k}/{n} = {rounded(Fraction(100 * k, n), claim.decimals or 0)}" for k in around]
    return Finding(
        claim.id, claim.where, text, "unattainable",
        low=Fraction(100 * below, n) if below in around else None,
        high=Fraction(100 * (below + 1), n) if below + 1 in around else None,
        note=", ".join(shares) or f"no share of {n} is near",
    )  # fmt: skip


def _equation(
    claim: Claim, text: str, expression: Node, points: Numbers, intervals: Numbers
) -> Finding:
    value = _number(claim, text)
    central, possible = evaluate(expression, points).low, evaluate(expression, intervals)
    verdict = _agreement(value, claim.half, central, possible)
    note = ""
    if verdict == "contradicts":
        if central * value < 0:
            note = "sign differs"
        elif claim.unit == "value" and 0 <= abs(central) - abs(value) < 2 * claim.half:
            note = "cut off, not rounded"
    return Finding(
        claim.id, claim.where, text, verdict, central, possible.low, possible.high, note
    )  # fmt: skip


def _comparison(
    claim: Claim,
    text: str,
    sign: str,
    left: tuple[Fraction, Interval],
    right: tuple[Fraction, Interval],
) -> Finding:
    (a, wide_a), (b, wide_b) = left, right
    if COMPARISONS[sign](a, b):
        return Finding(claim.id, claim.where, text, "consistent")
    if sign == "==":
        possible = wide_a.meets(wide_b)
    elif sign in ("<", "<="):
        possible = COMPARISONS[sign](wide_a.low, wide_b.high)
    else:
        possible = COMPARISONS[sign](wide_a.high, wide_b.low)
    return Finding(
        claim.id, claim.where, text, "within rounding" if possible else "contradicts",
        note=f"left {_short(a)}, right {_short(b)}",
    )  # fmt: skip


def _one_of(
    claim: Claim, text: str, candidates: tuple[Node, ...], points: Numbers, intervals: Numbers
) -> Finding:
    value = _number(claim, text)
    names = labels(candidates)
    tried = []
    for name, candidate in zip(names, candidates, strict=True):
        if is_missing(candidate, intervals):
            continue
        central, possible = evaluate(candidate, points).low, evaluate(candidate, intervals)
        verdict = _agreement(value, claim.half, central, possible)
        tried.append((VERDICTS.index(verdict), abs(central - value), name, central, possible))
    if not tried:
        raise _unfit(claim, text, "no candidate is a number")
    rank, _, nearest, central, possible = min(tried, key=lambda one: one[:2])
    fits = tuple(one[2] for one in tried if VERDICTS[one[0]] not in FAILED)
    return Finding(
        claim.id, claim.where, text, VERDICTS[rank], central, possible.low, possible.high,
        f"fits {', '.join(fits)}" if fits else f"fits none of {len(tried)}; nearest is {nearest}",
        names, fits,
    )  # fmt: skip


def _agreement(value: Fraction, half: Fraction, central: Fraction, possible: Interval) -> Verdict:
    if abs(central - value) <= half:
        return "consistent"
    meets = possible.meets(Interval.around(value, half))
    return "within rounding" if meets else "contradicts"


def _number(claim: Claim, text: str) -> Fraction:
    if claim.value is None:
        raise _unfit(claim, text, f"a check of {claim.printed!r}, which is no number")
    return claim.value


def _unfit(claim: Claim, text: str, problem: str) -> InputError:
    return InputError(
        f"{claim.id}: {problem}", line=claim.line, field="checks", value=text,
        remedy="Read the ledger with load_claims, which refuses such a check.",
    )  # fmt: skip


def _short(value: Fraction) -> str:
    """At most four decimals."""
    return rounded(value, 4).rstrip("0").rstrip(".")


def findings_csv(claims: Mapping[str, Claim], findings: Iterable[Finding]) -> str:
    """Every check with its verdict and the value that it expects, as CSV text."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["id", "paper", "where", "row", "column", "printed", "check", "verdict",
                     "expected", "low", "high", "note"])  # fmt: skip
    for one in findings:
        claim = claims[one.claim]
        decimals = (claim.decimals or 0) + 2
        numbers = [
            "" if value is None else rounded(value, decimals)
            for value in (one.expected, one.low, one.high)
        ]
        writer.writerow([claim.id, claim.paper, claim.where, claim.row, claim.column, claim.printed,
                         one.check, one.verdict, *numbers, one.note])  # fmt: skip
    return stream.getvalue()
