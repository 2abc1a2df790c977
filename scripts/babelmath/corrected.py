"""What stands after people's review: translated problems and flawed solutions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from babelmath.errors import InputError
from babelmath.records import (
    FIELDS,
    Construction,
    EmbeddedError,
    Perturbed,
    Problem,
    validate,
)
from babelmath.review import Review

# Words that would give an error away.
TELLING: dict[str, tuple[str, ...]] = {
    "en": ("wrong", "error", "incorrect", "mistake", "flaw", "fallac", "not correct", "invalid"),
    "bn": ("ভুল", "ত্রুটি", "অশুদ্ধ", "সঠিক নয়"),
}


def translated_problems(
    english: Sequence[Problem],
    constructions: Sequence[Construction],
    reviews: dict[tuple[str, str], Review],
    lang: str,
) -> list[Problem]:
    """Problems of a language after people's review.

    A field's text is the review's correction, else the model's accepted text. A problem with a
    field that has neither, or that a person rejected, is left out (and stays visible in the
    construction file).
    """
    made = {(item.id, item.field): item for item in constructions}
    attempted = {item.id for item in constructions}
    problems = []
    for original in english:
        if original.id not in attempted:
            continue
        texts: dict[str, str] = {}
        origin: dict[str, str] = {}
        for name in FIELDS:
            item = made.get((original.id, name))
            review = reviews.get((original.id, name))
            if getattr(original, name) is None:
                continue
            if review is not None and review.verdict == "corrected":
                texts[name], origin[name] = review.correction, "review"
            elif review is not None and review.verdict == "rejected":
                origin[name] = "rejected"
            elif item is None:  # MMATH's answers are language-neutral and never translated
                texts[name], origin[name] = getattr(original, name), "source"
            elif item.outcome != "unresolved" or (review and review.verdict == "approved"):
                texts[name], origin[name] = item.text, item.outcome
        if set(texts) != {name for name in FIELDS if getattr(original, name) is not None}:
            continue
        problems.append(
            original.model_copy(
                update={
                    **texts,
                    "lang": lang,
                    "provenance": {
                        "source": "translation",
                        "file": original.provenance["file"],
                        "line": original.provenance["line"],
                        "checks": [f"{name}: {origin[name]}" for name in texts],
                    },
                }
            )
        )
    return problems


def perturbed_solutions(
    constructions: Sequence[Construction],
    problems: Sequence[Problem],
    reviews: dict[tuple[str, str], Review],
    path: Path,
) -> list[Perturbed]:
    """The flawed solutions of one language after people's review.

    Raises:
        InputError: a correction that itself breaks the rules, with its line.
    """
    records = []
    by_id = {problem.id: problem for problem in problems}
    for item in constructions:
        review = reviews.get((item.id, item.field or ""))
        problem = by_id[item.id]
        if review is not None and review.verdict == "corrected":
            check_correction(review, problem, path)
            text, errors, source = review.correction, review.errors, "review"
        elif item.outcome == "accepted" and not (review and review.verdict == "rejected"):
            text, errors, source = item.text, item.detail["errors"], "model"
        else:
            continue
        records.append(
            Perturbed.model_validate(
                {
                    "id": item.id,
                    "lang": item.lang,
                    "strategy": int(item.field or 0),
                    "solution": text,
                    "errors": errors,
                    "checks": {"types": sorted({str(error["type"]) for error in errors})},
                    "provenance": {"source": source},
                }
            )
        )
    return records


def check_correction(review: Review, problem: Problem, path: Path) -> None:
    """Refuse a correction that itself breaks the rules of flawed solutions.

    Raises:
        InputError: naming file and line.
    """
    for fault in faults(review.correction, problem):
        raise InputError(
            fault, file=path, line=review.line, field="correction", value=review.correction,
            remedy=f"The answer of {problem.id} is {problem.answer}.",
        )  # fmt: skip
    if not review.errors:
        raise InputError(
            "names no error", file=path, line=review.line, field="errors",
            remedy="List type, step and text of each error, as JSON.",
        )  # fmt: skip
    for error in review.errors:
        validate(error, EmbeddedError, path, review.line)


def faults(text: str, problem: Problem) -> list[str]:
    """What is wrong with a flawed solution as a text: its last line, telling words, no change."""
    found = []
    if text.split("\n")[-1] != problem.answer:
        found.append("last line is not exactly the answer")
    body = text.rsplit("\n", 1)[0].casefold()
    telling = [word for word in TELLING.get(problem.lang, ()) if word in body]
    if telling:
        found.append(f"says {telling[0]!r}")
    if " ".join(body.split()) == " ".join((problem.solution or "").casefold().split()):
        found.append("same as the true solution")
    return found
