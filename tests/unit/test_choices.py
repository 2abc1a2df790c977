"""Multiple-choice items: what a distractor may be, how three are drawn, alike in all languages."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.candidates import (
    Candidate,
    Kind,
    concept,
    near_misses,
    number_of,
    slips,
    written,
)
from babelmath.choice_checks import bare
from babelmath.choices import build_choices, draw, refusal
from babelmath.config import Choices, Equivalence, Role
from babelmath.distractors import propose
from babelmath.languages import Language
from babelmath.records import ChoiceItem, Construction, Problem, Proposal
from babelmath.scoring.equivalence import Comparer
from stand_ins import LANGUAGES, PROMPTS, SAMPLING, UNTIMED, Replies, problem

MIXTURE: dict[Any, float] = {"calc": 0.4, "concept": 0.3, "plaus": 0.3}
GOLDS = ("$6$", "$0.5$", "$\\frac{3}{4}$", "$x^2-3x-10$", "$40$")


@pytest.fixture(scope="module")
def comparer() -> Iterator[Comparer]:
    with Comparer(Equivalence(timeout_s=60)) as one:
        yield one


def settings(**fields: Any) -> Choices:
    values = {"model": Role(model="m", sampling=SAMPLING), "mixture": MIXTURE, "tau": 0.001}
    return Choices.model_validate(values | fields)


def proposal(text: str = "$7000$", number: int = 1) -> Proposal:
    return Proposal(id=f"mathmist-{number:04d}", lang="en", text=text, journal="key")


def build(
    comparer: Comparer,
    *problems: Problem,
    others: dict[str, dict[str, Problem]] | None = None,
    proposed: str = "$7000$",
    seed: int = 42,
    languages: dict[str, Language] | None = None,
    **fields: Any,
) -> tuple[list[ChoiceItem], list[Construction]]:
    proposals = {
        one.id: Proposal(id=one.id, lang="en", text=proposed, journal="key") for one in problems
    }
    how = settings(**fields)
    return build_choices(problems, others or {}, proposals, how, comparer, seed, languages)


def texts(candidates: list[Candidate]) -> dict[str, str]:
    return {one.how: one.text for one in candidates}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("6", Fraction(6)),
        (" -12 ", Fraction(-12)),
        ("0.5", Fraction(1, 2)),
        ("1/2", Fraction(1, 2)),
        ("\\frac{3}{4}", Fraction(3, 4)),
        ("-\\dfrac{3}{4}", Fraction(-3, 4)),
        ("\\frac{1}{0}", None),
        ("1/0", None),
        ("x", None),
        ("2\\sqrt{3}", None),
        ("1e999999999", None),  # as a number it would fill the memory
        ("", None),
    ],
)
def test_number_of_a_plain_answer(text: str, value: Fraction | None) -> None:
    assert number_of(text) == value


@pytest.mark.parametrize(
    ("value", "as_fraction", "text"),
    [
        (Fraction(6), False, "6"),
        (Fraction(6), True, "6"),
        (Fraction(-13, 2), False, "-6.5"),
        (Fraction(-13, 2), True, "-\\frac{13}{2}"),
        (Fraction(3, 40), False, "0.075"),
        (Fraction(1, 3), False, "\\frac{1}{3}"),
    ],
)
def test_value_is_written_like_the_answer(value: Fraction, as_fraction: bool, text: str) -> None:
    assert written(value, as_fraction) == text


def test_calculation_slips_of_a_number() -> None:
    assert texts(slips("5")) == {"A+1": "6", "A-1": "4", "-A": "-5", "10A": "50", "A/10": "0.5"}


def test_calculation_slips_of_a_fraction_are_fractions() -> None:
    assert texts(slips("\\frac{3}{4}")) == {
        "A+1": "\\frac{7}{4}",
        "A-1": "-\\frac{1}{4}",
        "-A": "-\\frac{3}{4}",
        "10A": "\\frac{15}{2}",
        "A/10": "\\frac{3}{40}",
    }


def test_calculation_slips_of_a_slash_have_slashes() -> None:
    assert texts(slips("3/2")) == {
        "A+1": "5/2",
        "A-1": "1/2",
        "-A": "-3/2",
        "10A": "15",
        "A/10": "3/20",
    }


def test_slips_and_near_misses_of_a_named_value_keep_its_name() -> None:
    assert texts(slips("x=5"))["10A"] == "x=50"
    assert texts(near_misses("x = 5/2"))["A+2"] == "x = 9/2"


def test_named_value_lies_further_than_tau_from_the_answer(comparer: Comparer) -> None:
    assert refusal("x=5.0001", "x=5", [], 0.001, comparer) == "within 0.001 of the answer"
    assert refusal("x=6", "x=5", [], 0.001, comparer) is None


def test_calculation_slips_of_an_expression() -> None:
    assert [one.text for one in slips("x^2-3x-10")] == [
        "x^2+3x-10",
        "x^2-3x+10",
        "-(x^2-3x-10)",
        "10(x^2-3x-10)",
    ]


def test_near_misses_of_a_number() -> None:
    assert texts(near_misses("5")) == {"A+2": "7", "A-2": "3"}
    assert texts(near_misses("48"))["rounded"] == "50"
    assert texts(near_misses("3.7"))["rounded"] == "4"


def test_near_misses_of_an_expression_change_one_number() -> None:
    assert [one.text for one in near_misses("x^2-3x")] == ["x^3-3x", "x^2-4x"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$12$", "12"),
        ("It is $12$, not $13$.", "12"),
        ("12\nbecause", "12"),
        (" 12 ", "12"),
        ("", ""),
    ],
)
def test_concept_error_is_the_replys_first_mathematics(text: str, value: str) -> None:
    assert concept(proposal(text)) == Candidate("concept", "wrong formula", value)


def test_another_value_is_no_refusal(comparer: Comparer) -> None:
    assert refusal("7", "6", [], 0.001, comparer) is None


@pytest.mark.parametrize(
    ("text", "gold"),
    [
        ("0.5", "\\frac{1}{2}"),
        ("1/2", "0.5"),
        ("\\frac{2}{4}", "0.5"),
        ("6.0", "6"),
        ("(x+2)(x-5)", "x^2-3x-10"),
        ("6", "6"),
    ],
)
def test_distractor_is_mathematically_different_from_the_answer(
    text: str, gold: str, comparer: Comparer
) -> None:
    assert refusal(text, gold, [], 0.0, comparer) == "equals the answer"


@pytest.mark.parametrize("text", ["7", "7.0", "\\frac{14}{2}"])
def test_distractors_are_pairwise_different(text: str, comparer: Comparer) -> None:
    assert refusal(text, "6", ["5", "7"], 0.001, comparer) == "equals another distractor"


@pytest.mark.parametrize(
    ("text", "tau", "far"),
    [("6.1", 0.1, False), ("6.1", 0.09, True), ("5.9", 0.1, False), ("7", 1, False)],
)
def test_distractor_lies_further_than_tau_from_the_answer(
    text: str, tau: float, far: bool, comparer: Comparer
) -> None:
    reason = refusal(text, "6", [], tau, comparer)
    assert reason == (None if far else f"within {tau} of the answer")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty or too long"),
        ("1+" * 30 + "1", "empty or too long"),
        ("\\text{}", "no mathematics"),
        ("x", "no number, though the answer is one"),
        ("\\sqrt{2}", "no number, though the answer is one"),
    ],
)
def test_text_that_cannot_stand_beside_the_answer_is_refused(
    text: str, reason: str, comparer: Comparer
) -> None:
    assert refusal(text, "6", [], 0.001, comparer) == reason


def test_text_that_cannot_be_compared_is_refused(comparer: Comparer) -> None:
    reason = refusal("\\sin(10^{10^{10}})", "6", [], 0.001, comparer)
    assert reason is not None and reason.startswith("not comparable: ")


def candidates(kind: Kind, count: int) -> list[Candidate]:
    return [Candidate(kind, f"{kind}{number}", f"{kind}{number}") for number in range(count)]


POOL: dict[Kind, list[Candidate]] = {
    "calc": candidates("calc", 5),
    "concept": candidates("concept", 1),
    "plaus": candidates("plaus", 3),
}


@pytest.mark.parametrize("kind", ["calc", "concept", "plaus"])
def test_kind_of_weight_nought_is_never_drawn(kind: Kind) -> None:
    mixture: dict[Kind, float] = {"calc": 0.5, "concept": 0.5, "plaus": 0.5, kind: 0.0}
    for seed in range(200):
        assert all(one.kind != kind for one in draw(POOL, mixture, random.Random(seed)))


def test_kind_that_the_mixture_does_not_name_is_never_drawn() -> None:
    for seed in range(50):
        assert {one.kind for one in draw(POOL, {"plaus": 1.0}, random.Random(seed))} == {"plaus"}


def test_nothing_is_drawn_twice() -> None:
    for seed in range(200):
        drawn = draw(POOL, MIXTURE, random.Random(seed))
        assert len({one.text for one in drawn}) == len(drawn) == 3


def test_kind_that_has_run_out_leaves_its_weight_to_the_others() -> None:
    mixture: dict[Kind, float] = {"calc": 0.01, "concept": 0.99, "plaus": 0.0}
    kinds = Counter(one.kind for one in draw(POOL, mixture, random.Random(1)))
    assert kinds == {"concept": 1, "calc": 2}


def test_draws_follow_the_weights() -> None:
    many: dict[Kind, list[Candidate]] = {"calc": POOL["calc"], "plaus": candidates("plaus", 5)}
    mixture: dict[Kind, float] = {"calc": 0.9, "plaus": 0.1}
    first = Counter(draw(many, mixture, random.Random(seed))[0].kind for seed in range(1000))
    assert 850 < first["calc"] < 950  # seeded: the same 1,000 draws at every run


def test_all_that_is_left_is_drawn_where_three_are_not() -> None:
    few: dict[Kind, list[Candidate]] = {"calc": candidates("calc", 2), "concept": [], "plaus": []}
    assert len(draw(few, MIXTURE, random.Random(1))) == 2


@pytest.mark.parametrize("gold", GOLDS)
def test_item_has_four_options_and_one_key(gold: str, comparer: Comparer) -> None:
    (item,), _ = build(comparer, problem(answer=gold))
    assert len(set(item.options)) == 4
    assert item.options["ABCD".index(item.key)] == gold
    assert item.sources["ABCD".index(item.key)] == "answer"
    assert item.sources.count("answer") == 1


@pytest.mark.parametrize("gold", GOLDS)
def test_options_of_an_item_are_pairwise_different_mathematics(
    gold: str, comparer: Comparer
) -> None:
    (item,), _ = build(comparer, problem(answer=gold))
    options = [bare(option) for option in item.options]
    for number, one in enumerate(options):
        for other in options[number + 1 :]:
            assert not comparer.compare(one, other, True).equal


def test_every_option_is_written_as_mathematics(comparer: Comparer) -> None:
    (item,), _ = build(comparer, problem(answer="6"))
    assert all(option.startswith("$") and option.endswith("$") for option in item.options)


def test_same_options_and_key_in_both_languages(comparer: Comparer) -> None:
    bangla = problem(lang="bn", question="$2+3$ কত?", answer="$৫$")
    (one, two), _ = build(comparer, problem(), others={"bn": {bangla.id: bangla}})
    assert (one.lang, two.lang) == ("en", "bn")
    assert (one.options, one.key, one.sources) == (two.options, two.key, two.sources)
    assert two.question == "$2+3$ কত?"


def test_key_is_the_exact_answer_as_every_language_writes_it(comparer: Comparer) -> None:
    bangla = {"bn": {"mathmist-0001": problem(lang="bn", answer="$২.৫$")}}
    items, _ = build(comparer, problem(answer="$2.5$"), others=bangla, languages=LANGUAGES)
    assert [item.lang for item in items] == ["en", "bn"]


def test_languages_whose_exact_answers_differ_get_no_item(comparer: Comparer) -> None:
    bangla = {"bn": {"mathmist-0001": problem(lang="bn", answer="$৬$")}}
    items, (made,) = build(comparer, problem(), others=bangla, languages=LANGUAGES)
    assert items == []
    assert (made.outcome, made.reason) == ("unresolved", "the key is not the exact answer (bn)")
    assert made.detail["key"] in "ABCD"


def test_language_that_lacks_the_problem_gets_no_item(comparer: Comparer) -> None:
    items, _ = build(comparer, problem(1), others={"bn": {"mathmist-0002": problem(2, "bn")}})
    assert [item.lang for item in items] == ["en"]


def test_proofs_get_no_item_and_no_construction(comparer: Comparer) -> None:
    assert build(comparer, problem(kind="proof")) == ([], [])


def test_too_few_distractors_leave_the_problem_unresolved_and_without_an_item(
    comparer: Comparer,
) -> None:
    items, (made,) = build(comparer, problem(), mixture={"calc": 0, "concept": 1, "plaus": 0})
    assert items == []
    assert (made.outcome, made.reason) == ("unresolved", "only 1 verified distractors")


def test_answer_in_words_is_unresolved(comparer: Comparer) -> None:
    items, (made,) = build(comparer, problem(answer="Dhaka"), proposed="")
    assert items == []
    assert made.outcome == "unresolved"


def test_every_candidate_is_listed_with_why_it_was_refused(comparer: Comparer) -> None:
    _, (made,) = build(comparer, problem(answer="$0$"), proposed="$1.0$")
    reasons = {step["how"]: step["refused"] for step in made.history if "how" in step}
    assert reasons == {
        "A+1": None,
        "A-1": None,
        "-A": "equals the answer",
        "10A": "equals the answer",
        "A/10": "equals the answer",
        "A+2": None,
        "A-2": None,
        "wrong formula": "equals another distractor",
    }


def test_kind_of_weight_nought_takes_no_value_from_the_others(comparer: Comparer) -> None:
    mixture = {"calc": 0, "concept": 0.5, "plaus": 0.5}
    (item,), _ = build(comparer, problem(answer="$30$"), proposed="$31$", mixture=mixture)
    assert sorted(item.options) == ["$28$", "$30$", "$31$", "$32$"]


def test_proposal_is_found_again_in_the_journal(comparer: Comparer) -> None:
    _, (made,) = build(comparer, problem())
    assert made.history[-1] == {"kind": "concept", "journal": "key"}


def test_construction_holds_answer_options_and_key(comparer: Comparer) -> None:
    (item,), (made,) = build(comparer, problem())
    assert made.outcome == "accepted"
    assert made.detail == {
        "answer": "5",
        "options": [bare(option) for option in item.options],
        "key": item.key,
    }


def test_same_seed_makes_the_same_items(comparer: Comparer) -> None:
    assert build(comparer, problem()) == build(comparer, problem())


def test_other_seeds_move_the_key(comparer: Comparer) -> None:
    keys = {build(comparer, problem(), seed=seed)[0][0].key for seed in range(12)}
    assert len(keys) > 1


def test_choices_of_a_problem_do_not_depend_on_its_neighbours(comparer: Comparer) -> None:
    alone, _ = build(comparer, problem(2))
    beside, _ = build(comparer, problem(1), problem(2))
    assert beside[1] == alone[0]


@UNTIMED
@given(st.fractions(min_value=-1000, max_value=1000, max_denominator=1000))
def test_slips_and_near_misses_never_write_the_answer_itself(value: Fraction) -> None:
    gold = written(value, True)
    for one in [*slips(gold), *near_misses(gold)]:
        found = number_of(one.text)
        assert found is not None
        if value and one.how != "rounded":
            assert found != value


def test_one_proposal_is_asked_for_each_problem_that_is_no_proof() -> None:
    models = Replies("$7$", "$8$")
    problems = [problem(1), problem(2, kind="proof"), problem(3, kind="symbolic")]
    found = propose(problems, settings(), models, PROMPTS, 42)  # type: ignore[arg-type]
    assert [(one.id, one.text, one.journal) for one in found] == [
        ("mathmist-0001", "$7$", "key1"),
        ("mathmist-0003", "$8$", "key2"),
    ]


def test_proposer_sees_question_and_answer() -> None:
    models = Replies("$7$")
    propose([problem()], settings(), models, PROMPTS, 42)  # type: ignore[arg-type]
    text = models.asked[0].messages[-1][1]
    assert "What is $2+3$?" in text and "$5$" in text
