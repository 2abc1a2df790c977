"""Tables: numbers from records, and the forms that print them. Values are computed by hand here."""

from __future__ import annotations

import csv as csv_format
import io
import itertools
import re
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from babelmath.records import (
    ChoiceItem,
    LanguageRecord,
    PartLabel,
    Record,
    Verdict,
    save_records,
)
from babelmath.selection import Records
from babelmath.tables import mathmist, mmath, mmath_tables
from babelmath.tables.construction import construction_outcomes
from babelmath.tables.data import Data, ModelName, load_data
from babelmath.tables.frame import (
    Cell,
    Table,
    deviation,
    rounded,
    share,
    written,
)
from babelmath.tables.latex import latex
from babelmath.tables.registry import TABLES
from babelmath.tables.render import csv, markdown
from babelmath.tables.scored import change, over
from record_frames import (
    CONSTRUCTIONS,
    NAMES,
    SETTINGS,
    data,
    held,
    labels,
    pair,
    subsets,
    verdicts,
)
from stand_ins import UNTIMED, construction, perturbed, problem


def cells(table: Table) -> dict[tuple[str, str, str], tuple[float | None, int]]:
    return {(one.block, one.row, one.column): (one.value, one.n) for one in table.cells}


def table(*content: Cell, **fields: Any) -> Table:
    values: dict[str, Any] = {
        "paper": "mathmist",
        "name": "zero_cot",
        "title": "Title",
        "protocol": "paper",
        "cells": content,
        "notes": ["A note."],
    }
    return Table(**(values | fields))


def proportion(right: int, n: int) -> tuple[Any, Any]:
    """Wilson's interval in percent, by another library."""
    low, high = proportion_confint(right, n, method="wilson")
    return pytest.approx(100 * low), pytest.approx(100 * high)


def grids(text: str) -> list[list[list[str]]]:
    """Markdown grids: lines, each cut into cells at the pipes that are not escaped."""
    return [
        [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
        for starts, group in itertools.groupby(text.split("\n"), lambda line: line.startswith("|"))
        if starts and (lines := list(group))
    ]


def grid(text: str) -> list[list[str]]:
    (only,) = grids(text)
    return only


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [
        (12.345, 2, "12.35"),
        (12.344999, 2, "12.34"),
        (2.675, 2, "2.68"),
        (0.005, 2, "0.01"),
        (0.125, 2, "0.13"),
        (200 / 3, 2, "66.67"),
        (45.95, 1, "46.0"),
        (99.995, 2, "100.00"),
        (100.0, 2, "100.00"),
        (0.0, 2, "0.00"),
        (1e-9, 2, "0.00"),
        (2.5, 0, "3"),
        (50.62499999999999, 2, "50.63"),  # a mean of floats that ties
        (12.35 - 12.3, 1, "0.1"),
        (50.6249999, 2, "50.62"),
    ],
)
def test_rounding_is_half_up(value: float, decimals: int, text: str) -> None:
    assert rounded(value, decimals) == text


@pytest.mark.parametrize("unit", ["percent", "difference", "count"])
def test_no_records_are_shown_as_such_and_never_as_nought(unit: Any) -> None:
    assert written(Cell("", "r", "c", None, 0, unit)) == "no records"


@pytest.mark.parametrize(("unit", "text"), [("percent", "0.00"), ("count", "0")])
def test_nought_is_shown_as_nought(unit: Any, text: str) -> None:
    assert written(Cell("", "r", "c", 0.0, 5, unit)) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(12.345, "↑12.35"), (-2.0, "↓2.00"), (0.0, "0.00"), (0.004, "0.00"), (-0.004, "0.00")],
)
def test_difference_has_an_arrow(value: float, text: str) -> None:
    assert written(Cell("", "r", "c", value, 5, "difference")) == text


def test_count_has_thousands() -> None:
    assert written(Cell("", "r", "c", 2890, 2890, "count")) == "2,890"


def test_share_of_nothing_is_missing() -> None:
    assert share(0, 0) is None
    assert share(0, 4) == 0.0
    assert share(1, 4) == 25.0


def rows_of(**right: str) -> pl.DataFrame:
    """Scores by language, a digit a problem."""
    rows = [(str(at), bool(int(digit)), lang) for lang, digits in right.items()
            for at, digit in enumerate(digits)]  # fmt: skip
    schema = {"id": pl.String, "score": pl.Boolean, "cell": pl.String}
    return pl.DataFrame(rows, schema=schema, orient="row")


@pytest.mark.parametrize(
    ("after", "before"),
    [({}, {"en": "1"}), ({"en": "1"}, {}), ({}, {}), ({"bn": "1"}, {"en": "1"})],
)
def test_difference_is_missing_where_a_side_is_missing(
    after: dict[str, str], before: dict[str, str]
) -> None:
    assert change(rows_of(**after), rows_of(**before), ["en"]) is None


def test_difference_is_after_minus_before() -> None:
    found = change(rows_of(en="1100000000"), rows_of(en="1110000000"), ["en"])
    assert found is not None and found.value == pytest.approx(-10.0)
    assert found.n == 10 and found.span is not None


@pytest.mark.parametrize("held", [{}, {"en": "1"}, {"en": "1", "fr": "0"}])
def test_mean_is_missing_where_a_part_is_missing(held: dict[str, str]) -> None:
    assert over(rows_of(**held), ["en", "bn"]) is None


def test_mean_weighs_languages_alike_whatever_their_sizes() -> None:
    rows = rows_of(bn="1000000000", en="10000", fr="111000000000000")
    assert pair(over(rows, ["bn", "en", "fr"])) == (pytest.approx((10 + 20 + 20) / 3), 30)


def test_mean_over_subsets_is_missing_where_a_language_lacks_one() -> None:
    both = pl.concat([rows_of(en="1", bn="0").with_columns(stratum=pl.lit(one)) for one in "ab"])
    assert pair(over(both, ["en", "bn"], "ab")) == (50.0, 4)
    assert over(both[:3], ["en", "bn"], "ab") is None
    assert over(both, ["en", "bn"], "abc") is None


def test_markdown_has_as_many_cells_in_each_row_as_heads() -> None:
    content = [
        Cell("Bangla", "a", "x | y", 1.0, 3),
        Cell("Bangla", "b", "x | z", 2.0, 3),
        Cell("English", "a", "x | y", None, 0),
    ]
    bangla, english = grids(markdown(table(*content)))
    assert [len(line) for line in bangla] == [3, 3, 3, 3]
    assert [len(line) for line in english] == [2, 2, 2]


@UNTIMED
@given(st.lists(st.tuples(*[st.text(st.characters(exclude_characters="\n\r"))] * 3), max_size=6))
def test_no_name_breaks_a_markdown_grid(names: list[tuple[str, str, str]]) -> None:
    text = markdown(table(*[Cell(block, row, column, 1.0, 3) for block, row, column in names]))
    blocks = list(dict.fromkeys(block for block, _, _ in names))
    for block, lines in zip(blocks, grids(text), strict=True):
        columns = {column for one, _, column in names if one == block}
        assert {len(line) for line in lines} == {1 + len(columns)}


def test_markdown_names_heading_levels_and_n() -> None:
    text = markdown(table(Cell("", "a", "CoT | Proof", 50.0, 6), heading="Model"))
    assert grid(text)[0] == ["Model", "CoT, Proof (n=6)"]


def test_markdown_gives_n_in_each_cell_where_a_column_has_several() -> None:
    text = markdown(table(Cell("", "a", "x", 50.0, 6), Cell("", "b", "x", 25.0, 4)))
    assert grid(text)[0] == ["Model", "x"]
    assert [line[1] for line in grid(text)[2:]] == ["50.00 (n=6)", "25.00 (n=4)"]


def test_markdown_gives_counts_without_n() -> None:
    assert grid(markdown(table(Cell("", "a", "x", 7, 7, "count"))))[2] == ["a", "7"]


def test_markdown_leaves_a_cell_that_a_row_lacks_empty() -> None:
    text = markdown(table(Cell("", "a", "x", 50.0, 6), Cell("", "b", "y", 25.0, 6)))
    assert grid(text)[2:] == [["a", "50.00", ""], ["b", "", "25.00"]]


def test_markdown_shows_blocks_and_notes() -> None:
    text = markdown(table(Cell("Bangla", "a", "x", 50.0, 6)))
    assert "**Bangla**" in text and "- A note.\n" in text


@pytest.mark.parametrize(
    ("char", "escaped"),
    [
        ("&", r"\&"),
        ("%", r"\%"),
        ("$", r"\$"),
        ("#", r"\#"),
        ("_", r"\_"),
        ("{", r"\{"),
        ("}", r"\}"),
        ("~", r"\textasciitilde{}"),
        ("^", r"\textasciicircum{}"),
        ("\\", r"\textbackslash{}"),
        ("↑", r"$\uparrow$"),
        ("↓", r"$\downarrow$"),
    ],
)
def test_latex_escapes(char: str, escaped: str) -> None:
    name = f"a{char}b"
    text = latex(table(Cell(name, name, name, 1.0, 3), title=name, notes=[name], heading=name))
    assert text.count(f"a{escaped}b") == 6
    assert name not in text or char in "&%$#_{}"


@UNTIMED
@given(st.lists(st.text(st.sampled_from("a&%$#_{}~^\\|")), min_size=1, max_size=4))
def test_no_name_breaks_a_latex_row(names: list[str]) -> None:
    content = [Cell("", row, column, 1.0, 3) for row in names for column in names]
    text = latex(table(*content, notes=[]))
    body = text.split("\\toprule\n")[1].split("\\bottomrule")[0]
    rows = [line for line in body.split("\n") if line and not line.startswith("\\midrule")]
    for row in rows:
        assert len(re.findall(r"(?<!\\)&", row)) == len(set(names))


def test_latex_names_caption_label_and_n() -> None:
    text = latex(table(Cell("", "a", "x", 50.0, 6)))
    assert r"\caption{Title. Protocol: paper. n = 6. A note.}" in text
    assert r"\label{tab:mathmist:zero_cot}" in text


def test_latex_shows_missing_cells_as_no_records() -> None:
    assert "a & no records" in latex(table(Cell("", "a", "x", None, 0)))


def test_csv_keeps_all_digits() -> None:
    value = 100 * 2 / 3
    (row,) = csv_format.DictReader(io.StringIO(csv(table(Cell("b", "a", "x", value, 3)))))
    assert float(row["value"]) == value


def test_csv_has_one_line_a_cell_with_n_unit_and_protocol() -> None:
    of = Records(("mmath",), ("native",), ("m",), ("en", "fr"))
    cell = Cell("b", 'a, or "a\'"', "x | y", -1.5, 3, "difference", low=-2.25, high=0.5, records=of)
    text = csv(table(cell))
    assert list(csv_format.DictReader(io.StringIO(text))) == [
        {
            "block": "b",
            "row": 'a, or "a\'"',
            "column": "x | y",
            "value": "-1.5",
            "n": "3",
            "low": "-2.25",
            "high": "0.5",
            "unit": "difference",
            "words": "",
            "best": "false",
            "protocol": "paper",
            "records": "benchmark=mmath&setting=native&model=m&lang=en,fr",
        }
    ]


def test_csv_leaves_a_missing_value_empty() -> None:
    (row,) = csv_format.DictReader(io.StringIO(csv(table(Cell("", "a", "x", None, 0)))))
    assert (row["value"], row["n"]) == ("", "0")


def everything() -> Data:
    """Records of every setting in two languages, and of a model that was trained."""
    problems = held("0", subset="CNMO") + held("0", lang="bn", subset="CNMO")
    asked = [("m", setting) for setting in SETTINGS] + [("t", "native")]
    found = [row for model, setting in asked for lang in ("en", "bn")
             for row in verdicts(setting, "0", lang=lang, model=model)]  # fmt: skip
    told = [row for model, setting in asked
            for row in labels("en", ["en"], setting=setting, model=model)]  # fmt: skip
    made = [dict(zip(CONSTRUCTIONS, ["choices", "en", None, "0", "accepted", 0, False],
                     strict=True))]  # fmt: skip
    models = {"m": ModelName("Model", "7B"), "t": ModelName("Trained", None)}
    return data(problems, found, told, made, models=models, trained={"t": "m"})


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_every_table_names_its_protocol_in_all_forms(paper: str, name: str) -> None:
    one = TABLES[paper, name](everything())
    assert (one.paper, one.name) == (paper, name)
    assert one.protocol in ("paper", "strict", "counts", "paper and strict")
    assert f"protocol: {one.protocol}" in markdown(one)
    assert f"Protocol: {one.protocol}" in latex(one)
    lines = list(csv_format.DictReader(io.StringIO(csv(one))))
    assert lines and {line["protocol"] for line in lines} == {one.protocol}


@pytest.mark.parametrize(("paper", "name"), TABLES)
def test_every_table_can_be_made_without_any_record(paper: str, name: str) -> None:
    one = TABLES[paper, name](data())
    assert markdown(one) and latex(one) and csv(one).startswith("block,row,column")


def test_accuracy_is_percent_of_problems_with_n() -> None:
    found = data(held("a", "b", "c"), verdicts("cot", "ab", "c"))
    found_one = mathmist.accuracy(found, "cot", "m", "en")
    assert found_one is not None and found_one.n == 3
    assert rounded(found_one.value, 2) == "66.67"


def test_accuracy_of_a_kind_counts_its_problems_alone() -> None:
    problems = held("a", "b") + held("c", "d", kind="proof")
    found = data(problems, verdicts("cot", "a", "bcd"))
    assert pair(mathmist.accuracy(found, "cot", "m", "en", "numerical")) == (50.0, 2)
    assert pair(mathmist.accuracy(found, "cot", "m", "en", "proof")) == (0.0, 2)


@pytest.mark.parametrize(
    ("setting", "model", "lang"), [("mcq", "m", "en"), ("cot", "x", "en"), ("cot", "m", "bn")]
)
def test_accuracy_without_records_is_missing(setting: str, model: str, lang: str) -> None:
    found = data(held("a"), verdicts("cot", "a"))
    assert mathmist.accuracy(found, setting, model, lang) is None


def test_accuracy_counts_every_status_but_correct_as_not_solved() -> None:
    found = data(
        held(*"abcd"),
        verdicts("cot", "a", status="correct")
        + verdicts("cot", "", "b", status="unresolved")
        + verdicts("cot", "", "c", status="truncated")
        + verdicts("cot", "", "d", status="timeout"),
    )
    assert pair(mathmist.accuracy(found, "cot", "m", "en")) == (25.0, 4)


def test_problem_counts_as_solved_if_one_of_its_attempts_is_correct() -> None:
    found = data(
        held(*"abcd"),
        verdicts("cot", "a", "bcd", sample=0)
        + verdicts("cot", "b", "acd", sample=1)
        + verdicts("cot", "", "abcd", sample=2),
    )
    assert pair(mathmist.accuracy(found, "cot", "m", "en")) == (50.0, 4)


def test_attempts_are_named_under_the_table() -> None:
    found = data(held("a"), verdicts("cot", "a"), samples={"zero-shot": 1, "cot": 3})
    assert (
        "A problem counts as solved if one of up to 3 attempts is correct."
        in mathmist.zero_cot(found).notes
    )


def test_identification_counts_the_first_attempt_and_says_so() -> None:
    rows = [row for sample, right in enumerate(("a", "abcd"))
            for row in verdicts("identify", right, "".join(sorted(set("abcd") - set(right))),
                                sample=sample)]  # fmt: skip
    samples = {"detect": 3, "identify": 2}
    table = mathmist.perturbation_eval(data(held(*"abcd"), rows, samples=samples))
    assert cells(table)["English", "Model (7B)", "Identification | TP rate"] == (25.0, 4)
    assert table.notes[-2:] == [
        "A problem counts as solved if one of up to 3 attempts is correct.",
        "Identification counts the first attempt at each problem.",
    ]


def test_scorer_is_named_under_the_table() -> None:
    found = data(held("a"), verdicts("cot", "a"))
    assert "Scored by judge-stern." in mathmist.zero_cot(found).notes


def test_zero_shot_stands_against_cot_with_its_change() -> None:
    found = data(held(*"abcd"), verdicts("zero-shot", "abc", "d") + verdicts("cot", "a", "bcd"))
    assert {key: value for key, value in cells(mathmist.zero_cot(found)).items()
            if key[0] == "English"} == {
        ("English", "Model (7B)", "Zero-Shot"): (75.0, 4),
        ("English", "Model (7B)", "CoT"): (25.0, 4),
        ("English", "Model (7B)", "Change"): (-50.0, 4),
    }  # fmt: skip


def test_setting_without_records_leaves_value_and_change_missing() -> None:
    found = cells(mathmist.zero_cot(data(held("a"), verdicts("zero-shot", "a"))))
    assert found["English", "Model (7B)", "CoT"] == (None, 0)
    assert found["English", "Model (7B)", "Change"][0] is None
    assert found["Bangla", "Model (7B)", "Zero-Shot"] == (None, 0)


def test_model_without_any_record_has_no_row() -> None:
    found = mathmist.zero_cot(data(held("a"), verdicts("cot", "a")))
    assert {one.row for one in found.cells} == {"Model (7B)"}


def test_cot_columns_hold_the_settings_that_stand_for_them() -> None:
    found = data(
        held(*"abcd") + held(*"abcd", lang="bn"),
        verdicts("cs-bn-en", "a", "bcd", lang="bn") + verdicts("cs-en-en", "abc", "d")
        + verdicts("cot", "", "abcd") + verdicts("zero-shot", "ab", "cd"),
        cot_columns={"bn": "cs-bn-en", "en": "cs-en-en"},
    )  # fmt: skip
    table = mathmist.zero_cot(found)
    one = cells(table)
    assert one["Bangla", "Model (7B)", "CoT"] == (25.0, 4)
    assert one["English", "Model (7B)", "CoT"] == (75.0, 4)
    assert one["English", "Model (7B)", "Change"] == (25.0, 4)
    assert table.notes[0] == (
        "CoT is setting `cs-bn-en` (Bangla) and `cs-en-en` (English); change is CoT minus "
        "zero-shot, in points, before rounding."
    )
    by_kind = mathmist.zero_cot_by_kind(found)
    assert cells(by_kind)["English", "Model (7B)", "CoT | Numerical"] == (75.0, 4)
    assert by_kind.notes[0] == table.notes[0]


def test_one_setting_for_all_cot_columns_is_named_once() -> None:
    table = mathmist.zero_cot(data(held("a"), verdicts("cot", "a")))
    assert table.notes[0].startswith("CoT is setting `cot`; change is")


def test_models_stand_where_a_setting_of_their_language_was_run() -> None:
    found = data(
        held("a"), verdicts("cs-en-en", "a"), cot_columns={"bn": "cs-bn-en", "en": "cs-en-en"}
    )
    assert {block for block, _, _ in cells(mathmist.zero_cot(found))} == {"English"}


def test_model_that_was_asked_and_gave_nothing_has_a_row_without_numbers() -> None:
    found = data(held("a"), verdicts("cot", "a"), pairs=(("cot", "m"), ("cot", "silent")))
    one = cells(mathmist.zero_cot(found))
    assert one["English", "Silent", "CoT"] == (None, 0)
    assert one["English", "Silent", "Change"] == (None, 0)
    assert one["English", "Model (7B)", "CoT"] == (100.0, 1)
    asked = data(pairs=(("detect", "silent"), ("identify", "silent"), ("native", "silent")))
    assert {value for value, _ in cells(mathmist.perturbation_eval(asked)).values()} == {None}
    assert {value for value, _ in cells(mmath_tables.main_results(asked)).values()} == {None}
    assert {value for value, _ in cells(mmath_tables.language_consistency(asked)).values()} == {
        None
    }


def test_kinds_stand_beside_the_overall_value() -> None:
    problems = held("a") + held("b", kind="symbolic") + held("c", "d", kind="proof")
    found = data(problems, verdicts("cot", "ac", "bd"))
    one = cells(mathmist.zero_cot_by_kind(found))
    got = {head: one["English", "Model (7B)", f"CoT | {head}"]
           for head in ("Numerical", "Symbolic", "Proof", "Overall")}  # fmt: skip
    assert got == {
        "Numerical": (100.0, 1),
        "Symbolic": (0.0, 1),
        "Proof": (50.0, 2),
        "Overall": (50.0, 4),
    }


def test_multiple_choice_has_no_proofs() -> None:
    found = data(held("a", "b") + held("c", kind="symbolic"), verdicts("mcq", "a", "bc"))
    one = cells(mathmist.zero_shot_mcq(found))
    assert {column for _, _, column in one} == {"Numerical", "Symbolic", "Overall"}
    assert one["English", "Model (7B)", "Numerical"] == (50.0, 2)


def test_detection_is_the_share_of_solutions_called_flawed() -> None:
    found = data(held(*"abcd"), verdicts("detect", "abc", "d"))
    one = cells(mathmist.perturbation_eval(found))
    assert one["English", "Model (7B)", "Error Detection"] == (75.0, 4)


def identified(true_positives: str, false_positives: str, rest: str) -> Data:
    found = (
        verdicts("identify", true_positives, decision="TP")
        + verdicts("identify", "", false_positives, decision="FP")
        + verdicts("identify", "", rest, decision="FN")
    )
    return data(held(*true_positives, *false_positives, *rest), found)


def test_identification_has_the_share_of_true_positives() -> None:
    one = cells(mathmist.perturbation_eval(identified("abc", "d", "e")))
    assert one["English", "Model (7B)", "Identification | TP rate"] == (60.0, 5)


def test_f1_is_2tp_of_2tp_and_fp_and_fn() -> None:
    one = cells(mathmist.perturbation_eval(identified("abc", "d", "e")))
    assert one["English", "Model (7B)", "Identification | F1"] == (75.0, 5)  # 6 / (6 + 1 + 1)


def test_unresolved_identification_is_a_false_negative() -> None:
    found = data(
        held(*"ab"),
        verdicts("identify", "a", decision="TP")
        + verdicts("identify", "", "b", decision=None, status="unresolved"),
    )
    one = cells(mathmist.perturbation_eval(found))
    assert one["English", "Model (7B)", "Identification | TP rate"] == (50.0, 2)
    f1 = one["English", "Model (7B)", "Identification | F1"][0]
    assert f1 is not None and rounded(f1, 2) == "66.67"  # 2 / (2 + 0 + 1)


def test_f1_without_a_true_positive_is_nought_and_without_records_missing() -> None:
    none_right = cells(mathmist.perturbation_eval(identified("", "a", "b")))
    assert none_right["English", "Model (7B)", "Identification | F1"] == (0.0, 2)
    assert none_right["Bangla", "Model (7B)", "Identification | F1"] == (None, 0)


def test_code_switching_change_is_bangla_minus_english_reasoning() -> None:
    found = data(held(*"abcd"), verdicts("cs-en-en", "abc", "d") + verdicts("cs-en-bn", "a", "bcd"))
    one = cells(mathmist.code_switch_breakdown(found))
    assert one["Question English", "Model (7B)", "CoT English | Overall"] == (75.0, 4)
    assert one["Question English", "Model (7B)", "CoT Bangla | Overall"] == (25.0, 4)
    assert one["Question English", "Model (7B)", "Change | Overall"] == (-50.0, 4)
    assert one["Question English", "Model (7B)", "Change | Proof"][0] is None


def test_corpus_is_counted_by_kind_subdomain_and_language() -> None:
    problems = [
        *held("a", "b", lang="bn"),
        *held("c", lang="bn", subdomain="Series"),
        *held("d", lang="bn", kind="proof", subdomain="Others"),
        *held("a", "b", "c", "d", lang="en"),
    ]
    one = cells(mathmist.corpus_stat(data(problems, choices=6, perturbed=2)))
    counts = {(block, row): value for (block, row, _), (value, _) in one.items()}
    assert counts["Numerical", "Algebra"] == 2
    assert counts["Numerical", "Series"] == 1
    assert counts["Numerical", "Probability"] == 0
    assert counts["Numerical", "Total (Numerical)"] == 3
    assert counts["Symbolic", "Total (Symbolic)"] == 0
    assert counts["Proof", "Others"] == 1
    assert counts["All", "Problems, Bangla"] == counts["All", "Problems, English"] == 4
    assert counts["All", "Across 2 languages"] == 8
    assert counts["All", "Grand total"] == 16  # 8 problems, 6 choice items, 2 flawed solutions


@pytest.mark.parametrize("parts", [{}, {"choices": 6}, {"perturbed": 2}])
def test_grand_total_is_missing_where_a_part_is_missing(parts: dict[str, int]) -> None:
    one = cells(mathmist.corpus_stat(data(held("a", lang="bn"), **parts)))
    assert one["All", "Grand total", "Count"] == (None, 0)
    assert one["All", "MCQs (all languages)", "Count"][0] == parts.get("choices")
    assert one["All", "Perturbed solutions (all languages)", "Count"][0] == parts.get("perturbed")


def test_problems_without_a_subdomain_are_counted_apart() -> None:
    one = cells(mathmist.corpus_stat(data(held("a", "b", lang="bn", subdomain=None))))
    assert one["Numerical", "not labelled", "Count"] == (2, 2)
    assert one["Numerical", "Total (Numerical)", "Count"] == (2, 2)
    assert one["Numerical", "Algebra", "Count"][0] is None


def test_cross_lingual_table_has_mean_and_population_deviation() -> None:
    rows = verdicts("cross-lingual", "abc", "") + verdicts("cross-lingual", "a", "bc", lang="bn")
    table = mathmist.cross_lingual_table(data(held(*"abc") + held(*"abc", lang="bn"), rows))
    assert (table.name, table.protocol) == ("cross_ling_accuracy", "paper")
    assert {one.decimals for one in table.cells} == {1}
    assert [(one.column, written(one), one.n) for one in table.cells] == [
        ("Bangla", "33.3", 3),
        ("English", "100.0", 3),
        ("Mean", "66.7", 6),
        ("Deviation", "33.3", 6),  # of the population; of a sample it is 47.1
    ]
    assert {(one.block, one.row) for one in table.cells} == {("", "Model (7B)")}


def test_cross_lingual_mean_and_deviation_are_missing_where_a_language_is() -> None:
    pairs = (("cross-lingual", "m"), ("cross-lingual", "silent"))
    found = data(held(*"ab"), verdicts("cross-lingual", "a", "b"), pairs=pairs)
    one = cells(mathmist.cross_lingual_table(found))
    assert one["", "Model (7B)", "Bangla"] == (None, 0)
    assert one["", "Model (7B)", "English"] == (50.0, 2)
    assert one["", "Model (7B)", "Mean"] == one["", "Model (7B)", "Deviation"] == (None, 0)
    assert {value for (_, row, _), value in one.items() if row == "Silent"} == {(None, 0)}


@pytest.mark.parametrize("values", [[], [None], [10.0, None]])
def test_deviation_is_missing_where_a_part_is_missing(values: list[float | None]) -> None:
    assert deviation(values) is None


def test_deviation_is_that_of_a_population() -> None:
    assert deviation([10.0, 20.0, 30.0, 40.0]) == pytest.approx(125**0.5)
    assert deviation([50.0]) == 0.0


def test_cross_lingual_frame_has_every_language_of_the_run() -> None:
    found = data(held(*"ab"), verdicts("cross-lingual", "a", "b"))
    assert mathmist.cross_lingual_frame(found).rows() == [
        ("Model", "bn", None, None, None, 0),
        ("Model", "en", 50.0, *proportion(1, 2), 2),
    ]


def test_code_switching_frame_takes_the_questions_language() -> None:
    problems = held(*"ab") + held(*"ab", lang="bn")
    found = data(problems, verdicts("cs-bn-en", "a", "b", lang="bn") + verdicts("cs-en-bn", "ab"))
    assert mathmist.code_switching_frame(found).rows() == [
        ("Model", "cs-bn-bn", None, None, None, 0),
        ("Model", "cs-bn-en", 50.0, *proportion(1, 2), 2),
        ("Model", "cs-en-en", None, None, None, 0),
        ("Model", "cs-en-bn", 100.0, *proportion(2, 2), 2),
    ]


def test_macro_average_weighs_subsets_alike() -> None:
    found = data(subsets(AIME2024="a", MATH500="bcde"), verdicts("native", "ab", "cde"))
    assert pair(mmath.macro(found, "native", "m", ["en"])) == (62.5, 5)  # (100 + 25) / 2


def test_macro_average_is_over_the_subsets_held() -> None:
    found = data(subsets(CNMO="ab"), verdicts("native", "a", "b"))
    assert pair(mmath.macro(found, "native", "m", ["en"])) == (50.0, 2)


def test_macro_average_is_missing_where_a_subset_is_missing() -> None:
    found = data(subsets(AIME2024="a", CNMO="b"), verdicts("native", "a"))
    assert mmath.macro(found, "native", "m", ["en"]) is None


def test_subset_accuracy_is_over_all_samples() -> None:
    found = data(
        subsets(CNMO="ab"),
        verdicts("native", "ab", sample=0) + verdicts("native", "", "ab", sample=1),
    )
    assert pair(mmath.subset_accuracy(found, "native", "m", ["en"], "CNMO")) == (50.0, 4)


def test_problems_are_counted_by_subset_and_language() -> None:
    problems = subsets(CNMO="ab", MATH500="c") + subsets("zh", CNMO="ab")
    one = cells(mmath_tables.problem_counts(data(problems, languages=("en", "zh"))))
    assert {(row, lang): value for (_, row, lang), (value, _) in one.items()} == {
        ("AIME2024", "EN"): 0, ("AIME2025", "EN"): 0, ("CNMO", "EN"): 2, ("MATH500", "EN"): 1,
        ("MMATH", "EN"): 3, ("AIME2024", "ZH"): 0, ("AIME2025", "ZH"): 0, ("CNMO", "ZH"): 2,
        ("MATH500", "ZH"): 0, ("MMATH", "ZH"): 2,
    }  # fmt: skip


def test_main_results_average_over_languages() -> None:
    problems = subsets(CNMO="ab")
    chinese = [row | {"lang": "zh"} for row in problems]
    found = data(
        problems + chinese,
        verdicts("native", "ab") + verdicts("native", "a", "b", lang="zh"),
        languages=("en", "zh"),
    )
    assert cells(mmath_tables.main_results(found)) == {
        ("", "Model", "EN"): (100.0, 2),
        ("", "Model", "ZH"): (50.0, 2),
        ("", "Model", "AVG"): (75.0, 4),
    }


def test_average_is_missing_where_a_language_is_missing() -> None:
    found = data(subsets(CNMO="a"), verdicts("native", "a"), languages=("en", "zh"))
    one = cells(mmath_tables.main_results(found))
    assert one["", "Model", "ZH"] == (None, 0)
    assert one["", "Model", "AVG"] == (None, 0)  # of the mean there is nothing to count


def test_language_consistency_pools_all_responses() -> None:
    detected = labels("fr", ["fr"]) + labels("zh", ["en", "en", "en"], ["zh", "en", "en"])
    one = cells(mmath_tables.language_consistency(data(detected=detected)))
    assert one["", "Model", "Thinking LCR"] == (25.0, 4)  # 1 of 4, not the mean of 100 and 0
    assert one["", "Model", "Answering LCR"] == (50.0, 4)


def test_undetermined_counts_as_off_the_questions_language() -> None:
    one = cells(mmath_tables.language_consistency(data(detected=labels("fr", ["fr", "und"]))))
    assert one["", "Model", "Thinking LCR"] == (50.0, 2)


def test_language_consistency_takes_the_native_setting_alone() -> None:
    other = [row | {"setting": "atp"} for row in labels("fr", ["en"])]
    one = cells(mmath_tables.language_consistency(data(detected=labels("fr", ["fr"]) + other)))
    assert one["", "Model", "Thinking LCR"] == (100.0, 1)


def test_matrix_rows_sum_to_100() -> None:
    detected = labels("fr", ["fr", "en", "und"]) + labels("zh", ["zh", "en", "en", "ja", "zh"] * 3)
    frame = mmath.matrix_frame(data(detected=detected, languages=("fr", "zh")), "native",
                               "thinking", ["m"])  # fmt: skip
    sums = frame.group_by("question_lang").agg(pl.col("share").sum()).sort("question_lang")
    assert sums["share"].to_list() == pytest.approx([100.0, 100.0])


def test_matrix_gives_the_share_of_each_label() -> None:
    detected = labels("fr", ["fr", "en", "en", "en"], ["fr", "fr", "fr", "und"])
    found = data(detected=detected, languages=("fr", "zh"))
    assert mmath.matrix_frame(found, "native", "thinking", ["m"]).rows() == [
        ("Model", "fr", "en", 75.0, 4),
        ("Model", "fr", "fr", 25.0, 4),
    ]
    assert mmath.matrix_frame(found, "native", "answering", ["m"]).rows() == [
        ("Model", "fr", "fr", 75.0, 4),
        ("Model", "fr", "und", 25.0, 4),
    ]


def test_construction_outcomes_are_counted_by_stage_language_and_part() -> None:
    rows = [
        ("translation", "fr", "question", "a", "accepted", 0, False),
        ("translation", "fr", "question", "b", "corrected", 1, False),
        ("translation", "fr", "question", "c", "unresolved", 2, True),
        ("translation", "fr", "answer", "a", "carried", 0, False),
        ("perturbation", "en", "3", "a", "unresolved", 0, False),
        ("choices", "en", None, "a", "accepted", 0, False),
    ]
    made = [dict(zip(CONSTRUCTIONS, row, strict=True)) for row in rows]
    one = construction_outcomes("mathmist", data(made=made))
    counts = {(row, column): value for (_, row, column), (value, _) in cells(one).items()}
    question = {column: value for (row, column), value in counts.items()
                if row == "French, question"}  # fmt: skip
    assert question == {
        "Items": 3,
        "Accepted": 1,
        "Corrected by the verifier": 1,
        "Carried over": 0,
        "Unresolved": 1,
        "Replaced by a correction": 1,
    }
    assert counts["French, answer", "Carried over"] == 1
    assert counts["English, strategy 3", "Unresolved"] == 1
    assert counts["English", "Accepted"] == 1


def save(path: Path, *records: Record) -> str:
    save_records(path, records)
    return str(path)


def spoken(paper: str, strict: str) -> PartLabel:
    return PartLabel(paper=paper, strict=strict, p=0.9, scripts={})


FACTS: dict[str, Any] = {
    "protocol": "strict",
    "models": {"m": ["Model", None]},
    "language_names": NAMES,
    "languages": ["en", "fr"],
    "source_languages": ["en"],
    "scorers": {"native": "rules-strict"},
    "wanted": {"native": [1, ["en"]]},
    "pairs": [["native", "m"]],
    "labelled": [["native", "m"]],
    "cot_columns": {},
    "trained": {},
    "answers_in": {"native": None},
    "configured": ["native"],
    "released": [],
    "scored": [],
}


def load(files: dict[str, list[str]], **facts: Any) -> Data:
    return load_data(FACTS | facts, files)


def test_verdicts_are_loaded_with_their_setting_and_model(tmp_path: Path) -> None:
    one = Verdict(
        id="a", lang="en", sample=0, scorer="rules-strict", status="wrong", correct=False,
        extracted="5", gold="6", rewrites=[], judge={"decision": "FP"}, provenance={},
    )  # fmt: skip
    frame = load({"verdicts": [save(tmp_path / "v.jsonl", one)]}).verdicts
    assert frame.rows() == [
        ("native", "m", "a", "en", 0, "wrong", False, "rules-strict", "FP", None, None, "5"),
    ]


@pytest.mark.parametrize(("protocol", "label"), [("paper", "en"), ("strict", "und")])
def test_protocol_picks_the_labels(protocol: str, label: str, tmp_path: Path) -> None:
    part = spoken("en", "und")
    one = LanguageRecord(id="a", lang="en", sample=0, thinking=part, answering=part, flags=[])
    files = {"labels": [save(tmp_path / "l.jsonl", one)]}
    assert load(files, protocol=protocol).labels["thinking"].to_list() == [label]


def test_correction_that_stands_instead_is_counted_as_replaced(tmp_path: Path) -> None:
    checks = ["question: review", "solution: accepted"]
    translated = problem(1, "fr", provenance={"source": "translation", "checks": checks})
    files = {
        "problems": [save(tmp_path / "p.jsonl", translated)],
        "perturbed": [
            save(tmp_path / "f.jsonl", perturbed(1, "en", 3, provenance={"source": "review"}))
        ],
        "constructions": [
            save(
                tmp_path / "c.jsonl",
                construction(1, "fr", "question", stage="translation"),
                construction(1, "fr", "solution", stage="translation"),
                construction(1, "en", "3"),
                construction(1, "en", "1"),
            )
        ],
    }
    frame = load(files).constructions
    replaced = {(stage, field): one for stage, _, field, _, _, _, one in frame.rows()}
    assert replaced == {
        ("translation", "question"): True,
        ("translation", "solution"): False,
        ("perturbation", "3"): True,
        ("perturbation", "1"): False,
    }


def test_choices_and_flawed_solutions_are_counted(tmp_path: Path) -> None:
    item = ChoiceItem(
        id="a", lang="en", question="q", options=["1", "2", "3", "4"], key="A", sources=[],
        provenance={},
    )  # fmt: skip
    found = load(
        {
            "choices": [save(tmp_path / "c.jsonl", item)],
            "perturbed": [save(tmp_path / "f.jsonl", perturbed(1), perturbed(2))],
        }
    )
    assert (found.choices, found.perturbed) == (1, 2)


def test_files_without_records_are_no_count(tmp_path: Path) -> None:
    found = load({"choices": [save(tmp_path / "c.jsonl"), save(tmp_path / "d.jsonl")]})
    assert (found.choices, found.perturbed) == (None, None)


def test_verdicts_keep_the_judges_name_and_the_released_file(tmp_path: Path) -> None:
    one = Verdict(
        id="a", lang="en", sample=0, scorer="judge-g", status="correct", correct=True,
        extracted=None, gold="6", rewrites=[], judge={"decision": "TP", "model": "Gemini"},
        provenance={"file": "Zero/en.json"},
    )  # fmt: skip
    frame = load(
        {"verdicts": [save(tmp_path / "v.jsonl", one)]}, scorers={"native": "judge-g"}
    ).verdicts
    assert frame.select("decision", "judge", "file").rows() == [("TP", "Gemini", "Zero/en.json")]


def test_files_and_pairs_must_match(tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        load({"verdicts": [save(tmp_path / "v.jsonl")]}, pairs=[["native", "m"], ["atp", "m"]])
