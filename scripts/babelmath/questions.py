"""What a setting asks: which problems, in which languages, with which values for its prompt."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from babelmath.config import Asked
from babelmath.errors import InputError
from babelmath.records import ChoiceItem, Generation, Perturbed, Problem

LETTERS = "ABCD"
STRATEGY = 3  # error detection and identification use strategy 3 (MathMist section 5.4)


@dataclass(frozen=True)
class Material:
    """What can be asked, by language; `wanted` are the population's ids in order."""

    wanted: Sequence[str]
    problems: dict[str, list[Problem]]
    choices: dict[str, list[ChoiceItem]] = field(default_factory=dict)
    perturbed: dict[str, list[Perturbed]] = field(default_factory=dict)


@dataclass(frozen=True)
class Question:
    """One thing to ask: its problem's id, its language, and the prompt's values."""

    id: str
    lang: str
    values: dict[str, str]


def questions(setting: Asked, material: Material) -> tuple[list[Question], dict[str, list[str]]]:
    """The questions of a setting, the same problems in every language.

    A wanted problem that some language lacks (a translation, a choice set or a perturbation left
    unresolved) is left out in all, so that languages stay comparable.

    Returns:
        The questions by language and then by id, and for each problem left out the languages that
        lack it. Multiple choice leaves proofs out by its nature (MathMist section 3.2); these are
        not listed.
    """
    values: dict[str, dict[str, dict[str, str]]] = {}
    for lang in setting.question_languages:
        problems = {problem.id: problem for problem in material.problems[lang]}
        if setting.task == "choose":
            values[lang] = {
                item.id: {"question": item.question, "options": options_text(item.options)}
                for item in material.choices[lang]
            }
        elif setting.task in ("detect", "identify"):
            values[lang] = {
                item.id: {"question": problems[item.id].question, "solution": item.solution}
                for item in material.perturbed[lang]
                if item.strategy == STRATEGY and item.id in problems
            }
        else:
            values[lang] = {key: {"question": one.question} for key, one in problems.items()}
    lacking: dict[str, list[str]] = {}
    asked = []
    first = material.problems[setting.question_languages[0]]
    proofs = {one.id for one in first if one.kind == "proof"}
    for identity in material.wanted:
        lacks = [lang for lang in setting.question_languages if identity not in values[lang]]
        if not lacks:
            asked.append(identity)
        elif not (setting.task == "choose" and identity in proofs):
            lacking[identity] = lacks
    return [
        Question(identity, lang, values[lang][identity])
        for lang in setting.question_languages
        for identity in asked
    ], lacking


def options_text(options: Sequence[str]) -> str:
    """Options as lines `A) ...`."""
    return "\n".join(f"{letter}) {option}" for letter, option in zip(LETTERS, options, strict=True))


def complete(
    generations: Iterable[Generation], asked: Sequence[Question], samples: int, path: str | Path
) -> Iterator[Generation]:
    """The generations of a file as they come, which must be exactly what was asked.

    Args:
        generations: in the order of their keys, as the file holds them.
        samples: responses to each question.
        path: the file, for errors.

    Raises:
        InputError: some are missing or were never asked; it tells both numbers. A part of a set is
            never scored, since its share would pass for that of the whole.
    """
    keys = sorted((one.id, one.lang) for one in asked)
    wanted = ((*key, sample) for key in keys for sample in range(samples))
    held = 0
    coming = iter(generations)
    for one in coming:
        held += 1
        expected = next(wanted, None)
        if one.identity != expected:
            missing = expected is not None and expected < one.identity
            first = f"{expected} is missing" if missing else f"{one.identity} was never asked"
            held += sum(1 for _ in coming)
            raise _incomplete(held, len(keys) * samples, first, path)
        yield one
    if (expected := next(wanted, None)) is not None:
        raise _incomplete(held, len(keys) * samples, f"{expected} is missing", path)


def _incomplete(held: int, asked: int, first: str, path: str | Path) -> InputError:
    return InputError(
        f"holds {held} responses where {asked} were asked: {first}",
        file=path,
        remedy="Remove the file and run again: what was answered is in the journal.",
    )
