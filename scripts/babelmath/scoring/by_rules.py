"""Verdicts by rule: a status with its reasons for every generation (MMATH section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence

from babelmath.languages import Language
from babelmath.records import Generation, Status, Verdict
from babelmath.scoring.answers import Extracted, extract_paper, extract_strict, normalise
from babelmath.scoring.equivalence import Comparer
from babelmath.verdicts import Gold, status_without_text, verdict


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


def _status_if_blocked(item: Generation) -> Status | None:
    """The paper's rule takes any text there is, thinking that never closed included."""
    return "blocked" if item.finish == "blocked" else None
