"""Verdicts: a status with its reasons for every generation, by rule, by letter and by a judge."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import pytest

from babelmath.asking import Models
from babelmath.config import Equivalence, Judge
from babelmath.engines import Response
from babelmath.judging import by_judge, errors_text, gold_errors
from babelmath.records import ChoiceItem, Generation, Status, Verdict
from babelmath.scoring.by_letters import by_letters
from babelmath.scoring.by_rules import by_rules
from babelmath.scoring.equivalence import Comparer, Comparison
from babelmath.verdicts import gold_answers, gold_letters
from stand_ins import LANGUAGES, PROMPTS, SAMPLING, Replies, generation, perturbed, problem

KEY = ("mathmist-0001", "en")


@pytest.fixture(scope="module")
def comparer() -> Iterator[Comparer]:
    with Comparer(Equivalence(timeout_s=60)) as one:
        yield one


class Failing(Comparer):
    """A comparer whose every comparison hits its limit."""

    def __init__(self) -> None:
        super().__init__(Equivalence())

    def compare(self, gold: str, answer: str, precise: bool) -> Comparison:
        return Comparison(failed="timeout")


def by_rule(
    item: Generation, comparer: Comparer, scorer: str = "rules-strict", gold: str = "$5$"
) -> Verdict:
    (verdict,) = by_rules([item], {(item.id, item.lang): gold}, scorer, LANGUAGES, comparer)
    return verdict


def by_letter(item: Generation, scorer: str, task: str = "choose", gold: str = "B") -> Verdict:
    (verdict,) = by_letters([item], {(item.id, item.lang): gold}, scorer, task)
    return verdict


def judged(
    items: list[Generation], replies: Replies, task: str = "solve"
) -> tuple[list[Verdict], Replies]:
    flawed = [perturbed()]
    models: Models = replies  # type: ignore[assignment]
    verdicts = by_judge(
        items,
        {KEY: "$5$"} if task == "solve" else gold_errors(flawed),
        flawed,
        [problem()],
        task,
        "stern",
        Judge(model="m", sampling=SAMPLING),
        models,
        PROMPTS,
        42,
        "judge",
    )
    return verdicts, replies


def judge_one(item: Generation, reply: str | Response, task: str = "solve") -> Verdict:
    verdicts, _ = judged([item], Replies(reply), task)
    return verdicts[0]


@pytest.mark.parametrize("scorer", ["rules-paper", "rules-strict"])
def test_right_answer_is_correct(scorer: str, comparer: Comparer) -> None:
    assert by_rule(generation("$\\boxed{5}$"), comparer, scorer).status == "correct"


@pytest.mark.parametrize("scorer", ["rules-paper", "rules-strict"])
def test_other_answer_is_wrong(scorer: str, comparer: Comparer) -> None:
    assert by_rule(generation("$\\boxed{6}$"), comparer, scorer).status == "wrong"


@pytest.mark.parametrize("scorer", ["rules-paper", "rules-strict"])
def test_blocked_generation_is_blocked(scorer: str, comparer: Comparer) -> None:
    item = generation("\\boxed{5}", finish="blocked")
    assert by_rule(item, comparer, scorer).status == "blocked"


@pytest.mark.parametrize("scorer", ["rules-paper", "rules-strict"])
@pytest.mark.parametrize("answer", ["", " \n", "I do not know.", "\\boxed{}"])
def test_generation_without_an_answer_is_no_answer(
    scorer: str, answer: str, comparer: Comparer
) -> None:
    assert by_rule(generation(answer), comparer, scorer).status == "no_answer"


@pytest.mark.parametrize("scorer", ["rules-paper", "rules-strict"])
def test_refused_request_is_no_answer(scorer: str, comparer: Comparer) -> None:
    assert by_rule(generation("", finish="error"), comparer, scorer).status == "no_answer"


@pytest.mark.parametrize("scorer", ["rules-paper", "rules-strict"])
def test_gold_without_mathematics_is_unparsed_gold(scorer: str, comparer: Comparer) -> None:
    verdict = by_rule(generation("\\boxed{5}"), comparer, scorer, gold="\\text{}")
    assert verdict.status == "unparsed_gold"


@pytest.mark.parametrize("scorer", ["rules-paper", "rules-strict"])
def test_comparison_that_hits_its_limit_is_timeout(scorer: str) -> None:
    assert by_rule(generation("\\boxed{5}"), Failing(), scorer).status == "timeout"


def test_cut_off_generation_is_truncated_under_strict_rules(comparer: Comparer) -> None:
    item = generation("So $\\boxed{5}$ and", finish="length")
    assert by_rule(item, comparer).status == "truncated"


def test_unclosed_thinking_is_truncated_under_strict_rules(comparer: Comparer) -> None:
    item = generation("", raw="<think>\\boxed{5}", flags=["unclosed thinking"])
    assert by_rule(item, comparer).status == "truncated"


@pytest.mark.parametrize("scorer", ["rules-paper", "rules-strict"])
def test_cut_off_generation_without_text_is_truncated(scorer: str, comparer: Comparer) -> None:
    assert by_rule(generation("", finish="length"), comparer, scorer).status == "truncated"


def test_paper_rule_takes_what_a_cut_off_generation_has(comparer: Comparer) -> None:
    item = generation("So $\\boxed{5}$ and", finish="length")
    assert by_rule(item, comparer, "rules-paper").status == "correct"


def test_strict_rule_looks_at_the_answer_part_only(comparer: Comparer) -> None:
    item = generation("It is \\boxed{5}", thinking="\\boxed{6}", raw="\\boxed{6}</think>It is")
    assert by_rule(item, comparer).status == "correct"


def test_paper_rule_looks_at_the_whole_response(comparer: Comparer) -> None:
    item = generation("It is as above.", thinking="\\boxed{5}", raw="\\boxed{5}</think>It is 6")
    assert by_rule(item, comparer, "rules-paper").status == "correct"


def test_strict_rule_reads_numbers_as_the_items_language_writes_them(comparer: Comparer) -> None:
    item = generation("\\boxed{3,5}", lang="fr")
    assert by_rule(item, comparer, gold="3,5").status == "correct"
    assert by_rule(item, comparer, gold="$\\frac{7}{2}$").status == "correct"
    assert by_rule(generation("\\boxed{৩.৫}", lang="bn"), comparer, gold="3.5").correct


def test_paper_rule_does_not_read_native_digits(comparer: Comparer) -> None:
    item = generation("উত্তর ৫", lang="bn")
    assert by_rule(item, comparer, "rules-paper").status == "no_answer"


def test_verdict_records_how_the_answer_was_found_and_every_rewrite(comparer: Comparer) -> None:
    verdict = by_rule(generation("$\\boxed{৫।}$", lang="bn"), comparer)
    assert verdict.extracted == "5"
    assert verdict.gold == "$5$"
    assert verdict.rewrites == ["found by box", "native digits", "end mark"]


def test_verdict_names_its_generation(comparer: Comparer) -> None:
    verdict = by_rule(generation("\\boxed{5}", sample=3, model="other"), comparer)
    assert verdict.identity == ("mathmist-0001", "en", 3, "rules-strict")
    assert verdict.provenance == {"model": "other", "generation": "key"}


def test_every_generation_gets_a_verdict_in_order(comparer: Comparer) -> None:
    texts = ("\\boxed{5}", "", "6")
    items = [generation(text, sample=number) for number, text in enumerate(texts)]
    found = by_rules(items, {KEY: "5"}, "rules-strict", LANGUAGES, comparer)
    assert [(one.sample, one.status) for one in found] == [
        (0, "correct"),
        (1, "no_answer"),
        (2, "wrong"),
    ]


@pytest.mark.parametrize(
    ("answer", "status"), [("Answer: B", "correct"), ("Answer: C", "wrong"), ("12", "no_answer")]
)
@pytest.mark.parametrize("scorer", ["letter-paper", "letter-strict"])
def test_chosen_letter_against_the_key(scorer: str, answer: str, status: str) -> None:
    assert by_letter(generation(answer), scorer).status == status


def test_article_misleads_the_paper_rule_alone() -> None:
    item = generation("A prime has two divisors. Answer: B")
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


def test_cut_off_choice_with_a_letter_counts() -> None:
    item = generation("Answer: B, since", finish="length")
    assert by_letter(item, "letter-strict").status == "correct"


@pytest.mark.parametrize("scorer", ["letter-paper", "letter-strict"])
def test_blocked_choice_is_blocked(scorer: str) -> None:
    assert by_letter(generation("B", finish="blocked"), scorer).status == "blocked"


def test_chosen_letter_is_recorded() -> None:
    verdict = by_letter(generation("Answer: C"), "letter-strict")
    assert (verdict.extracted, verdict.gold) == ("C", "B")


@pytest.mark.parametrize(
    ("reply", "status"),
    [("DECISION: YES", "correct"), ("DECISION: NO", "wrong"), ("I cannot tell.", "unresolved")],
)
def test_judges_decision(reply: str, status: str) -> None:
    assert judge_one(generation("It is 5"), reply).status == status


def test_unresolved_never_counts_as_correct() -> None:
    verdict = judge_one(generation("It is 5"), "Yes, equal, but I give no decision line.")
    assert (verdict.status, verdict.correct) == ("unresolved", False)


def test_empty_judges_reply_is_unresolved() -> None:
    assert judge_one(generation("It is 5"), "").status == "unresolved"


def test_cut_off_generation_that_a_judge_refuses_is_truncated() -> None:
    item = generation("It is", finish="length")
    assert judge_one(item, "DECISION: NO").status == "truncated"


def test_cut_off_generation_that_a_judge_accepts_is_correct() -> None:
    item = generation("It is 5, since", finish="length")
    assert judge_one(item, "DECISION: YES").status == "correct"


@pytest.mark.parametrize(("word", "status"), [("TP", "correct"), ("FP", "wrong"), ("FN", "wrong")])
def test_judges_decision_on_an_identification(word: str, status: str) -> None:
    assert judge_one(generation("Step 1"), f"DECISION: {word}", "identify").status == status


def test_word_of_another_judging_is_unresolved() -> None:
    assert judge_one(generation("Step 1"), "DECISION: YES", "identify").status == "unresolved"


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"finish": "blocked"}, "blocked"),
        ({"finish": "length"}, "truncated"),
        ({"finish": "stop"}, "no_answer"),
    ],
)
def test_judge_is_not_asked_about_nothing(fields: dict[str, Any], status: str) -> None:
    verdicts, replies = judged([generation("", **fields)], Replies())
    assert replies.asked == []
    assert (verdicts[0].status, verdicts[0].judge) == (status, None)


def test_judge_is_asked_about_the_answer_part_alone() -> None:
    item = generation("It is 5.", thinking="secret", raw="<think>secret</think>It is 5.")
    _, replies = judged([item], Replies("DECISION: YES"))
    text = " ".join(content for _, content in replies.asked[0].messages)
    assert "It is 5." in text and "$5$" in text
    assert "secret" not in text


def test_judge_of_an_identification_sees_the_true_errors() -> None:
    _, replies = judged([generation("Step 1 is off")], Replies("DECISION: TP"), "identify")
    text = replies.asked[0].messages[-1][1]
    assert "- step 1, incorrect rule: We multiply" in text
    assert "Step 1 is off" in text and "What is $2+3$?" in text


def test_judge_is_asked_with_its_own_sampling() -> None:
    _, replies = judged([generation("5")], Replies("DECISION: YES"))
    (asked,) = replies.asked
    assert (asked.temperature, asked.max_tokens) == (0.0, 8)
    assert replies.names == ["m"]


def test_samples_are_judged_with_seeds_of_their_own() -> None:
    items = [generation("5", sample=0), generation("5", sample=1)]
    _, replies = judged(items, Replies("DECISION: YES", "DECISION: NO"))
    first, second = replies.asked
    assert first.seed != second.seed


def test_each_generation_gets_its_own_reply() -> None:
    items = [generation("5", sample=0), generation("", sample=1), generation("6", sample=2)]
    verdicts, _ = judged(items, Replies("DECISION: YES", "DECISION: NO"))
    assert [one.status for one in verdicts] == ["correct", "no_answer", "wrong"]


def test_judges_reply_is_kept_word_by_word() -> None:
    reply = "Same value.\nCONFIDENCE: 0.9\nDECISION: YES"
    verdict = judge_one(generation("It is 5"), reply)
    assert verdict.scorer == "judge-stern"
    assert verdict.judge == {
        "decision": "YES",
        "confidence": 0.9,
        "reason": "Same value.\nCONFIDENCE: 0.9",
        "raw": reply,
        "journal": "key1",
    }


def statuses(comparer: Comparer) -> list[Verdict]:
    return [
        by_rule(generation("\\boxed{5}"), comparer),
        by_rule(generation("\\boxed{6}"), comparer),
        by_rule(generation("\\boxed{5}", finish="length"), comparer),
        by_rule(generation("\\boxed{5}", finish="blocked"), comparer),
        by_rule(generation(""), comparer),
        by_rule(generation("\\boxed{5}"), comparer, gold="\\text{}"),
        by_rule(generation("\\boxed{5}"), Failing()),
        judge_one(generation("\\boxed{5}"), "equal"),
    ]


def test_each_of_the_eight_statuses_is_reached(comparer: Comparer) -> None:
    assert [one.status for one in statuses(comparer)] == list(get_args(Status))


def test_correct_is_true_with_status_correct_alone(comparer: Comparer) -> None:
    assert [one.status for one in statuses(comparer) if one.correct] == ["correct"]


@pytest.mark.parametrize("text", ["\\boxed{5}", "The answer is 5.", "5", ""])
@pytest.mark.parametrize("cut", [{"finish": "length"}, {"flags": ["unclosed thinking"]}])
def test_truncated_is_never_correct_under_strict_rules(
    text: str, cut: dict[str, Any], comparer: Comparer
) -> None:
    assert by_rule(generation(text, **cut), comparer).status == "truncated"


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


def test_golds_of_identification_are_the_errors_of_strategy_3() -> None:
    both = [perturbed(1), perturbed(1, strategy=1)]
    assert gold_errors(both) == {KEY: "- step 1, incorrect rule: We multiply"}


def test_errors_stand_one_a_line() -> None:
    errors = [
        {"type": "step_omission", "step": 2, "text": "so $x=1$"},
        {"type": "logical_fallacy", "step": 3, "text": "hence"},
    ]
    assert errors_text(perturbed(errors=errors)) == (
        "- step 2, step omission: so $x=1$\n- step 3, logical fallacy: hence"
    )
