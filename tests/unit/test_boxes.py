"""Boxes: the last balanced one of the paper's rule, those that are one answer under ours."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.scoring.boxes import boxes, last_box, last_boxes
from stand_ins import UNTIMED, each_case

PIECES = ["\\boxed", "\\fbox", "{", "}", "\\", "5", " ", "$", "\n", ","]
HOSTILE = st.lists(st.sampled_from(PIECES)).map("".join)


@each_case("boxes.jsonl")
def test_last_balanced_box(case: dict[str, Any]) -> None:
    assert last_box(case["text"]) == case["box"]


@UNTIMED
@given(st.text(st.characters(exclude_characters="{}\\"), max_size=20))
def test_a_box_gives_what_was_boxed(text: str) -> None:
    assert last_box("so $\\boxed{" + text + "}$.") == text.strip()


@UNTIMED
@given(HOSTILE)
def test_places_and_contents_fit_the_text(text: str) -> None:
    ends = [0]
    for box in boxes(text):
        assert ends[-1] <= box.start < box.end <= len(text)
        assert box.content in text[box.start : box.end]
        ends.append(box.end)


@UNTIMED
@given(HOSTILE)
def test_every_balanced_box_is_found_by_both_rules(text: str) -> None:
    if last_box(text):
        assert boxes(text)


def test_placeholders_of_a_prompt_are_passed_over() -> None:
    assert last_boxes("\\boxed{5}, not \\boxed{réponse}", ["et"], ["réponse"]) == ["5"]


def test_no_box_no_value() -> None:
    assert last_boxes("The answer is 5.", ["and"], []) == []


@pytest.mark.parametrize("text", ["\\boxed{", "\\boxed{5} and ", "{", "\\boxed{\\boxed{5}"])
def test_work_grows_with_the_text_and_no_faster(text: str) -> None:
    """Twice the text, at most about twice the characters that contents hold."""
    held = [sum(len(box.content) for box in boxes(text * count)) for count in (1000, 2000)]
    assert held[1] <= 2 * held[0] + len(text)
