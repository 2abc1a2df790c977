"""Option letters and YES/NO words: the released evaluation's reading, and the strict one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.released.building import LABEL
from babelmath.scoring.flags import flag_strict
from babelmath.scoring.letter_forms import plain_letters
from babelmath.scoring.letters import option_strict
from babelmath.scoring.letters_paper import flag_paper, option_paper
from babelmath.scoring.options import option_of, reading, same_letters
from babelmath.scoring.statements import wording
from stand_ins import LANGUAGES, UNTIMED, each_case

RECORDS = os.environ.get("BABELMATH_RECORDS")
WORDS = {code: wording([language]) for code, language in LANGUAGES.items()}
OPTIONS = ("3", "4", "\\frac{2}{9}", "$5$")
ANY_TEXT = st.text(st.characters())
PIECES = st.lists(
    st.sampled_from(
        [
            *"ABCDabcd():.*$ \n", "কখগঘ", "ข", "나", "①", "answer", "is", "not ", "option ", "উত্তর",
            "\\boxed{", "}", "\\text{", "Final Answer: ", " or ", ", ", "2/9", "YES", "no", "না",
            "<final>", "wrong",
        ]
    )
).map("".join)  # fmt: skip


@each_case("letters.jsonl")
def test_option_by_the_released_rule(case: dict[str, Any]) -> None:
    assert option_paper(case["text"], case.get("options", ())) == case["paper"]


@each_case("letters.jsonl")
def test_option_by_the_strict_rule(case: dict[str, Any]) -> None:
    choice = option_strict(case["text"], case.get("options", ()), WORDS[case["lang"]])
    found = (choice.letter, choice.how) if choice else (None, None)
    assert found == (case["strict"], case["how"])


@each_case("flags.jsonl")
def test_flag_by_the_paper_is_the_first(case: dict[str, Any]) -> None:
    assert flag_paper(case["text"]) == case["paper"]


@each_case("flags.jsonl")
def test_flag_by_the_strict_rule(case: dict[str, Any]) -> None:
    choice = flag_strict(case["text"], WORDS[case["lang"]])
    found = (choice.letter, choice.how) if choice else (None, None)
    assert found == (case["strict"], case["how"])


@pytest.mark.parametrize("lang", sorted(LANGUAGES))
@pytest.mark.parametrize("form", ["{} B", "{}: **B**", "{}\n(B)", "{} $\\boxed{{\\text{{B}}}}$."])
def test_every_final_answer_phrase_states_a_letter(lang: str, form: str) -> None:
    for phrase in LANGUAGES[lang].final_answer:
        stem = phrase.rstrip(":") if form.startswith("{}:") else phrase
        choice = option_strict(form.format(stem), (), WORDS[lang])
        assert choice is not None and choice.letter == "B", (phrase, form)


@UNTIMED
@given(ANY_TEXT | PIECES, st.sampled_from(["en", "bn", "ko", "kk"]))
def test_any_text_gives_an_option_or_none(text: str, lang: str) -> None:
    choice = option_strict(text, OPTIONS, WORDS[lang])
    assert choice is None or choice.letter in ("A", "B", "C", "D")
    flag = flag_strict(text, WORDS[lang])
    assert flag is None or flag.letter in ("YES", "NO")


@UNTIMED
@given(ANY_TEXT | PIECES)
def test_any_text_gives_a_letter_or_none_by_the_released_rule(text: str) -> None:
    letter = option_paper(text, OPTIONS)
    assert letter is None or (len(letter) == 1 and "A" <= letter <= "Z")


@UNTIMED
@given(ANY_TEXT | PIECES, st.sampled_from("ABCD"))
def test_a_box_at_the_end_always_wins(text: str, letter: str) -> None:
    choice = option_strict(f"{text}\n\\boxed{{{letter}}}")
    assert choice is not None and choice.letter == letter


@UNTIMED
@given(ANY_TEXT | PIECES, st.sampled_from("ABCD"))
def test_a_last_line_as_the_prompt_asks_for_it_always_wins(text: str, letter: str) -> None:
    choice = option_strict(f"{text}\n\nFinal Answer: {letter}")
    assert choice is not None and choice.letter == letter


@pytest.mark.parametrize(
    "piece", ["Answer: A or ", "(A) ", "\\boxed{", "A, B, C. ", "উত্তর ", "**", "not A ", "$A$ "]
)
def test_long_hostile_texts_are_read(piece: str) -> None:
    """No pattern takes time that explodes with the length of the text."""
    text = piece * (8_000 // len(piece))
    choice = option_strict(text + "\n\nউত্তর: C", OPTIONS, WORDS["bn"])
    assert choice is not None and choice.letter == "C"


def test_value_that_two_different_options_equal_is_none() -> None:
    assert (
        option_of("0.5", ["1/2", "\\frac{2}{4}", "1", "2"], lambda one, other: "2" in one) is None
    )


def test_value_of_options_that_read_alike_is_the_first() -> None:
    assert option_of("$5$", ["4", "5", " 5 ", "6"]) == "B"


def test_comparison_is_asked_only_where_no_option_reads_like_the_value() -> None:
    asked = []

    def equal(option: str, value: str) -> bool:
        asked.append((option, value))
        return option == "1/2"

    assert option_of("2", ["1/2", "2", "3", "4"], equal) == "B"
    assert asked == []
    assert option_of("$0.5$", ["1/2", "2", "3", "4"], equal) == "A"
    assert asked == [("1/2", "0.5"), ("2", "0.5"), ("3", "0.5"), ("4", "0.5")]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("$\\dfrac{2}{9}$", "2/9"), ("\\frac29", "2/9"), ("৫", "5"), ("\\text{5 cm}", "5 cm."),
        ("−3", "-3"), ("\\left( 1, 2 \\right)", "(1,2)"), ("50\\%", "50%"), ("X = 5", "x=5"),
    ],
)  # fmt: skip
def test_layout_does_not_change_how_an_option_reads(one: str, other: str) -> None:
    assert reading(one) == reading(other)


def test_letters_of_options_that_read_alike() -> None:
    assert same_letters("A", ["5", "6", "5 ", "7"]) == {"A", "C"}


@UNTIMED
@given(ANY_TEXT)
def test_plain_letters_stay_as_they_are(text: str) -> None:
    once = plain_letters(text)
    assert plain_letters(once) == once


@pytest.mark.skipif(RECORDS is None, reason="BABELMATH_RECORDS is not set")
def test_released_rule_gives_every_stored_letter() -> None:
    places = sorted((Path(RECORDS or "") / "Evaluation Results" / "MCQ").glob("*/*.json"))
    read = 0
    for path in places:
        for entry in json.loads(path.read_text(encoding="utf-8")):
            options = [LABEL.sub("", option) for option in entry["choices"]]
            assert (option_paper(entry["raw_output"], options) or "") == entry["predicted_letter"]
            read += 1
    assert read == 7931
