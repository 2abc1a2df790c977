"""Verdicts by letter: statuses, options that read alike, values, what is kept of a reading."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from babelmath.config import Equivalence
from babelmath.records import ChoiceItem, Generation, Verdict
from babelmath.scoring.by_letters import by_letters, options_of
from babelmath.scoring.equivalence import Comparer
from stand_ins import LANGUAGES, generation

OPTIONS = ("$3$", "$4$", "$\\frac{1}{2}$", "$4$")


@pytest.fixture(scope="module")
def comparer() -> Iterator[Comparer]:
    with Comparer(Equivalence(timeout_s=60)) as one:
        yield one


def scored(
    item: Generation,
    scorer: str = "letter-strict",
    gold: str = "B",
    task: str = "choose",
    options: tuple[str, ...] | None = OPTIONS,
    comparer: Comparer | None = None,
) -> Verdict:
    key = item.id, item.lang
    shown = {key: options} if options is not None else None
    (found,) = by_letters([item], {key: gold}, scorer, task, shown, LANGUAGES, comparer)
    return found


def outcome(found: Verdict) -> tuple[str, str | None, list[str]]:
    return found.status, found.extracted, found.rewrites


def test_how_a_letter_was_found_is_kept() -> None:
    assert outcome(scored(generation("Answer: B"))) == ("correct", "B", ["stated"])
    assert outcome(scored(generation("\\boxed{A}"))) == ("wrong", "A", ["boxed"])
    assert outcome(scored(generation("(B)"))) == ("correct", "B", ["only letter"])


def test_value_stands_for_its_letter() -> None:
    found = scored(generation("The answer is $\\frac12$."), gold="C")
    assert outcome(found) == ("correct", "C", ["value of option C"])


def test_value_is_compared_as_mathematics_where_a_comparer_is_given(comparer: Comparer) -> None:
    item = generation("The answer is 0.5.")
    assert scored(item, gold="C").status == "no_answer"
    found = scored(item, gold="C", comparer=comparer)
    assert outcome(found) == ("correct", "C", ["value of option C"])


def test_options_that_read_alike_both_state_the_key() -> None:
    found = scored(generation("Answer: D"))
    assert outcome(found) == ("correct", "D", ["stated", "option D reads like the key"])


def test_released_rule_counts_the_letter_alone() -> None:
    assert outcome(scored(generation("Answer: D"), "letter-paper")) == ("wrong", "D", [])


def test_released_rule_takes_a_value_for_its_letter() -> None:
    assert outcome(scored(generation("\\boxed{3}"), "letter-paper", "A")) == ("correct", "A", [])


def test_without_options_only_letters_are_read() -> None:
    assert scored(generation("The answer is 3."), options=None).status == "no_answer"


def test_item_without_options_is_read_by_letters_alone() -> None:
    item = generation("The answer is 3.")
    (found,) = by_letters([item], {(item.id, "en"): "A"}, "letter-strict", "choose", {})
    assert found.status == "no_answer"


def test_phrases_of_the_items_language_are_known() -> None:
    assert outcome(scored(generation("Vastaus: B, ei A", lang="fi")))[:2] == ("correct", "B")


@pytest.mark.parametrize("fields", [{"finish": "length"}, {"flags": ["unclosed thinking"]}])
def test_response_that_was_cut_off_has_no_letter_in_strict(fields: dict[str, object]) -> None:
    found = scored(generation("Answer: B", **fields))
    assert outcome(found) == ("truncated", None, [])


def test_letter_in_thinking_that_never_closed_counts_for_the_paper_alone() -> None:
    raw = "<think>Final Answer: B? let me"
    item = generation("", raw=raw, thinking=raw, flags=["unclosed thinking"], finish="length")
    assert outcome(scored(item)) == ("truncated", None, [])
    assert outcome(scored(item, "letter-paper"))[:2] == ("correct", "B")


def test_letter_in_thinking_is_never_read() -> None:
    item = generation("I cannot say.", thinking="Answer: B", raw="<think>Answer: B</think>I cannot")
    assert scored(item).status == "no_answer"
    assert scored(item, "letter-paper").extracted != "B"


def test_yes_and_no_are_read_in_the_items_language() -> None:
    found = scored(generation("হ্যাঁ, দ্বিতীয় ধাপে", lang="bn"), task="detect", options=None)
    assert outcome(found) == ("correct", "YES", ["stated"])


def test_verdicts_come_as_the_generations_do() -> None:
    asked = []

    def generations() -> Iterator[Generation]:
        for sample in range(3):
            asked.append(sample)
            yield generation("Answer: B", sample=sample)

    stream = by_letters(generations(), {("mathmist-0001", "en"): "B"}, "letter-strict", "choose")
    assert next(stream).sample == 0
    assert asked == [0]


def test_options_by_item_and_language() -> None:
    item = ChoiceItem(
        id="mathmist-0001", lang="bn", question="q", options=["1", "2", "3", "4"], key="C",
        sources=[], provenance={},
    )  # fmt: skip
    assert options_of([item]) == {("mathmist-0001", "bn"): ("1", "2", "3", "4")}
