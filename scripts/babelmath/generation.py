"""Asking the evaluated models: what a setting asks of which problems, and the records of it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from babelmath.asking import Models, request
from babelmath.config import Asked
from babelmath.languages import Language
from babelmath.prompts import Message, load_prompt
from babelmath.records import ChoiceItem, Generation, Perturbed, Problem
from babelmath.seeds import seed_of
from babelmath.thinking import part

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


def generate(
    asked: Sequence[Question],
    setting: Asked,
    benchmark: str,
    model: str,
    style: str,
    engine: str,
    languages: dict[str, Language],
    models: Models,
    prompts: Path,
    seed: int,
    label: str,
) -> list[Generation]:
    """Ask every question `samples` times and record what came back.

    Seeds depend on run, problem, language and sample alone, so settings that ask the same thing
    share the journalled response.

    Raises:
        UnansweredError, InputError: from asking and from prompt files.
    """
    pairs = [(question, sample) for question in asked for sample in range(setting.samples)]
    seeds = [seed_of(seed, benchmark, one.id, one.lang, sample) for one, sample in pairs]
    openings = [
        opening(setting, one, prompts, number)
        for (one, _), number in zip(pairs, seeds, strict=True)
    ]
    requests = [
        request(
            "generation",
            one.lang,
            messages(setting, one, languages, prompts, begun),
            setting.sampling,
            number,
            sample,
        )
        for (one, sample), number, begun in zip(pairs, seeds, openings, strict=True)
    ]
    records = []
    answers = models.ask(model, requests, label)
    for (one, sample), number, begun, answered in zip(pairs, seeds, openings, answers, strict=True):
        response = answered.response
        raw = response.text if begun is None else begun + response.text
        parts = part(raw, response.thinking, style)
        records.append(
            Generation(
                id=one.id,
                lang=one.lang,
                sample=sample,
                thinking=parts.thinking,
                answer=parts.answer,
                raw=raw,
                finish=response.finish,  # type: ignore[arg-type]
                prompt_tokens=response.prompt_tokens,
                completion_tokens=response.completion_tokens,
                seed=number,
                model=model,
                engine=engine,
                sent=response.sent,
                flags=list(parts.flags),
                provenance={"journal": answered.key, "attempts": response.attempts},
            )
        )
    return records


def messages(
    setting: Asked,
    question: Question,
    languages: dict[str, Language],
    prompts: Path,
    begun: str | None,
) -> list[Message]:
    """The chat of one question; `begun` opens the model's own turn."""
    purpose = setting.task
    prompt = load_prompt(prompts, setting.prompt, purpose, question.lang)
    reasoning = setting.reasoning_language or question.lang
    chat = prompt.messages(
        question_language=languages[question.lang].name,
        reasoning_language=languages[reasoning].name,
        **question.values,
    )
    return chat if begun is None else [*chat, {"role": "assistant", "content": begun}]


def opening(setting: Asked, question: Question, prompts: Path, seed: int) -> str | None:
    """The text that opens the thinking: one of the file's lines, drawn by the seed (DIT, QRT)."""
    if setting.opening is None:
        return None
    prompt = load_prompt(prompts, setting.opening, "opening", question.lang)
    line = random.Random(seed).choice(prompt.parts[0][1].split("\n"))
    return "<think>\n" + line.replace("{{question}}", question.values["question"]) + "\n"


def options_text(options: Sequence[str]) -> str:
    """Options as lines `A) ...`."""
    return "\n".join(f"{letter}) {option}" for letter, option in zip(LETTERS, options, strict=True))
