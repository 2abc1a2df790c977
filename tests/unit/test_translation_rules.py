"""Rules of translation: the mathematics stays, verdicts are read strictly, people's word stands."""

from __future__ import annotations

from typing import Any

import pytest

from babelmath.corrected import translated_problems
from babelmath.records import FIELDS, Construction
from babelmath.review import Review
from babelmath.sources import math_spans, words_outside_math
from babelmath.translation import APPROVED, infidelity, verdict_of
from stand_ins import construction, each_case, problem


def made(field: str, outcome: str = "accepted", **more: Any) -> Construction:
    return construction(
        lang="fr", field=field, stage="translation", outcome=outcome, text=f"{field} en français",
        detail={}, **more,
    )  # fmt: skip


def review(verdict: Any, correction: str = "") -> Review:
    return Review(verdict, correction, [], 2)


def stands(constructions: list[Construction], reviews: dict[tuple[str, str], Review]) -> Any:
    """The one translated problem, or None where it is left out."""
    found = translated_problems([problem()], constructions, reviews, "fr")
    return found[0] if found else None


ALL = [made(field) for field in FIELDS]
QUESTION = ("mathmist-0001", "question")
UNRESOLVED = [made("question", "unresolved"), made("solution"), made("answer")]


@each_case("translations.jsonl")
def test_fidelity(case: dict[str, Any]) -> None:
    fault = infidelity(case["source"], case["text"])
    if case["fault"] is None:
        assert fault is None
    else:
        assert fault is not None and fault.startswith(case["fault"])


def test_fault_names_what_was_lost_and_added() -> None:
    fault = infidelity("Solve $x+1=2$.", "Résoudre $x+1=3$.")
    assert fault == "mathematics changed: lost ['$x+1=2$'], added ['$x+1=3$']"


@each_case("round_replies.jsonl")
def test_verdict_of_a_round(case: dict[str, Any]) -> None:
    assert verdict_of(case["reply"]) == case["verdict"]


@pytest.mark.parametrize(
    "reply", ["APPROVED", "approved", "**APPROVED**", "APPROVED.", " [APPROVED]\n", "`APPROVED`"]
)
def test_approved(reply: str) -> None:
    assert APPROVED.fullmatch(reply)


@pytest.mark.parametrize(
    "reply", ["", "NOT APPROVED", "APPROVED with changes", "DISAPPROVED", "Résoudre. APPROVED"]
)
def test_not_approved(reply: str) -> None:
    assert not APPROVED.fullmatch(reply)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("no mathematics", []),
        ("$b$ then $a$", ["$a$", "$b$"]),
        ("$a$ and $a$", ["$a$", "$a$"]),
        ("$$x = 1$$", ["$$x=1$$"]),
        ("\\(x\\) and \\[y\\]", ["\\(x\\)", "\\[y\\]"]),
        ("$x\n+1$", ["$x+1$"]),
        ("$3,14$ or $3{,}14$ or $3.14$", ["$3.14$", "$3.14$", "$3.14$"]),
        ("$(3, 14)$", ["$(3.14)$"]),
        ("costs \\$5 or \\$6", []),
        ("costs $\\$5$ or $\\$6$", ["$\\$5$", "$\\$6$"]),
        ("one $ sign", []),
    ],
)
def test_mathematics_of_a_text(text: str, spans: list[str]) -> None:
    assert math_spans(text) == spans


@pytest.mark.parametrize("text", ["Solve $x$", "সমাধান $x$", "求 $x$", "$x$ cm"])
def test_words_outside_mathematics(text: str) -> None:
    assert words_outside_math(text)


@pytest.mark.parametrize("text", ["", "$x$", "$5$, $6$.", "\\(x\\) = 12", "$\\text{metres}$"])
def test_no_words_outside_mathematics(text: str) -> None:
    assert not words_outside_math(text)


def test_accepted_texts_stand() -> None:
    translated = stands(ALL, {})
    assert translated.lang == "fr"
    assert (translated.question, translated.solution, translated.answer) == (
        "question en français",
        "solution en français",
        "answer en français",
    )


def test_translated_problem_keeps_what_is_no_text() -> None:
    translated = stands(ALL, {})
    original = problem()
    for name in ("id", "kind", "subset", "subdomain"):
        assert getattr(translated, name) == getattr(original, name)


def test_origin_of_each_text_is_recorded() -> None:
    reviews = {QUESTION: review("corrected", "La question")}
    assert stands(ALL, reviews).provenance == {
        "source": "translation",
        "file": "en.jsonl",
        "line": 1,
        "checks": ["question: review", "solution: accepted", "answer: accepted"],
    }


def test_problem_with_an_unresolved_text_is_left_out() -> None:
    assert stands(UNRESOLVED, {}) is None


def test_correction_stands_in_place_of_an_unresolved_text() -> None:
    reviews = {QUESTION: review("corrected", "La question")}
    assert stands(UNRESOLVED, reviews).question == "La question"


def test_correction_stands_in_place_of_an_accepted_text() -> None:
    assert stands(ALL, {QUESTION: review("corrected", "La question")}).question == "La question"


def test_approval_lets_an_unresolved_text_stand() -> None:
    assert stands(UNRESOLVED, {QUESTION: review("approved")}).question == "question en français"


def test_rejected_text_leaves_the_problem_out() -> None:
    assert stands(ALL, {QUESTION: review("rejected")}) is None


def test_problem_that_was_never_translated_is_left_out() -> None:
    assert translated_problems([problem(2)], ALL, {}, "fr") == []


def test_text_that_is_never_translated_stays_the_sources() -> None:
    translated = stands([made("question"), made("solution")], {})
    assert translated.answer == "$5$"
    assert "answer: source" in translated.provenance["checks"]


def test_problem_without_a_solution_needs_none() -> None:
    (translated,) = translated_problems(
        [problem(solution=None)], [made("question"), made("answer")], {}, "fr"
    )
    assert translated.solution is None
