"""Where thinking ends and the answer begins, by the way a model shows its thinking."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from babelmath.channels import HEADER, TOKEN
from babelmath.thinking import AROUND_ANSWER, TAG, Parts, as_received, continued, part
from stand_ins import UNTIMED, each_case

STYLES = ["none", "tags", "opened", "channels", "separate"]
FINISHES = ["stop", "length", "blocked", "error"]
MARKS = st.lists(st.sampled_from([*"«»“”'\"` \n\r\\5a", "```\n", "\n~~~"])).map("".join)
PROSE = st.text(st.characters(exclude_characters="<>|")) | MARKS
# Texts of what makes a cut hard: tags, tokens, quotation marks, code, lines.
HARD = st.lists(
    st.sampled_from(
        [
            "<think>", "</think>", "</thinking>", "[THINK]", "<|end_of_thought|>", '"</think>"',
            "`<think>`", "```\n", "\n", '"', "'", " ", "add 2", "5", "analysis", "assistantfinal",
            "<|channel|>analysis<|message|>", "<|channel|>final<|message|>", "<|end|>", "<|start|>",
            "<|channel|>", "<|message|>", "<|end_of_solution|>",
        ]
    )
).map("".join)  # fmt: skip
ANY = st.text(st.characters()) | HARD
BARE_CHANNEL = re.compile(r"(?:assistant)?(?:analysis|commentary|final)")


@each_case("thinking.jsonl")
def test_parting(case: dict[str, Any]) -> None:
    given = case["text"], case.get("separate", ""), case["style"], case.get("finish", "stop")
    assert part(*given) == Parts(case["thinking"], case["answer"], tuple(case["flags"]))


@pytest.mark.parametrize("style", ["opened", "tags", "channels"])
def test_thinking_that_never_closes_leaves_no_answer(style: str) -> None:
    begun = {"opened": "", "tags": "<think>", "channels": "<|channel|>analysis<|message|>"}[style]
    parts = part(begun + "So the answer is \\boxed{7}", "", style)
    assert parts.answer == ""
    assert parts.flags == ("unclosed thinking",)


@UNTIMED
@given(PROSE, PROSE)
def test_tags_give_back_what_stood_around_them(thinking: str, answer: str) -> None:
    parts = part(f"<think>\n{thinking}\n</think>\n{answer}", "", "tags")
    assert (parts.thinking, parts.answer) == (thinking.strip(), answer.strip())


@UNTIMED
@given(ANY, st.just("") | ANY, st.sampled_from(STYLES), st.sampled_from(FINISHES))
def test_no_visible_text_is_lost(text: str, separate: str, style: str, finish: str) -> None:
    parts = part(text, separate, style, finish)
    assert visible(parts.thinking) + visible(parts.answer) == visible(text) + visible(separate)


def visible(text: str) -> Counter[str]:
    """Characters that are neither blank nor part of a tag, token or channel's name."""
    for marks in (HEADER, TOKEN, TAG, AROUND_ANSWER, BARE_CHANNEL):
        text = marks.sub("", text)
    return Counter("".join(text.split()))


@UNTIMED
@given(ANY, st.just("") | ANY, st.sampled_from(STYLES), st.sampled_from(FINISHES))
def test_thinking_that_was_cut_off_is_never_an_answer(
    text: str, separate: str, style: str, finish: str
) -> None:
    parts = part(text, separate, style, finish)
    if "unclosed thinking" in parts.flags:
        assert parts.answer == ""
    if not parts.thinking and not parts.answer.strip():
        assert not visible(text) + visible(separate)


@UNTIMED
@example("«", "»")  # nor is the tag between two quotation marks a quoted one
@example("\r", "0")  # a field for thinking with nothing to be seen in it hides no answer
@given(PROSE, PROSE.filter(str.strip))
def test_thinking_handed_over_apart_stands_in_the_raw_text(thinking: str, answer: str) -> None:
    parts = part(answer, thinking, "separate")
    raw = as_received(answer, thinking, parts)
    again = part(raw, "", "tags")
    assert again.thinking == parts.thinking
    assert again.answer.strip() == parts.answer.strip()


def test_raw_text_of_an_answer_in_the_field_for_thinking_is_that_text() -> None:
    assert as_received("", "It is 5.", part("", "It is 5.", "separate")) == "It is 5."


def test_raw_text_of_thinking_that_was_cut_off_has_no_closing_tag() -> None:
    parts = part("", "We add", "separate", "length")
    assert as_received("", "We add", parts) == "<think>We add"


@pytest.mark.parametrize(
    ("text", "separate", "expected"),
    [
        ("加</think>5", "", ("<think>\n好的，加</think>5", "")),
        ("5", "加", ("5", "<think>\n好的，加")),
        ("5", "好的，加", ("5", "<think>\n好的，加")),
        ("5", "<think>\n好的，加", ("5", "<think>\n好的，加")),
        ("5", " \n", ("<think>\n好的，5", " \n")),
    ],
)
def test_opening_stands_where_the_model_went_on(
    text: str, separate: str, expected: tuple[str, str]
) -> None:
    assert continued("<think>\n好的，", text, separate) == expected


@pytest.mark.parametrize("repeated", ["", "Here it is: 2 + 2?\n", "<think>\nHere it is: 2 + 2?\n"])
def test_a_line_that_a_service_repeats_stands_once_with_one_line_end(repeated: str) -> None:
    begun = "<think>\nHere it is: 2 + 2?\n"
    assert continued(begun, "4", f"{repeated}So 4.") == ("4", f"{begun}So 4.")
