"""What all scorers share: the truths, the statuses that need no look at a text, the record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from babelmath.records import ChoiceItem, Generation, Problem, Status, Verdict

Gold = dict[tuple[str, str], str]  # (id, lang) -> the truth


def gold_answers(problems: Sequence[Problem]) -> Gold:
    """The exact answers."""
    return {problem.identity: problem.answer for problem in problems}


def gold_letters(choices: Sequence[ChoiceItem]) -> Gold:
    """The keys of multiple-choice items."""
    return {item.identity: item.key for item in choices}


def status_without_text(item: Generation, strict: bool) -> Status | None:
    """The status of a generation that has nothing to score."""
    if item.finish == "blocked":
        return "blocked"
    if strict and item.finish == "length":
        return "truncated"
    if "unclosed thinking" in item.flags and strict:
        return "truncated"
    if not item.answer.strip():
        return "truncated" if item.finish == "length" else "no_answer"
    return None


def verdict(
    item: Generation,
    scorer: str,
    status: Status,
    extracted: str | None,
    gold: str,
    rewrites: list[str],
    judge: dict[str, Any] | None = None,
) -> Verdict:
    return Verdict(
        id=item.id,
        lang=item.lang,
        sample=item.sample,
        scorer=scorer,
        status=status,
        correct=status == "correct",
        extracted=extracted,
        gold=gold,
        rewrites=rewrites,
        judge=judge,
        provenance={"model": item.model, "generation": item.provenance.get("journal")},
    )
