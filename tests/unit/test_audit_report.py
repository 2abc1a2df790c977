"""Printed against recomputed, row by row: agreement, what is filled in, and the reasons given."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.audit.arguments import COUNTS, WIDE
from babelmath.audit.arithmetic import audit_arithmetic, by_claim, findings_csv
from babelmath.audit.claims import Claim
from babelmath.audit.evidence import Evidence, part
from babelmath.audit.measures import measure
from babelmath.audit.report import agreement, exact, report, written
from babelmath.audit.rows import Row, load_report, report_csv
from babelmath.files import write_text
from babelmath.tables.data import Data
from babelmath.tables.frame import rounded
from record_frames import data, held, labels, subsets, verdicts
from stand_ins import UNTIMED, claim

RELEASED = {"m": True, "silent": True, "problems": True, "choices": True, "perturbed": True}
OWN = dict.fromkeys(RELEASED, False)


def reported(
    *claims: Claim,
    records: Data | None = None,
    strict: Data | None = None,
    released: Mapping[str, bool] = RELEASED,
    problems: bool = True,
    languages: bool = True,
    published: tuple[Row, ...] = (),
) -> list[Row]:
    """The report of these claims, with the findings of their own checks."""
    paper = records if records is not None else quarters()
    findings = by_claim(audit_arithmetic({one.id: one for one in claims}))
    again = strict if strict is not None else paper
    evidence = Evidence(
        part(paper, released, True), part(again, released, True), part(paper, released, False)
    )
    scope = {"problems": problems, "languages": languages}
    return report(claims, findings, evidence, scope, {row.id: row for row in published})


def only(*claims: Claim, **given: Any) -> Row:
    """The row of the first claim."""
    return reported(*claims, **given)[0]


def quarters(**more: Any) -> Data:
    """CoT in English 75, zero-shot 25, CoT in Bangla 50."""
    rows = (
        verdicts("cot", "abc", "d", file="CoT/en.json")
        + verdicts("zero-shot", "a", "bcd")
        + verdicts("cot", "ab", "cd", lang="bn")
        + verdicts("cs-en-en", "abc", "d")
    )
    return data(held(*"abcd") + held(*"abcd", lang="bn"), rows, **more)


# Agreement


@pytest.mark.parametrize(
    ("printed", "value", "verdict"),
    [
        ("60.9", 60.9, "equal"),
        ("60.9", 60.85, "equal"),  # a tie goes up
        ("60.8", 60.85, "last digit"),
        ("60.9", 60.949999, "equal"),
        ("60.9", 60.95, "last digit"),
        ("60.9", 61.04, "last digit"),
        ("60.9", 61.05, "differs"),
        ("60.9", 60.75, "last digit"),
        ("60.9", 60.7, "differs"),
        ("2.68", 2.675, "equal"),
        ("-2.68", -2.675, "equal"),  # away from zero
        ("-2.67", -2.675, "last digit"),
        ("-0.1", 0.1, "differs"),
        ("0.00", -0.004, "equal"),
        ("61", 60.5, "equal"),
        ("60", 60.5, "last digit"),
        ("100.00", 99.995, "equal"),
        ("66.67", 200 / 3, "equal"),
        ("50.63", 50.62499999999999, "equal"),  # a mean of floats that ties
        ("0.1", 12.35 - 12.3, "equal"),
    ],
)
def test_agreement_at_the_printed_decimals(printed: str, value: float, verdict: str) -> None:
    assert agreement(claim("t.a", printed), value) == verdict


@pytest.mark.parametrize(
    ("printed", "value", "verdict"), [("843", 843, "equal"), ("843", 844, "differs")]
)
def test_a_count_never_differs_in_the_last_digit_alone(
    printed: str, value: int, verdict: str
) -> None:
    assert agreement(claim("t.a", printed, unit="count"), value) == verdict


@pytest.mark.parametrize(
    ("value", "verdict"),
    [(20500, "equal"), (21499, "equal"), (20499, "last digit"), (22499, "last digit"),
     (19499, "differs"), (22500, "differs")],
)  # fmt: skip
def test_agreement_where_thousands_are_printed(value: float, verdict: str) -> None:
    assert agreement(claim("t.a", "21000", unit="value", decimals=-3), value) == verdict


@pytest.mark.parametrize(
    ("printed", "value", "verdict"),
    [
        ("Gemini 2.0 Flash-Lite", "gemini-2.0-flash-lite", "equal"),
        ("Gemini 2.0 Flash-Lite", "Gemini 2.5 Flash-Lite", "differs"),
        ("Qwen3-4B", "Qwen/Qwen3-4B", "differs"),
        ("বিচারক", "বিচারক", "equal"),
    ],
)
def test_names_agree_but_for_marks_and_case(printed: str, value: str, verdict: str) -> None:
    assert agreement(claim("t.a", printed, unit="name"), value) == verdict


def test_a_number_differs_from_one_that_is_printed_as_not_available() -> None:
    assert agreement(claim("t.a", "N/A"), 12.5) == "differs"


def test_a_macro_average_that_ties_is_rounded_up() -> None:
    rights = {"AIME2024": 11, "AIME2025": 7, "CNMO": 18, "MATH500": 740}
    totals = {"AIME2024": 120, "AIME2025": 120, "CNMO": 72, "MATH500": 1184}
    letters = dict(zip(rights, "abcd", strict=True))
    problems, rows = subsets(**letters), []
    for subset, letter in letters.items():
        right, total = rights[subset], totals[subset]
        rows += [row for sample in range(total)
                 for row in verdicts("native", letter if sample < right else "",
                                     "" if sample < right else letter, sample=sample)]  # fmt: skip
    macro = measure(data(problems, rows), "macro", ["native", "m", "en"])
    assert macro is not None and isinstance(macro.value, float)
    assert macro.value < 25.625  # by the error of a sum of floats
    assert agreement(claim("t.a", "25.63"), macro.value) == "equal"
    assert rounded(macro.value, 2) == "25.63"


def test_what_stands_near_a_tie_is_no_tie() -> None:
    nearest = 100 * 53_333 / 106_560  # of all macro averages over ten languages
    assert exact(nearest) != exact(nearest + 1e-8)
    assert exact(12.3449999999) < exact(12.345)


@pytest.mark.parametrize(
    ("one", "value", "text"),
    [
        (claim("t.a", "60.9"), 60.949, "60.95"),
        (claim("t.a", "61"), 60.949, "60.9"),
        (claim("t.a", "N/A"), 12.34, "12.3"),
        (claim("t.a", "843", unit="count"), 843, "843"),
        (claim("t.a", "21000", unit="value", decimals=-3), 20890, "20890"),
        (claim("t.a", "-3.71", unit="points"), -3.7145, "-3.715"),
        (claim("t.a", "X", unit="name"), "Qwen", "Qwen"),
    ],
)
def test_values_are_written_with_one_digit_more_than_printed(
    one: Claim, value: float | str, text: str
) -> None:
    assert written(one, value) == text


# Rows


def test_released_records_are_recomputed_from() -> None:
    row = only(claim("t.a", "75.0", population="n=4; problems"))
    assert row == Row(
        "t.a", "tab:zero_cot", "Model", "English", "percent", "75.0", recomputed="75.00", n="4",
        low="30.06", high="95.44", verdict="equal", scorers="s", files="CoT/en.json",
        rule="accuracy cot m en all", population="n=4; problems",
    )  # fmt: skip


def test_an_own_runs_records_stand_apart() -> None:
    row = only(claim("t.a", "70.0"), released=OWN)
    assert (row.own, row.own_n, row.own_verdict) == ("75.00", "4", "differs")
    assert (row.own_low, row.own_high) == ("30.06", "95.44")
    assert (row.recomputed, row.n, row.low, row.files, row.reason) == ("", "", "", "", "")
    assert (row.verdict, row.scorers, row.own_scorers) == ("no records", "", "s")


def test_a_model_without_records_has_none() -> None:
    row = only(claim("t.a", "70.0", records="cot silent en all"))
    assert (row.verdict, row.recomputed, row.own, row.reason) == ("no records", "", "", "")


@pytest.mark.parametrize("formula", ["fact", "arithmetic"])
def test_what_no_records_give_has_no_verdict_on_records(formula: str) -> None:
    row = only(claim("t.a", "75.0", formula=formula, records="", checks=("74.0",)))
    assert (row.verdict, row.own_verdict, row.arithmetic) == ("", "", "contradicts")


def test_rows_stand_in_the_ledgers_order() -> None:
    claims = [claim(f"t.{letter}", "75.0") for letter in "cab"]
    assert [row.id for row in reported(*claims)] == ["t.c", "t.a", "t.b"]


COUNTED = [
    claim("t.problems", "4", unit="count", formula="problems", records="all each"),
    claim("t.choices", "7", unit="count", formula="choices", records="all"),
    claim("t.all", "21", unit="count", formula="artefacts", records="all"),
    claim("t.samples", "1", unit="count", formula="samples", records="cot"),
    claim("t.judge", "Gemini", unit="name", formula="judge", records="cot"),
]


def corpus() -> Data:
    return quarters(choices=6, perturbed=7)


def test_counts_of_a_release_are_recomputed() -> None:
    rows = {row.id: row for row in reported(*COUNTED, records=corpus())}
    assert {key: (row.recomputed, row.verdict) for key, row in rows.items()} == {
        "t.problems": ("4", "equal"),
        "t.choices": ("6", "differs"),
        "t.all": ("21", "equal"),
        "t.samples": ("1", "equal"),
        "t.judge": ("", "no records"),
    }


def test_numbers_of_other_problems_are_shown_with_n_and_not_compared() -> None:
    one, other = claim("t.a", "70.0"), claim("t.b", "70.0", records="cot silent en all")
    row, empty = reported(one, other, problems=False)
    assert (row.recomputed, row.n, row.low, row.high) == ("75.00", "4", "30.06", "95.44")
    assert (row.verdict, row.strict_verdict, row.own_verdict, row.reason) == ("", "", "", "")
    assert (row.scorers, row.files) == ("s", "CoT/en.json")
    assert (empty.verdict, empty.recomputed) == ("no records", "")


def test_the_strict_and_own_numbers_of_other_problems_are_not_compared_either() -> None:
    row = only(claim("t.a", "50.0"), strict=reread("judge-strict"), problems=False)
    assert (row.recomputed, row.strict, row.strict_verdict, row.reason) == (
        "75.00",
        "50.00",
        "",
        "",
    )
    row = only(claim("t.a", "70.0"), released=OWN, problems=False)
    assert (row.own, row.own_n, row.own_verdict) == ("75.00", "4", "")


def test_counts_of_other_problems_say_nothing() -> None:
    for released in (RELEASED, OWN):
        rows = reported(*COUNTED, records=corpus(), released=released, problems=False)
        assert [row.verdict for row in rows] == ["no records"] * 5
        assert {(row.recomputed, row.own, row.n) for row in rows} == {("", "", "")}


def test_checks_of_printed_numbers_need_no_records() -> None:
    row = only(claim("t.a", "75.0", checks=("74.0",)), problems=False, languages=False)
    assert (row.arithmetic, row.verdict) == ("contradicts", "")


def both() -> Data:
    """Records under which every measure over all languages has a value."""
    made = [
        row
        for lang in ("bn", "en")
        for setting in ("cross-lingual", "native")
        for row in verdicts(setting, "ab", "cd", lang=lang)
    ]
    kept = subsets("bn", AIME2024="ab", CNMO="cd") + subsets("en", AIME2024="ab", CNMO="cd")
    detected = labels("bn", ["bn", "en"]) + labels("en", ["en", "bn"])
    return data(kept, made, detected, choices=6, perturbed=7)


OVER_LANGUAGES = {
    "language_mean": "m", "language_sd": "m", "subset_mean": "native AIME2024 m",
    "macro_mean": "native m", "lcr": "native m thinking", "artefacts": "all",
    "problems": "all all",
}  # fmt: skip
OF_ONE = {"accuracy": "native m en all", "subset": "native AIME2024 m en", "macro": "native m en",
          "choices": "all"}  # fmt: skip


def test_what_is_over_all_languages_needs_them_all() -> None:
    assert {*OVER_LANGUAGES} == {*WIDE, "problems"} - {"target_mean", "off_target_mean"}
    claims = [claim(f"t.{formula}", "1", unit="count" if formula in COUNTS else "percent",
                    formula=formula, records=words)
              for formula, words in (OVER_LANGUAGES | OF_ONE).items()]  # fmt: skip
    claims.append(claim("t.each", "1", unit="count", formula="problems", records="all each"))
    whole = {row.id for row in reported(*claims, records=both()) if row.recomputed}
    assert whole == {one.id for one in claims}
    rows = reported(*claims, records=both(), languages=False)
    assert {row.id for row in rows if row.recomputed} == {*(f"t.{one}" for one in OF_ONE), "t.each"}
    assert {row.verdict for row in rows if not row.recomputed} == {"no records"}
    assert {row.verdict for row in rows if row.recomputed} <= {"equal", "last digit", "differs"}


@pytest.mark.parametrize("formula", ["target_mean", "off_target_mean"])
def test_means_over_languages_of_thought_need_all_of_them(formula: str) -> None:
    detected = labels("bn", ["bn", "en"]) + labels("en", ["en", "bn"])
    kept = subsets("bn", AIME2024="01") + subsets("en", AIME2024="01")
    made = verdicts("native", "01", "", lang="bn") + verdicts("native", "01", "", lang="en")
    one = claim("t.a", "100.0", formula=formula, records="m")
    records = data(kept, made, detected)
    assert only(one, records=records).recomputed == "100.00"
    assert only(one, records=records, languages=False).recomputed == ""


@pytest.mark.parametrize("built", ["choices", "perturbed"])
def test_a_total_of_released_and_built_parts_is_none(built: str) -> None:
    row = only(COUNTED[2], records=corpus(), released=RELEASED | {built: False})
    assert (row.recomputed, row.own, row.verdict) == ("", "", "no records")


def test_a_total_of_built_parts_is_the_runs_own() -> None:
    row = only(COUNTED[2], records=corpus(), released=OWN)
    assert (row.recomputed, row.own, row.own_verdict) == ("", "21", "equal")


def test_declared_facts_are_released_where_a_model_of_the_setting_is() -> None:
    row = only(COUNTED[3], released=OWN | {"m": True})
    assert (row.recomputed, row.own) == ("1", "")
    assert only(COUNTED[3], released=OWN | {"silent": True}).own == "1"


# The strict reading


def reread(scorer: str) -> Data:
    return data(held(*"abcd"), verdicts("cot", "ab", "cd", scorer=scorer))


def test_the_strict_column_holds_what_another_scorer_read() -> None:
    row = only(claim("t.a", "50.0"), strict=reread("judge-strict"))
    assert (row.recomputed, row.strict, row.strict_verdict) == ("75.00", "50.00", "equal")
    assert row.reason == "the strict reading gives it"


def test_the_same_scorer_is_no_other_reading() -> None:
    row = only(claim("t.a", "50.0"), strict=reread("s"))
    assert (row.recomputed, row.strict, row.strict_verdict) == ("75.00", "", "")


def test_the_strict_column_is_empty_where_nobody_read_again() -> None:
    row = only(claim("t.a", "50.0"), strict=data())
    assert (row.recomputed, row.strict, row.strict_verdict) == ("75.00", "", "")


# A published run beside this one


PUBLISHED = Row(
    "t.a", "tab:zero_cot", "Model", "English", "percent", "75.0", recomputed="74.00", n="4",
    low="1.00", high="2.00", verdict="differs", strict="75.00", strict_verdict="equal",
    scorers="judge-g", files="x.json", rule="accuracy cot m en all", reason="a reason",
)  # fmt: skip


def test_a_published_run_fills_the_recomputed_columns() -> None:
    row = only(claim("t.a", "75.0"), released=OWN, published=(PUBLISHED,))
    taken = replace(PUBLISHED, origin="published run")
    assert row == replace(taken, own="75.00", own_n="4", own_low="30.06", own_high="95.44",
                          own_verdict="equal", own_scorers="s")  # fmt: skip
    assert only(claim("t.a", "75.0"), records=data(), published=(PUBLISHED,)) == taken


def test_a_published_run_fills_counts_that_this_run_cannot_compare() -> None:
    other = replace(PUBLISHED, id="t.choices", unit="count", printed="7", rule="choices all")
    row = only(COUNTED[1], records=corpus(), released=OWN, problems=False, published=(other,))
    assert (row.recomputed, row.verdict) == ("74.00", "differs")
    assert (row.origin, row.own) == ("published run", "")


@pytest.mark.parametrize("scope", [{}, {"problems": False}, {"languages": False}])
def test_a_run_that_reads_released_records_takes_nothing_from_a_published_one(
    scope: dict[str, bool],
) -> None:
    others = [
        claim("t.a", "75.0", records="cot silent en all"),  # a model without records here
        claim("t.b", "75.0", records="mcq m en all"),
        claim("t.c", "75.0", formula="language_mean", records="m"),
        claim("t.d", "7", unit="count", formula="choices", records="all"),
    ]
    published = tuple(
        replace(PUBLISHED, id=one.id, printed=one.printed,
                rule=" ".join((one.formula, *one.records)))
        for one in others
    )  # fmt: skip
    rows = reported(*others, published=published, **scope)
    assert {(row.verdict, row.recomputed, row.origin) for row in rows} == {("no records", "", "")}
    taken = reported(*others, released=OWN, published=published, **scope)
    assert {(row.recomputed, row.origin) for row in taken} == {("74.00", "published run")}


def test_this_runs_released_records_win_over_a_published_run() -> None:
    row = only(claim("t.a", "75.0"), published=(PUBLISHED,))
    assert (row.recomputed, row.verdict, row.reason, row.scorers) == ("75.00", "equal", "", "s")
    assert row.origin == ""


def test_a_published_run_without_records_takes_nothing_away() -> None:
    empty = Row("t.a", "tab:zero_cot", "Model", "English", "percent", "75.0",
                verdict="no records", rule="accuracy cot m en all")  # fmt: skip
    row = only(claim("t.a", "75.0"), released=OWN, published=(empty,))
    assert (row.own, row.own_scorers, row.verdict) == ("75.00", "s", "no records")
    assert row.origin == ""


@pytest.mark.parametrize(
    "other", [{"id": "t.b"}, {"printed": "75.1"}, {"rule": "accuracy cot m bn all"}]
)
def test_a_published_run_of_another_claim_says_nothing(other: dict[str, str]) -> None:
    row = only(claim("t.a", "75.0"), released=OWN, published=(replace(PUBLISHED, **other),))
    assert (row.recomputed, row.verdict, row.origin) == ("", "no records", "")


def test_a_published_run_adds_nothing_to_what_no_records_give() -> None:
    fact = claim("t.a", "75.0", formula="fact", records="")
    row = only(fact, released=OWN, published=(replace(PUBLISHED, rule="fact"),))
    assert (row.verdict, row.recomputed, row.origin) == ("", "", "")


# Reasons


def test_a_number_that_agrees_needs_no_reason() -> None:
    assert only(claim("t.a", "75.0")).reason == ""


def test_without_evidence_the_report_says_so() -> None:
    assert only(claim("t.a", "70.0")).reason == "nothing in the records tells why"


def test_a_table_that_prints_the_same_records_right_is_named() -> None:
    twin = claim("t.b", "75.0", where="tab:zero_cot_en_bn_category_wise")
    row = only(claim("t.a", "74.9"), twin)
    assert row.verdict == "last digit"
    assert row.reason == (
        "tab:zero_cot_en_bn_category_wise prints 75.0 for the same records, as they give"
    )


def test_cot_columns_have_the_same_records_as_their_setting() -> None:
    twin = claim("t.b", "75.0", where="tab:code_switch", records="cs-en-en m en all")
    records = quarters(cot_columns={"bn": "cot", "en": "cs-en-en"})
    assert "tab:code_switch prints 75.0" in only(claim("t.a", "70.0"), twin, records=records).reason
    assert "tab:code_switch" not in only(claim("t.a", "70.0"), twin).reason


def test_a_twin_that_is_wrong_or_prints_alike_is_no_reason() -> None:
    for printed in ("70.0", "60.0"):
        twin = claim("t.b", printed, where="tab:twin")
        assert only(claim("t.a", "70.0"), twin).reason == "nothing in the records tells why"


def test_a_number_that_stands_in_another_cell_is_named() -> None:
    other = claim("t.b", "25.0", row="Model", column="Zero", records="zero-shot m en all")
    row = only(claim("t.a", "25.0"), other)
    assert row.reason == "25.0 is what the records give for tab:zero_cot, Model, Zero"


@pytest.mark.parametrize(
    ("printed", "records"),
    [("25.1", "zero-shot m en all"), ("25.0", "zero-shot m en numerical")],
)
def test_other_digits_or_another_kind_are_no_slip(printed: str, records: str) -> None:
    other = claim("t.b", printed, column="Zero", records=records)
    assert only(claim("t.a", "25.0"), other).reason == "nothing in the records tells why"


CHANGE = {"unit": "points", "formula": "change", "records": "cot zero-shot m en all"}


def test_a_number_that_follows_from_its_rounded_neighbours_is_no_error_of_its_own() -> None:
    change = claim("t.a", "50.1", checks=("t.after - t.before",), **CHANGE)
    after = claim("t.after", "75.1")
    before = claim("t.before", "25.0", records="zero-shot m en all")
    row = only(change, after, before)
    assert (row.recomputed, row.verdict, row.arithmetic) == ("50.00", "last digit", "consistent")
    assert row.reason == "it follows from the rounded numbers printed beside it"


def follows(after: str, before: str, *more: Claim, check: str = "t.after - t.before") -> Row:
    """The row of a printed change of 47, computed from two printed accuracies, of 75 and 25."""
    change = claim("t.a", "47.0", checks=(check,), **CHANGE)
    return only(
        change,
        claim("t.after", after, column="CoT"),
        claim("t.before", before, records="zero-shot m en all", row="Phi, small", column="Zero"),
        *more,
    )


def test_a_number_that_follows_from_one_that_differs_names_it() -> None:
    row = follows("72.0", "25.0")
    assert (row.verdict, row.arithmetic) == ("differs", "consistent")
    assert row.reason == (
        "it is computed from a printed number that differs: tab:zero_cot, Model, CoT"
    )
    row = follows("75.0", "28.0")
    assert row.reason.endswith("that differs: tab:zero_cot, Phi, small, Zero")
    row = follows("72.1", "25.1")  # one differs, one in its last digit
    assert row.reason.endswith("that differs: tab:zero_cot, Model, CoT")


def test_of_several_that_differ_the_first_that_the_check_names_is_told() -> None:
    assert follows("80.0", "33.0").reason.endswith("Model, CoT")
    swapped = follows("80.0", "33.0", check="-1*t.before + t.after")
    assert swapped.reason.endswith("Phi, small, Zero")


def test_a_number_that_follows_from_one_without_records_has_no_reason_of_it() -> None:
    silent = claim("t.silent", "28.0", records="zero-shot silent en all")
    row = follows("75.0", "25.0", silent, check="t.after - t.silent")
    assert (row.verdict, row.arithmetic) == ("differs", "consistent")
    assert row.reason == "nothing in the records tells why"


def test_a_number_that_merely_repeats_another_is_computed_from_nothing() -> None:
    for printed, verdict in (("70.0", "differs"), ("75.1", "last digit")):
        row, twin = reported(claim("t.a", printed, checks=("t.b",)), claim("t.b", printed))
        assert (row.verdict, twin.verdict, row.arithmetic) == (verdict, verdict, "consistent")
        assert row.reason == twin.reason == "nothing in the records tells why"


@pytest.mark.parametrize("check", ["t.after > t.before", "one_of(t.after - t.before, 40)", "k/n"])
def test_only_an_equation_computes_a_number_from_others(check: str) -> None:
    change = claim("t.a", "47.0", checks=(check,), n=100, **CHANGE)
    after, before = claim("t.after", "72.0"), claim("t.before", "25.0",
                                                    records="zero-shot m en all")  # fmt: skip
    row = only(change, after, before)
    assert (row.arithmetic, row.reason) == ("consistent", "nothing in the records tells why")


def test_a_check_that_fails_computes_nothing() -> None:
    row = follows("80.0", "25.0")
    assert (row.arithmetic, row.reason) == (
        "contradicts", "it contradicts other printed numbers, too",
    )  # fmt: skip


def test_a_number_that_contradicts_others_says_so() -> None:
    change = claim("t.a", "49.0", checks=("t.after - t.before", "k/n"), n=4, **CHANGE)
    after = claim("t.after", "75.0")
    before = claim("t.before", "25.0", records="zero-shot m en all")
    row = only(change, after, before)
    assert row.arithmetic == "unattainable"
    assert row.reason == (
        "no whole number of items gives it; it contradicts other printed numbers, too"
    )


def test_an_attainable_share_alone_explains_nothing() -> None:
    row = only(claim("t.a", "50.0", checks=("k/n",), n=4))
    assert (row.arithmetic, row.reason) == ("consistent", "nothing in the records tells why")


def test_declared_facts_say_what_the_records_hold() -> None:
    records = data(held("a"), verdicts("cot", "a", judge="Qwen3-4B")
                   + verdicts("cot", "a", judge="Qwen3-4B", sample=1))  # fmt: skip
    judge = only(COUNTED[4], records=records)
    assert (judge.recomputed, judge.verdict) == ("Qwen3-4B", "differs")
    assert judge.reason == "the records name Qwen3-4B"
    samples = only(replace(COUNTED[3], printed="3"), records=records)
    assert samples.reason == "the records hold 2 to each question"


# Files


TEXTS = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]), max_size=12)
ROWS = st.builds(Row, **{one.name: TEXTS for one in fields(Row)})


@UNTIMED
@given(st.lists(ROWS, max_size=3))
def test_a_report_comes_back_from_its_file(tmp_path_factory: Any, rows: list[Row]) -> None:
    path = tmp_path_factory.mktemp("report") / "report.csv"
    write_text(path, report_csv(rows))
    assert load_report(path) == rows


def test_an_empty_report_comes_back(tmp_path: Path) -> None:
    write_text(tmp_path / "report.csv", report_csv([]))
    assert load_report(tmp_path / "report.csv") == []


def test_columns_of_another_version_are_left_out_or_empty(tmp_path: Path) -> None:
    text = ("id,where,row,column,unit,printed,mood,recomputed,verdict,rule\n"
            "t.a,tab:x,r,c,percent,1.0,good,1.00,equal,accuracy cot m en all\n")  # fmt: skip
    write_text(tmp_path / "report.csv", text)
    assert load_report(tmp_path / "report.csv") == [
        Row("t.a", "tab:x", "r", "c", "percent", "1.0", recomputed="1.00", verdict="equal",
            rule="accuracy cot m en all"),
    ]  # fmt: skip


def findings(*claims: Claim) -> list[dict[str, str]]:
    held = {one.id: one for one in claims}
    return list(csv.DictReader(io.StringIO(findings_csv(held, audit_arithmetic(held)))))


def test_findings_have_one_line_a_check() -> None:
    lines = findings(
        claim("t.a", "60.9", checks=("k/n", "t.b + 0.2"), n=4, row='a "quoted", row'),
        claim("t.b", "60.8"),
        claim("t.c", "yes", unit="sentence", checks=("t.a < t.b",), formula="arithmetic"),
    )
    place = {"id": "t.a", "paper": "mathmist", "where": "tab:zero_cot", "row": 'a "quoted", row',
             "column": "English", "printed": "60.9"}  # fmt: skip
    assert lines == [
        place | {"check": "k/n", "verdict": "unattainable", "expected": "", "low": "50.000",
                 "high": "75.000", "note": "2/4 = 50.0, 3/4 = 75.0"},
        place | {"check": "t.b + 0.2", "verdict": "within rounding", "expected": "61.000",
                 "low": "60.950", "high": "61.050", "note": ""},
        place | {"id": "t.c", "row": "Model", "printed": "yes", "check": "t.a < t.b",
                 "verdict": "contradicts", "expected": "", "low": "", "high": "",
                 "note": "left 60.9, right 60.8"},
    ]  # fmt: skip


def test_findings_of_thousands_are_written_in_tens() -> None:
    (line,) = findings(claim("t.a", "21000", unit="value", decimals=-3, checks=("20494",)))
    assert (line["verdict"], line["expected"]) == ("contradicts", "20490")
