"""Totals by table, and the oddities of the data as a file."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from babelmath.audit.arithmetic import VERDICTS, Finding, by_claim
from babelmath.audit.claims import Claim
from babelmath.audit.report import AGREEMENTS
from babelmath.audit.rows import Row
from babelmath.released.oddities import COLUMNS

SECTIONS = "text"  # where numbers of the prose are counted together


@dataclass
class Total:
    """The counts of one table or of one paper's text.

    `claims`: all rows of the ledger; `arithmetic`: claims by the worst verdict of their checks;
    `records` and `own`: claims by agreement with the released records and with an own run.
    """

    paper: str
    where: str
    claims: int = 0
    arithmetic: Counter[str] = field(default_factory=Counter)
    records: Counter[str] = field(default_factory=Counter)
    own: Counter[str] = field(default_factory=Counter)


def summary(
    claims: Mapping[str, Claim], findings: Iterable[Finding], rows: Iterable[Row]
) -> list[Total]:
    """Totals by table, in the ledger's order; the numbers of the text count together."""
    checked = by_claim(findings)
    report = {row.id: row for row in rows}
    totals: dict[tuple[str, str], Total] = {}
    for claim in claims.values():
        key = (claim.paper, place(claim))
        total = totals.setdefault(key, Total(*key))
        total.claims += 1
        row = report.get(claim.id)
        if claim.id in checked:
            total.arithmetic[max((one.verdict for one in checked[claim.id]),
                                 key=VERDICTS.index)] += 1  # fmt: skip
        if row is not None and row.verdict:
            total.records[row.verdict] += 1
        if row is not None and row.own_verdict:
            total.own[row.own_verdict] += 1
    return list(totals.values())


def place(claim: Claim) -> str:
    """The table or figure of a claim, or `text`."""
    return claim.where if claim.where.startswith(("tab", "fig")) else SECTIONS


def summary_csv(totals: Sequence[Total]) -> str:
    """The totals as CSV text: one line a table."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    own = AGREEMENTS[:3]
    writer.writerow(["paper", "where", "claims", *VERDICTS, *AGREEMENTS,
                     *(f"own {word}" for word in own)])  # fmt: skip
    for one in totals:
        writer.writerow([
            one.paper, one.where, one.claims, *(one.arithmetic[word] for word in VERDICTS),
            *(one.records[word] for word in AGREEMENTS), *(one.own[word] for word in own),
        ])  # fmt: skip
    return stream.getvalue()


def quality_csv(oddities: Sequence[Mapping[str, str]]) -> str:
    """All oddities as CSV text, by file and kind."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(oddities)
    return stream.getvalue()
