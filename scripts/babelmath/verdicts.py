"""Verdicts: a status with its reasons for every generation, by rule and by letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from babelmath.languages import Language
from babelmath.records import ChoiceItem, Generation, Problem, Status, Verdict
from babelmath.scoring.answers import Extracted, extract_paper, extract_strict, normalise
from babelmath.scoring.equivalence import Comparer
from babelmath.scoring.letters import flag_paper, flag_strict, option_paper, option_strict

Gold = dict[tuple[str, str], str]  # (id, lang) -> the truth


def gold_answers(problems: Sequence[Problem]) -> Gold:
    """The exact answers."""
    return {problem.identity: problem.answer for problem in problems}


def gold_letters(choices: Sequence[ChoiceItem]) -> Gold:
    """The keys of multiple-choice items."""
    return {item.identity: item.key for item in choices}


def same_options(choices: Sequence[ChoiceItem]) -> dict[tuple[str, str], frozenset[str]]:
    """Letters whose option reads the same as the key's: either of them states the answer."""
    return {
        item.identity: frozenset(
            letter
            for letter, text in zip("ABCD", item.options, strict=True)
            if text.strip() == item.options["ABCD".index(item.key)].strip()
        )
        for item in choices
    }


def by_rules(
    generations: Sequence[Generation],
    gold: Gold,
    scorer: str,
    languages: dict[str, Language],
    comparer: Comparer,
) -> list[Verdict]:
    """Extracted answer against the exact one (MMATH section 3.1; strict: this project's rules).

    A truncated generation has no answer under the strict rules; the paper's rule takes what it has.
    """
    strict = scorer == "rules-strict"
    verdicts = []
    for item in generations:
        language, truth = languages[item.lang], gold[item.id, item.lang]
        early = status_without_text(item, True) if strict else _status_if_blocked(item)
        found: Extracted | None = None
        if early is None:
            found = extract_strict(item.answer, language) if strict else extract_paper(item.raw)
        wanted = (
            normalise(truth, language, "gold") if strict else Extracted(truth.strip("$ "), "gold")
        )
        status: Status
        if early is not None:
            status = early
        elif found is None or not found.text:
            status = "truncated" if item.finish == "length" else "no_answer"
        else:
            comparison = comparer.compare(wanted.text, found.text, strict)
            if comparison.failed is not None:
                status = "timeout"
            elif comparison.equal:
                status = "correct"
            else:
                status = "wrong" if comparison.gold_parsed else "unparsed_gold"
        rewrites = [f"found by {found.how}", *found.rewrites] if found is not None else []
        verdicts.append(
            verdict(item, scorer, status, found.text if found else None, truth, rewrites)
        )
    return verdicts


def by_letters(
    generations: Sequence[Generation],
    gold: Gold,
    scorer: str,
    task: str,
    same: Mapping[tuple[str, str], frozenset[str]] | None = None,
) -> list[Verdict]:
    """Chosen option against the key, or YES/NO against the truth, which is always YES.

    Args:
        same: letters that state the key's option (`same_options`); the strict reading takes them.
    """
    readers: dict[tuple[str, str], Callable[[str], str | None]] = {
        ("choose", "letter-paper"): option_paper,
        ("choose", "letter-strict"): option_strict,
        ("detect", "letter-paper"): flag_paper,
        ("detect", "letter-strict"): flag_strict,
    }
    read, strict = readers[task, scorer], scorer == "letter-strict"
    verdicts = []
    for item in generations:
        truth = gold[item.id, item.lang] if task == "choose" else "YES"
        status = status_without_text(item, False)
        letter = None
        if status is None:
            letter = read(item.answer if strict else item.answer or item.raw)
            if letter is None:
                status = "truncated" if strict and item.finish == "length" else "no_answer"
            elif strict and same is not None:
                status = "correct" if letter in same[item.id, item.lang] else "wrong"
            else:
                status = "correct" if letter == truth else "wrong"
        verdicts.append(verdict(item, scorer, status, letter, truth, []))
    return verdicts


def _status_if_blocked(item: Generation) -> Status | None:
    """The paper's rule takes any text there is, thinking that never closed included."""
    return "blocked" if item.finish == "blocked" else None


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
