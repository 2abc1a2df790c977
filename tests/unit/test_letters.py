"""Option letters and YES/NO words: the paper's first match, and the strict last statement."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from babelmath.scoring.letters import flag_paper, flag_strict, option_paper, option_strict
from stand_ins import UNTIMED, each_case

ANY_TEXT = st.text(st.characters())
LETTERS_AND_WORDS = st.lists(
    st.sampled_from([*"ABCDabcd():.* কখগঘ", "answer", "is", "option", "উত্তর", "\\boxed{", "}"])
).map("".join)


@each_case("letters.jsonl")
def test_option_by_the_paper_is_the_first_capital_alone(case: dict[str, Any]) -> None:
    assert option_paper(case["text"]) == case["paper"]


@each_case("letters.jsonl")
def test_option_by_the_strict_rule(case: dict[str, Any]) -> None:
    assert option_strict(case["text"]) == case["strict"]


@each_case("flags.jsonl")
def test_flag_by_the_paper_is_the_first(case: dict[str, Any]) -> None:
    assert flag_paper(case["text"]) == case["paper"]


@each_case("flags.jsonl")
def test_flag_by_the_strict_rule_is_the_only_one(case: dict[str, Any]) -> None:
    assert flag_strict(case["text"]) == case["strict"]


@UNTIMED
@given(ANY_TEXT | LETTERS_AND_WORDS)
def test_any_text_gives_an_option_or_none(text: str) -> None:
    assert option_paper(text) in {"A", "B", "C", "D", None}
    assert option_strict(text) in {"A", "B", "C", "D", None}


@UNTIMED
@given(ANY_TEXT, st.sampled_from("ABCD"))
def test_a_box_at_the_end_always_wins(text: str, letter: str) -> None:
    assert option_strict(f"{text}\n\\boxed{{{letter}}}") == letter
