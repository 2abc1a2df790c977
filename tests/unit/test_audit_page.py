"""The audit's page and its summaries: counts by table, and only the sections that say something."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.audit.arithmetic import Finding, audit_arithmetic
from babelmath.audit.claims import Claim
from babelmath.audit.page import page
from babelmath.audit.rows import Row
from babelmath.audit.summary import place, quality_csv, summary, summary_csv
from stand_ins import UNTIMED, claim

SECTIONS = {
    "records": "Numbers that the records give differently",
    "arithmetic": "Printed numbers that contradict each other",
    "sentences": "Sentences that the printed numbers contradict",
    "open": "What the papers leave open, or declare otherwise",
    "again": "The same records read again",
    "own": "This run's own numbers beside the printed ones",
    "odd": "What was odd in the data",
}
ODDITY = {"file": "MCQ/en.jsonl", "kind": "no letter", "count": "3", "first": "7",
          "example": "'E'", "handling": "counted as wrong"}  # fmt: skip


SOURCES = ["mathmist: problems bundled with the project.", "mmath: a copy."]


def row(id: str, printed: str = "60.9", **fields: Any) -> Row:
    values = {"where": "tab:zero_cot", "row": "Model", "column": "English", "unit": "percent"}
    return Row(**({"id": id, "printed": printed} | values | fields))


EQUAL = row("t.a", recomputed="60.90", n="1445", low="58.36", high="63.38", verdict="equal")
DIFFERENT = replace(EQUAL, recomputed="59.10", verdict="differs", reason="a reason")
LAST = replace(EQUAL, id="t.b", recomputed="60.80", verdict="last digit", reason="another")
SILENT = row("t.c", verdict="no records")


def shown(
    claims: Sequence[Claim] = (),
    rows: Sequence[Row] = (),
    oddities: Sequence[dict[str, str]] = (),
) -> str:
    held = {one.id: one for one in claims}
    findings = audit_arithmetic(held)
    totals = summary(held, findings, rows)
    return page("A test.\n", held, findings, rows, totals, oddities, "figure.png", "a/claims.csv",
                SOURCES)  # fmt: skip


def sections(text: str) -> dict[str, str]:
    """What stands under each heading."""
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def titles(text: str) -> set[str]:
    return set(sections(text)) - {"Summary", "Files"}


def grids(text: str) -> list[list[list[str]]]:
    """Markdown tables: lines, each cut into cells at the pipes that are not escaped."""
    found: list[list[list[str]]] = [[]]
    for line in text.split("\n"):
        if line.startswith("|"):
            found[-1].append([one.strip() for one in re.split(r"(?<!\\)\|", line)[1:-1]])
        elif found[-1]:
            found.append([])
    return [grid for grid in found if grid]


def grid(text: str, section: str) -> list[list[str]]:
    (only,) = grids(sections(text)[SECTIONS[section]])
    return only[2:]


# Summaries


CLAIMS = [
    claim("t.a", "60.9", checks=("60.9",)),
    claim("t.b", "60.9", checks=("60.9", "62.0")),
    claim("t.c", "60.9"),
    claim("t.text", "yes", unit="sentence", where="section 5.3", checks=("t.a < t.b - 1",)),
    claim("t.prose", "60.9", where="abstract", checks=("60.9",)),
    claim("u.a", "60.9", where="table13", paper="mmath", checks=("k/n",), n=4),
    claim("u.b", "60.9", where="figure 2", paper="mmath"),
]
ROWS = [EQUAL, replace(DIFFERENT, id="t.b", own="61.00", own_verdict="last digit"), SILENT,
        row("t.text", "yes", unit="sentence"), replace(EQUAL, id="t.prose"),
        row("u.a", verdict="no records", own="60.90", own_verdict="equal")]  # fmt: skip


def test_claims_are_counted_by_table() -> None:
    held = {one.id: one for one in CLAIMS}
    totals = summary(held, audit_arithmetic(held), ROWS)
    assert [(one.paper, one.where, one.claims) for one in totals] == [
        ("mathmist", "tab:zero_cot", 3),
        ("mathmist", "text", 2),
        ("mmath", "table13", 1),
        ("mmath", "figure 2", 1),
    ]
    assert [dict(one.arithmetic) for one in totals] == [
        {"consistent": 1, "contradicts": 1},  # the worst of two checks; t.c has none
        {"contradicts": 1, "consistent": 1},
        {"unattainable": 1},
        {},
    ]
    assert [dict(one.records) for one in totals] == [
        {"equal": 1, "differs": 1, "no records": 1},
        {"equal": 1},  # a sentence has no records
        {"no records": 1},
        {},
    ]
    assert [dict(one.own) for one in totals] == [{"last digit": 1}, {}, {"equal": 1}, {}]


def test_the_summary_file_has_one_line_a_table() -> None:
    held = {one.id: one for one in CLAIMS}
    text = summary_csv(summary(held, audit_arithmetic(held), ROWS))
    first, *_, last = csv.DictReader(io.StringIO(text))
    assert first == {
        "paper": "mathmist", "where": "tab:zero_cot", "claims": "3", "consistent": "1",
        "within rounding": "0", "contradicts": "1", "unattainable": "0", "equal": "1",
        "last digit": "0", "differs": "1", "no records": "1", "own equal": "0",
        "own last digit": "1", "own differs": "0",
    }  # fmt: skip
    assert last["where"] == "figure 2" and set(list(last.values())[3:]) == {"0"}


@pytest.mark.parametrize(
    ("where", "name"),
    [("tab:zero_cot", "tab:zero_cot"), ("fig:code_switch", "fig:code_switch"),
     ("table13", "table13"), ("figure 2", "figure 2"), ("section 5.3", "text"),
     ("abstract", "text"), ("caption of table 4", "text")],
)  # fmt: skip
def test_numbers_of_the_prose_count_together(where: str, name: str) -> None:
    assert place(claim("t.a", "1", where=where)) == name


def test_oddities_are_written_as_they_are() -> None:
    text = quality_csv([ODDITY, ODDITY | {"example": 'a, "b"\nc'}])
    assert [dict(line) for line in csv.DictReader(io.StringIO(text))] == [
        ODDITY, ODDITY | {"example": 'a, "b"\nc'},
    ]  # fmt: skip


# The page


def test_the_summary_stands_by_paper_with_its_sums() -> None:
    first, second = grids(sections(shown(CLAIMS, ROWS))["Summary"])
    assert first[0] == ["where", "claims", "consistent", "within rounding", "contradicts",
                        "unattainable", "equal", "last digit", "differs", "no records"]  # fmt: skip
    assert first[2:] == [
        ["tab:zero_cot", "3", "1", "0", "1", "0", "1", "0", "1", "1"],
        ["text", "2", "1", "0", "1", "0", "1", "0", "0", "0"],
        ["all", "5", "2", "0", "2", "0", "2", "0", "1", "1"],
    ]
    assert second[0][-1] == "unattainable"  # nothing was recomputed for this paper
    assert second[-1] == ["all", "2", "0", "0", "0", "1"]


def test_the_demonstration_has_arithmetic_alone() -> None:
    rows = [row(one.id, one.printed, unit=one.unit, verdict="no records") for one in CLAIMS]
    text = shown(CLAIMS, rows)
    assert titles(text) == {SECTIONS["arithmetic"], SECTIONS["sentences"]}
    assert "No released records were read here" in text
    assert "![" not in text
    assert text.startswith("# Audit of the printed numbers\n\n**A test.**\n")
    assert "differs" not in "".join(sections(text)["Summary"])


def test_the_ledger_and_the_sources_are_named() -> None:
    for text in (shown(), shown(CLAIMS, ROWS)):
        assert "stands in the claims ledger (`a/claims.csv`)" in text
        for one in SOURCES:
            assert f"\n- {one}\n" in text


def test_borrowed_numbers_are_told_where_a_row_has_them() -> None:
    assert "taken over" not in shown([CLAIMS[0]], [EQUAL])
    text = shown([CLAIMS[0]], [replace(EQUAL, origin="published run")])
    assert "\n- The recomputed columns are taken over from a finished run" in text


def test_contradictions_of_tables_and_figures_stand_before_those_of_the_prose() -> None:
    places = ["abstract", "tab:zero_cot", "section 5", "fig:x", "table13"]
    text = shown([claim(f"t.{at}", "60.9", where=where, checks=("62.0",))
                  for at, where in zip("abcde", places, strict=True)])  # fmt: skip
    assert [line[0] for line in grid(text, "arithmetic")] == [
        "tab:zero_cot", "fig:x", "table13", "abstract", "section 5",
    ]  # fmt: skip


def test_a_page_of_nothing_has_no_section() -> None:
    assert titles(shown()) == set()
    assert titles(shown([claim("t.a", "60.9", checks=("60.9",))], [EQUAL])) == set()


def test_recomputed_numbers_come_with_the_figure() -> None:
    text = shown([CLAIMS[0]], [EQUAL])
    assert "![Printed against recomputed](figure.png)" in text
    assert "No released records were read here" not in text


def test_own_numbers_come_with_the_figure_too() -> None:
    text = shown([CLAIMS[0]], [row("t.a", verdict="no records", own="60.90", own_verdict="equal")])
    assert "![Printed against recomputed](figure.png)" in text
    assert "No released records were read here" in text


def test_numbers_that_differ_stand_first_with_their_reason() -> None:
    text = shown(rows=[LAST, EQUAL, DIFFERENT, SILENT])
    assert titles(text) == {SECTIONS["records"]}
    assert grid(text, "records") == [
        ["tab:zero_cot", "Model \\| English", "60.9", "59.10", "58.36 to 63.38", "1445",
         "differs", "a reason"],
        ["tab:zero_cot", "Model \\| English", "60.9", "60.80", "58.36 to 63.38", "1445",
         "last digit", "another"],
    ]  # fmt: skip


def test_numbers_that_contradict_others_stand_with_what_is_expected() -> None:
    text = shown(
        [
            claim("t.a", "60.9", checks=("k/n", "62.04", "60.9"), n=4),
            claim("t.b", "-1.2", checks=("1.2",), column=""),
            claim("t.c", "21000", unit="value", decimals=-3, checks=("19000.4",)),
        ],
        [replace(EQUAL, id="t.b")],
    )
    assert titles(text) == {SECTIONS["arithmetic"]}
    name = "Model \\| English"
    assert grid(text, "arithmetic") == [
        ["tab:zero_cot", name, "60.9", "2/4 = 50.0, 3/4 = 75.0", "unattainable", "",
         "`k/n`"],
        ["tab:zero_cot", name, "60.9", "62.04", "contradicts", "", "`62.04`"],
        ["tab:zero_cot", "Model", "-1.2", "1.20 (sign differs)", "contradicts", "60.90",
         "`1.2`"],
        ["tab:zero_cot", name, "21000", "19000", "contradicts", "", "`19000.4`"],
    ]  # fmt: skip


def test_sentences_that_fail_stand_with_all_that_fails() -> None:
    sentence = claim("t.s", "yes", unit="sentence", where="section 5", row="A beats B",
                     checks=("1 > 2", "2 > 1", "1 > 3"))  # fmt: skip
    holding = claim("t.h", "yes", unit="sentence", checks=("2 > 1",))
    text = shown([sentence, holding])
    assert titles(text) == {SECTIONS["sentences"]}
    assert grid(text, "sentences") == [
        ["MathMist", "section 5", "A beats B", "`1 > 2`; `1 > 3`"]
    ]  # fmt: skip


CANDIDATES = [
    claim("v.one.a", "10.0"), claim("v.two.a", "20.0"), claim("v.one.b", "30.0"),
    claim("v.two.b", "40.0"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ("10.0", "30.0", "of one, two only one fits all 2 cells"),
        ("10.0", "40.0", "none of one, two fits all 2 cells"),
        ("20.0", "40.0", "of one, two only two fits all 2 cells"),
    ],
)
def test_what_the_papers_leave_open_is_inferred(a: str, b: str, words: str) -> None:
    cells = [claim(f"w.{name}", printed, where="table4", checks=(f"one_of(v.{{one,two}}.{name})",))
             for name, printed in (("a", a), ("b", b))]  # fmt: skip
    text = shown(CANDIDATES + cells)
    assert SECTIONS["open"] in titles(text)
    line = sections(text)[SECTIONS["open"]].strip()
    assert line == f"- table4: {words} that stand for a whole population."


def test_candidates_that_fit_alike_leave_it_open() -> None:
    same = [claim("v.one.a", "10.0"), claim("v.two.a", "10.0"), claim("v.six.a", "60.0")]
    for names, words in (
        ("one,two", "each of one, two fits"),
        ("one,two,six", "of one, two, six only one and two fit"),
    ):
        cell = claim("w.a", "10.0", where="table4", checks=(f"one_of(v.{{{names}}}.a)",))
        found = sections(shown([*same, cell]))[SECTIONS["open"]]
        assert found.strip().startswith(f"- table4: {words} all 1 cells")


def test_declared_facts_that_the_records_contradict_are_told() -> None:
    rows = [
        row("t.j", "Gemini", unit="name", where="section 5", row="judge", rule="judge cot",
            recomputed="Qwen", verdict="differs"),
        row("t.s", "3", unit="count", where="section 4", row="samples", rule="samples cot",
            recomputed="1", verdict="differs"),
        row("t.k", "Gemini", unit="name", rule="judge mcq", recomputed="Gemini", verdict="equal"),
    ]  # fmt: skip
    text = shown(rows=rows)
    assert titles(text) == {SECTIONS["open"]}
    assert sections(text)[SECTIONS["open"]].strip().split("\n") == [
        "- section 5, judge: printed Gemini, the records hold Qwen.",
        "- section 4, samples: printed 3, the records hold 1.",
    ]


def test_the_largest_changes_of_another_reading_are_shown() -> None:
    rows = [replace(EQUAL, id=f"t.r{number}", row=f"M{number}", strict=f"{60.9 - number:.2f}")
            for number in range(20)]  # fmt: skip
    rows.append(replace(EQUAL, id="t.change", unit="points", strict="1.00"))
    text = shown(rows=rows)
    assert titles(text) == {SECTIONS["again"]}
    body = grid(text, "again")
    assert [line[1] for line in body] == [f"M{number} \\| English" for number in range(19, 4, -1)]
    assert body[0][3:] == ["60.90", "41.90", "1445"]
    assert "19 numbers change" in text  # the reading of M0 gives the same


def test_own_numbers_stand_beside_the_printed_ones() -> None:
    own = {"own": "61.20", "own_low": "50.00", "own_high": "70.00", "own_n": "12",
           "own_verdict": "differs"}  # fmt: skip
    text = shown(rows=[replace(EQUAL, **own), row("t.b", verdict="no records", **own)])
    assert titles(text) == {SECTIONS["own"]}
    assert [line[3:] for line in grid(text, "own")] == [
        ["60.90", "61.20", "50.00 to 70.00", "12", "differs"],
        ["no records", "61.20", "50.00 to 70.00", "12", "differs"],
    ]


def test_oddities_are_summed_by_kind() -> None:
    text = shown(oddities=[ODDITY, ODDITY | {"file": "MCQ/bn.jsonl", "count": "4"},
                           ODDITY | {"kind": "a repeated number", "count": "1"}])  # fmt: skip
    assert titles(text) == {SECTIONS["odd"]}
    assert grid(text, "odd") == [
        ["a repeated number", "1", "1", "counted as wrong"],
        ["no letter", "7", "2", "counted as wrong"],
    ]


# What no text breaks


PIECES = st.sampled_from(["a", "|", "\n", "\r", "\u2028", " ", "`", "*", "বাং", "x | y"])
TEXTS = st.lists(PIECES, max_size=6).map("".join)


@UNTIMED
@given(TEXTS, TEXTS, TEXTS)
def test_no_text_breaks_a_table_or_a_list(where: str, name: str, reason: str) -> None:
    place = {"where": f"tab:{where}", "row": name, "column": name}
    claims = [
        claim("t.a", "60.9", checks=("62.0",), **place),
        claim("t.s", "yes", unit="sentence", checks=("1 > 2",), **place),
        claim("v.one", "60.9"), claim("v.two", "61.9"),
        claim("t.o", "60.9", checks=("one_of(v.one, v.two)",), **place),
    ]  # fmt: skip
    rows = [
        replace(DIFFERENT, reason=reason, strict="50.00", own="1.0", own_verdict="equal", **place),
        row("t.j", f"x{name}", unit="name", recomputed=f"y{reason}", verdict="differs", **place)
    ]  # fmt: skip
    text = shown(claims, rows, [ODDITY | {"kind": reason, "handling": name}])
    assert titles(text) == set(SECTIONS.values())
    for lines in grids(text):
        assert {len(line) for line in lines} == {len(lines[0])}
    assert len(grids(text)) == 7
    items = sections(text)[SECTIONS["open"]].strip().split("\n")
    assert len(items) == 2 and all(item.startswith("- ") for item in items)


EVERYTHING = shown(CLAIMS, [*ROWS, DIFFERENT, LAST], [ODDITY])
NOTHING = shown(CLAIMS, [row(one.id, one.printed, verdict="no records") for one in CLAIMS])


@pytest.mark.parametrize("text", [EVERYTHING, NOTHING], ids=["all", "none"])
def test_nothing_reads_none_or_nan(text: str) -> None:
    assert not re.search(r"\b(None|nan|NaN|inf|Fraction|Finding)\b", text)
    assert text.endswith("\n") and "\n\n\n" not in text


def test_a_finding_without_an_expected_value_shows_its_note_alone() -> None:
    one = claim("t.a", "60.9", checks=("60.9 < 1",))
    finding = Finding("t.a", one.where, "60.9 < 1", "contradicts", note="left 60.9, right 1")
    text = page("A test.", {"t.a": one}, [finding], [], [], [], "figure.png", "c.csv", SOURCES)
    assert grid(text, "arithmetic")[0][3] == "left 60.9, right 1"


def test_tables_stand_before_the_text_among_numbers_that_differ() -> None:
    rows = [
        row("t.a", "1.0", where="section 5", recomputed="2.00", verdict="differs"),
        row("t.b", "1.0", where="tab:x", recomputed="2.00", verdict="differs"),
        row("t.c", "1.0", where="tab:y", recomputed="1.10", verdict="last digit"),
    ]
    shown_rows = [
        line.split("|")[1].strip()
        for line in sections(shown(rows=rows))[SECTIONS["records"]].split("\n")
        if line.startswith("| ") and not line.startswith("| where")
    ]
    assert shown_rows == ["tab:x", "section 5", "tab:y"]
