"""Verdicts by rule: a status with its reasons for every generation (MMATH section 3.1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from babelmath.errors import InputError
from babelmath.languages import Language
from babelmath.records import Generation, Status, Verdict
from babelmath.scoring.equivalence import Comparer, Comparison
from babelmath.scoring.extraction import (
    Extracted,
    extract_paper,
    extract_strict,
    gold_readings,
)
from babelmath.verdicts import Gold, status_without_text, verdict

NOTHING = ("0",), "0"  # for a generation that has nothing to compare; the outcome is not used


class Found(NamedTuple):
    """A generation, what decides it without a comparison, and the answer found in it."""

    item: Generation
    status: Status | None
    answer: Extracted | None
    judged: Verdict | None


def by_rules(
    generations: Iterable[Generation],
    gold: Gold,
    scorer: str,
    languages: Mapping[str, Language],
    comparer: Comparer,
    western: bool = False,
    judged: Iterable[Verdict] | None = None,
) -> Iterator[Verdict]:
    """Extracted answers against the exact ones, one verdict a generation, in their order.

    A stream: only as many generations are held as the comparer works on at once. Strict (this
    project's rules): the answer part alone, read in the item's language; what was cut off has no
    answer. Paper (MMATH section 3.1): the last box of the whole response, else its last number.

    Args:
        western: exact answers are written in Western notation whatever the language (MMATH).
        judged: a judge's verdicts on the same generations in the same order. Where the strict rule
            cannot read the exact answer, the judge's decision stands, and the verdict says so.

    Raises:
        InputError: a judge's verdict that is not about the generation at its place.
    """
    strict = scorer == "rules-strict"
    truths: dict[tuple[str, str], tuple[str, ...]] = {}

    def tasks() -> Iterator[tuple[Found, tuple[str, ...], str]]:
        for item, other in _beside(generations, judged):
            found = _found(item, other, strict, languages[item.lang])
            if found.status is not None or found.answer is None:
                yield found, *NOTHING
                continue
            key = item.id, item.lang
            if key not in truths:
                truths[key] = _readings(gold[key], strict, languages[item.lang], western)
            yield found, truths[key], found.answer.text

    for found, comparison in comparer.stream(tasks(), strict):
        yield _verdict(found, comparison, gold[found.item.id, found.item.lang], scorer)


def _beside(
    generations: Iterable[Generation], judged: Iterable[Verdict] | None
) -> Iterator[tuple[Generation, Verdict | None]]:
    """Each generation with the judge's verdict on it."""
    if judged is None:
        for item in generations:
            yield item, None
        return
    verdicts = iter(judged)
    for item in generations:
        other = next(verdicts, None)
        if other is None or other.identity[:3] != item.identity:
            raise _unlike(other, item)
        yield item, other
    if (other := next(verdicts, None)) is not None:
        raise _unlike(other, None)


def _unlike(judged: Verdict | None, item: Generation | None) -> InputError:
    return InputError(
        f"the judge's verdicts are of other responses: {judged and judged.identity[:3]} stands "
        f"where {item and item.identity} was asked",
        remedy="Remove the judge's verdicts and run again: its replies are in the journal.",
    )


def _found(item: Generation, judged: Verdict | None, strict: bool, language: Language) -> Found:
    if strict:
        status = status_without_text(item, True)
    else:  # the paper's rule takes any text there is, thinking that never closed included
        status = "blocked" if item.finish == "blocked" else None
    answer = None
    if status is None:
        answer = extract_strict(item.answer, language) if strict else extract_paper(item.raw)
        if answer is None or not answer.text:
            status = "truncated" if item.finish == "length" else "no_answer"
    return Found(item, status, answer, judged)


def _readings(truth: str, strict: bool, language: Language, western: bool) -> tuple[str, ...]:
    if not strict:
        return (truth.strip("$ "),)
    return tuple(one.text for one in gold_readings(truth, language, western)) or ("",)


def _verdict(found: Found, comparison: Comparison, truth: str, scorer: str) -> Verdict:
    item, status, answer, judged = found
    rewrites = [f"found by {answer.how}", *answer.rewrites] if answer is not None else []
    text, judge = answer.text if answer is not None else None, None
    if status is None:
        status = _compared(comparison)
        rewrites += [f"{one} set aside" for one in comparison.set_aside]
        if status == "unparsed_gold" and judged is not None and scorer == "rules-strict":
            status, judge = judged.status, judged.judge
            name = judged.scorer.removeprefix("judge-")
            rewrites.append(f"exact answer unreadable by rule: judged by {name}")
    return verdict(item, scorer, status, text, truth, rewrites, judge)


def _compared(comparison: Comparison) -> Status:
    if comparison.failed is not None:
        return "timeout"
    if comparison.equal:
        return "correct"
    return "wrong" if comparison.gold_parsed else "unparsed_gold"
