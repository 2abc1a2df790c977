"""What all tables have in common: marks, intervals, notes; states of responses, paired tests."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from statistics import NormalDist
from typing import Any, get_args

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from babelmath.outcomes import STATES
from babelmath.records import Status
from babelmath.tables.compared import mathmist_comparison, mmath_comparison
from babelmath.tables.data import ModelName
from babelmath.tables.facts import claim_frame
from babelmath.tables.frame import Cell, Table, best, interval, written
from babelmath.tables.labels import label_shares
from babelmath.tables.mathmist import language_deviation
from babelmath.tables.mmath_tables import target_thinking
from babelmath.tables.notes import common_notes
from babelmath.tables.outcomes import outcomes
from babelmath.tables.paired import language_tests, setting_tests
from babelmath.tables.registry import make_table
from babelmath.tables.render import markdown
from record_frames import Row, data, held, labels, subsets, verdicts
from stand_ins import UNTIMED


def table(*cells: Cell, **fields: Any) -> Table:
    values: dict[str, Any] = {"paper": "mmath", "name": "table2", "title": "Title",
                              "protocol": "paper", "cells": cells, "notes": []}  # fmt: skip
    return Table(**(values | fields))


# Marks


def marked(*values: float | None, **fields: Any) -> list[int]:
    """Which of the rows of one column are marked."""
    cells = [Cell("", str(at), "x", value, 5, **fields) for at, value in enumerate(values)]
    return sorted(best(table(*cells, ranked=True)))


@pytest.mark.parametrize(
    ("values", "places"),
    [
        ([10.0, 30.0, 20.0], [1]),
        ([10.0, 30.0, 30.0], [1, 2]),
        ([30.004, 30.001, 20.0], [0, 1]),  # written alike
        ([30.006, 30.004], [0]),
        ([30.0, 30.0], []),  # no value is better than another
        ([30.0], []),
        ([], []),
        ([None, 30.0], []),
        ([None, 30.0, 20.0], [1]),
        ([0.0, 0.0, 0.001], []),
        ([100.0, 0.0], [0]),
        ([None, None], []),
    ],
)
def test_the_best_value_of_a_column_is_marked(values: list[Any], places: list[int]) -> None:
    assert marked(*values) == places


@pytest.mark.parametrize("unit", ["difference", "count", "points", "coefficient", "chance"])
def test_only_percentages_compete(unit: Any) -> None:
    assert marked(10.0, 30.0, unit=unit) == []


def test_rows_that_do_not_compete_have_no_mark() -> None:
    cells = [Cell("", "a", "x", 10.0, 5), Cell("", "b", "x", 30.0, 5)]
    assert best(table(*cells)) == frozenset()
    assert "**" not in markdown(table(*cells)).replace("###", "")


def test_each_block_and_column_has_its_own_best() -> None:
    cells = [Cell(block, row, column, value, 5) for (block, column, row), value in zip(
        itertools.product("AB", "xy", "ab"), [1.0, 2.0, 4.0, 3.0, 5.0, 5.0, None, 7.0],
        strict=True)]  # fmt: skip
    one = table(*cells, ranked=True)
    assert sorted(best(one)) == [1, 2]
    assert one.frame()["best"].to_list() == [False, True, True, *[False] * 5]
    assert markdown(one).count("**") == 8  # of two blocks and two numbers


@UNTIMED
@given(st.lists(st.one_of(st.none(), st.floats(0, 100)), max_size=8))
def test_a_marked_value_is_written_as_the_highest(values: list[float | None]) -> None:
    places = marked(*values)
    held = [value for value in values if value is not None]
    texts = {written(Cell("", "", "x", value, 5)) for value in held}
    if len(texts) < 2:
        assert places == []
    else:
        top = written(Cell("", "", "x", max(held), 5))
        assert [at for at, value in enumerate(values)
                if written(Cell("", "", "x", value, 5)) == top] == places  # fmt: skip


# Intervals and notes


def test_intervals_stand_beside_numbers_where_rows_do_not_compete() -> None:
    cell = Cell("", "a", "x", 50.0, 6, low=18.76, high=81.24)
    assert "| a | 50.00 (18.8 to 81.2) |" in markdown(table(cell))
    assert "| a | 50.00 |" in markdown(table(cell, ranked=True))


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (Cell("", "", "", 50.0, 6, low=18.76, high=81.24), "18.8 to 81.2"),
        (Cell("", "", "", 50.0, 6, decimals=0, low=18.76, high=81.24), "19 to 81"),
        (Cell("", "", "", 0.5, 6, "coefficient", 3, low=0.1234, high=0.9), "0.123 to 0.900"),
        (Cell("", "", "", 50.0, 6), ""),
        (Cell("", "", "", None, 0, low=1.0, high=2.0), ""),
        (Cell("", "", "", -5.0, 6, "difference", low=-10.25, high=0.25), "-10.3 to 0.3"),
    ],
)
def test_an_interval_is_written_with_the_digits_that_it_has(cell: Cell, text: str) -> None:
    assert interval(cell) == text


def test_notes_say_how_far_intervals_reach() -> None:
    cells = [Cell("", "a", "x", 50.0, 6, low=40.0, high=55.0),
             Cell("", "b", "x", 50.0, 6, low=47.7, high=51.0),
             Cell("", "b", "y", 1.0, 6, "points", low=0.0, high=90.0)]  # fmt: skip
    (note,) = common_notes(table(*cells))
    assert note.startswith("95% intervals reach 2.3 to 10.0 points from the values")
    (note,) = common_notes(table(cells[0]))
    assert note.startswith("95% intervals reach 10.0 points from the values")
    assert common_notes(table(Cell("", "a", "x", 7, 7, "count"))) == []


def test_notes_say_how_far_two_values_must_be_apart() -> None:
    """By the normal powers of a two-sided test: 1.96 + 0.84 errors, each interval / 1.96."""
    z, power = NormalDist().inv_cdf(0.975), NormalDist().inv_cdf(0.8)
    small = Cell("", "a", "x", 50.0, 100, low=40.4, high=59.6)
    large = Cell("", "b", "x", 50.0, 1445, low=47.4, high=52.6)
    missing = Cell("", "c", "x", None, 0)
    notes = common_notes(table(small, large, missing, ranked=True))
    told = [round((z + power) * math.sqrt(2) * reach / z) for reach in (9.6, 2.6)]
    assert told == [19, 5]
    assert any("by some 19 points at n = 100 and 5 points at n = 1,445 (roughly" in one
               for one in notes)  # fmt: skip
    (once,) = [one for one in common_notes(table(large, ranked=True)) if "apart" in one]
    assert "by some 5 points at n = 1,445; on" in once
    assert not any("apart" in one for one in common_notes(table(small, large)))


def test_no_difference_is_told_that_is_beyond_the_scale() -> None:
    one = Cell("", "a", "x", 50.0, 1, low=0.0, high=100.0)
    assert any("At n = 1 no difference" in note for note in common_notes(table(one, ranked=True)))


def test_notes_tell_of_marks_only_where_there_are_any() -> None:
    cells = [Cell("", "a", "x", 10.0, 5), Cell("", "b", "x", 30.0, 5)]
    assert [one for one in common_notes(table(*cells, ranked=True)) if one.startswith("Bold")]
    assert not [one for one in common_notes(table(*cells)) if one.startswith("Bold")]


def test_a_table_goes_by_the_name_of_its_file_and_has_the_common_notes() -> None:
    found = data(subsets(CNMO="ab"), verdicts("native", "a", "b"), languages=("en",))
    one = make_table("mmath", "another_name", "table2", found)
    assert one.name == "another_name"
    assert one.notes[-1].startswith("To be told apart") and one.notes[-2].startswith("95%")


@pytest.mark.parametrize(
    ("reaches", "told"),
    [
        ({300: 5.0}, "To be told apart in four of five cases, two values of unrelated problems "
         "must differ by some 10 points at n = 300; "),
        ({2: 45.0, 300: 5.0}, "10 points at n = 300 (roughly: n is small); "),
        ({2: 60.0, 300: 5.0}, "`tests_languages`. At n = 2 no difference of unrelated problems "
         "is found so often."),
        ({2: 60.0, 3: 55.0}, "At n = 2 and 3 no difference of unrelated problems is found so "
         "often; on the same problems"),
    ],
)  # fmt: skip
def test_a_note_says_where_no_difference_can_be_found(reaches: dict[int, float], told: str) -> None:
    cells = [Cell("", str(n), "x", 50.0, n, low=50.0 - reach, high=50.0 + reach)
             for n, reach in reaches.items()]  # fmt: skip
    assert told in next(note for note in common_notes(table(*cells, ranked=True))
                        if "unrelated" in note)  # fmt: skip


# States of responses


SETTINGS = {"native": None, "cs-bn-en": "en"}  # and the language to answer in
RESPONSES = st.lists(
    st.tuples(st.sampled_from(["native", "cs-bn-en"]), st.sampled_from("mo"),
              st.sampled_from(["bn", "en"]), st.sampled_from(get_args(Status)),
              st.sampled_from(["bn", "en", "zh", "und", "mixed"])),
    max_size=12,
)  # fmt: skip


@UNTIMED
@given(RESPONSES, st.booleans())
def test_the_states_of_responses_sum_to_n(responses: Any, labelled: bool) -> None:
    found: list[Row] = []
    told: list[Row] = []
    for at, (setting, model, lang, status, label) in enumerate(responses):
        right = "1" if status == "correct" else ""
        rows = verdicts(setting, right, "" if right else "1", model=model, lang=lang,
                        status=status, sample=at)  # fmt: skip
        found += [row | {"id": "0"} for row in rows]
        told += labels(lang, ["en"], [label], setting=setting, model=model, sample=at)
    models = {"m": ModelName("M", None), "o": ModelName("O", None)}
    pairs = tuple(itertools.product(SETTINGS, "mo"))
    records = data(held("0"), found, told if labelled else None, models=models, pairs=pairs,
                   answers_in=SETTINGS)  # fmt: skip
    cells = outcomes("mathmist", records).cells
    rows = {(one.block, one.row) for one in cells}
    for block, row in rows:
        by_column = {one.column: one for one in cells if (one.block, one.row) == (block, row)}
        n = by_column.pop("n")
        assert [*by_column] == [state.capitalize() for state in STATES]
        assert sum(one.value or 0 for one in by_column.values()) == n.value
        assert {one.n for one in by_column.values()} == {n.value} and n.value
    whole = sum(one.value or 0 for one in cells
                if one.column == "n" and "all languages" not in one.row)  # fmt: skip
    assert whole == len(responses)


def test_states_are_told_by_the_language_asked_for() -> None:
    found = [
        *verdicts("cs-bn-en", "0", "12", lang="bn"),
        *verdicts("native", "0", "12", lang="bn"),
    ]
    told = [row for setting in SETTINGS
            for row in labels("bn", ["bn"] * 3, ["en", "bn", "en"], setting=setting)]  # fmt: skip
    records = data(held(*"012", lang="bn"), found, told, answers_in=SETTINGS)
    one = {(c.block, c.column): c.value for c in outcomes("mathmist", records).cells}
    assert one["cs-bn-en", "Correct"] == 1 and one["cs-bn-en", "Wrong"] == 1
    assert one["cs-bn-en", "Wrong, other language"] == 1
    assert one["native", "Correct, other language"] == 1 and one["native", "Correct"] == 0
    assert one["native", "Wrong, other language"] == 1 and one["native", "Wrong"] == 1


def test_without_labels_no_state_names_a_language() -> None:
    found = outcomes("mathmist", data(held(*"ab"), verdicts("cot", "a", "b")))
    texts = {one.column: written(one) for one in found.cells}
    assert texts["Correct"] == texts["Wrong"] == "1"
    assert texts["Correct, other language"] == texts["Wrong, other language"] == "not labelled"
    silent = outcomes("mathmist", data(pairs=(("cot", "m"),)))
    assert silent.cells == [] and "No records: Model (cot)." in silent.notes


# Paired tests


def paired(*pairs: tuple[str, str], names: str = "mo") -> dict[tuple[str, str, str], Cell]:
    """Of two settings: by model the problems that each solves, of the letters a to j."""
    found = []
    for model, (before, after) in zip(names, pairs, strict=False):
        for setting, right in (("zero-shot", before), ("cot", after)):
            wrong = "".join(sorted(set("abcdefghij") - set(right)))
            found += verdicts(setting, right, wrong, model=model)
    models = {"m": ModelName("M", None), "o": ModelName("O", None)}
    records = data(held(*"abcdefghij"), found, models=models)
    return {(one.block, one.row, one.column): one
            for one in setting_tests("mathmist", records).cells}  # fmt: skip


BLOCK = "cot less zero-shot"


def test_a_paired_test_is_mcnemars_exact_one() -> None:
    found = paired(("ab", "abcdefghi"), ("abcd", "abcefg"))
    for model, square in (("M", [[2, 0], [7, 1]]), ("O", [[3, 1], [3, 3]])):
        expected = mcnemar(square, exact=True).pvalue
        assert found[BLOCK, f"{model}, English", "p"].value == pytest.approx(expected)
    assert written(found[BLOCK, "M, English", "Difference"]) == "↑70.00"
    assert written(found[BLOCK, "M, English", "Problems"]) == "10"


def test_tests_are_corrected_within_their_block() -> None:
    found = paired(("ab", "abcdefghi"), ("abcd", "abcefg"))
    raw = [found[BLOCK, f"{model}, English", "p"].value for model in "MO"]
    holm = multipletests(raw, method="holm")[1]
    assert [found[BLOCK, f"{model}, English", "p (Holm)"].value
            for model in "MO"] == pytest.approx(list(holm))  # fmt: skip
    (alone,) = [one.value for place, one in paired(("ab", "abcdefghi"), names="m").items()
                if place[2] == "p (Holm)"]  # fmt: skip
    assert alone == raw[0]


def test_tests_of_another_block_do_not_count() -> None:
    """Two languages against English in one setting, one in another: corrected for two and one."""
    found = []
    for setting, langs in (("cross-lingual", ("bn", "en", "fr")), ("mcq", ("bn", "en"))):
        for lang in langs:
            right, wrong = ("abcdefghi", "j") if lang == "en" else ("a", "bcdefghij")
            found += verdicts(setting, right, wrong, lang=lang)
    records = data([row for lang in ("bn", "en", "fr") for row in held(*"abcdefghij", lang=lang)],
                   found, languages=("bn", "en", "fr"))  # fmt: skip
    cells = {(one.block, one.row, one.column): one.value
             for one in language_tests("mathmist", records).cells}  # fmt: skip
    p = 2 / 2**8
    assert cells["mcq", "Model, Bangla less English", "p (Holm)"] == pytest.approx(p)
    for name in ("Bangla", "French"):
        place = "cross-lingual", f"Model, {name} less English"
        assert cells[*place, "p"] == pytest.approx(p)
        assert cells[*place, "p (Holm)"] == pytest.approx(2 * p)
        assert cells[*place, "Difference"] == pytest.approx(-80.0)


def test_fewer_than_six_problems_can_show_no_difference() -> None:
    def detectable(letters: str) -> str:
        found = verdicts("zero-shot", "", letters) + verdicts("cot", letters)
        cells = setting_tests("mathmist", data(held(*letters), found)).cells
        return next(written(one) for one in cells if one.column == "Detectable")

    assert detectable("abcde") == "none"
    assert detectable("abcdef") == "100.0"  # all six in one direction: p = 2 / 2**6 = 0.03
    assert detectable("abcdefghijkl") == "50.0"


def test_attempts_do_not_make_a_solved_problem_smaller() -> None:
    """Six of ten problems must differ, be they solved in one attempt or in three."""
    found = [row for sample in range(3) for row in verdicts("zero-shot", "a", "bcdefghij",
                                                            sample=sample)]  # fmt: skip
    records = data(held(*"abcdefghij"), found + verdicts("cot", "a", "bcdefghij"),
                   samples={"zero-shot": 3, "cot": 1})  # fmt: skip
    cells = setting_tests("mathmist", records).cells
    assert next(one.value for one in cells if one.column == "Detectable") == pytest.approx(60.0)


def test_settings_that_ask_unlike_problems_differ_by_those_that_both_ask() -> None:
    """Zero-shot asks six problems, CoT the first three: the fourth to sixth say nothing of it."""
    found = verdicts("zero-shot", "aef", "bcd") + verdicts("cot", "ab", "c")
    cells = {
        one.column: one for one in setting_tests("mathmist", data(held(*"abcdef"), found)).cells
    }
    assert (cells["Difference"].value, cells["Difference"].n) == (pytest.approx(100 / 3), 3)


def test_languages_that_ask_unlike_problems_differ_by_those_that_both_ask() -> None:
    found = verdicts("zero-shot", "aef", "bcd") + verdicts("zero-shot", "ab", "c", lang="bn")
    records = data(held(*"abcdef") + held(*"abc", lang="bn"), found, languages=("bn", "en"))
    cells = {one.column: one for one in language_tests("mathmist", records).cells}
    assert (cells["Difference"].value, cells["Difference"].n) == (pytest.approx(100 / 3), 3)


def test_nothing_stands_against_a_setting_without_records() -> None:
    pairs = (("zero-shot", "m"), ("cot", "m"))
    one = setting_tests("mathmist", data(held("a"), verdicts("cot", "a"), pairs=pairs))
    assert one.cells == []


def test_a_subset_of_one_problem_hides_what_could_be_found_and_the_table_says_so() -> None:
    """A finding never stands beside "none: too few problems for any difference to be found"."""
    subsets = {"a": "AIME2024"} | dict.fromkeys("bcdefghij", "MATH500")
    problems = [{**row, "subset": subsets[row["id"]]} for row in held(*"abcdefghij")]
    found = verdicts("native", "", "abcdefghij") + verdicts("atp", "abcdefghij")
    cells = {one.column: one for one in setting_tests("mmath", data(problems, found)).cells}
    assert (cells["p"].value or 1.0) < 0.05 and written(cells["Detectable"]) == "not known"


def test_a_difference_is_of_the_problems_that_both_settings_have() -> None:
    """Of a release each setting lacks some: of what is in common nothing differs."""
    found = verdicts("zero-shot", "abc", "defghij") + verdicts("cot", "abc", "def")
    cells = {one.column: one for one in setting_tests("mathmist", data(held(*"abcdefghij"),
                                                                       found)).cells}  # fmt: skip
    assert written(cells["Problems"]) == "6"
    assert (cells["Difference"].value, cells["p"].value) == (0.0, 1.0)


def test_what_has_no_records_and_no_row_is_told() -> None:
    models = {"m": ModelName("M", None), "o": ModelName("O", None)}
    found = [row for lang in ("bn", "en") for row in verdicts("zero-shot", "a", lang=lang)]
    found += verdicts("zero-shot", "a", model="o") + verdicts("cot", "a", model="o")
    pairs = tuple((setting, model) for setting in ("zero-shot", "cot") for model in "mo")
    for table in (setting_tests, language_tests):
        notes = table("mathmist", data(held("a"), found, models=models, pairs=pairs)).notes
        assert "No records, and so no tests: M (cot); O (zero-shot in Bangla)." in notes


def test_a_deviation_over_unlike_problems_has_no_interval_that_lacks_it() -> None:
    """English lacks the problems that Bangla fails: 25 points, and none over what is in common."""
    found = verdicts("cross-lingual", "abc", "def", lang="bn") + verdicts("cross-lingual", "abc")
    problems = [row for lang in ("bn", "en") for row in held(*"abcdef", lang=lang)]
    deviation = language_deviation(data(problems, found, languages=("bn", "en")), "m")
    assert deviation is not None and (deviation.value, deviation.span) == (25.0, None)


def test_a_language_without_records_is_not_said_to_think_in_no_language() -> None:
    problems = [{**row, "subset": "AIME2024"} for lang in ("bn", "en")
                for row in held("a", lang=lang)]  # fmt: skip
    records = data(problems, verdicts("native", "a"), languages=("bn", "en"),
                   pairs=(("native", "m"),))  # fmt: skip
    texts = {(one.row, one.column): written(one) for one in target_thinking(records).cells}
    assert {texts[row, "BN"] for row in ("Target", "Off-target")} == {"no records"}
    assert texts["Target", "EN"] == "N/A"  # answered, and not labelled as thinking so


def test_where_no_label_is_decided_none_is_left_of_the_records_there_are() -> None:
    records = data(detected=labels("en", ["und", "und"]), pairs=(("native", "m"),))
    texts = {one.column: written(one) for one in label_shares("mmath", records).cells}
    assert texts["Thinking | decided"] == texts["Answering | finished"] == "none left"
    assert texts["Thinking | und"] == "100.00"


# Comparisons with other benchmarks


def test_facts_of_other_benchmarks_come_from_the_ledger(tmp_path: Path) -> None:
    head = "id,paper,where,row,column,printed,unit\n"
    lines = [
        "a,mathmist,tab:data_comparison,GSM,Size,8500,value",
        'b,mathmist,tab:data_comparison,GSM,Lang.,"en, hi",name',
        "c,mmath,table1,AIME,#Problems,30,count",
        "d,mathmist,tab:zero_cot,GSM,Size,1,value",
        "e,mathmist,tab:data_comparison,Empty,Size,,name",
    ]
    path = tmp_path / "claims.csv"
    path.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
    claims = claim_frame([path])
    records = data(held("a") + held("a", lang="bn"), claims=claims, choices=3, perturbed=None,
                   configured=("mcq", "cs-en-bn", "detect"))  # fmt: skip
    cells = {(one.row, one.column): one for one in mathmist_comparison(records).cells}
    texts = {place: written(one) for place, one in cells.items()}
    assert mathmist_comparison(records).notes[2:] == [
        "The run has no records of flawed solutions: its size is without them."
    ]
    own = "MathMist (this run)"
    assert texts == {
        ("GSM", "Size"): "8,500", ("GSM", "Lang."): "en, hi", ("Empty", "Size"): "",
        (own, "Lang."): "2", (own, "Size"): "5", (own, "MCQ"): "yes", (own, "CoT"): "no",
        (own, "CS-CoT"): "yes", (own, "Perturb. Reasoning"): "yes", (own, "Parallel"): "yes",
    }  # fmt: skip
    one = {(c.row, c.column): written(c) for c in mmath_comparison(
        data(subsets(CNMO="abc") + subsets("zh", CNMO="abc"), claims=claims,
             languages=("en", "zh"))).cells}  # fmt: skip
    assert one == {
        ("AIME", "#Problems"): "30", ("MMATH (this run)", "#Languages"): "2",
        ("MMATH (this run)", "#Problems"): "3", ("MMATH (this run)", "Difficulty"): "Mixed",
    }  # fmt: skip


def test_words_of_a_cell_stand_in_the_csv_and_are_no_value() -> None:
    claims = pl.DataFrame([("mathmist", "tab:data_comparison", "GSM", "Lang.", "en", "name")],
                          schema=claim_frame([]).schema, orient="row")  # fmt: skip
    frame = mathmist_comparison(data(held("a"), claims=claims)).frame()
    assert frame.row(0, named=True) | {} == {
        "block": "", "row": "GSM", "column": "Lang.", "value": None, "n": 0, "low": None,
        "high": None, "unit": "text", "words": "en", "best": False, "protocol": "counts",
        "records": None,
    }  # fmt: skip
