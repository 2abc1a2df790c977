"""Verdicts by rule: a status with its reasons for every generation, in a stream."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.config import Equivalence
from babelmath.errors import InputError
from babelmath.records import Generation, Status, Verdict
from babelmath.scoring.by_rules import by_rules
from babelmath.scoring.equivalence import Comparer, Comparison
from stand_ins import LANGUAGES, UNTIMED, generation

KEY = ("mathmist-0001", "en")
STRICT = "rules-strict"


@pytest.fixture(scope="module")
def comparer() -> Iterator[Comparer]:
    with Comparer(Equivalence(timeout_s=60)) as one:
        yield one


class Deciding(Comparer):
    """A comparer that says the same of every pair, and counts the tasks that it has taken."""

    def __init__(self, comparison: Comparison) -> None:
        super().__init__(Equivalence())
        self.comparison, self.taken = comparison, 0

    def stream(
        self, tasks: Iterable[tuple[Any, tuple[str, ...], str]], precise: bool
    ) -> Iterator[tuple[Any, Comparison]]:
        for tag, _, _ in tasks:
            self.taken += 1
            yield tag, self.comparison


def by_rule(
    item: Generation, comparer: Comparer, scorer: str = STRICT, gold: str = "$5$", **fields: Any
) -> Verdict:
    golds = {(item.id, item.lang): gold}
    (verdict,) = by_rules([item], golds, scorer, LANGUAGES, comparer, **fields)
    return verdict


def decided(status: Status, item: Generation, judge: str = "judge-stern") -> Verdict:
    return Verdict(id=item.id, lang=item.lang, sample=item.sample, scorer=judge, status=status,
                   correct=status == "correct", extracted=None, gold="", rewrites=[],
                   judge={"decision": "YES"}, provenance={})  # fmt: skip


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
    assert (
        by_rule(generation("\\boxed{5}"), Deciding(Comparison(failed="timeout")), scorer).status
        == "timeout"
    )


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
    found = by_rules(items, {KEY: "5"}, STRICT, LANGUAGES, comparer)
    assert [(one.sample, one.status) for one in found] == [
        (0, "correct"),
        (1, "no_answer"),
        (2, "wrong"),
    ]


@pytest.mark.parametrize("text", ["\\boxed{5}", "The answer is 5.", "5", ""])
@pytest.mark.parametrize("cut", [{"finish": "length"}, {"flags": ["unclosed thinking"]}])
def test_truncated_is_never_correct_under_strict_rules(
    text: str, cut: dict[str, Any], comparer: Comparer
) -> None:
    assert by_rule(generation(text, **cut), comparer).status == "truncated"


def test_whatever_keeps_a_comparison_from_an_end_is_no_wrong_answer() -> None:
    for failed in ("timeout", "memory", "too large", "worker died"):
        comparer = Deciding(Comparison(gold_parsed=True, answer_parsed=True, failed=failed))
        assert by_rule(generation("\\boxed{5}"), comparer).status == "timeout"


def test_verdict_tells_what_the_comparison_set_aside() -> None:
    comparer = Deciding(Comparison(True, True, True, set_aside=("unit cm",)))
    verdict = by_rule(generation("\\boxed{5\\text{ cm}}"), comparer)
    assert verdict.rewrites[0] == "found by box"
    assert verdict.rewrites[-1] == "unit cm set aside"


def test_western_exact_answers_are_read_alike_in_every_language(comparer: Comparer) -> None:
    item = generation("\\boxed{1,234}", lang="fr")
    assert by_rule(item, comparer, gold="1.234", western=True).status == "correct"
    assert by_rule(item, comparer, gold="1,234", western=True).status == "wrong"
    assert by_rule(item, comparer, gold="1,234").status == "correct"


UNREADABLE = Deciding(Comparison(gold_parsed=False, answer_parsed=True))


@pytest.mark.parametrize("status", ["correct", "wrong", "unresolved"])
def test_judge_decides_where_the_exact_answer_is_unreadable(status: Status) -> None:
    item = generation("\\boxed{5}")
    verdict = by_rule(item, UNREADABLE, judged=[decided(status, item)])
    assert (verdict.status, verdict.judge) == (status, {"decision": "YES"})
    assert verdict.scorer == STRICT
    assert verdict.rewrites[-1] == "exact answer unreadable by rule: judged by stern"


def test_without_a_judge_an_unreadable_exact_answer_stays_so() -> None:
    verdict = by_rule(generation("\\boxed{5}"), UNREADABLE)
    assert (verdict.status, verdict.judge) == ("unparsed_gold", None)


@pytest.mark.parametrize(
    ("comparison", "status"),
    [
        (Comparison(equal=True), "correct"),
        (Comparison(gold_parsed=True), "wrong"),
        (Comparison(failed="too large"), "timeout"),
    ],
)
def test_judge_has_no_say_where_rules_decide(comparison: Comparison, status: str) -> None:
    item = generation("\\boxed{5}")
    verdict = by_rule(item, Deciding(comparison), judged=[decided("unresolved", item)])
    assert (verdict.status, verdict.judge) == (status, None)


@pytest.mark.parametrize(
    ("answer", "fields", "status"),
    [
        ("\\boxed{5}", {"finish": "length"}, "truncated"),
        ("\\boxed{5}", {"finish": "blocked"}, "blocked"),
        ("I do not know.", {}, "no_answer"),
    ],
)
def test_judge_has_no_say_where_there_is_no_answer(
    answer: str, fields: dict[str, Any], status: str
) -> None:
    item = generation(answer, **fields)
    verdict = by_rule(item, UNREADABLE, judged=[decided("correct", item)])
    assert (verdict.status, verdict.judge) == (status, None)


def test_judge_has_no_say_in_the_papers_rule() -> None:
    item = generation("\\boxed{5}")
    verdict = by_rule(item, UNREADABLE, "rules-paper", judged=[decided("correct", item)])
    assert (verdict.status, verdict.judge) == ("unparsed_gold", None)


def test_judges_verdict_of_another_generation_is_refused() -> None:
    with pytest.raises(InputError, match=r"'mathmist-0001', 'en', 1.*stands where"):
        by_rule(generation("5"), UNREADABLE, judged=[decided("wrong", generation("5", sample=1))])


@pytest.mark.parametrize("count", [0, 2])
def test_more_or_fewer_judges_verdicts_are_refused(count: int) -> None:
    item = generation("5")
    with pytest.raises(InputError, match="stands where"):
        by_rule(item, UNREADABLE, judged=[decided("wrong", item)] * count)


def test_few_generations_are_held_however_many_come() -> None:
    alive: weakref.WeakValueDictionary[int, Generation] = weakref.WeakValueDictionary()
    most = 0

    def coming() -> Iterator[Generation]:
        nonlocal most
        for number in range(300):
            alive[number] = one = generation("" if number % 3 else "\\boxed{5}", sample=number)
            most = max(most, len(alive))
            yield one

    comparer = Deciding(Comparison(equal=True))
    taken = 0
    for _ in by_rules(coming(), {KEY: "5"}, STRICT, LANGUAGES, comparer):
        taken += 1
        assert comparer.taken == taken
    assert (taken, most <= 4) == (300, True)


def test_a_real_comparer_takes_a_bounded_part_of_the_stream(comparer: Comparer) -> None:
    started = 0

    def coming() -> Iterator[Generation]:
        nonlocal started
        for number in range(20_000):
            started = number
            yield generation("" if number % 2 else f"\\boxed{{{number}}}", sample=number)

    next(by_rules(coming(), {KEY: "5"}, STRICT, LANGUAGES, comparer))
    assert started < 5_000


@UNTIMED
@given(texts=st.lists(st.sampled_from(["\\boxed{5}", "", "6", "\\boxed{5", "so"]), max_size=12))
def test_a_verdict_does_not_depend_on_the_others(texts: list[str], comparer: Comparer) -> None:
    alone = {text: by_rule(generation(text), comparer, gold="5").status for text in texts}
    items = [generation(text, sample=number) for number, text in enumerate(texts)]
    found = list(by_rules(items, {KEY: "5"}, STRICT, LANGUAGES, comparer))
    assert [(one.sample, one.status) for one in found] == [
        (number, alone[text]) for number, text in enumerate(texts)
    ]


def test_each_of_the_eight_statuses_is_reached(comparer: Comparer) -> None:
    five = generation("\\boxed{5}")
    found = [
        by_rule(five, comparer),
        by_rule(generation("\\boxed{6}"), comparer),
        by_rule(generation("\\boxed{5}", finish="length"), comparer),
        by_rule(generation("\\boxed{5}", finish="blocked"), comparer),
        by_rule(generation(""), comparer),
        by_rule(five, comparer, gold="\\text{}"),
        by_rule(five, Deciding(Comparison(failed="timeout"))),
        by_rule(five, UNREADABLE, judged=[decided("unresolved", five)]),
    ]
    assert [one.status for one in found] == list(get_args(Status))
    assert [one.status for one in found if one.correct] == ["correct"]
