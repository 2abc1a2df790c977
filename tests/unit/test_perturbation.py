"""Flawed solutions: what a text may not be, what the checker must find, alike in all languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.asking import Answered
from babelmath.config import Perturbation, Role
from babelmath.corrected import check_correction, faults, perturbed_solutions
from babelmath.engines import Response
from babelmath.errors import InputError
from babelmath.perturbation import ERRORS, perturb, read_check
from babelmath.records import Construction
from babelmath.review import Review, read_reviews
from babelmath.sources import read_problems
from stand_ins import LANGUAGES, PROMPTS, SAMPLING, UNTIMED, Replies, construction, problem

GOOD = "We add the doubles. Therefore the answer is $5$.\n$5$"
BANGLA = "আমরা দ্বিগুণ যোগ করি। সুতরাং উত্তর $5$।\n$5$"
CUT_OFF = Response(text=GOOD, finish="length")


def reply(strategy: int = 2, flawed: bool = True, **steps: int) -> str:
    """A checker's reply that names every error of a strategy, at step 1 or as given."""
    errors = [
        {"type": name, "step": steps.get(name, 1), "text": "We add"} for name in ERRORS[strategy]
    ]
    return json.dumps({"flawed": flawed, "errors": errors})


def checked(text: str) -> tuple[list[Any], str | None]:
    return read_check(Answered("key", Response(text=text, finish="stop")))


def run(
    *replies: str | Response, strategy: Any = 2, others: bool = False
) -> tuple[list[Construction], Replies]:
    models = Replies(*replies)
    role = Role(model="m", sampling=SAMPLING)
    bangla = problem(lang="bn", solution="আমরা যোগ করি। সুতরাং উত্তর $5$।")
    made = perturb(
        [problem()],
        {"bn": {bangla.id: bangla}} if others else {},
        Perturbation(model=role, checker=role, strategies=[strategy]),
        LANGUAGES,
        models,  # type: ignore[arg-type]
        PROMPTS,
        42,
    )
    return made, models


def one(*replies: str | Response, strategy: Any = 2) -> Construction:
    (made,), _ = run(*replies, strategy=strategy)
    return made


def test_good_text_has_no_fault() -> None:
    assert faults(GOOD, problem()) == []


@pytest.mark.parametrize(
    "text",
    [
        "We add.\n$6$",
        "We add.\n5",
        "We add.\n$5$.",
        "We add.\n$5$\n",
        "We add. $5$",
        "We add.\n $5$",
        "",
    ],
)
def test_last_line_must_be_exactly_the_answer(text: str) -> None:
    assert "last line is not exactly the answer" in faults(text, problem())


def test_answer_alone_on_its_line_suffices_in_another_language() -> None:
    assert faults(BANGLA, problem(lang="bn", solution="আমরা যোগ করি।")) == []


@pytest.mark.parametrize(
    ("lang", "body", "word"),
    [
        ("en", "This is a wrong step.", "wrong"),
        ("en", "Here is an ERROR.", "error"),
        ("en", "By a fallacy we get", "fallac"),
        ("en", "That is not correct.", "not correct"),
        ("bn", "এই ধাপটি ভুল।", "ভুল"),
        ("bn", "এখানে ত্রুটি আছে।", "ত্রুটি"),
    ],
)
def test_telling_word_is_a_fault(lang: str, body: str, word: str) -> None:
    assert faults(f"{body}\n$5$", problem(lang=lang)) == [f"says {word!r}"]


def test_answer_may_hold_a_telling_word() -> None:
    assert faults("We measure it.\nthe error is 5", problem(answer="the error is 5")) == []


@pytest.mark.parametrize("layout", ["{}", "{}  ", "  {}"])
def test_unchanged_solution_is_a_fault(layout: str) -> None:
    solution = problem().solution or ""
    text = layout.format(solution.replace(" ", "  ").upper()) + "\n$5$"
    assert faults(text, problem()) == ["same as the true solution"]


def test_all_faults_are_named() -> None:
    assert faults("A wrong step.\n$6$", problem()) == [
        "last line is not exactly the answer",
        "says 'wrong'",
    ]


def test_checkers_errors_are_read() -> None:
    errors, fault = checked(reply(2, logical_fallacy=2))
    assert fault is None
    assert [(error.type, error.step) for error in errors] == [
        ("overgeneralization", 1),
        ("logical_fallacy", 2),
    ]


def test_checker_that_finds_nothing_is_told() -> None:
    assert checked('{"flawed": false, "errors": []}') == ([], "the checker finds no error")


def test_latex_that_json_happens_to_allow_is_read() -> None:
    text = '{"flawed": true, "errors": [{"type": "logical_fallacy", "step": 1, "text": "\\frac"}]}'
    errors, fault = checked(text)
    assert (len(errors), fault) == (1, None)


@pytest.mark.parametrize(
    "text",
    [
        '{"flawed": true, "errors": [{"type": "logical_fallacy", "step": 1, "text": "\\sqrt"}]}',
        '{"flawed": true, "errors": [{"type": "logical_fallacy", "step": 1, "text": "\\u00"}]}',
        '{"flawed": true, "errors": [{"type": "typo", "step": 1, "text": "a"}]}',
        '{"flawed": true, "errors": [{"type": "logical_fallacy", "step": "1", "text": "a"}]}',
        '{"flawed": true, "errors": [{"type": "logical_fallacy", "step": 1}]}',
        '{"flawed": true, "errors": ["a"]}',
        '{"flawed": true, "errors": null}',
        '{"flawed": true, "errors": 5}',
        '{"errors": []}',
        '{"flawed": true}',
        '{"flawed": true, "err',
        "[]",
        "null",
        "5",
        "",
        "The solution is flawed.",
        "[" * 100_000,
    ],
)
def test_reply_that_cannot_be_read_is_told_and_does_not_crash(text: str) -> None:
    assert checked(text) == ([], "the checker's reply cannot be read")


@UNTIMED
@given(st.text(st.characters()))
def test_no_reply_crashes(text: str) -> None:
    assert checked(text)[1] is not None


def test_flawed_solution_with_all_wanted_errors_is_accepted() -> None:
    made = one(GOOD, reply(2))
    assert (made.outcome, made.reason, made.text) == ("accepted", "", GOOD)
    assert {error["type"] for error in made.detail["errors"]} == set(ERRORS[2])


def test_every_strategy_has_a_prompt_and_its_errors() -> None:
    for strategy in (1, 2, 3):
        assert one(GOOD, reply(strategy), strategy=strategy).outcome == "accepted"


def test_strategy_3_takes_the_errors_of_both_others() -> None:
    assert set(ERRORS[3]) == {*ERRORS[1], *ERRORS[2]}


@pytest.mark.parametrize(
    ("written", "check", "reason"),
    [
        ("We add.\n$6$", reply(2), "last line is not exactly the answer"),
        (CUT_OFF, reply(2), "cut off"),
        (GOOD, reply(2, flawed=False), "the checker finds no error"),
        (GOOD, reply(1), "the checker does not find all wanted errors"),
        (GOOD, "no JSON", "the checker's reply cannot be read"),
    ],
)
def test_flawed_solution_that_fails_is_unresolved_with_its_reason(
    written: str | Response, check: str, reason: str
) -> None:
    made = one(written, check)
    assert made.outcome == "unresolved"
    assert reason in made.reason


@pytest.mark.parametrize("written", ["", "We add.\n$6$", CUT_OFF])
def test_text_with_a_fault_is_not_checked(written: str | Response) -> None:
    made, models = run(written)
    assert made[0].outcome == "unresolved"
    assert len(models.asked) == 1


def test_every_step_stays_in_the_history() -> None:
    made = one(GOOD, "no JSON")
    assert made.history == [
        {"step": "write", "text": GOOD, "journal": "key1", "faults": []},
        {
            "step": "check",
            "text": "no JSON",
            "journal": "key2",
            "problem": "the checker's reply cannot be read",
        },
    ]


def test_faults_of_a_text_stay_in_the_history() -> None:
    made = one("A wrong step.\n$6$")
    assert made.history[0]["faults"] == [
        "last line is not exactly the answer",
        "says 'wrong'",
    ]


def test_checkers_reply_is_bound_to_the_strategys_errors() -> None:
    _, models = run(GOOD, reply(2))
    writing, checking = models.asked
    assert writing.schema is None
    schema = json.loads(checking.schema or "")
    kinds = schema["properties"]["errors"]["items"]["properties"]["type"]["enum"]
    assert kinds == ["overgeneralization", "logical_fallacy"]


def test_other_language_gets_the_same_errors_in_the_same_places() -> None:
    made, models = run(GOOD, reply(2), BANGLA, reply(2), others=True)
    assert [(item.lang, item.outcome) for item in made] == [("en", "accepted"), ("bn", "accepted")]
    assert (
        "overgeneralization in step 1; logical_fallacy in step 1" in models.asked[2].messages[-1][1]
    )


def test_other_places_than_in_english_are_unresolved() -> None:
    made, _ = run(GOOD, reply(2), BANGLA, reply(2, logical_fallacy=2), others=True)
    assert (made[1].outcome, made[1].reason) == (
        "unresolved",
        "errors differ from the English version's",
    )


def test_without_an_english_version_the_other_language_is_not_asked() -> None:
    made, models = run("We add.\n$6$", others=True)
    assert (made[1].lang, made[1].outcome, made[1].reason) == (
        "bn",
        "unresolved",
        "the English version is unresolved",
    )
    assert len(models.asked) == 1


STEP: dict[str, object] = {"type": "step_omission", "step": 2, "text": "so"}


def review(verdict: Any, correction: str = "", errors: Any = (STEP,)) -> Review:
    return Review(verdict, correction, list(errors), 7)


def stand(outcome: str, reviews: dict[tuple[str, str], Review]) -> list[Any]:
    item = construction(outcome=outcome)
    return perturbed_solutions([item], [problem()], reviews, Path("en.csv"))


def test_accepted_flawed_solution_stands() -> None:
    (record,) = stand("accepted", {})
    assert (record.strategy, record.solution, record.errors[0].type) == (
        3,
        "We multiply.\n$5$",
        "incorrect_rule",
    )
    assert record.provenance == {"source": "model"}


def test_unresolved_flawed_solution_is_left_out() -> None:
    assert stand("unresolved", {}) == []


def test_rejected_flawed_solution_is_left_out() -> None:
    assert stand("accepted", {("mathmist-0001", "3"): review("rejected")}) == []


@pytest.mark.parametrize("outcome", ["accepted", "unresolved"])
def test_correction_stands_with_its_own_errors(outcome: str) -> None:
    (record,) = stand(outcome, {("mathmist-0001", "3"): review("corrected", GOOD)})
    assert (record.solution, record.errors[0].type) == (GOOD, "step_omission")
    assert record.provenance == {"source": "review"}


def test_review_of_another_strategy_changes_nothing() -> None:
    (record,) = stand("accepted", {("mathmist-0001", "1"): review("rejected")})
    assert record.provenance == {"source": "model"}


def test_correction_that_breaks_the_rules_is_refused_with_its_line() -> None:
    with pytest.raises(InputError) as caught:
        check_correction(review("corrected", "A wrong step.\n$5$"), problem(), Path("en.csv"))
    assert (caught.value.file, caught.value.line) == ("en.csv", 7)
    assert "says 'wrong'" in str(caught.value)


@pytest.mark.parametrize("errors", [[], [{"type": "typo", "step": 1, "text": "a"}]])
def test_correction_without_known_errors_is_refused(errors: list[dict[str, object]]) -> None:
    with pytest.raises(InputError, match="line 7"):
        check_correction(review("corrected", GOOD, errors), problem(), Path("en.csv"))


def test_bundled_corrections_keep_the_rules(repository: Path) -> None:
    for lang in ("bn", "en"):
        source = repository / "resources" / "mathmist" / f"{lang}.jsonl"
        by_id = {
            item.id: item for item in read_problems("mathmist", source, LANGUAGES[lang], False)
        }
        path = (
            repository
            / "config"
            / "review"
            / "bundled"
            / "mathmist"
            / "perturbation"
            / f"{lang}.csv"
        )
        reviews = read_reviews(path, "strategy", ("1", "2", "3"))
        assert reviews
        for (identity, strategy), found in reviews.items():
            check_correction(found, by_id[identity], path)
            assert {error["type"] for error in found.errors} == set(ERRORS[int(strategy)])
