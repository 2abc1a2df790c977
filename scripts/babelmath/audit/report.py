"""Printed against recomputed, claim by claim.

A row says what was printed, what the released records give, what an own run gives, how far they
agree, and why they may differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Literal

from babelmath.audit.arguments import COUNTS, WIDE
from babelmath.audit.arithmetic import Finding, rounded, verdict_of
from babelmath.audit.claims import Claim
from babelmath.audit.evidence import Evidence
from babelmath.audit.measures import Recomputed, measure
from babelmath.audit.reasons import explained
from babelmath.audit.rows import Row
from babelmath.tables.frame import decimal

Agreement = Literal["equal", "last digit", "differs", "no records"]
AGREEMENTS: tuple[Agreement, ...] = ("equal", "last digit", "differs", "no records")
UNMEASURED = ("fact", "arithmetic")
# Columns that an own run takes over from a finished published run.
PUBLISHED = ("recomputed", "n", "low", "high", "verdict", "strict", "strict_verdict", "scorers",
             "files", "reason")  # fmt: skip


def agreement(claim: Claim, value: float | str) -> Agreement:
    """How a recomputed value agrees with the printed one, at the printed decimals."""
    if isinstance(value, str) or claim.value is None or claim.decimals is None:
        same = _name(str(value)) == _name(claim.printed)
        return "equal" if same else "differs"
    difference = abs(Fraction(rounded(exact(value), claim.decimals)) - claim.value)
    if difference == 0:
        return "equal"
    if claim.unit != "count" and difference == Fraction(10) ** -claim.decimals:
        return "last digit"
    return "differs"


def exact(value: float) -> Fraction:
    """A float as the decimal that it stands for."""
    return Fraction(decimal(value))


def report(
    claims: Iterable[Claim],
    findings: Mapping[str, Sequence[Finding]],
    records: Evidence,
    scope: Mapping[str, bool],
    published: Mapping[str, Row],
) -> list[Row]:
    """One row a claim, in the ledger's order.

    Args:
        findings: the arithmetic findings by claim.
        records: released ones (column `recomputed`, and `strict` where they were read again) and
            those of this run's own models (column `own`).
        scope: whether the problems are the papers' own, all of them (`problems`), in all languages
            (`languages`). Numbers of other problems are shown with their n but not compared; what
            is over all languages needs them all.
        published: rows of a finished published run by claim id; they fill the recomputed columns
            of claims that this run reads no released records for.
    """
    rows = []
    claims = list(claims)
    for claim in claims:
        row = Row(
            claim.id, claim.where, claim.row, claim.column, claim.unit, claim.printed,
            arithmetic=verdict_of(findings.get(claim.id, ())) or "",
            rule=" ".join((claim.formula, *claim.records)),
            population=claim.population,
        )  # fmt: skip
        if claim.formula not in UNMEASURED and _covered(claim, scope):
            row = _measured(row, claim, records)
            if not scope["problems"]:
                row = replace(row, verdict="", own_verdict="", strict_verdict="")
        rows.append(row)
    rows = explained(claims, rows, findings, records.own.cot_columns)
    read = {model for _, model in records.released.pairs}
    return [
        _completed(row, claim, {} if read else published)
        for claim, row in zip(claims, rows, strict=True)
    ]


def _covered(claim: Claim, scope: Mapping[str, bool]) -> bool:
    """Whether this run's records can say anything of a claim."""
    if claim.formula in COUNTS and not scope["problems"]:
        return False
    wide = claim.formula in WIDE or (claim.formula == "problems" and claim.records[1] == "all")
    return scope["languages"] or not wide


def _completed(row: Row, claim: Claim, published: Mapping[str, Row]) -> Row:
    """The row with what a published run recomputed; only for runs that read no released records.

    A published run of another ledger, with other digits or another rule, says nothing here.
    """
    if claim.formula in UNMEASURED or row.recomputed:
        return row
    other = published.get(claim.id)
    same = other is not None and (other.printed, other.rule) == (row.printed, row.rule)
    if other is None or not same or not other.recomputed:
        return replace(row, verdict="no records")
    borrowed = {name: getattr(other, name) for name in PUBLISHED}
    return replace(row, origin="published run", **borrowed)


def _measured(row: Row, claim: Claim, records: Evidence) -> Row:
    """The row with what released records give, and what this run's own responses give."""
    found = measure(records.released, claim.formula, claim.records)
    if found is not None:
        again = measure(records.reread, claim.formula, claim.records)
        changed = again is not None and again.scorers != found.scorers
        low, high = _span(claim, found)
        row = replace(
            row, recomputed=written(claim, found.value), n=str(found.n), low=low, high=high,
            verdict=agreement(claim, found.value),
            strict=written(claim, again.value) if again is not None and changed else "",
            strict_verdict=agreement(claim, again.value) if again is not None and changed else "",
            scorers=" ".join(found.scorers), files="; ".join(found.files),
        )  # fmt: skip
    if claim.formula == "problems":
        return row  # the release's, whoever is asked about them
    own = measure(records.own, claim.formula, claim.records)
    if own is not None:
        low, high = _span(claim, own)
        row = replace(
            row, own=written(claim, own.value), own_n=str(own.n), own_low=low, own_high=high,
            own_verdict=agreement(claim, own.value), own_scorers=" ".join(own.scorers),
        )  # fmt: skip
    return row


def _span(claim: Claim, found: Recomputed) -> tuple[str, str]:
    if found.span is None:
        return "", ""
    low, high = found.span
    return written(claim, low), written(claim, high)


def written(claim: Claim, value: float | str, more: int = 1) -> str:
    """A value with one digit more than printed (counts and names as they are)."""
    if isinstance(value, str):
        return value
    if claim.unit == "count":
        return f"{value:.0f}"
    decimals = claim.decimals or 0
    return rounded(exact(value), decimals + more if decimals >= 0 else 0)


def _name(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())
