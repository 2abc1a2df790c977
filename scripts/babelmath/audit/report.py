"""Printed against recomputed, claim by claim.

A row says what was printed, what the released records give, what an own run gives, how far they
agree, and why they may differ.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Literal

from babelmath.audit.arithmetic import Finding, rounded, verdict_of
from babelmath.audit.claims import Claim
from babelmath.audit.measures import measure
from babelmath.files import read_text
from babelmath.tables.data import Data

Agreement = Literal["equal", "last digit", "differs", "no records"]
AGREEMENTS: tuple[Agreement, ...] = ("equal", "last digit", "differs", "no records")
UNMEASURED = ("fact", "arithmetic")
# Columns that an own run takes over from a finished published run.
PUBLISHED = ("recomputed", "n", "low", "high", "verdict", "strict", "strict_verdict", "scorers",
             "files")  # fmt: skip


@dataclass(frozen=True)
class Row:
    """One claim of the report; texts as they are written to the CSV file, "" where nothing is."""

    id: str
    where: str
    row: str
    column: str
    unit: str
    printed: str
    arithmetic: str = ""
    recomputed: str = ""
    n: str = ""
    low: str = ""
    high: str = ""
    verdict: str = ""
    strict: str = ""
    strict_verdict: str = ""
    own: str = ""
    own_n: str = ""
    own_low: str = ""
    own_high: str = ""
    own_verdict: str = ""
    scorers: str = ""
    files: str = ""
    rule: str = ""
    population: str = ""
    reason: str = ""


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
    """A float as the shortest decimal that it prints as: ties are those of the decimals."""
    return Fraction(repr(float(value)))


def report(
    claims: Iterable[Claim],
    findings: Mapping[str, Sequence[Finding]],
    paper: Data,
    strict: Data,
    released: Mapping[str, bool],
    published: Mapping[str, Mapping[str, str]],
) -> list[Row]:
    """One row a claim, in the ledger's order.

    Args:
        findings: the arithmetic findings by claim.
        paper, strict: the records under both readings.
        released: by model, and for `problems`, `choices`, `perturbed`: whether the release gave
            them (column `recomputed`) or this run (column `own`).
        published: rows of a finished published run by claim id; they fill the recomputed columns
            that this run has no released records for.
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
        if claim.formula not in UNMEASURED:
            row = _measured(row, claim, paper, strict, released)
            if not row.recomputed and claim.id in published:
                held = {name: published[claim.id].get(name, "") for name in PUBLISHED}
                row = replace(row, **held)
            row = replace(row, verdict=row.verdict or "no records")
        rows.append(row)
    return _explained(claims, rows, findings)


def _measured(
    row: Row, claim: Claim, paper: Data, strict: Data, released: Mapping[str, bool]
) -> Row:
    found = measure(paper, claim.formula, claim.records)
    if found is None:
        return row
    again = measure(strict, claim.formula, claim.records)
    value, span = written(claim, found.value), found.span or ("", "")
    low, high = (written(claim, one, 1) if one != "" else "" for one in span)
    verdict = agreement(claim, found.value)
    if not _released(claim, paper, released):
        return replace(row, own=value, own_n=str(found.n), own_low=low, own_high=high,
                       own_verdict=verdict, scorers=" ".join(found.scorers))  # fmt: skip
    changed = again is not None and again.scorers != found.scorers
    return replace(
        row, recomputed=value, n=str(found.n), low=low, high=high, verdict=verdict,
        strict=written(claim, again.value) if again is not None and changed else "",
        strict_verdict=agreement(claim, again.value) if again is not None and changed else "",
        scorers=" ".join(found.scorers), files="; ".join(found.files),
    )  # fmt: skip


def _released(claim: Claim, data: Data, released: Mapping[str, bool]) -> bool:
    """Whether a claim's number comes from released records."""
    for argument in claim.records:
        if argument in data.models:
            return released.get(argument, False)
    if claim.formula in ("judge", "samples"):
        return any(released.get(model, False) for setting, model in data.pairs
                   if setting == claim.records[0])  # fmt: skip
    needs = {"artefacts": ("problems", "choices", "perturbed")}
    return all(released.get(one, False) for one in needs.get(claim.formula, (claim.formula,)))


def written(claim: Claim, value: float | str, more: int = 1) -> str:
    """A value with one digit more than printed (counts and names as they are)."""
    if isinstance(value, str):
        return value
    if claim.unit == "count" or claim.decimals is None:
        return f"{value:.0f}"
    return rounded(exact(value), max(claim.decimals, 0) + more)


def _explained(
    claims: Sequence[Claim], rows: Sequence[Row], findings: Mapping[str, Sequence[Finding]]
) -> list[Row]:
    """The rows with a likely reason where printed and recomputed differ, as evidence allows."""
    same: dict[tuple[str, tuple[str, ...]], list[Row]] = {}
    for claim, row in zip(claims, rows, strict=True):
        same.setdefault((claim.formula, claim.records), []).append(row)
    explained = []
    for claim, row in zip(claims, rows, strict=True):
        if row.verdict in ("last digit", "differs"):
            twins = [one for one in same[claim.formula, claim.records] if one is not row]
            row = replace(row, reason=_reason(row, twins, findings.get(claim.id, ())))
        explained.append(row)
    return explained


def _reason(row: Row, twins: Sequence[Row], findings: Sequence[Finding]) -> str:
    reasons = []
    if row.unit == "name":
        reasons.append(f"the records name {row.recomputed}")
    twin = next((one for one in twins if one.verdict == "equal" and one.printed != row.printed),
                None)  # fmt: skip
    if twin is not None:
        reasons.append(f"{twin.where} prints {twin.printed} for the same records, as they give")
    equations = [one for one in findings if one.expected is not None and one.check != "k/n"]
    failed = [one for one in equations if one.failed]
    if failed:
        reasons.append("it contradicts the numbers printed beside it, too")
    elif equations:
        reasons.append("it follows from the rounded numbers printed beside it")
    if any(one.verdict == "unattainable" for one in findings):
        reasons.append("no whole number of items gives it")
    if row.strict and row.strict_verdict == "equal":
        reasons.append("the strict reading gives it")
    return "; ".join(reasons) or "nothing in the records tells why"


def report_csv(rows: Iterable[Row]) -> str:
    """The rows as CSV text."""
    stream = io.StringIO()
    names = list(Row.__dataclass_fields__)
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([getattr(row, name) for name in names])
    return stream.getvalue()


def load_report(path: str | Path) -> list[Row]:
    """Read a report back; unknown columns are left out."""
    known = Row.__dataclass_fields__
    return [
        Row(**{name: value for name, value in line.items() if name in known})
        for line in csv.DictReader(io.StringIO(read_text(path)))
    ]


def _name(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())
