"""Where thinking ends and the answer begins, by the way a model shows its thinking."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.thinking import Parts, part
from stand_ins import UNTIMED, each_case

STYLES = ["none", "tags", "opened", "channels", "separate"]
PROSE = st.text(st.characters(exclude_characters="<>|"))


@each_case("thinking.jsonl")
def test_parting(case: dict[str, Any]) -> None:
    assert part(case["text"], case.get("separate", ""), case["style"]) == Parts(
        case["thinking"], case["answer"], tuple(case["flags"])
    )


@pytest.mark.parametrize("style", ["opened", "tags", "channels"])
def test_thinking_that_never_closes_leaves_no_answer(style: str) -> None:
    begun = {"opened": "", "tags": "<think>", "channels": "<|channel|>analysis<|message|>"}[style]
    parts = part(begun + "So the answer is \\boxed{7}", "", style)
    assert parts.answer == ""
    assert parts.flags == ("unclosed thinking",)


@UNTIMED
@given(PROSE, PROSE)
def test_tags_give_back_what_stood_around_them(thinking: str, answer: str) -> None:
    parts = part(f"<think>{thinking}</think>{answer}", "", "tags")
    assert (parts.thinking, parts.answer) == (thinking.strip(), answer.strip())


@UNTIMED
@given(st.text(st.characters()), st.sampled_from(STYLES))
def test_parting_never_raises(text: str, style: str) -> None:
    part(text, "", style)
