"""Why a recomputed number may differ from the printed one, as far as the evidence tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from babelmath.audit.arithmetic import Finding
from babelmath.audit.claims import Claim
from babelmath.audit.rows import Row
from babelmath.audit.syntax import Equation, Reference, parse_check, references


def explained(
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
    by_id = {row.id: row for row in rows}
    for claim, row in zip(claims, rows, strict=True):
        if row.verdict in ("last digit", "differs"):
            twins = [one for one in same[_source(claim, cot_columns)] if one is not row]
            kin = [one for one in alike[_kin(claim)] if one not in twins and one is not row]
            own = findings.get(claim.id, ())
            operands = [by_id[one] for one in _operands(own) if one in by_id]
            row = replace(row, reason=_reason(row, twins, kin, own, operands))
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


def _operands(findings: Sequence[Finding]) -> list[str]:
    """Claims from which a claim is computed by checks that hold (not those it merely repeats)."""
    found: dict[str, None] = {}
    for one in findings:
        check = parse_check(one.check)
        computed = isinstance(check, Equation) and not isinstance(check.expression, Reference)
        if computed and not one.failed:
            found |= dict.fromkeys(references(check))
    return list(found)


def _reason(
    row: Row,
    twins: Sequence[Row],
    kin: Sequence[Row],
    findings: Sequence[Finding],
    operands: Sequence[Row],
) -> str:
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
    differing = [one for one in operands if one.verdict == "differs"]
    if differing:
        place = f"{differing[0].where}, {differing[0].row}, {differing[0].column}"
        reasons.append(f"it is computed from a printed number that differs: {place}")
    elif operands and all(one.verdict in ("equal", "last digit") for one in operands):
        reasons.append("it follows from the rounded numbers printed beside it")
    if row.strict and row.strict_verdict == "equal":
        reasons.append("the strict reading gives it")
    return "; ".join(reasons) or "nothing in the records tells why"
