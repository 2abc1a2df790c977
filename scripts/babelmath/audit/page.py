"""The audit on one page: summary first, then every number that differs with the likely reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from babelmath.audit.arithmetic import VERDICTS, Finding, Inference, inferred, rounded
from babelmath.audit.claims import Claim
from babelmath.audit.report import AGREEMENTS
from babelmath.audit.rows import Row
from babelmath.audit.summary import Total
from babelmath.page import PAPERS

WORDS = (
    "- **equal**: the value recomputed from records rounds to the printed one; **last digit**: it "
    "differs by one unit of the last printed digit; **differs**: by more; **no records**: nothing "
    "here to recompute it from.",
    "- **consistent**: a printed number follows from the printed numbers it depends on; **within "
    "rounding**: it can, given how they were rounded; **contradicts**: it cannot; "
    "**unattainable**: no whole number of items gives the printed share (the GRIM test).",
)


BORROWED = (
    "The recomputed columns are taken over from a finished run of config/published.yaml, not from "
    "this run's records."
)


def page(
    statement: str,
    claims: Mapping[str, Claim],
    findings: Sequence[Finding],
    rows: Sequence[Row],
    totals: Sequence[Total],
    oddities: Sequence[Mapping[str, str]],
    figure: str,
    ledger: str,
    sources: Sequence[str],
) -> str:
    """Markdown of results/audit/README.md.

    Args:
        statement: the plain sentence that says what this run's numbers are.
        figure: the figure's file name beside the page.
        ledger: the claims ledger's path.
        sources: a sentence on each benchmark's source.
    """
    recomputed = any(row.recomputed for row in rows)
    lines = ["# Audit of the printed numbers", "", f"**{statement.strip()}**", ""]
    lines += [
        "Every printed number of both papers, and every sentence that can be put as a check, "
        f"stands in the claims ledger (`{ledger}`).",
        "",
        *(f"- {one}" for one in sources),
        *(["- " + BORROWED] if any(row.origin for row in rows) else []),
        "",
        *WORDS,
        "",
    ]
    lines += ["## Summary", "", *_summary(totals), ""]
    if not recomputed:
        lines += ["No released records were read here: `make published` fills the columns of "
                  "records, here too once it has run.", ""]  # fmt: skip
    if recomputed or any(row.own for row in rows):
        lines += [f"![Printed against recomputed]({figure})", ""]
    lines += _section("Numbers that the records give differently", _differing(rows))
    lines += _section("Printed numbers that contradict each other", _failed(claims, findings, rows))
    lines += _section("Sentences that the printed numbers contradict", _sentences(claims, findings))
    lines += _section("What the papers leave open, or declare otherwise", _inferred(findings, rows))
    lines += _section("The same records read again", _readings(rows))
    lines += _section("This run's own numbers beside the printed ones", _own(rows))
    lines += _section("What was odd in the data", _odd(oddities))
    lines += [
        "## Files",
        "",
        "- `mathmist.csv`, `mmath.csv`: one line a claim: printed, recomputed, n, 95% interval, "
        "verdict, the strict reading, an own run's value, scorers, released files of responses, "
        "origin of borrowed values, rule, population, likely reason",
        "- `arithmetic.csv`: every check of printed numbers with the value it expects",
        "- `summary.csv`, `data_quality.csv`: the tables above in full",
        "",
        "Intervals: Wilson's for shares, mapped by 2p/(1+p) for F1; the responses to one problem "
        "are a cluster (docs/statistics.md).",
    ]
    return "\n".join(lines) + "\n"


def _section(title: str, content: list[str]) -> list[str]:
    return [f"## {title}", "", *content, ""] if content else []


def _summary(totals: Sequence[Total]) -> list[str]:
    lines: list[str] = []
    for paper, group in groupby(totals, key=lambda one: one.paper):
        held = list(group)
        measured = any(one.records[word] for one in held for word in AGREEMENTS[:3])
        heads = ["where", "claims", *VERDICTS, *(AGREEMENTS if measured else ())]
        body = [
            [one.where, one.claims, *(one.arithmetic[word] for word in VERDICTS),
             *((one.records[word] for word in AGREEMENTS) if measured else ())]
            for one in held
        ]  # fmt: skip
        if measured:
            one, two, three = (sum(total.records[word] for total in held)
                               for word in AGREEMENTS[:3])  # fmt: skip
            lines += [f"{PAPERS[paper]}: of {one + two + three} printed numbers that records give, "
                      f"{one} are equal, {two} are off by the last digit, {three} differ.",
                      ""]  # fmt: skip
        columns = range(1, len(heads))
        body.append(["all", *(sum(int(row[column]) for row in body) for column in columns)])
        lines += [f"**{PAPERS[paper]}**", "", *_table(heads, body), ""]
    return lines[:-1]


def _differing(rows: Iterable[Row]) -> list[str]:
    heads = ["where", "number", "printed", "recomputed", "95% interval", "n", "verdict",
             "likely reason"]  # fmt: skip
    found = [
        [row.where, _label(row), row.printed, row.recomputed, _span(row.low, row.high), row.n,
         row.verdict, row.reason]
        for row in rows
        if row.verdict in ("differs", "last digit") and not _declared(row)
    ]  # fmt: skip
    found.sort(key=lambda row: (row[6], not row[0].startswith(("tab", "fig"))))
    return _table(heads, found) if found else []


def _declared(row: Row) -> bool:
    """A fact that records declare, not a number that they count to; told in its own section."""
    return row.unit == "name" or row.rule.startswith("samples ")


def _failed(
    claims: Mapping[str, Claim], findings: Iterable[Finding], rows: Iterable[Row]
) -> list[str]:
    """Contradictions; those of tables first, with what records give for the number."""
    given = {row.id: row.recomputed for row in rows}
    heads = ["where", "number", "printed", "expected", "verdict", "records give", "check"]
    body = []
    for one in findings:
        claim = claims[one.claim]
        if not one.failed or claim.is_text:
            continue
        expected = one.note
        if one.expected is not None:
            more = 0 if claim.decimals is not None and claim.decimals < 0 else 1
            value = rounded(one.expected, max(claim.decimals or 0, 0) + more)
            expected = f"{value} ({one.note})" if one.note else value
        body.append([claim.where, _label(claim), claim.printed, expected, one.verdict,
                     given.get(claim.id, ""), f"`{one.check}`"])  # fmt: skip
    body.sort(key=lambda row: not row[0].startswith(("tab", "fig")))
    return _table(heads, body) if body else []


def _sentences(claims: Mapping[str, Claim], findings: Iterable[Finding]) -> list[str]:
    failed: dict[str, list[str]] = {}
    for one in findings:
        if one.failed and claims[one.claim].is_text:
            failed.setdefault(one.claim, []).append(f"`{one.check}`")
    body = [
        [PAPERS[claims[key].paper].split(" (")[0], claims[key].where, claims[key].row,
         "; ".join(checks)]
        for key, checks in failed.items()
    ]  # fmt: skip
    return _table(["paper", "where", "claim, in our words", "what fails"], body) if body else []


def _inferred(findings: Sequence[Finding], rows: Iterable[Row]) -> list[str]:
    lines = [f"- {_words(one.where)}: {_fitting(one)}." for one in inferred(findings)]
    for row in rows:
        if _declared(row) and row.verdict == "differs":
            lines.append(f"- {_words(f'{row.where}, {row.row}')}: printed {_words(row.printed)}, "
                         f"the records hold {_words(row.recomputed)}.")  # fmt: skip
    return lines


def _fitting(one: Inference) -> str:
    """Which candidates fit all cells of a table."""
    candidates, fitting = ", ".join(one.candidates), " and ".join(one.fitting)
    whole = f"all {one.claims} cells that stand for a whole population"
    if not fitting:
        return f"none of {candidates} fits {whole}"
    if len(one.fitting) == len(one.candidates):
        return f"each of {candidates} fits {whole}"
    return f"of {candidates} only {fitting} fit{'s' if len(one.fitting) == 1 else ''} {whole}"


def _readings(rows: Iterable[Row]) -> list[str]:
    body = [
        [row.where, _label(row), row.printed, row.recomputed, row.strict, row.n]
        for row in rows
        if row.strict and row.strict != row.recomputed and row.unit == "percent"
    ]
    if not body:
        return []
    largest = sorted(body, key=lambda row: -abs(float(row[4]) - float(row[3])))[:15]
    heads = ["where", "number", "printed", "as stored", "read again", "n"]
    return [
        "As stored is the papers' rule. Read again: a judge's reply that holds no decision is "
        "unresolved, and one that says otherwise than was stored counts as it says; an option "
        f"that reads as the key counts as the key. {len(body)} numbers change; the largest "
        "changes:",
        "",
        *_table(heads, largest),
    ]


def _own(rows: Iterable[Row]) -> list[str]:
    body = [
        [row.where, _label(row), row.printed, row.recomputed or row.verdict, row.own,
         _span(row.own_low, row.own_high), row.own_n, row.own_verdict]
        for row in rows
        if row.own
    ]  # fmt: skip
    heads = ["where", "number", "printed", "recomputed", "own", "95% interval", "n", "verdict"]
    return _table(heads, body) if body else []


def _odd(oddities: Sequence[Mapping[str, str]]) -> list[str]:
    kinds: dict[str, tuple[int, int, str]] = {}
    for one in oddities:
        count, files, handling = kinds.get(one["kind"], (0, 0, one["handling"]))
        kinds[one["kind"]] = (count + int(one["count"]), files + 1, handling)
    body = [[kind, *values] for kind, values in sorted(kinds.items())]
    if not body:
        return []
    heads = ["what", "times", "files", "what the import does"]
    return [*_table(heads, body), "", "By file, with an example each: `data_quality.csv`."]


def _label(item: Row | Claim) -> str:
    return f"{item.row} | {item.column}" if item.column else item.row


def _span(low: str, high: str) -> str:
    return f"{low} to {high}" if low else ""


def _table(heads: Sequence[str], body: Iterable[Sequence[object]]) -> list[str]:
    return [
        "| " + " | ".join(heads) + " |",
        "|" + "---|" * len(heads),
        *("| " + " | ".join(_cell(value) for value in row) + " |" for row in body),
    ]


def _cell(value: object) -> str:
    return _words(str(value)).replace("|", "\\|")


def _words(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())
