"""Two runs compared: cells, flips, what is left out, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath.comparing import reading
from babelmath.comparing.compare import FILES, compare
from babelmath.comparing.markup import told
from babelmath.comparing.pairing import names
from babelmath.errors import InputError
from babelmath.files import dumps
from babelmath.records import WITHOUT_TEXT
from babelmath.statistics.testing import holm
from small_runs import Marks, choice_items, small_run
from stand_ins import REPOSITORY

ZERO = ("mathmist", "zero-shot", "m", "rules-strict", "en")
NATIVE = ("mmath", "native", "m", "rules-strict")


def runs(folder: Path, a: Marks, b: Marks, **more: Any) -> tuple[Path, Path]:
    return small_run(folder / "a", a, **more), small_run(folder / "b", b, **more)


def rows_of(folder: Path, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO((folder / name).read_text(), newline="")))


def cell(folder: Path, **wanted: str) -> dict[str, str]:
    found = [row for row in rows_of(folder, "comparison.csv")
             if all(row[name] == value for name, value in wanted.items())]  # fmt: skip
    assert len(found) == 1, found
    return found[0]


def letters(marks: str) -> dict[str, str]:
    """One response to each of the problems p01, p02, ..."""
    return {f"p{at:02d}": one for at, one in enumerate(marks, start=1)}


CASES = [
    # A, B, common, value A, value B, p, to correct, to wrong
    ("cccc", "cccc", 4, 100, 100, 1, 0, 0),
    ("wwwwww", "cccccc", 6, 0, 100, 2 / 2**6, 6, 0),
    ("ccwwt", "cwcwc", 5, 40, 60, 1, 2, 1),
    ("cwnu", "cw", 2, 50, 50, 1, 0, 0),
    ("c", "w", 1, 100, 0, 1, 0, 1),
]


@pytest.mark.parametrize("a, b, common, value_a, value_b, p, up, down", CASES)
def test_a_cell_counts_common_responses_alone(
    tmp_path: Path, a: str, b: str, common: int, value_a: float, value_b: float, p: float, up: int,
    down: int,
) -> None:  # fmt: skip
    folder = compare(*runs(tmp_path, {ZERO: letters(a)}, {ZERO: letters(b)}))
    row = cell(folder, lang="en", part="all")
    assert (int(row["n_a"]), int(row["n_b"]), int(row["common"])) == (len(a), len(b), common)
    assert (float(row["value_a"]), float(row["value_b"])) == (value_a, value_b)
    assert float(row["difference"]) == pytest.approx(value_b - value_a)
    assert float(row["low"]) <= value_b - value_a <= float(row["high"])
    assert float(row["p"]) == float(row["p_holm"]) == p
    assert (int(row["to_correct"]), int(row["to_wrong"])) == (up, down)
    assert len(rows_of(folder, "flips.csv")) == up + down
    assert int(row["truncated_a"]) == a[:common].count("t") and row["truncated_b"] == "0"
    assert folder == tmp_path / "b/comparison" and {one.name for one in folder.iterdir()} == {
        *FILES
    }


def test_cells_by_language_and_kind_weigh_languages_alike_and_subsets_too(tmp_path: Path) -> None:
    """Four problems of one subset all right, one of another wrong: 50 over subsets, not 80."""
    subsets = dict.fromkeys(letters("cccc"), "MATH500") | {"p05": "CNMO"}
    a: Marks = {(*NATIVE, lang): letters("wwwww") for lang in ("en", "fr")}
    b: Marks = {(*NATIVE, "en"): letters("ccccw"), (*NATIVE, "fr"): letters("wwwww")}
    folder = compare(*runs(tmp_path, a, b, parts=subsets))
    found = {(row["lang"], row["part"]): float(row["value_b"])
             for row in rows_of(folder, "comparison.csv")}  # fmt: skip
    assert found == {
        ("en", "CNMO"): 0, ("en", "MATH500"): 100, ("en", "all"): 50,
        ("fr", "CNMO"): 0, ("fr", "MATH500"): 0, ("fr", "all"): 0,
        ("all", "CNMO"): 0, ("all", "MATH500"): 50, ("all", "all"): 25,
    }  # fmt: skip
    kinds = {"p01": "proof", "p02": "symbolic"}
    mist = compare(*runs(tmp_path / "2", {ZERO: letters("ccww")}, {ZERO: letters("cccw")},
                         parts=kinds))  # fmt: skip
    assert [(row["part"], row["common"]) for row in rows_of(mist, "comparison.csv")] == [
        ("numerical", "2"), ("proof", "1"), ("symbolic", "1"), ("all", "4")
    ]  # fmt: skip
    assert float(cell(mist, part="all")["value_b"]) == 75


def test_p_values_are_corrected_within_a_benchmark_and_setting(tmp_path: Path) -> None:
    other = ("mathmist", "cot", "m", "rules-strict", "en")
    second = ("mathmist", "zero-shot", "m2", "rules-strict", "en")
    a: Marks = {ZERO: letters("wwwwwwww"), second: letters("wwwwww"), other: letters("wwwwww")}
    b: Marks = {ZERO: letters("cccccccc"), second: letters("cccccw"), other: letters("cccccc")}
    folder = compare(*runs(tmp_path, a, b))
    found = {(row["setting"], row["model"]): (float(row["p"]), float(row["p_holm"]))
             for row in rows_of(folder, "comparison.csv")}  # fmt: skip
    first, next_ = holm([2 / 2**8, 2 / 2**5])
    assert found == {
        ("zero-shot", "m"): (2 / 2**8, first),
        ("zero-shot", "m2"): (2 / 2**5, next_),
        ("cot", "m"): (2 / 2**6, 2 / 2**6),
    }


def test_flips_say_what_was_read_and_whether_the_response_changed(tmp_path: Path) -> None:
    keys = [(f"p{at:02d}", "en", 0) for at in range(1, 5)]
    a = small_run(tmp_path / "a", {ZERO: letters("wwwc")}, raw={keys[1]: "old", keys[2]: ""},
                  answers={keys[0]: "4"})  # fmt: skip
    b = small_run(tmp_path / "b", {ZERO: letters("cccc")}, raw={keys[1]: "new"},
                  answers={keys[0]: "5"})  # fmt: skip
    folder = compare(a, b, tmp_path / "out")
    found = rows_of(folder, "flips.csv")
    assert [row["response"] for row in found] == ["same", "changed", WITHOUT_TEXT]
    assert found[0] == {
        "benchmark": "mathmist", "setting": "zero-shot", "model": "m", "setting_b": "zero-shot",
        "model_b": "m", "scorer": "rules-strict", "id": "p01", "lang": "en", "sample": "0",
        "part": "numerical", "status_a": "wrong", "status_b": "correct", "extracted_a": "4",
        "extracted_b": "5", "gold_a": "c", "gold_b": "c", "response": "same",
    }  # fmt: skip
    shutil.rmtree(a / "mathmist/generations")
    again = rows_of(compare(a, b, tmp_path / "out"), "flips.csv")
    assert {row["response"] for row in again} == {"no generations"}


def test_problems_in_other_words_are_counted_and_named_not_compared(tmp_path: Path) -> None:
    a = small_run(tmp_path / "a", {ZERO: letters("wcw")})
    b = small_run(tmp_path / "b", {ZERO: letters("ccc")}, texts={("p01", "en"): "Which is p01?"})
    folder = compare(a, b)
    assert cell(folder, part="all")["common"] == "2" and len(rows_of(folder, "flips.csv")) == 1
    (problem,) = [row for row in rows_of(folder, "left_out.csv") if row["what"] == "problem"]
    assert (problem["id"], problem["lang"], problem["responses"]) == ("p01", "en", "1")
    assert "- p01, en" in (folder / "README.md").read_text()


def test_multiple_choice_with_other_options_is_another_question(tmp_path: Path) -> None:
    mcq = ("mathmist", "mcq", "m", "letter-strict", "en")
    a, b = runs(tmp_path, {mcq: letters("wc")}, {mcq: letters("cc")}, tasks={"mcq": "choose"})
    same = ["1", "2", "3", "4"]
    choice_items(a, "en", {"p01": same, "p02": same})
    choice_items(b, "en", {"p01": ["2", "1", "3", "4"], "p02": same})
    folder = compare(a, b)
    assert cell(folder, part="all")["common"] == "1" and not rows_of(folder, "flips.csv")
    assert [row["id"] for row in rows_of(folder, "left_out.csv") if row["what"] == "problem"] == [
        "p01"
    ]


def test_nothing_that_stands_in_one_run_alone_is_dropped_silently(tmp_path: Path) -> None:
    def place(setting: str, model: str, scorer: str) -> tuple[str, ...]:
        return "mathmist", setting, model, scorer, "en"

    a: Marks = {ZERO: letters("cww"), place("cot", "m", "rules-strict"): letters("c"),
                place("zero-shot", "m", "judge-x"): letters("c")}  # fmt: skip
    b: Marks = {ZERO: letters("ccwc"), place("zero-shot", "m9", "rules-strict"): letters("c"),
                place("zero-shot", "m", "judge-y"): letters("w")}  # fmt: skip
    run_a, run_b = runs(tmp_path, a, b)
    (run_b / "mathmist/verdicts/zero-shot/m9/old.jsonl").touch()
    folder = compare(run_a, run_b)
    found = {(row["what"], row["run"], row["setting"], row["model"], row["scorer"], row["reason"])
             for row in rows_of(folder, "left_out.csv")}  # fmt: skip
    strange = "a file that this run's configuration does not name"
    lacking = "configured, but there is no file"
    assert found == {
        ("verdicts", "A", "cot", "m", "rules-strict", "only in A"),
        ("verdicts", "A", "zero-shot", "m", "judge-x", "only in A"),
        ("verdicts", "B", "zero-shot", "m9", "rules-strict", "only in B"),
        ("verdicts", "B", "zero-shot", "m", "judge-y", "only in B"),
        ("verdicts", "B", "zero-shot", "m9", "old", strange),
        ("verdicts", "B", "zero-shot", "m9", "judge-y", lacking),
        ("responses", "B", "zero-shot", "m", "rules-strict", "only in B"),
    }
    page = (folder / "README.md").read_text()
    assert "B: `mathmist/zero-shot/m9/rules-strict` (only in B)" in page


def test_models_and_settings_of_other_names_are_paired(tmp_path: Path) -> None:
    brief = ("mathmist", "brief", "m2", "rules-strict", "en")
    a, b = runs(tmp_path, {ZERO: letters("wc")}, {brief: letters("cc"), ZERO: letters("ww")})
    folder = compare(a, b, models={"m": "m2"}, settings={"zero-shot": "brief"})
    (row,) = rows_of(folder, "comparison.csv")
    assert [row[name] for name in ("setting", "setting_b", "model", "model_b", "value_b")] == [
        "zero-shot", "brief", "m", "m2", "100.0"
    ]  # fmt: skip
    page = (folder / "README.md").read_text()
    assert "Paired models: A's `m` with B's `m2`." in page
    assert "mathmist: zero-shot → brief, m → m2, rules-strict" in page
    # B's own m is not compared with anything then, and is named.
    assert "B: `mathmist/zero-shot/m/rules-strict` (only in B)" in page


def test_the_page_says_how_the_runs_differ(tmp_path: Path) -> None:
    hostile = "A | pipe\n# and a *heading* <script>alert(1)</script> \u202e `tick`"
    a = small_run(tmp_path / "a", {ZERO: letters("cw")}, config={"seed": 1, "models": {"m": {}}},
                  versions="name,version\nbabelmath,0.1.0\npolars,1.0\n")  # fmt: skip
    b = small_run(tmp_path / "b", {ZERO: letters("tw")}, config={"seed": 2, "statement": hostile},
                  versions="environment,name,version\nmain,babelmath,0.2.0\nmain,openai,2.0\n"
                  "tables,openai,2.0\nengine-vllm,openai,1.9\n",
                  answers={("p01", "en", 0): "x | y\n| - |"})  # fmt: skip
    folder = compare(a, b)
    lines = (folder / "README.md").read_text().split("\n")
    assert "| seed | 1 | 2 |" in lines and "| models | {...} | not there |" in lines
    assert "| babelmath | 0.1.0 | 0.2.0 |" in lines and "| polars | 1.0 | not there |" in lines
    assert "| openai | not there | 1.9 (engine-vllm); 2.0 (main, tables) |" in lines
    assert (
        "| statement | A test. | A \\| pipe \\# and a \\*heading\\* "
        "\\<script\\>alert(1)\\</script\\> \\`tick\\` |"
    ) in lines
    assert any("truncated: x \\| y \\| - \\|" in line for line in lines)
    assert "- mathmist: zero-shot, m, rules-strict: correct 1 → 0, truncated 0 → 1" in lines
    (flip,) = rows_of(folder, "flips.csv")
    assert flip["extracted_b"] == "x | y\n| - |"
    assert str(tmp_path) not in "\n".join(lines)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=90))
def test_any_text_stays_one_cell_of_a_table(text: str) -> None:
    shown = told(text)
    bare = shown.replace("\\\\", "").replace("\\|", "").replace("\\`", "").replace("\\<", "")
    assert not set(bare) & set("|`<\n\r\u2028\u202e") and len(shown) <= 140


def test_the_same_runs_give_the_same_bytes_wherever_they_lie(tmp_path: Path) -> None:
    marks: tuple[Marks, Marks] = ({ZERO: letters("cwcwcw")}, {ZERO: letters("ccwwtt")})
    first, second = (compare(*runs(tmp_path / name, *marks)) for name in ("one", "two"))
    assert all((first / one).read_bytes() == (second / one).read_bytes() for one in FILES)


# What is refused


def plain(folder: Path) -> tuple[Path, Path]:
    return runs(folder, {ZERO: letters("cwcwcw")}, {ZERO: letters("ccwwtt")})


def test_an_output_never_lies_among_a_runs_results(tmp_path: Path) -> None:
    a, b = plain(tmp_path)
    inside = small_run(a / "published", {ZERO: letters("cwcwcw")})
    for place in (a, b, a / "tables", b / "tables/mathmist", a / "run", inside / "audit"):
        with pytest.raises(InputError, match="own results"):
            compare(a, inside if place.is_relative_to(inside) else b, place)
    other = tmp_path / "mine"
    other.mkdir()
    (other / "README.md").write_text("mine")
    with pytest.raises(InputError, match="something else"):
        compare(a, b, other)
    assert (other / "README.md").read_text() == "mine" and len(list(other.iterdir())) == 1
    for place in (a / "comparison", a / "comparison/b", tmp_path / "new/place"):
        assert compare(a, b, place) == place
    assert compare(a, inside) == inside / "comparison"  # a run in another run's folder
    assert compare(a, inside) == inside / "comparison"  # again, over its own files


def test_runs_that_are_none_the_same_or_unlike_are_refused(tmp_path: Path) -> None:
    a, b = plain(tmp_path)
    link = tmp_path / "link"
    link.symlink_to(a)
    other = small_run(tmp_path / "c", {("mathmist", "cot", "m2", "judge-x", "en"): letters("c")})
    far = small_run(tmp_path / "d", {ZERO: {"p99": "c"}})
    (tmp_path / "empty").mkdir()
    for pair, said in [
        ((tmp_path / "nowhere", b), "no such folder"),
        ((a, tmp_path / "empty"), "not the results of a run"),
        ((a, link), "same folder twice"),
        ((a, other), "no benchmark, setting, model and scorer in common"),
        ((a, far), "no response in common"),
    ]:
        with pytest.raises(InputError, match=said):
            compare(*pair, tmp_path / "out")
    assert not list((tmp_path / "out").glob("*")) if (tmp_path / "out").exists() else True


@pytest.mark.parametrize("texts, said", [
    (["m"], "no pair of names"), (["=m"], "no pair of names"), (["a=b=c"], "no pair of names"),
    (["a=b", "a=c"], "stands twice"), (["a=c", "b=c"], "stands twice"),
])  # fmt: skip
def test_pairs_of_names_are_whole_and_single(texts: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        names(texts, "--model")


def test_a_name_that_a_run_does_not_have_is_told_with_those_it_has(tmp_path: Path) -> None:
    a, b = plain(tmp_path)
    with pytest.raises(InputError, match=r"run B .*zero-shto.*Did you mean zero-shot\?"):
        compare(a, b, settings={"zero-shot": "zero-shto"})
    with pytest.raises(InputError, match=r"--model: run A .*other.*It has: m\."):
        compare(a, b, models={"other": "m"})


VERDICT_FILE = "mathmist/verdicts/zero-shot/m/rules-strict.jsonl"
DAMAGE = [
    (VERDICT_FILE, 3, lambda line: line[:40], "not a line of strict JSON"),
    (VERDICT_FILE, 2, lambda line: line.replace("strict", "paper"), "not what this place holds"),
    (VERDICT_FILE, 5, lambda line: line.replace('"correct": true', '"correct": false'),
     "correct must be true"),
    (VERDICT_FILE, 4, lambda line: line.replace("p04", "p03"), "stands twice"),
    (VERDICT_FILE, 1, lambda line: line.replace('"sample": 0', '"sample": "0"'), "valid integer"),
    ("mathmist/problems/en.jsonl", 6, lambda line: line.replace('"question"', '"q"'), "required"),
    ("mathmist/generations/zero-shot/m.jsonl", 2, lambda line: line[:-9], "strict JSON"),
    ("run/versions.csv", 2, lambda line: "main,babelmath", "name, version"),
    ("run/config.yaml", 1, lambda line: "{", "not YAML"),
]  # fmt: skip


@pytest.mark.parametrize("block", [300, reading.BLOCK])
@pytest.mark.parametrize("file, number, change, said", DAMAGE)
def test_a_damaged_file_is_told_with_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, number: int, change: Any, said: str,
    block: int,
) -> None:  # fmt: skip
    monkeypatch.setattr(reading, "BLOCK", block)
    a, b = runs(tmp_path, {ZERO: letters("cwcwcw")}, {ZERO: letters("wccwcc")})
    lines = (b / file).read_text().split("\n")
    lines[number - 1] = change(lines[number - 1])
    (b / file).write_text("\n".join(lines))
    with pytest.raises(InputError, match=said) as caught:
        compare(a, b)
    assert caught.value.file == str(b / file)
    if file != "run/config.yaml":
        assert caught.value.line == number
    assert not (b / "comparison/README.md").exists()


def test_blank_lines_a_mark_and_a_last_line_without_end_are_no_damage(tmp_path: Path) -> None:
    a, b = plain(tmp_path)
    before = (compare(a, b) / "comparison.csv").read_bytes()
    path = b / VERDICT_FILE
    path.write_text("\ufeff" + path.read_text().replace("\n", "\n\n").rstrip("\n"))
    assert (compare(a, b) / "comparison.csv").read_bytes() == before


# From the command line


def call(*words: object, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(one) for one in words], capture_output=True, text=True,
                          cwd=REPOSITORY, **more)  # fmt: skip


@pytest.mark.heavy
def test_make_compare_compares_two_runs(tmp_path: Path) -> None:
    a, b = plain(tmp_path)
    # setup is taken as done: a test installs nothing.
    make = ("make", "-o", "setup", "compare")
    done = call(*make, f"A={a}", f"B={b}", "PAIRS=--model m=m")
    assert done.returncode == 0, done.stderr
    assert f"{b}/comparison/: read README.md" in done.stdout
    assert cell(b / "comparison", part="all")["common"] == "6"
    done = call(*make, f"A={a}", f"B={b}", f"TO={a}/tables")
    assert done.returncode and "error: " in done.stderr and "own results" in done.stderr
    assert "Traceback" not in done.stderr
    done = call(*make, f"A={a}")
    assert done.returncode and "name both runs" in done.stderr


# At scale


@pytest.mark.heavy
def test_a_hundred_thousand_verdicts_take_bounded_memory(tmp_path: Path) -> None:
    """25,000 problems, four responses each of 3,000 characters: 310 MB of generations a run."""
    a, b = runs(tmp_path, {ZERO: letters("c")}, {ZERO: letters("c")})
    for root, odd in ((a, 0), (b, 1)):
        _enlarge(root, odd)
    command = [sys.executable, str(REPOSITORY / "scripts/compare_runs.py"), str(a), str(b)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0
    assert used.ru_maxrss < 500 * 1024  # one file read whole would take 900 MiB
    row = cell(b / "comparison", part="all")
    assert (row["common"], row["problems"]) == ("100000", "25000")
    flips = pl.read_csv(b / "comparison/flips.csv")
    assert flips.height == int(row["to_correct"]) + int(row["to_wrong"]) == 20_000
    assert dict(flips["response"].value_counts().iter_rows()) == {"same": 10_000, "changed": 10_000}


def _enlarge(root: Path, odd: int) -> None:
    """Every fifth response changes its verdict in the second run, every tenth its text too."""
    home = root / "mathmist"
    paths = [home / "problems/en.jsonl", root / VERDICT_FILE,
             home / "generations/zero-shot/m.jsonl"]  # fmt: skip
    problem, verdict, generation = (json.loads(path.read_text()) for path in paths)
    text = "Let us compute. এবং তাই " * 130
    with paths[0].open("w") as problems, paths[1].open("w") as verdicts, paths[2].open("w") as raw:
        for at in range(25_000):
            identity = f"p{at:06d}"
            problems.write(dumps(problem | {"id": identity}) + "\n")
            for sample in range(4):
                number = 4 * at + sample
                right = (number % 3 == 0) ^ (odd == 1 and number % 5 == 0)
                key = {"id": identity, "sample": sample}
                status = {"status": "correct" if right else "wrong", "correct": right}
                verdicts.write(dumps(verdict | key | status) + "\n")
                changed = f"{text}{number}{'!' if odd and number % 10 == 0 else ''}"
                raw.write(dumps(generation | key | {"raw": changed}) + "\n")
