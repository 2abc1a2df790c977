"""Multiple-choice items with verified distractors (MathMist section 3.2).

Distractors come from three kinds, drawn by the mixture's weights: calculation slips (A+1, A-1, -A,
10A, A/10; for expressions a flipped sign or a slipped coefficient), concept errors (a value that a
model reaches by a wrong formula or a confused unit) and near misses (A plus a small amount,
rounding). Every distractor is refuted by the comparison of answers and lies further than tau from
the answer. Both languages get the same options.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from babelmath.config import Choices
from babelmath.records import ChoiceItem, Construction, Problem, Proposal
from babelmath.scoring.equivalence import Comparer
from babelmath.seeds import seed_of

Kind = Literal["calc", "concept", "plaus"]
DISTRACTORS = 3
PLAIN_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:/\d+)?")  # 1e999999999 would fill memory
PLAIN_FRACTION = re.compile(r"(-?)\\[dt]?frac\{(\d+)\}\{(\d+)\}")


@dataclass(frozen=True)
class Candidate:
    """A possible distractor: its kind and how it came about."""

    kind: Kind
    how: str
    text: str


def build_choices(
    english: Sequence[Problem],
    others: dict[str, dict[str, Problem]],
    proposals: dict[str, Proposal],
    how: Choices,
    comparer: Comparer,
    seed: int,
) -> tuple[list[ChoiceItem], list[Construction]]:
    """Items in English and in the other languages, and what became of every problem.

    Args:
        english: the problems; proofs are passed over.
        others: further languages' problems by language and id.
        proposals: the model's proposed concept errors by problem id.

    Returns:
        Items, and constructions that list every candidate with the reason it was refused. A
        problem with fewer than three verified distractors is unresolved and has no item.
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
        enough = len(drawn) == DISTRACTORS
        detail: dict[str, Any] = {"answer": gold}
        if enough:
            options = [("answer", gold)] + [(one.how, one.text) for one in drawn]
            random.Random(seed_of(seed, "order", problem.id)).shuffle(options)
            key = "ABCD"[[how for how, _ in options].index("answer")]
            texts = {problem.lang: problem} | {
                lang: by_id[problem.id] for lang, by_id in others.items() if problem.id in by_id
            }
            for lang, one in texts.items():
                items.append(
                    ChoiceItem.model_validate(
                        {
                            "id": problem.id,
                            "lang": lang,
                            "question": one.question,
                            "options": [f"${text}$" for _, text in options],
                            "key": key,
                            "sources": [source for source, _ in options],
                            "provenance": {"source": "choices", "kind": problem.kind},
                        }
                    )
                )
            detail |= {"options": [text for _, text in options], "key": key}
        constructions.append(
            Construction(
                id=problem.id,
                lang=problem.lang,
                stage="choices",
                field=None,
                outcome="accepted" if enough else "unresolved",
                rounds=0,
                text="; ".join(one.text for one in drawn),
                reason="" if enough else f"only {len(drawn)} verified distractors",
                history=history,
                detail=detail,
            )
        )
    return items, constructions


def bare(answer: str) -> str:
    """An answer without its dollar signs."""
    return answer.strip().strip("$").strip()


def number_of(text: str) -> Fraction | None:
    """The value of a plain integer, decimal or fraction, else None."""
    match = PLAIN_FRACTION.fullmatch(text.strip())
    if match:
        sign, above, below = match.groups()
        return Fraction(int(above), int(below)) * (-1 if sign else 1) if int(below) else None
    try:
        return Fraction(text.strip()) if PLAIN_NUMBER.fullmatch(text.strip()) else None
    except (ValueError, ZeroDivisionError):
        return None


def slips(gold: str) -> list[Candidate]:
    """Calculation slips."""
    value = number_of(gold)
    if value is not None:
        like = "frac" in gold
        changed = {
            "A+1": value + 1,
            "A-1": value - 1,
            "-A": -value,
            "10A": value * 10,
            "A/10": value / 10,
        }
        return [Candidate("calc", name, written(one, like)) for name, one in changed.items()]
    found = [
        Candidate("calc", "flipped sign", gold[: at.start()] + other + gold[at.end() :])
        for at in re.finditer(r"(?<=[\w}\)])\s*([+-])", gold)
        for other in ["-" if at.group(1) == "+" else "+"]
    ]
    return [*found, Candidate("calc", "-A", f"-({gold})"), Candidate("calc", "10A", f"10({gold})")]


def near_misses(gold: str) -> list[Candidate]:
    """Near misses."""
    value = number_of(gold)
    if value is not None:
        like = "frac" in gold
        changed = {"A+2": value + 2, "A-2": value - 2}
        if value.denominator != 1:
            changed["rounded"] = Fraction(round(value))
        elif abs(value) >= 20:
            changed["rounded"] = Fraction(round(value, -1))
        return [Candidate("plaus", name, written(one, like)) for name, one in changed.items()]
    return [
        Candidate(
            "plaus", f"{at.group()} to {new}", gold[: at.start()] + str(new) + gold[at.end() :]
        )
        for at in re.finditer(r"\d+", gold)
        for new in [int(at.group()) + 1]
    ]


def concept(proposal: Proposal) -> Candidate:
    """The model's value reached by a wrong formula: its first mathematics, else its whole line."""
    text = proposal.text.strip()
    match = re.search(r"\$([^$]+)\$", text) or re.match(r"([^\n]*)", text)
    return Candidate("concept", "wrong formula", (match.group(1) if match else "").strip())


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
    value, truth = number_of(text), number_of(gold)
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


def written(value: Fraction, as_fraction: bool) -> str:
    """A value as LaTeX: whole, as a fraction where the answer is one, else as a decimal."""
    if value.denominator == 1:
        return str(value.numerator)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if as_fraction or rest != 1:
        sign = "-" if value < 0 else ""
        return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    return f"{float(value):.12f}".rstrip("0")
