"""Cases from the field: tests/cases/passing.txt is exactly the list of those that pass today.

Each case runs as the workflow would run it. A change that makes a case pass or fail must change the
list, so that nobody does so unknowingly.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from babelmath.choices import build_choices
from babelmath.config import Choices, Equivalence, Identification, Judge, Role, Setting
from babelmath.generation import Question, generate
from babelmath.identification import Identifier
from babelmath.judging import JUDGE_WORDS, by_judge
from babelmath.records import Generation, Proposal, Verdict
from babelmath.scoring.answers import extract_strict
from babelmath.scoring.by_letters import by_letters
from babelmath.scoring.by_rules import by_rules
from babelmath.scoring.equivalence import Comparer
from babelmath.scoring.judge_replies import read_reply
from babelmath.thinking import part
from stand_ins import (
    CASES,
    LANGUAGES,
    PROMPTS,
    SAMPLING,
    Replies,
    generation,
    problem,
    read_cases,
)

Case = dict[str, Any]

# Cases of other parts of the project (services, files, math-verify's own interface), and one about
# stop sequences, which this project never sends.
OTHER_FAMILIES = ("d-api", "g-io", "a-api")
NOT_TAKEN = ("c_stop_in_think",)
TAKEN = [
    case
    for case in read_cases("field_cases.jsonl")
    if case["family"] not in OTHER_FAMILIES and case["id"] not in NOT_TAKEN
]
PASSING = (CASES / "passing.txt").read_text(encoding="utf-8").split()


@cache
def comparer() -> Comparer:
    return Comparer(Equivalence(timeout_s=5))


@cache
def identifier() -> Identifier:
    return Identifier(Identification())


@pytest.fixture(scope="module", autouse=True)
def close() -> Any:
    yield
    with comparer():
        pass


def response(text: str, style: str = "tags", **fields: Any) -> Generation:
    parts = part(text, fields.pop("separate", ""), style)
    return generation(
        parts.answer, thinking=parts.thinking, raw=text, flags=list(parts.flags), **fields
    )


def verdict(item: Generation, gold: str = "5") -> Verdict:
    found = by_rules([item], {(item.id, item.lang): gold}, "rules-strict", LANGUAGES, comparer())
    return found[0]


def equivalence(case: Case) -> bool:
    given = case["input"]
    item = response(f"$\\boxed{{{given['pred']}}}$", lang=given["lang"])
    return verdict(item, given["gold"]).correct is case["expected"]["equal"]


def extraction(case: Case) -> bool:
    given, expected = case["input"], case["expected"]
    item = response(given["text"], lang=given["lang"])
    if "gold" in given:
        return verdict(item, given["gold"]).correct is expected["equal"]
    found = extract_strict(item.answer, LANGUAGES[given["lang"]])
    if expected["answer"] == "unfinished: no answer":
        return found is None and verdict(item).status == "truncated"
    return found is not None and found.text == expected["answer"]


def thinking(case: Case) -> bool:
    """Cases that a description stands for are written out here."""
    given = case["input"]["output"]
    if case["id"] == "c_close_only":
        item = response(given, "opened")
        return (item.thinking, item.answer, item.flags) == ("We add 2 and 3.", "5", [])
    if case["id"] == "c_none_thinking_model_length":
        item = response("We add 2 and", "opened", finish="length")
        return item.thinking == "We add 2 and" and verdict(item).status == "truncated"
    if case["id"] == "c_empty_block":
        item = response(given)
        return (item.thinking, item.answer, item.flags) == ("", "5", ["no thinking"])
    if case["id"] == "c_quoted_tag":
        item = response(given)
        return (item.answer, item.flags) == ("5", ["ambiguous"])
    if case["id"] == "c_second_block":
        item = response(given)
        return re.split(r"\W+", item.thinking) == ["a", "b"] and item.answer in ("x y", "y")
    if case["id"] == "c_harmony_trunc":
        item = response(given, "channels", finish="length")
        return item.answer == "" and verdict(item).status == "truncated"
    if case["id"] == "c_answer_in_reasoning":
        item = response("", "separate", separate="The answer is 5.")
        return (item.answer, item.flags) == ("The answer is 5.", ["parser_misroute"])
    assert case["id"] == "c_prefill"
    opened = Setting(
        task="solve", prompt="mmath/native", question_languages=["zh"], opening="mmath/dit",
        sampling=SAMPLING, models=["m"], scorers=["rules-strict"],
    )  # fmt: skip
    (item,) = generate(
        [Question("mmath-0001", "zh", {"question": "2+3?"})], opened, "mmath", "m", "tags",
        "llamacpp", LANGUAGES, Replies("加起来。</think>5"), PROMPTS, 42, "test",  # type: ignore[arg-type]
    )  # fmt: skip
    begun = item.raw.removesuffix("加起来。</think>5").removeprefix("<think>\n")
    return begun != "" and item.thinking == begun + "加起来。"


def judge(case: Case) -> bool:
    reply, expected = case["input"]["judge_reply"], case["expected"]
    if case["id"] == "e_unparsed_zero":  # the reply is empty
        found = by_judge(
            [generation("5")], {("mathmist-0001", "en"): "5"}, [], [problem()], "solve", "j",
            Judge(model="m", sampling=SAMPLING), Replies(""), PROMPTS, 42, "test",  # type: ignore[arg-type]
        )  # fmt: skip
        return found[0].status == "unresolved"
    decision = read_reply(reply, JUDGE_WORDS["solve"])
    if expected.startswith("conflict"):
        return decision.word is None
    if case["id"] == "e_fence":
        return (decision.word, decision.confidence) == ("YES", 0.95)
    if case["id"] == "e_silent_frac":
        return decision.word == "NO" and "\\frac" in decision.reason
    allowed = {word if word != "unparsed" else None for word in expected.split(" or ")}
    return decision.word in allowed


def letter(case: Case) -> bool:
    given, expected = case["input"]["output"], case["expected"]
    if case["id"] == "f_leak":  # only the key's text was wrapped in the released items
        items, _ = build_choices(
            [problem(answer="$5$")], {},
            {"mathmist-0001": Proposal(id="mathmist-0001", lang="en", text="7000", journal="k")},
            Choices(model=Role(model="m", sampling=SAMPLING), mixture={"calc": 0.5, "concept": 0.5},
                    tau=0.0), comparer(), 42,
        )  # fmt: skip
        return all(re.fullmatch(r"\$[^$]+\$", option) for option in items[0].options)
    item = response(given, finish="length" if case["id"] == "f_think" else "stop")
    (found,) = by_letters([item], {(item.id, item.lang): "A"}, "letter-strict", "choose")
    if expected == "none (truncated)":
        return (found.extracted, found.status) == (None, "truncated")
    return found.extracted == expected


def language(case: Case) -> bool:
    text = {"b_surrogate": "a\ud800b", "b_seed": "並查看更", "b_nofeat": "12345"}.get(
        case["id"], case["input"]["text"]
    )
    label = identifier().label(text)
    if case["id"] == "b_newline":
        return label == identifier().label(text.replace("\n", " "))
    if case["id"] == "b_surrogate":
        return label.paper == identifier().label("a?b").paper
    if case["id"] == "b_seed":
        return all(identifier().label(text) == label for _ in range(10))
    if case["id"] == "b_numpy2":
        return bool(label.paper)
    return label.strict in case["expected"].removesuffix(" after math stripping").split(" or ")


FAMILIES: dict[str, Callable[[Case], bool]] = {
    "a-equivalence": equivalence,
    "a-extraction": extraction,
    "b-langid": language,
    "c-think": thinking,
    "e-judge": judge,
    "f-mcq": letter,
}


@pytest.mark.parametrize("case", [pytest.param(one, id=one["id"]) for one in TAKEN])
def test_case_passes_exactly_where_it_is_listed(case: Case) -> None:
    assert FAMILIES[case["family"]](case) is (case["id"] in PASSING)


def test_list_names_each_case_once_in_the_cases_order() -> None:
    order = [case["id"] for case in TAKEN]
    assert sorted(set(PASSING), key=order.index) == PASSING
