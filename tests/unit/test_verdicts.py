"""Verdicts: a status with its reasons for every generation by letter, and the truths."""

from __future__ import annotations

import pytest

from babelmath.records import ChoiceItem, Generation, Verdict
from babelmath.scoring.by_letters import by_letters
from babelmath.verdicts import gold_answers, gold_letters
from stand_ins import generation, problem


def by_letter(item: Generation, scorer: str, task: str = "choose", gold: str = "B") -> Verdict:
    (verdict,) = by_letters([item], {(item.id, item.lang): gold}, scorer, task)
    return verdict


@pytest.mark.parametrize(
    ("answer", "status"), [("Answer: B", "correct"), ("Answer: C", "wrong"), ("12", "no_answer")]
)
@pytest.mark.parametrize("scorer", ["letter-paper", "letter-strict"])
def test_chosen_letter_against_the_key(scorer: str, answer: str, status: str) -> None:
    assert by_letter(generation(answer), scorer).status == status


def test_article_misleads_the_paper_rule_alone() -> None:
    item = generation("I take B, a prime.")
    assert by_letter(item, "letter-paper").status == "wrong"
    assert by_letter(item, "letter-strict").status == "correct"


@pytest.mark.parametrize(
    ("answer", "status"), [("YES", "correct"), ("NO", "wrong"), ("Perhaps", "no_answer")]
)
@pytest.mark.parametrize("scorer", ["letter-paper", "letter-strict"])
def test_truth_of_error_detection_is_always_yes(scorer: str, answer: str, status: str) -> None:
    verdict = by_letter(generation(answer), scorer, "detect", gold="ignored")
    assert (verdict.status, verdict.gold) == (status, "YES")


def test_cut_off_choice_without_a_letter_is_truncated() -> None:
    item = generation("Let us see", finish="length")
    assert by_letter(item, "letter-strict").status == "truncated"


def test_cut_off_choice_with_a_letter_counts_for_the_paper_alone() -> None:
    item = generation("Answer: B, since", finish="length")
    assert by_letter(item, "letter-strict").status == "truncated"
    assert by_letter(item, "letter-paper").status == "correct"


@pytest.mark.parametrize("scorer", ["letter-paper", "letter-strict"])
def test_blocked_choice_is_blocked(scorer: str) -> None:
    assert by_letter(generation("B", finish="blocked"), scorer).status == "blocked"


def test_chosen_letter_is_recorded() -> None:
    verdict = by_letter(generation("Answer: C"), "letter-strict")
    assert (verdict.extracted, verdict.gold) == ("C", "B")


def test_golds_are_the_exact_answers() -> None:
    both = [problem(1, answer="$5$"), problem(1, lang="bn", answer="$৫$")]
    assert gold_answers(both) == {
        ("mathmist-0001", "en"): "$5$",
        ("mathmist-0001", "bn"): "$৫$",
    }


def test_golds_of_choices_are_the_keys() -> None:
    item = ChoiceItem(
        id="mathmist-0001",
        lang="en",
        question="q",
        options=["1", "2", "3", "4"],
        key="C",
        sources=["A+1", "A-1", "answer", "-A"],
        provenance={},
    )
    assert gold_letters([item]) == {("mathmist-0001", "en"): "C"}
