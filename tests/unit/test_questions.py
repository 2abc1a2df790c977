"""What a setting asks: the same problems in every language, and the whole set or an error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.config import Asked
from babelmath.errors import InputError
from babelmath.questions import Material, Question, complete, options_text, questions
from babelmath.records import ChoiceItem, Generation
from stand_ins import SAMPLING, UNTIMED, generation, perturbed, problem

WANTED = ["mathmist-0001", "mathmist-0002"]


def setting(**fields: Any) -> Asked:
    values: dict[str, Any] = {
        "task": "solve",
        "prompt": "mathmist/zero-shot",
        "question_languages": ["bn", "en"],
        "sampling": SAMPLING,
    }
    return Asked.model_validate(values | fields)


def choice(number: int, lang: str) -> ChoiceItem:
    return ChoiceItem(
        id=f"mathmist-{number:04d}",
        lang=lang,
        question=f"Which, {lang}?",
        options=["$1$", "$2$", "$3$", "$4$"],
        key="A",
        sources=["answer", "A+1", "A+2", "10A"],
        provenance={},
    )


def both(*numbers: int, **fields: Any) -> dict[str, list[Any]]:
    return {lang: [problem(n, lang, **fields) for n in numbers] for lang in ("bn", "en")}


def identities(asked: list[Question]) -> list[tuple[str, str]]:
    return [(one.lang, one.id) for one in asked]


def responses(asked: list[Question], samples: int) -> list[Generation]:
    """What a file holds of these questions, in the order of its keys."""
    keys = sorted((one.id, one.lang) for one in asked)
    return [
        generation("5", id=identity, lang=lang, sample=sample)
        for identity, lang in keys
        for sample in range(samples)
    ]


def test_same_problems_in_every_language_in_the_populations_order() -> None:
    material = Material(WANTED[::-1], both(1, 2, 3))
    asked, lacking = questions(setting(), material)
    assert identities(asked) == [
        ("bn", "mathmist-0002"),
        ("bn", "mathmist-0001"),
        ("en", "mathmist-0002"),
        ("en", "mathmist-0001"),
    ]
    assert lacking == {}


def test_problem_that_one_language_lacks_is_left_out_in_all_and_listed() -> None:
    material = Material(WANTED, {"bn": [problem(2, "bn")], "en": [problem(1), problem(2)]})
    asked, lacking = questions(setting(), material)
    assert identities(asked) == [("bn", "mathmist-0002"), ("en", "mathmist-0002")]
    assert lacking == {"mathmist-0001": ["bn"]}


def test_every_language_that_lacks_a_problem_is_listed() -> None:
    _, lacking = questions(setting(), Material(WANTED, both(2)))
    assert lacking == {"mathmist-0001": ["bn", "en"]}


def test_languages_that_the_setting_does_not_ask_do_not_matter() -> None:
    material = Material(WANTED[:1], {"bn": [], "en": [problem(1)]})
    asked, lacking = questions(setting(question_languages=["en"]), material)
    assert (identities(asked), lacking) == ([("en", "mathmist-0001")], {})


def test_multiple_choice_leaves_proofs_out_silently() -> None:
    problems = {lang: [problem(1, lang), problem(2, lang, kind="proof")] for lang in ("bn", "en")}
    choices = {lang: [choice(1, lang)] for lang in ("bn", "en")}
    asked, lacking = questions(setting(task="choose"), Material(WANTED, problems, choices))
    assert identities(asked) == [("bn", "mathmist-0001"), ("en", "mathmist-0001")]
    assert lacking == {}


def test_multiple_choice_lists_other_problems_without_an_item() -> None:
    choices = {lang: [choice(1, lang)] for lang in ("bn", "en")}
    _, lacking = questions(setting(task="choose"), Material(WANTED, both(1, 2), choices))
    assert lacking == {"mathmist-0002": ["bn", "en"]}


def test_proofs_are_asked_where_they_can_be() -> None:
    asked, lacking = questions(setting(), Material(WANTED, both(1, 2, kind="proof")))
    assert (len(asked), lacking) == (4, {})


def test_multiple_choice_shows_question_and_lettered_options() -> None:
    choices = {lang: [choice(1, lang)] for lang in ("bn", "en")}
    asked, _ = questions(setting(task="choose"), Material(WANTED[:1], both(1), choices))
    assert asked[0].values == {
        "question": "Which, bn?",
        "options": "A) $1$\nB) $2$\nC) $3$\nD) $4$",
    }


@pytest.mark.parametrize("task", ["detect", "identify"])
def test_error_settings_show_the_flawed_solution_of_strategy_3(task: str) -> None:
    flawed = {
        lang: [perturbed(1, lang, 1, solution="one"), perturbed(1, lang, 3, solution="three")]
        for lang in ("bn", "en")
    }
    material = Material(WANTED[:1], both(1), perturbed=flawed)
    asked, lacking = questions(setting(task=task), material)
    assert asked[1].values == {"question": "What is $2+3$?", "solution": "three"}
    assert lacking == {}


def test_error_settings_list_problems_without_a_flawed_solution() -> None:
    flawed = {"bn": [perturbed(1, "bn")], "en": [perturbed(1), perturbed(2)]}
    material = Material(WANTED, both(1, 2), perturbed=flawed)
    asked, lacking = questions(setting(task="detect"), material)
    assert identities(asked) == [("bn", "mathmist-0001"), ("en", "mathmist-0001")]
    assert lacking == {"mathmist-0002": ["bn"]}


def test_five_options_are_refused() -> None:
    with pytest.raises(ValueError):
        options_text(["1", "2", "3", "4", "5"])


ASKED = [Question(f"mathmist-{number:04d}", lang, {}) for lang in ("bn", "en") for number in (2, 1)]


def test_a_whole_set_passes_as_it_is() -> None:
    whole = responses(ASKED, 3)
    assert list(complete(whole, ASKED, 3, "a.jsonl")) == whole


def test_a_part_of_a_set_is_refused_with_file_and_numbers() -> None:
    asked = [Question(f"mathmist-{number:04d}", "en", {}) for number in range(146)]
    with pytest.raises(InputError, match="holds 37 responses where 146 were asked") as caught:
        list(complete(responses(asked, 1)[:37], asked, 1, Path("m.jsonl")))
    assert caught.value.file == "m.jsonl"
    assert "('mathmist-0037', 'en', 0) is missing" in caught.value.problem


@pytest.mark.parametrize("place", range(8))
def test_one_missing_response_is_named_wherever_it_is(place: int) -> None:
    whole = responses(ASKED, 2)
    gone = whole.pop(place)
    with pytest.raises(InputError) as caught:
        list(complete(whole, ASKED, 2, "a.jsonl"))
    assert "holds 7 responses where 8 were asked" in caught.value.problem
    assert f"{gone.identity} is missing" in caught.value.problem


@pytest.mark.parametrize(
    "fields", [{"id": "mathmist-0003"}, {"lang": "fr"}, {"sample": 2}, {"id": "a"}]
)
def test_a_response_that_was_never_asked_is_named(fields: dict[str, Any]) -> None:
    one = generation("5", **fields)
    whole = sorted([*responses(ASKED, 2), one], key=lambda item: item.identity)
    with pytest.raises(InputError, match="holds 9 responses where 8 were asked") as caught:
        list(complete(whole, ASKED, 2, "a.jsonl"))
    assert f"{one.identity} was never asked" in caught.value.problem


def test_an_empty_file_is_no_set() -> None:
    with pytest.raises(InputError, match="holds 0 responses where 8 were asked"):
        list(complete([], ASKED, 2, "a.jsonl"))


def test_responses_are_handed_on_one_by_one() -> None:
    taken: list[Generation] = []

    def file():
        for one in responses(ASKED, 1):
            taken.append(one)
            yield one

    for count, _ in enumerate(complete(file(), ASKED, 1, "a.jsonl"), start=1):
        assert len(taken) == count


@UNTIMED
@given(st.integers(1, 4), st.sets(st.integers(0, 15), max_size=16))
def test_a_set_passes_exactly_when_nothing_is_missing(samples: int, gone: set[int]) -> None:
    whole = responses(ASKED, samples)
    left = [one for place, one in enumerate(whole) if place not in gone]
    if left == whole:
        assert list(complete(left, ASKED, samples, "a.jsonl")) == whole
    else:
        with pytest.raises(InputError, match=f"holds {len(left)} responses where {len(whole)}"):
            list(complete(left, ASKED, samples, "a.jsonl"))
