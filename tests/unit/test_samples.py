"""Several responses to a question: the table of estimates, and that no response is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from babelmath.errors import InputError
from babelmath.tables.completeness import Held, Wanted, check_complete
from babelmath.tables.golds import golds
from babelmath.tables.mathmist import accuracy
from babelmath.tables.samples import estimates, samples
from record_frames import GOLDS, VERDICTS, Row, data

STATUS = {"+": "correct", "-": "no_answer", "|": "truncated", "#": "blocked", "?": "timeout"}


def responses(question: str, answers: str, **fields: Any) -> list[Row]:
    """Responses to one question, a character each: + is right, - | # give no answer, else wrong."""
    row = {"setting": "native", "model": "m", "lang": "en", "scorer": "s", "decision": None,
           "judge": None, "file": None} | fields  # fmt: skip
    return [
        {**row, "id": question, "sample": sample, "correct": one == "+",
         "status": STATUS.get(one, "wrong"), "extracted": None if one in "-|#" else one}
        for sample, one in enumerate(answers)
    ]  # fmt: skip


def frame(rows: list[Row]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=VERDICTS)


def shares(rows: list[Row], voted: bool = True) -> dict[str, float]:
    return {name: round(found.value / 100, 4) for name, found in estimates(frame(rows), voted)}


def cells(rows: list[Row], **fields: Any) -> dict[tuple[str, str, str], tuple[float, int]]:
    given = {"scorers": {"native": "rules-strict", "atp": "judge-stern"}, **fields}
    table = samples("mmath", data(found=rows, **given))
    return {
        (one.block, one.row, one.column): (round(one.value, 2), one.n)
        for one in table.cells
        if one.value is not None
    }


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ("+777", {"pass@1": 0.25, "pass@2": 0.5, "pass@3": 0.75, "pass@4": 1.0, "maj@4": 0.0}),
        ("++77", {"pass@1": 0.5, "pass@2": 0.8333, "pass@3": 1.0, "pass@4": 1.0, "maj@4": 0.5}),
        ("+789", {"pass@1": 0.25, "pass@2": 0.5, "pass@3": 0.75, "pass@4": 1.0, "maj@4": 0.25}),
        ("+-|#", {"pass@1": 0.25, "pass@2": 0.5, "pass@3": 0.75, "pass@4": 1.0, "maj@4": 1.0}),
        ("----", {"pass@1": 0.0, "pass@2": 0.0, "pass@3": 0.0, "pass@4": 0.0, "maj@4": 0.0}),
        ("+?", {"pass@1": 0.5, "pass@2": 1.0, "maj@2": 0.5}),
        ("7", {"pass@1": 0.0, "maj@1": 0.0}),
    ],
)
def test_estimates_of_one_question(answers: str, expected: dict[str, float]) -> None:
    assert shares(responses("a", answers)) == expected


def test_right_answers_in_different_words_are_one_answer() -> None:
    rows = responses("a", "++77")
    rows[1]["extracted"] = "other words"
    assert shares(rows)["maj@4"] == 0.5


def test_all_questions_weigh_the_same() -> None:
    rows = [*responses("a", "+7"), *responses("b", "77"), *responses("a", "++", lang="fr")]
    assert shares(rows) == {"pass@1": 0.5, "pass@2": 0.6667, "maj@2": 0.5}


def test_the_order_of_the_rows_does_not_matter() -> None:
    rows = [*responses("a", "+778"), *responses("b", "++-7"), *responses("c", "7788")]
    assert shares(rows[::-1]) == shares(rows)


def test_where_questions_have_fewer_responses_k_goes_no_further() -> None:
    rows = [*responses("a", "+777"), *responses("b", "7")]
    assert shares(rows) == {"pass@1": 0.125, "maj@1": 0.125}


def test_of_many_responses_doubling_k_are_shown() -> None:
    names = list(shares(responses("a", "+" * 3 + "7" * 97)))
    assert names == [*(f"pass@{k}" for k in (*range(1, 9), 16, 32, 64, 100)), "maj@100"]


def test_table_shows_each_language_and_all() -> None:
    rows = [*responses("a", "+7"), *responses("a", "77", lang="bn"), *responses("b", "++")]
    found = cells(rows)
    assert found["All languages", "Model, native", "pass@1"] == (50.0, 3)
    assert found["English", "Model, native", "pass@1"] == (75.0, 2)
    assert found["Bangla", "Model, native", "pass@2"] == (0.0, 1)
    assert found["English", "Model, native", "maj@2"] == (75.0, 2)


def test_table_of_one_language_has_no_line_for_all() -> None:
    assert {block for block, _, _ in cells(responses("a", "+7"))} == {"English"}


def test_judges_verdicts_have_no_majority() -> None:
    rows = [*responses("a", "+7"), *responses("a", "+7", setting="atp")]
    columns = {row: {c for _, r, c in cells(rows) if r == row} for _, row, _ in cells(rows)}
    assert columns["Model, native"] - columns["Model, atp"] == {"maj@2"}


def test_table_says_what_scored_each_setting() -> None:
    table = samples("mmath", data(found=responses("a", "+7"), scorers={"native": "rules-strict"}))
    assert "native by rules-strict" in table.notes[0]


def test_accuracy_of_three_attempts_is_pass_at_three() -> None:
    rows = [
        *responses("a", "-7+", setting="zero-shot"),
        *responses("b", "777", setting="zero-shot"),
    ]
    found = accuracy(data(found=rows), "zero-shot", "m", "en")
    assert found is not None and (found.value, found.n) == (50.0, 2)
    assert shares(rows)["pass@3"] == 0.5


WHOLE = [
    *responses("a", "+7"),
    *responses("b", "77"),
    *responses("a", "77", lang="bn"),
    *responses("b", "++", lang="bn"),
]
OTHER = [{**row, "model": "o"} for row in WHOLE]
FILES = {("native", "m"): Path("m.jsonl"), ("native", "o"): Path("o.jsonl")}


def check(rows: list[Row], wanted: int = 2, released: tuple[str, ...] = ()) -> None:
    found = frame(rows)
    held = [
        Held(setting, model, found.filter(pl.col("model") == model), path)
        for (setting, model), path in FILES.items()
    ]
    check_complete(held, {"native": Wanted(wanted, ("en", "bn"))}, released)


def refusal(rows: list[Row], wanted: int = 2) -> InputError:
    with pytest.raises(InputError) as caught:
        check(rows, wanted)
    return caught.value


def test_a_whole_set_is_counted() -> None:
    check(WHOLE + OTHER)


@pytest.mark.parametrize("place", range(8))
def test_a_missing_response_is_told_by_file_and_numbers(place: int) -> None:
    error = refusal(WHOLE + OTHER[:place] + OTHER[place + 1 :])
    assert error.file == "o.jsonl"
    assert error.problem.startswith("holds 7 responses to 4 questions of 2 each")
    assert f"({OTHER[place]['id']}, {OTHER[place]['lang']}) has 1" in error.problem


def test_responses_by_another_number_than_asked_are_told() -> None:
    assert "has 2, the last numbered 1" in refusal(WHOLE + OTHER, 3).problem
    assert "has 2, the last numbered 1" in refusal(WHOLE + OTHER, 1).problem
    shifted = [{**row, "sample": row["sample"] + 1} for row in OTHER]
    assert "has 2, the last numbered 2" in refusal(WHOLE + shifted).problem


def test_a_question_that_one_language_lacks_is_told() -> None:
    error = refusal([*WHOLE[:6], *OTHER])
    assert (error.file, error.problem) == (
        "m.jsonl",
        "holds 1 questions in bn and 2 in all: b is missing",
    )


def test_a_model_with_fewer_questions_than_another_is_told() -> None:
    """37 of 146 questions, whole in themselves, are a part all the same."""
    many = [
        row
        for number in range(146)
        for lang in ("en", "bn")
        for row in responses(f"{number:03d}", "+7", lang=lang)
    ]
    error = refusal(many + [{**row, "model": "o"} for row in many[: 4 * 37]])
    assert error.file == "o.jsonl"
    assert error.problem.startswith("holds 74 questions, m.jsonl 292: ('037', 'bn')")


def test_a_model_without_any_response_is_told() -> None:
    assert refusal(WHOLE).problem == "holds nothing"
    assert refusal([]).problem == "holds nothing"


def test_a_language_that_is_missing_as_a_whole_is_told() -> None:
    error = refusal([row for row in WHOLE + OTHER if row["lang"] == "en"])
    assert error.problem == "holds 0 questions in bn and 2 in all: a is missing"


def test_a_language_that_was_never_asked_is_told() -> None:
    error = refusal([*WHOLE, *({**row, "lang": "fr"} for row in OTHER if row["lang"] == "en")])
    assert (error.file, error.value) == ("o.jsonl", "a")
    assert error.problem == "holds questions in fr, which were never asked"


def test_what_a_release_lacks_is_not_looked_for() -> None:
    check(WHOLE + OTHER[:3], released=("o",))


def test_exact_answers_are_counted_by_language() -> None:
    rows = [("a", "en", True, True), ("b", "en", False, True), ("c", "en", True, False)]
    found = data(golds=pl.DataFrame([*rows, ("a", "bn", False, False)], schema=GOLDS, orient="row"))
    counts = {(one.row, one.column): one.value for one in golds("mathmist", found).cells}
    heads = ("Exact answers", "Read by rule", "Equal to itself", "Left to the judge")
    assert [counts["English", head] for head in heads] == [3, 2, 2, 2]
    assert counts["Bangla", "Left to the judge"] == 1
