"""Responses made up for the measurements: seeded, half right, and scored as they were meant."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from babelmath.config import Equivalence
from babelmath.records import Verdict
from babelmath.scoring.by_rules import by_rules
from babelmath.scoring.equivalence import Comparer
from bench.responses import LANGUAGES as ASKED
from bench.responses import Made, exact_answers, responses
from stand_ins import LANGUAGES, generation

SEED = 7


@pytest.fixture(scope="module")
def comparer() -> Iterator[Comparer]:
    with Comparer(Equivalence(timeout_s=60)) as one:
        yield one


def scored(made: list[Made], exact: dict[str, str], comparer: Comparer) -> Iterator[Verdict]:
    gold = {(one.id, one.lang): exact[one.id] for one in made}
    items = [generation(one.text, id=one.id, lang=one.lang, sample=one.sample) for one in made]
    return by_rules(items, gold, "rules-strict", LANGUAGES, comparer, western=True)


def test_there_are_as_many_as_a_run_of_mmath_has_and_half_are_right() -> None:
    exact, _ = exact_answers(SEED)
    made = list(responses(exact, SEED))
    assert len(made) == 374 * 10 * 4
    assert len({(one.id, one.lang, one.sample) for one in made}) == len(made)
    assert {one.lang for one in made} == set(ASKED)
    assert 0.48 < sum(one.right for one in made) / len(made) < 0.52
    assert 0.85 < sum(one.plain for one in made) / len(made) < 0.95
    assert made == sorted(made, key=lambda one: (one.id, one.lang, one.sample))


def test_a_seed_makes_the_same_responses() -> None:
    exact, _ = exact_answers(SEED)
    first, again, other = (list(responses(exact, seed, 1)) for seed in (SEED, SEED, SEED + 1))
    assert first == again != other


def test_verdicts_are_as_the_responses_were_meant_in_every_notation(comparer: Comparer) -> None:
    """Of the released exact answers where they are at hand, in ten languages."""
    exact, _ = exact_answers(SEED)
    made = list(responses(exact, SEED, 2))
    found = scored(made, exact, comparer)
    wrong = [(exact[one.id], one.value) for one, verdict in zip(made, found, strict=True)
             if verdict.correct is not one.right]  # fmt: skip
    assert wrong == []


def test_numbers_that_no_computer_holds_change_no_other_verdict(comparer: Comparer) -> None:
    exact, _ = exact_answers(SEED)
    made = list(responses(exact, SEED, 1, towers=0.02))
    found = list(scored(made, exact, comparer))
    assert all(one.correct is two.right for one, two in zip(found, made, strict=True))
    assert {one.status for one in found} <= {"correct", "wrong", "timeout"}
