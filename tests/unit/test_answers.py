"""Answers found in texts and written in one notation: the paper's rule and ours."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.scoring.answers import (
    Extracted,
    extract_paper,
    extract_strict,
    last_box,
    normalise,
)
from stand_ins import LANGUAGES, UNTIMED, each_case, read_cases

ANY_TEXT = st.text(st.characters())  # lone surrogates and control characters too
MARKS = [*"0123456789,.;:!*_$\\()[]{}~ -+/%x৩٩٫٬،।", "\u00a0", "\u202f", "\u2009", "\u200b"]
ANSWER_LIKE = st.text(st.sampled_from(MARKS), max_size=12)
LANGUAGE = st.sampled_from(sorted(LANGUAGES))
# Where the point groups thousands, a decimal point that was written once reads as a group.
POINT_GROUPS = sorted(code for code, one in LANGUAGES.items() if "." in one.grouping)


@each_case("boxes.jsonl")
def test_last_balanced_box(case: dict[str, Any]) -> None:
    assert last_box(case["text"]) == case["box"]


@each_case("extract_paper.jsonl")
def test_paper_rule_with_its_quirks(case: dict[str, Any]) -> None:
    found = extract_paper(case["text"])
    assert (found and found.text) == case["answer"]
    assert found is None or found.how == case["how"]


def test_paper_rule_rewrites_nothing() -> None:
    assert extract_paper("$\\boxed{**৫**.}$") == Extracted("**৫**.", "box", ())


@each_case("rewrites.jsonl")
def test_notation(case: dict[str, Any]) -> None:
    found = normalise(case["text"], LANGUAGES[case["lang"]], "box")
    assert found.text == case["answer"]


@each_case("rewrites.jsonl")
def test_every_rewrite_is_listed(case: dict[str, Any]) -> None:
    found = normalise(case["text"], LANGUAGES[case["lang"]], "box")
    assert list(found.rewrites) == case["rewrites"]


def test_table_of_rewrites_shows_every_kind() -> None:
    shown = {name for case in read_cases("rewrites.jsonl") for name in case["rewrites"]}
    assert shown == {
        "invisible marks",
        "markdown",
        "native digits",
        "signs",
        "separators",
        "dollars",
        "end mark",
        "thousands",
        "decimal comma",
    }


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_decimal_comma_is_read_exactly_where_the_language_writes_it(code: str) -> None:
    commas = {"es", "fi", "fr", "kk", "lt", "pt", "tr", "vi"}
    assert normalise("3,5", LANGUAGES[code], "box").text == ("3.5" if code in commas else "3,5")


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_digits_of_a_language_read_as_ascii(code: str) -> None:
    digits = LANGUAGES[code].digits
    assert normalise("1" + digits, LANGUAGES[code], "box").text == "1" + "0123456789"[: len(digits)]


@each_case("final_answers.jsonl")
def test_what_follows_a_final_answer_phrase(case: dict[str, Any]) -> None:
    found = extract_strict(case["text"], LANGUAGES[case["lang"]])
    assert found is not None
    assert (found.text, found.how) == (case["answer"], "phrase")


def test_table_of_phrases_has_all_languages() -> None:
    assert {case["lang"] for case in read_cases("final_answers.jsonl")} == set(LANGUAGES)


@pytest.mark.parametrize(
    ("code", "phrase"),
    [(code, phrase) for code, one in sorted(LANGUAGES.items()) for phrase in one.final_answer],
)
def test_every_phrase_of_the_language_files(code: str, phrase: str) -> None:
    found = extract_strict(f"9. {phrase}: $42$. 7", LANGUAGES[code])
    assert found == Extracted("42", "phrase")


def test_box_goes_before_phrase() -> None:
    found = extract_strict("Answer: 3, or $\\boxed{4}$", LANGUAGES["en"])
    assert found == Extracted("4", "box")


def test_phrase_goes_before_later_numbers() -> None:
    found = extract_strict("Answer: 7. Check: 3+4 uses 12 steps", LANGUAGES["en"])
    assert found == Extracted("7", "phrase")


def test_phrase_without_a_value_leaves_the_last_number() -> None:
    found = extract_strict("We get 12. That is the answer.", LANGUAGES["en"])
    assert found == Extracted("12", "last number")


@each_case("last_numbers.jsonl")
def test_last_number_without_box_and_phrase(case: dict[str, Any]) -> None:
    found = extract_strict(case["text"], LANGUAGES[case["lang"]])
    assert (found and found.text) == case["answer"]
    assert found is None or found.how == "last number"


def test_nothing_is_found_in_an_empty_answer() -> None:
    assert extract_strict("", LANGUAGES["en"]) is None


@UNTIMED
@given(ANY_TEXT | ANSWER_LIKE, LANGUAGE)
def test_notation_never_raises(text: str, code: str) -> None:
    normalise(text, LANGUAGES[code], "box")


@UNTIMED
@given(ANY_TEXT | ANSWER_LIKE, LANGUAGE)
def test_extraction_never_raises(text: str, code: str) -> None:
    extract_strict(text, LANGUAGES[code])
    extract_strict(f"{LANGUAGES[code].final_answer[0]} {text}", LANGUAGES[code])
    extract_paper(text)
    last_box("\\boxed{" + text)


@UNTIMED
@given(ANY_TEXT | ANSWER_LIKE, st.sampled_from(sorted(set(LANGUAGES) - set(POINT_GROUPS))))
def test_notation_is_idempotent_on_its_own_output(text: str, code: str) -> None:
    once = normalise(text, LANGUAGES[code], "box")
    assert normalise(once.text, LANGUAGES[code], "box") == Extracted(once.text, "box")


@UNTIMED
@given(ANY_TEXT | ANSWER_LIKE, st.sampled_from(POINT_GROUPS))
def test_notation_is_idempotent_without_points_where_the_point_groups(text: str, code: str) -> None:
    once = normalise(text.replace(".", "").replace(",", ""), LANGUAGES[code], "box")
    if "." not in once.text:  # other signs can stand for a point
        assert normalise(once.text, LANGUAGES[code], "box") == Extracted(once.text, "box")


@UNTIMED
@given(st.integers(min_value=0, max_value=10**12), LANGUAGE)
def test_grouped_integers_read_as_their_value(value: int, code: str) -> None:
    for mark in LANGUAGES[code].grouping:
        grouped = f"{value:,}".replace(",", mark)
        assert int(normalise(grouped, LANGUAGES[code], "box").text) == value


@UNTIMED
@given(st.text(st.characters(exclude_characters="{}\\"), max_size=20))
def test_a_box_gives_what_was_boxed(text: str) -> None:
    assert last_box("so $\\boxed{" + text + "}$.") == text.strip()
