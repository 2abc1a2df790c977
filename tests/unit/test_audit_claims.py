"""The ledger of claims: what its rows mean, and every way in which one can be wrong."""

from __future__ import annotations

import csv
import io
import time
from fractions import Fraction
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from babelmath.audit.arguments import LANGUAGES, MODELS, SETTINGS
from babelmath.audit.arithmetic import audit_arithmetic
from babelmath.audit.claims import COLUMNS, MEASURES, load_claims
from babelmath.audit.intervals import Interval
from babelmath.errors import InputError

SHARE = {
    "id": "t.share", "paper": "mathmist", "where": "tab:zero_cot", "row": "Qwen", "column": "CoT",
    "printed": "60.9", "unit": "percent", "decimals": "1", "population": "n=1445; problems",
    "formula": "accuracy", "records": "cot qwen3-8b bn all", "checks": "", "source": "paper",
}  # fmt: skip
COUNT = SHARE | {"id": "t.count", "printed": "843", "unit": "count", "decimals": "0",
                 "population": "", "formula": "problems", "records": "all all"}  # fmt: skip
MISSING = SHARE | {"id": "t.missing", "printed": "N/A", "decimals": ""}
SENTENCE = SHARE | {"id": "t.sentence", "printed": "yes", "unit": "sentence", "decimals": "",
                    "population": "", "formula": "arithmetic", "records": ""}  # fmt: skip
NAME = SENTENCE | {"id": "t.name", "printed": "Gemini 2.0 Flash-Lite", "unit": "name",
                   "formula": "judge", "records": "cot"}  # fmt: skip
# What each measure takes.
TAKEN = {
    "accuracy": "cot qwen3-8b bn all", "change": "cot zero-shot phi-4 en proof",
    "detection": "gpt-oss-20b bn", "identification": "gpt-oss-20b en", "f1": "gpt-oss-20b en",
    "language_mean": "mathstral-7b", "language_sd": "mathstral-7b",
    "problems": "numerical/Word_Problem each", "choices": "all", "perturbed": "all",
    "artefacts": "all", "subset": "native CNMO qwq-32b zh", "subset_mean": "atp MATH500 o3-mini",
    "macro": "dit qwq-32b vi", "macro_mean": "qrt qwq-32b", "lcr": "native qwq-32b answering",
    "target": "deepseek-r1 ar", "off_target": "deepseek-r1 ar", "target_mean": "deepseek-r1",
    "off_target_mean": "deepseek-r1", "composition": "cs-bn-bn phi-4 Mixed share",
    "combination": "cs-bn-bn phi-4 Bangla+English count", "judge": "detect", "samples": "native",
    "fact": "", "arithmetic": "",
}  # fmt: skip
ALL = [SHARE, COUNT, MISSING, SENTENCE, NAME]


def written(path: Path, rows, columns=COLUMNS) -> Path:
    stream = io.StringIO()
    lines = csv.writer(stream, lineterminator="\n")
    lines.writerow(columns)
    lines.writerows([row[column] for column in columns] for row in rows)
    path.write_text(stream.getvalue(), encoding="utf-8")
    return path


def loaded(path: Path, *rows):
    return load_claims(written(path / "claims.csv", rows))


def refusal(path: Path, *rows) -> InputError:
    with pytest.raises(InputError) as caught:
        loaded(path, *rows)
    return caught.value


def refusal_of(path: Path, data: bytes | str) -> InputError:
    """The error of a file with these bytes."""
    file = path / "claims.csv"
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    with pytest.raises(InputError) as caught:
        load_claims(file)
    assert caught.value.file == str(file)
    return caught.value


def test_a_row_becomes_a_claim(tmp_path):
    claim = loaded(tmp_path, SHARE | {"checks": "k/n; t.share < 61"})["t.share"]
    assert (claim.id, claim.paper, claim.where) == ("t.share", "mathmist", "tab:zero_cot")
    assert (claim.row, claim.column, claim.printed) == ("Qwen", "CoT", "60.9")
    assert (claim.unit, claim.decimals, claim.value) == ("percent", 1, Fraction("60.9"))
    assert (claim.half, claim.n, claim.population) == (Fraction(1, 20), 1445, "n=1445; problems")
    assert (claim.formula, claim.records) == ("accuracy", ("cot", "qwen3-8b", "bn", "all"))
    assert (claim.checks, claim.source, claim.line) == (("k/n", "t.share < 61"), "paper", 2)
    assert claim.interval == Interval(Fraction("60.85"), Fraction("60.95"))
    assert not claim.is_text


@pytest.mark.parametrize(
    ("printed", "unit", "decimals", "value", "half"),
    [
        ("60.9", "percent", "1", "60.9", "0.05"),
        ("64.10", "percent", "2", "64.1", "0.005"),
        ("57", "percent", "0", "57", "0.5"),
        ("-3.71", "points", "2", "-3.71", "0.005"),
        ("-0.00", "points", "2", "0", "0.005"),
        ("843", "count", "0", "843", "0"),
        ("0", "count", "0", "0", "0"),
        ("0.57", "value", "2", "0.57", "0.005"),
        ("3", "value", "0", "3", "0.5"),
        ("21000", "value", "-3", "21000", "500"),
        ("4600", "value", "-2", "4600", "50"),
        ("150", "value", "-1", "150", "5"),
        ("N/A", "percent", "", None, "0"),
        ("N/A", "count", "", None, "0"),
        ("Gemini 2.0 Flash-Lite", "name", "", None, "0"),
        ("yes", "sentence", "", None, "0"),
    ],
)
def test_a_printed_number_stands_for_half_a_unit_around_it(
    tmp_path, printed, unit, decimals, value, half
):
    row = SHARE | {"printed": printed, "unit": unit, "decimals": decimals}
    claim = loaded(tmp_path, row)["t.share"]
    assert claim.value == (None if value is None else Fraction(value))
    assert claim.half == Fraction(half)
    assert (claim.interval is None) is (value is None)
    assert claim.is_text is (unit in ("name", "sentence"))


@pytest.mark.parametrize(
    ("population", "n"),
    [
        ("n=1445; Bangla problems", 1445),
        ("n=120", 120),
        ("", None),
        ("problems, n=3", None),
        ("AIME2024 only", None),
    ],
)
def test_n_is_what_the_population_begins_with(tmp_path, population, n):
    assert loaded(tmp_path, SHARE | {"population": population})["t.share"].n == n


def test_claims_keep_the_files_order_and_lines(tmp_path):
    rows = [SHARE | {"row": "two\nlines, quoted"}, COUNT | {"column": 'a "word"'}, NAME]
    claims = loaded(tmp_path, *rows)
    assert list(claims) == ["t.share", "t.count", "t.name"]
    assert [claim.line for claim in claims.values()] == [2, 4, 5]
    assert claims["t.share"].row == "two\nlines, quoted"
    assert claims["t.count"].column == 'a "word"'


def test_columns_may_stand_in_another_order(tmp_path):
    path = written(tmp_path / "claims.csv", [SHARE], columns=COLUMNS[::-1])
    assert load_claims(path) == loaded(tmp_path, SHARE)


def test_a_byte_order_mark_and_windows_line_ends_are_no_matter(tmp_path):
    path = written(tmp_path / "claims.csv", ALL)
    plain = load_claims(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_claims(path) == plain


@pytest.mark.parametrize("formula", MEASURES)
def test_every_measure_of_the_contract_takes_its_records(tmp_path, formula):
    claim = loaded(tmp_path, SHARE | {"formula": formula, "records": TAKEN[formula]})["t.share"]
    assert (claim.formula, claim.records) == (formula, tuple(TAKEN[formula].split()))


@pytest.mark.parametrize("formula", MEASURES)
def test_one_record_more_or_fewer_than_a_measure_takes_is_refused(tmp_path, formula):
    words = TAKEN[formula].split()
    for other in (words[:-1], [*words, "all"]):
        if other != words:
            error = refusal(tmp_path, SHARE | {"formula": formula, "records": " ".join(other)})
            assert error.problem == f"{formula} takes {len(words)} arguments, not {len(other)}"
            assert (error.line, error.field, error.value) == (2, "records", " ".join(other))


FREE = ("combination",)  # the scripts of a combination are words of their own


@pytest.mark.parametrize("formula", MEASURES)
def test_each_misspelt_word_of_records_is_refused_by_name(tmp_path, formula):
    words = TAKEN[formula].split()
    for at, word in enumerate(words):
        spoilt = [*words[:at], f"{word}x", *words[at + 1 :]]
        row = SHARE | {"formula": formula, "records": " ".join(spoilt)}
        if formula in FREE and at == 2:
            assert loaded(tmp_path, row)["t.share"].records == tuple(spoilt)
            continue
        error = refusal(tmp_path, row)
        assert error.problem.startswith(f"{word}x is none of ")
        assert word in error.problem
        assert (error.line, error.field, error.value) == (2, "records", " ".join(spoilt))
        assert error.remedy


TRAINED = {f"qwen2.5-32b-{name}" for name in ("en-sft", "native-think", "en-think")}


def test_records_name_the_settings_models_and_languages_of_the_papers_runs(repository):
    config = yaml.safe_load((repository / "config" / "paper.yaml").read_text(encoding="utf-8"))
    settings = [one["settings"] for one in config["benchmarks"].values()]
    assert {*SETTINGS} == {name for one in settings for name in one}
    models = {model for one in settings for setting in one.values() for model in setting["models"]}
    assert {*MODELS} == models | TRAINED
    langs = {lang for one in config["benchmarks"].values() for lang in one["languages"]}
    assert {*LANGUAGES} == langs


@pytest.mark.parametrize(
    ("row", "checks"),
    [
        (SHARE, "k/n"),
        (SHARE, "mean(t.{count,missing})"),
        (SHARE, "one_of(t.{missing,count})"),
        (SHARE, "100*t.count/1445; t.share <= 61"),
        (SHARE, "t.share == max(t.{share,count})"),  # a comparison may name its own claim
        (COUNT, "700 + 143"),
        (SENTENCE, "t.share > 50; t.count == 843"),
        (NAME, "t.share > 50"),
        (MISSING, "t.share > 50"),
    ],
)
def test_checks_that_a_claim_can_bear(tmp_path, row, checks):
    rows = [one | ({"checks": checks} if one["id"] == row["id"] else {}) for one in ALL]
    assert loaded(tmp_path, *rows)[row["id"]].checks == tuple(checks.split("; "))


BAD_CELLS = [
    ("id", "share", "not an id"),
    ("id", "", "not an id"),
    ("id", "t.Share", "not an id"),
    ("id", "t.gpt-oss", "not an id"),
    ("id", "t.share ", "not an id"),
    ("id", "t..share", "not an id"),
    ("id", ".share", "not an id"),
    ("id", "12.5", "not an id"),
    ("id", "t.\u0661", "not an id"),
    ("paper", "", "unknown paper"),
    ("paper", "MathMist", "unknown paper"),
    ("where", "", "empty"),
    ("unit", "", "unknown unit"),
    ("unit", "percentage", "unknown unit"),
    ("printed", "", "no number"),
    ("printed", "60,9", "no number"),
    ("printed", "60.9%", "no number"),
    ("printed", "+60.9", "no number"),
    ("printed", "6e1", "no number"),
    ("printed", ".9", "no number"),
    ("printed", "60.", "no number"),
    ("printed", "060.9", "no number"),
    ("printed", " 60.9", "no number"),
    ("printed", "60.9\n", "no number"),
    ("printed", "nan", "no number"),
    ("printed", "n/a", "no number"),
    ("printed", "\u22123.71", "no number"),
    ("printed", "\u0666\u0660.\u0669", "no number"),
    ("printed", "9" * 31, "no number"),
    ("printed", "9" * 10_000, "no number"),
    ("decimals", "", "not a small whole number"),
    ("decimals", "one", "not a small whole number"),
    ("decimals", "1.0", "not a small whole number"),
    ("decimals", "9" * 9, "not a small whole number"),
    ("decimals", "2", "not the decimals of 60.9"),
    ("decimals", "0", "not the decimals of 60.9"),
    ("decimals", "-1", "not the decimals of 60.9"),
    ("population", "n=", "n is no whole number"),
    ("population", "n=0; none", "n is no whole number"),
    ("population", "n=-5", "n is no whole number"),
    ("population", "n=1,445; problems", "n is no whole number"),
    ("population", "n=14.5", "n is no whole number"),
    ("population", "n=1445 problems", "n is no whole number"),
    ("population", f"n={'9' * 5000}", "n is no whole number"),
    ("formula", "", "unknown formula"),
    ("formula", "precision", "unknown formula"),
    ("records", "", "accuracy takes 4 arguments, not 0"),
    ("records", "cot qwen3-8b bn", "accuracy takes 4 arguments, not 3"),
    ("records", "cot qwen3-8b bn all all", "accuracy takes 4 arguments, not 5"),
    ("records", "COT qwen3-8b bn all", "COT is none of zero-shot, cot"),
    ("records", "cot qwen3-8 bn all", "qwen3-8 is none of gpt-oss-20b, qwen3-8b"),
    ("records", "cot qwen3-8b bangla all", "bangla is none of bn, en"),
    ("records", "cot qwen3-8b bn numeric", "numeric is none of all, numerical"),
    ("records", "qwen3-8b cot bn all", "qwen3-8b is none of zero-shot"),
    ("formula", "arithmetic", "arithmetic takes 0 arguments, not 4"),
    ("source", "", "unknown source"),
    ("source", "paper+released code", "unknown source"),
    ("source", "paper + hearsay", "unknown source"),
    ("checks", "k/n;", "an empty check"),
    ("checks", "t.share +", "ends too early"),
    ("checks", "t.count; (t.count", "lacks ')'"),
    ("checks", "t.share", "names its own claim"),
    ("checks", "t.share + t.count", "names its own claim"),
    ("checks", "mean(t.{count,share})", "names its own claim"),
    ("checks", "one_of(t.count, t.share)", "names its own claim"),
    ("checks", "t.share > 50; t.count - t.share", "names its own claim"),
    ("checks", "t.unknown", "no claim t.unknown"),
    ("checks", "mean(t.{count,unknown})", "no claim t.unknown"),
    ("checks", "t.share > t.unknown", "no claim t.unknown"),
    ("checks", "t.missing", "t.missing is N/A"),
    ("checks", "t.share > t.missing", "t.missing is N/A"),
    ("checks", "abs(t.missing)", "t.missing is N/A"),
    ("checks", "mean(2*t.missing, t.count)", "t.missing is N/A"),
    ("checks", "mean(t.missing)", "no numbers left"),
    ("checks", "one_of(t.missing)", "no candidate is a number"),
    ("checks", "one_of(t.count, 2*t.missing)", "t.missing is N/A"),
    ("checks", "t.sentence", "t.sentence is a sentence"),
    ("checks", "mean(t.name, t.share)", "t.name is a name"),
    ("checks", "t.count/(t.count - 843)", "holds 0"),
    ("checks", f"mean(t.{'{a,b}' * 40})", "more than 1,000 arguments"),
    ("checks", "__import__('os').remove('x')", "cannot have"),
]


@pytest.mark.parametrize(("field", "value", "problem"), BAD_CELLS)
def test_a_bad_cell_is_told_with_its_place(tmp_path, field, value, problem):
    rest = [row for row in ALL if row is not SHARE]
    error = refusal(tmp_path, *rest, SHARE | {field: value})
    assert problem in error.problem
    told = "records" if "takes" in problem else field  # of a formula that takes others
    assert (error.file, error.field) == (str(tmp_path / "claims.csv"), told)
    assert error.line == 6
    assert error.remedy
    assert str(error.value).strip() in (value if told == field else SHARE[told])
    assert len(str(error)) < 600


@pytest.mark.parametrize(
    ("row", "cells", "problem"),
    [
        (SENTENCE, {"printed": "no"}, "a sentence that is not `yes`"),
        (SENTENCE, {"printed": "N/A"}, "a sentence that is not `yes`"),
        (SENTENCE, {"decimals": "0"}, "decimals of 'yes'"),
        (SENTENCE, {"checks": "t.share"}, "a check of 'yes', which is no number"),
        (SENTENCE, {"checks": "k/n", "population": "n=3"}, "a check of 'yes'"),
        (NAME, {"printed": ""}, "an empty name"),
        (NAME, {"decimals": "1"}, "decimals of 'Gemini"),
        (NAME, {"checks": "one_of(t.share)"}, "which is no number"),
        (MISSING, {"decimals": "1"}, "decimals of 'N/A'"),
        (MISSING, {"checks": "k/n"}, "a check of 'N/A'"),
        (MISSING, {"checks": "t.share"}, "a check of 'N/A'"),
        (COUNT, {"printed": "843.5"}, "not the decimals of 843.5"),
        (COUNT, {"printed": "840", "decimals": "-1"}, "not the decimals of 840"),
        (COUNT, {"unit": "value", "decimals": "-1"}, "not the decimals of 843"),
        (COUNT, {"unit": "value", "decimals": "1"}, "not the decimals of 843"),
        (COUNT, {"checks": "k/n", "population": "n=1445"}, "k/n of a count"),
        (SHARE, {"checks": "k/n", "population": ""}, "k/n without n"),
    ],
)
def test_cells_that_do_not_go_together(tmp_path, row, cells, problem):
    rest = [other for other in ALL if other is not row]
    error = refusal(tmp_path, *rest, row | cells)
    assert problem in error.problem
    assert (error.line, error.field in cells or error.field == "decimals") == (6, True)
    assert error.remedy


def test_a_repeated_id_names_both_lines(tmp_path):
    error = refusal(tmp_path, SHARE | {"row": "two\nlines"}, COUNT, SHARE)
    assert (error.line, error.field, error.value) == (5, "id", "t.share")
    assert "line 2" in error.problem


@pytest.mark.parametrize("column", COLUMNS)
def test_a_missing_or_repeated_column_is_named(tmp_path, column):
    others = [one for one in COLUMNS if one != column]
    error = refusal_of(tmp_path, ",".join(others) + "\n")
    assert (error.problem, error.line, error.field) == ("column is missing", 1, column)
    error = refusal_of(tmp_path, ",".join([*COLUMNS, column]) + "\n")
    assert (error.problem, error.line, error.field) == ("column stands twice", 1, column)


HEADER = ",".join(COLUMNS) + "\n"
ROW = ",".join(SHARE[column] for column in COLUMNS) + "\n"


@pytest.mark.parametrize(
    ("data", "problem", "line"),
    [
        ("", "an empty file", 1),
        ("\n", "an empty file", 1),
        (HEADER, "no claims", 1),
        (",".join([*COLUMNS, "note"]) + "\n", "unknown column", 1),
        (HEADER + "a.b,mmath\n", "2 cells instead of 13", 2),
        (HEADER + "\n", "a blank line", 2),
        (HEADER + "\r\n\r\n", "a blank line", 2),
        (HEADER + ROW + "\n" + ROW.replace("t.share", "t.more"), "a blank line", 3),
        (HEADER + ROW + "\n", "a blank line", 3),
        (HEADER + '""\n', "1 cells instead of 13", 2),
        (HEADER + "a," * 13 + "a\n", "14 cells instead of 13", 2),
        (HEADER + '"a\nb",' + "\n", "2 cells instead of 13", 2),
        (HEADER + '"never closed\n\n', "not CSV", 2),
        (HEADER + '"a"b,c\n', "not CSV", 2),
        (HEADER + "x" * 200_000 + "\n", "not CSV", 2),
        (HEADER.encode() + b"a.b\n\xff\n", "not UTF-8", 3),
    ],
)
def test_a_file_that_is_no_ledger_is_refused(tmp_path, data, problem, line):
    error = refusal_of(tmp_path, data)
    assert problem in error.problem
    assert error.line == line
    assert error.remedy


@pytest.mark.parametrize("name", ["nowhere.csv", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path, name):
    with pytest.raises(InputError, match="cannot be read") as caught:
        load_claims(tmp_path / name)
    assert caught.value.file == str(tmp_path / name)
    assert caught.value.remedy


CELLS = st.dictionaries(
    st.sampled_from(COLUMNS),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
    | st.sampled_from(["k/n", "t.share", "N/A", "n=5", "-1", "count", "sentence", "yes", "1/0"]),
    max_size=3,
)


@given(CELLS)
def test_any_row_is_taken_or_refused(tmp_path_factory, cells):
    path = written(tmp_path_factory.getbasetemp() / "any.csv", [COUNT, SHARE | cells])
    try:
        claims = load_claims(path)
    except InputError as error:
        assert error.file == str(path)
        assert error.line is not None
    else:
        assert len(audit_arithmetic(claims)) == sum(len(one.checks) for one in claims.values())


def test_two_thousand_claims_take_less_than_a_second(tmp_path):
    shares = [
        SHARE | {"id": f"t.m{place // 10}.l{place % 10}", "checks": "k/n; t.share < 99"}
        for place in range(1800)
    ]
    languages = "l0,l1,l2,l3,l4,l5,l6,l7,l8,l9"
    means = [
        SHARE | {"id": f"t.m{model}.avg", "checks": f"mean(t.m{model}.{{{languages}}})"}
        for model in range(180)
    ]
    path = written(tmp_path / "claims.csv", [SHARE, *shares, *means])
    begin = time.process_time()
    findings = audit_arithmetic(load_claims(path))
    assert time.process_time() - begin < 1
    assert len(findings) == 3780
