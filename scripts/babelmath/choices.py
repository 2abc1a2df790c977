"""Multiple-choice items with verified distractors (MathMist section 3.2).

Distractors come from three kinds, drawn by the mixture's weights: calculation slips (A+1, A-1, -A,
10A, A/10; for expressions a flipped sign or a slipped coefficient), concept errors (a value that a
model reaches by a wrong formula or a confused unit) and near misses (A plus a small amount,
rounding). Every distractor is refuted by the comparison of answers and lies further than tau from
the answer. Both languages get the same options.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from babelmath.candidates import (
    NAMED_VALUE,
    Candidate,
    Kind,
    concept,
    near_misses,
    number_of,
    slips,
)
from babelmath.choice_checks import LETTERS, bare, item_faults
from babelmath.config import Choices
from babelmath.languages import Language
from babelmath.records import ChoiceItem, Construction, Problem, Proposal
from babelmath.scoring.equivalence import Comparer
from babelmath.scoring.plain.notation import gold_readings
from babelmath.seeds import seed_of

DISTRACTORS = 3


def build_choices(
    english: Sequence[Problem],
    others: dict[str, dict[str, Problem]],
    proposals: dict[str, Proposal],
    how: Choices,
    comparer: Comparer,
    seed: int,
    languages: Mapping[str, Language] | None = None,
) -> tuple[list[ChoiceItem], list[Construction]]:
    """Items in English and in the other languages, and what became of every problem.

    Args:
        english: the problems; proofs are passed over.
        others: further languages' problems by language and id.
        proposals: the model's proposed concept errors by problem id.
        languages: how each language writes numbers; the key must be the exact answer in all of
            them. Without, it must be the English one.

    Returns:
        Items, and constructions that list every candidate with the reason it was refused. A
        problem with fewer than three verified distractors, or whose item has a fault
        (`choice_checks`), is unresolved and has no item.
    """
    problems = [problem for problem in english if problem.kind != "proof"]
    items, constructions = [], []
    for problem in problems:
        proposal = proposals[problem.id]
        gold = bare(problem.answer)
        history = []
        verified: dict[Kind, list[Candidate]] = {"calc": [], "concept": [], "plaus": []}
        for candidate in [*slips(gold), *near_misses(gold), concept(proposal)]:
            taken = [
                other.text
                for kind, group in verified.items()
                if how.mixture.get(kind, 0) > 0
                for other in group
            ]
            reason = refusal(candidate.text, gold, taken, how.tau, comparer)
            history.append(
                {"kind": candidate.kind, "how": candidate.how, "text": candidate.text,
                 "refused": reason}
            )  # fmt: skip
            if reason is None:
                verified[candidate.kind].append(candidate)
        drawn = draw(verified, how.mixture, random.Random(seed_of(seed, "draw", problem.id)))
        history.append({"kind": "concept", "journal": proposal.journal})
        texts = {problem.lang: problem} | {
            lang: by_id[problem.id] for lang, by_id in others.items() if problem.id in by_id
        }
        detail: dict[str, Any] = {"answer": gold}
        faults = [f"only {len(drawn)} verified distractors"] if len(drawn) < DISTRACTORS else []
        if not faults:
            options = [("answer", gold)] + [(one.how, one.text) for one in drawn]
            random.Random(seed_of(seed, "order", problem.id)).shuffle(options)
            key = LETTERS[[how for how, _ in options].index("answer")]
            shown = [f"${text}$" for _, text in options]
            faults = item_faults(shown, key, exact_answers(texts, gold, languages), comparer)
            detail |= {"options": [text for _, text in options], "key": key}
            for lang, one in texts.items() if not faults else ():
                items.append(
                    ChoiceItem.model_validate(
                        {
                            "id": problem.id,
                            "lang": lang,
                            "question": one.question,
                            "options": shown,
                            "key": key,
                            "sources": [source for source, _ in options],
                            "provenance": {"source": "choices", "kind": problem.kind},
                        }
                    )
                )
        constructions.append(
            Construction(
                id=problem.id,
                lang=problem.lang,
                stage="choices",
                field=None,
                outcome="unresolved" if faults else "accepted",
                rounds=0,
                text="; ".join(one.text for one in drawn),
                reason="; ".join(faults),
                history=history,
                detail=detail,
            )
        )
    return items, constructions


def exact_answers(
    texts: Mapping[str, Problem], gold: str, languages: Mapping[str, Language] | None
) -> dict[str, list[str]]:
    """Readings of the exact answer in plain notation, by language."""
    if languages is None:
        return {"en": [gold]}
    return {
        lang: [found.text for found in gold_readings(one.answer, languages[lang], western=False)]
        for lang, one in texts.items()
    }


def refusal(
    text: str, gold: str, taken: Sequence[str], tau: float, comparer: Comparer
) -> str | None:
    """Why a candidate cannot be a distractor, or None."""
    if not text or len(text) > 60:
        return "empty or too long"
    for name, other in [("the answer", gold), *(("another distractor", one) for one in taken)]:
        if text == other:
            return f"equals {name}"
        comparison = comparer.compare(other, text, True)
        if comparison.failed is not None:
            return f"not comparable: {comparison.failed}"
        if not comparison.answer_parsed:
            return "no mathematics"
        if comparison.equal:
            return f"equals {name}"
    value, truth = (number_of(NAMED_VALUE.sub(r"\2", one)) for one in (text, gold))
    if value is None and truth is not None:
        return "no number, though the answer is one"
    if value is not None and truth is not None and abs(value - truth) <= tau:
        return f"within {tau} of the answer"
    return None


def draw(
    verified: dict[Kind, list[Candidate]], mixture: Mapping[Kind, float], rng: random.Random
) -> list[Candidate]:
    """Three distractors drawn without replacement: first the kind by weight, then one of it.

    A kind that has run out leaves its weight to the others; kinds of weight 0 are never drawn.
    """
    left = {kind: list(group) for kind, group in verified.items() if mixture.get(kind, 0) > 0}
    drawn: list[Candidate] = []
    while len(drawn) < DISTRACTORS:
        kinds = [kind for kind in sorted(left) if left[kind]]
        if not kinds:
            break
        kind = rng.choices(kinds, [mixture[one] for one in kinds])[0]
        drawn.append(left[kind].pop(rng.randrange(len(left[kind]))))
    return drawn
