"""What a judge decided: its last decision line and nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.judging import JUDGE_PROMPTS, JUDGE_PURPOSES, JUDGE_WORDS
from babelmath.prompts import load_prompt
from babelmath.scoring.judge_replies import read_bound, read_reply, reply_schema
from stand_ins import PROMPTS, UNTIMED, each_case

SOLVE, IDENTIFY = JUDGE_WORDS["solve"], JUDGE_WORDS["identify"]


@each_case("judge_replies.jsonl")
def test_decision(case: dict[str, Any]) -> None:
    assert read_reply(case["reply"], SOLVE).word == case["word"]


@each_case("judge_replies.jsonl")
def test_confidence(case: dict[str, Any]) -> None:
    assert read_reply(case["reply"], SOLVE).confidence == case["confidence"]


def test_words_before_the_decision_are_the_reason() -> None:
    assert read_reply("Both are $\\frac{1}{2}$.\nDECISION: YES", SOLVE).reason == (
        "Both are $\\frac{1}{2}$."
    )


def test_a_reply_without_a_decision_is_all_reason() -> None:
    assert read_reply(" It is not equivalent. ", SOLVE).reason == "It is not equivalent."


@pytest.mark.parametrize("word", ["TP", "FP", "FN"])
def test_identification_has_words_of_its_own(word: str) -> None:
    assert read_reply(f"DECISION: {word}", IDENTIFY).word == word
    assert read_reply(f"DECISION: {word}", SOLVE).word is None
    assert read_reply("DECISION: YES", IDENTIFY).word is None


@pytest.mark.parametrize(("last", "word"), [("YES", "YES"), ("NO", "NO")])
def test_an_echo_of_the_whole_prompt_never_outweighs_the_decision(last: str, word: str) -> None:
    prompt = load_prompt(PROMPTS, JUDGE_PROMPTS["solve"], JUDGE_PURPOSES["solve"])
    echo = "\n".join(text for _, text in prompt.parts)
    assert read_reply(f"{echo}\nCONFIDENCE: 0.8\nDECISION: {last}", SOLVE).word == word


@UNTIMED
@given(st.text(st.characters()))
def test_text_without_the_key_is_no_decision(text: str) -> None:
    assert read_reply(text.replace(":", " ").replace("=", " "), SOLVE).word is None


@UNTIMED
@given(st.text(st.characters()), st.sampled_from(sorted(SOLVE)))
def test_a_decision_line_at_the_end_is_always_read(text: str, word: str) -> None:
    assert read_reply(f"{text}\nDECISION: {word}", SOLVE).word == word


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ('{"decision": "YES", "reason": "equal"}', "YES"),
        ('{ "decision" : "NO", "reason": "they dif', "NO"),
        ('{"decision": "YE', None),
        ('{"decision": "MAYBE", "reason": ""}', None),
        ("DECISION: YES", None),
        ("", None),
    ],
)
def test_a_bound_reply_keeps_its_decision_where_its_end_was_cut(text, word):
    assert read_bound(text, frozenset({"YES", "NO"})).word == word


def test_a_bound_reply_decides_before_it_reasons():
    properties = json.loads(reply_schema(frozenset({"YES", "NO"})))["properties"]
    assert list(properties) == ["decision", "reason"]
