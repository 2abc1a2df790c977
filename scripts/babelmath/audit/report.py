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
from babelmath.audit.measures import COUNTS, measure
from babelmath.files import read_text
from babelmath.tables.data import Data
from babelmath.tables.frame import decimal

Agreement = Literal["equal", "last digit", "differs", "no records"]
AGREEMENTS: tuple[Agreement, ...] = ("equal", "last digit", "differs", "no records")
UNMEASURED = ("fact", "arithmetic")
# Columns that an own run takes over from a finished published run.
PUBLISHED = ("recomputed", "n", "low", "high", "verdict", "strict", "strict_verdict", "scorers",
             "files", "reason")  # fmt: skip


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
    """A float as the decimal that it stands for."""
    return Fraction(decimal(value))


def report(
    claims: Iterable[Claim],
    findings: Mapping[str, Sequence[Finding]],
    paper: Data,
    strict: Data,
    released: Mapping[str, bool],
    comparable: bool,
    published: Mapping[str, Row],
) -> list[Row]:
    """One row a claim, in the ledger's order.

    Args:
        findings: the arithmetic findings by claim.
        paper, strict: the records under both readings.
        released: by model, and for `problems`, `choices`, `perturbed`: whether the release gave
            them (column `recomputed`) or this run (column `own`).
        comparable: whether the problems are the papers' own; else counts of problems, choices and
            samples are left out.
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
        if claim.formula not in UNMEASURED and (comparable or claim.formula not in COUNTS):
            row = _measured(row, claim, paper, strict, released)
        rows.append(row)
    rows = _explained(claims, rows, findings, paper.cot_columns)
    return [_completed(row, claim, published) for claim, row in zip(claims, rows, strict=True)]


def _completed(row: Row, claim: Claim, published: Mapping[str, Row]) -> Row:
    """The row with what a published run recomputed, where this run recomputed nothing.

    A published run of another ledger, with other digits or another rule, says nothing here.
    """
    if claim.formula in UNMEASURED or row.recomputed:
        return row
    other = published.get(claim.id)
    same = other is not None and (other.printed, other.rule) == (row.printed, row.rule)
    if other is None or not same or not other.recomputed:
        return replace(row, verdict="no records")
    return replace(row, **{name: getattr(other, name) for name in PUBLISHED})


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
    if claim.unit == "count":
        return f"{value:.0f}"
    return rounded(exact(value), max(claim.decimals or 0, 0) + more)


def _explained(
    claims: Sequence[Claim],
    rows: Sequence[Row],
    findings: Mapping[str, Sequence[Finding]],
    cot_columns: Mapping[str, str],
) -> list[Row]:
    """The rows with a likely reason where printed and recomputed differ, as evidence allows."""
    same: dict[tuple[str, ...], list[Row]] = {}
    alike: dict[tuple[str, ...], list[Row]] = {}
    for claim, row in zip(claims, rows, strict=True):
        key = _source(claim, cot_columns)
        same.setdefault(key, []).append(row)
        alike.setdefault(_kin(claim), []).append(row)
    explained = []
    for claim, row in zip(claims, rows, strict=True):
        if row.verdict in ("last digit", "differs"):
            twins = [one for one in same[_source(claim, cot_columns)] if one is not row]
            kin = [one for one in alike[_kin(claim)] if one not in twins and one is not row]
            row = replace(row, reason=_reason(row, twins, kin, findings.get(claim.id, ())))
        explained.append(row)
    return explained


def _source(claim: Claim, cot_columns: Mapping[str, str]) -> tuple[str, ...]:
    """The records behind a claim: two claims with the same ones must print the same number."""
    arguments = list(claim.records)
    if "cot" in arguments:
        lang = next((one for one in arguments if one in cot_columns), "")
        arguments = [cot_columns.get(lang, one) if one == "cot" else one for one in arguments]
    return claim.formula, *arguments


def _kin(claim: Claim) -> tuple[str, ...]:
    """Claims of the same measure, model and kind in another setting or language."""
    if claim.formula != "accuracy":
        return claim.formula, claim.id
    _, model, _, kind = claim.records
    return claim.formula, model, kind


def _reason(row: Row, twins: Sequence[Row], kin: Sequence[Row], findings: Sequence[Finding]) -> str:
    reasons = []
    if row.unit == "name":
        reasons.append(f"the records name {row.recomputed}")
    if row.rule.startswith("samples "):
        reasons.append(f"the records hold {row.recomputed} to each question")
    twin = next((one for one in twins if one.verdict == "equal" and one.printed != row.printed),
                None)  # fmt: skip
    if twin is not None:
        reasons.append(f"{twin.where} prints {twin.printed} for the same records, as they give")
    slip = next((one for one in kin if one.verdict == "equal" and one.printed == row.printed
                 and one.unit == "percent" and row.verdict == "differs"), None)  # fmt: skip
    if slip is not None:
        reasons.append(f"{row.printed} is what the records give for {slip.where}, {slip.row}, "
                       f"{slip.column}")  # fmt: skip
    equations = [one for one in findings if one.expected is not None and one.check != "k/n"]
    if any(one.verdict == "unattainable" for one in findings):
        reasons.append("no whole number of items gives it")
    if any(one.failed for one in equations):
        reasons.append("it contradicts other printed numbers, too")
    elif equations:
        reasons.append("it follows from the rounded numbers printed beside it")
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


def by_claim(findings: Iterable[Finding]) -> dict[str, list[Finding]]:
    """Findings by the claim that they are of."""
    found: dict[str, list[Finding]] = {}
    for one in findings:
        found.setdefault(one.claim, []).append(one)
    return found


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


def load_report(path: str | Path) -> list[Row]:
    """Read a report back; unknown columns are left out."""
    known = Row.__dataclass_fields__
    return [
        Row(**{name: value for name, value in line.items() if name in known})
        for line in csv.DictReader(io.StringIO(read_text(path)))
    ]


def _name(text: str) -> str:
    return "".join(char for char in text.lower() if char.isalnum())
