"""Final answers found in responses: the paper's rule and ours."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.scoring import english
from babelmath.scoring.extraction import (
    Extracted,
    extract_paper,
    extract_strict,
    last_box,
    normalise,
)
from babelmath.scoring.plain.notation import LONGEST
from stand_ins import LANGUAGES, UNTIMED, each_case, read_cases

LANGUAGE = st.sampled_from(sorted(LANGUAGES))
ANY_TEXT = st.text(st.characters())  # lone surrogates and control characters too
PIECES = [
    "\\boxed{", "\\boxed ", "}", "{", "$", "$$", "\\(", "\\)", "5", "3,5", " ", "\n", ".", ",",
    ": ", "**", "answer", "The answer is ", "Réponse : ", "答案", "উত্তর", " and ", "x", "=",
    "(", ")",
    "\\text{", "\\frac", "٣", "।", "\x08oxed{", "\\begin{align}", "\\end{align}", "-", "%",
]  # fmt: skip
RESPONSE_LIKE = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


@each_case("extract_paper.jsonl")
def test_paper_rule_with_its_quirks(case: dict[str, Any]) -> None:
    found = extract_paper(case["text"])
    assert (found and found.text) == case["answer"]
    assert found is None or found.how == case["how"]


def test_paper_rule_rewrites_nothing() -> None:
    assert extract_paper("$\\boxed{**৫**.}$") == Extracted("**৫**.", "box", ())


@each_case("boxed_answers.jsonl")
def test_what_is_boxed(case: dict[str, Any]) -> None:
    found = extract_strict(case["text"], LANGUAGES[case["lang"]])
    assert found is not None
    assert (found.text, found.how) == (case["answer"], "box")


@each_case("final_answers.jsonl")
def test_what_follows_a_final_answer_phrase(case: dict[str, Any]) -> None:
    found = extract_strict(case["text"], LANGUAGES[case["lang"]])
    assert found is not None
    assert (found.text, found.how) == (case["answer"], "phrase")


def test_table_of_phrases_has_all_languages() -> None:
    assert {case["lang"] for case in read_cases("final_answers.jsonl")} == set(LANGUAGES)


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_every_phrase_of_a_language_in_every_dress(code: str) -> None:
    language = LANGUAGES[code]
    for phrase in (*language.final_answer, *english.FINAL_ANSWER):
        bare = phrase.removesuffix(":")
        dresses = [f"{phrase} $42$.", f"**{bare}:** 42\n", f"{bare.upper()}: 42.", f"{bare}：42。"]
        for text in dresses:
            assert extract_strict(f"9. {text} 7", language) == Extracted("42", "phrase")


@each_case("last_numbers.jsonl")
def test_last_number_without_box_and_phrase(case: dict[str, Any]) -> None:
    found = extract_strict(case["text"], LANGUAGES[case["lang"]])
    assert (found and found.text) == case["answer"]
    assert found is None or found.how == "last number"


def test_box_goes_before_phrase() -> None:
    found = extract_strict("Answer: 3, or $\\boxed{4}$", LANGUAGES["en"])
    assert found == Extracted("4", "box")


def test_phrase_goes_before_later_numbers() -> None:
    found = extract_strict("Answer: 7. Check: 3+4 uses 12 steps", LANGUAGES["en"])
    assert found == Extracted("7", "phrase")


def test_phrase_without_a_value_leaves_the_last_number() -> None:
    found = extract_strict("We get 12. That is the answer.", LANGUAGES["en"])
    assert found == Extracted("12", "last number")


def test_what_was_repaired_before_the_box_was_found_is_listed() -> None:
    found = extract_strict("so \x08oxed{\x0crac{1}{2}}", LANGUAGES["en"])
    names = ("escape repaired: \\boxed", "escape repaired: \\frac")
    assert found == Extracted("\\frac{1}{2}", "box", names)


def test_boxes_that_are_one_answer_are_named() -> None:
    found = extract_strict("$\\boxed{১}$ ও $\\boxed{২}$", LANGUAGES["bn"])
    assert found == Extracted("1,2", "box", ("native digits", "boxes joined"))


@pytest.mark.parametrize("text", ["", " ", "no number", "\\boxed{}", "\\boxed{\\text{answer}}"])
def test_nothing_is_found(text: str) -> None:
    assert extract_strict(text, LANGUAGES["en"]) is None


def test_english_words_stand_in_the_language_file_too() -> None:
    language = LANGUAGES["en"]
    assert tuple(language.final_answer) == english.FINAL_ANSWER
    assert tuple(language.copulas) == english.COPULAS
    assert tuple(language.conjunctions) == english.CONJUNCTIONS
    assert tuple(language.alternatives) == english.ALTERNATIVES
    assert tuple(language.number_words) == english.NUMBER_WORDS


@UNTIMED
@given(ANY_TEXT | RESPONSE_LIKE, LANGUAGE)
def test_extraction_never_raises(text: str, code: str) -> None:
    extract_strict(text, LANGUAGES[code])
    extract_strict(f"{LANGUAGES[code].final_answer[0]} {text}", LANGUAGES[code])
    extract_paper(text)
    last_box("\\boxed{" + text)


@UNTIMED
@given(ANY_TEXT | RESPONSE_LIKE, LANGUAGE)
def test_an_extracted_answer_is_in_plain_notation(text: str, code: str) -> None:
    found = extract_strict(text, LANGUAGES[code])
    if found is not None:
        again = normalise(found.text, LANGUAGES[code], found.how)
        assert again == Extracted(found.text, found.how)


@UNTIMED
@given(st.text("0123456789,.x+-/() ", min_size=1), LANGUAGE)
def test_a_boxed_text_gives_that_text_in_plain_notation(text: str, code: str) -> None:
    wanted = normalise(text, LANGUAGES[code], "box").text
    found = extract_strict(f"so $\\boxed{{{text}}}$.", LANGUAGES[code])
    assert not any(map(str.isalnum, text)) or (found and found.text) == wanted


@pytest.mark.parametrize("code", ["en", "zh", "bn"])
@pytest.mark.parametrize(
    "text", ["\\boxed{", "\\boxed{5}", "answer ", "the answer is ", "$", "\\(", "1,", "{", "答案"]
)
def test_long_hostile_responses_end(text: str, code: str) -> None:
    """100,000 characters; a search that is quadratic in them would not end in minutes."""
    long = text * (100_000 // len(text))
    extract_strict(long, LANGUAGES[code])
    extract_strict(long + " Answer: 5", LANGUAGES[code])
    extract_paper(long)


@pytest.mark.parametrize("text", ["√", "\\frac{", "(", "1 ", "\\text{", "²", " and ", "\\left("])
def test_long_hostile_answers_end(text: str) -> None:
    normalise(text * (LONGEST // len(text)), LANGUAGES["fr"], "box")
