"""Asking the evaluated models: the requests of a setting, and the records of what came back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from babelmath.asking import Answered, Models, request
from babelmath.config import Asked
from babelmath.languages import Language
from babelmath.openings import Opening, drawn, opening
from babelmath.prompts import Message, load_prompt
from babelmath.questions import Question
from babelmath.records import Generation
from babelmath.seeds import seed_of
from babelmath.thinking import as_received, continued, part


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
    share the journalled response. Where the setting opens the thinking, the opening is part of the
    recorded thinking, and provenance names it.

    Raises:
        UnansweredError, InputError: from asking and from prompt files.
    """
    pairs = [(question, sample) for question in asked for sample in range(setting.samples)]
    seeds = [seed_of(seed, benchmark, one.id, one.lang, sample) for one, sample in pairs]
    openings = [
        opening(prompts, setting.opening, one.lang, one.values["question"], style,
                drawn(seed, benchmark, one.id, one.lang, sample))
        if setting.opening is not None
        else None
        for one, sample in pairs
    ]  # fmt: skip
    requests = [
        request(
            "generation",
            one.lang,
            messages(setting, one, languages, prompts, begun.text if begun else None),
            setting.sampling,
            number,
            sample,
        )
        for (one, sample), number, begun in zip(pairs, seeds, openings, strict=True)
    ]
    answers = models.ask(model, requests, label)
    return [
        _record(one, sample, number, begun, answered, style, model, engine)
        for (one, sample), number, begun, answered in zip(
            pairs, seeds, openings, answers, strict=True
        )
    ]


def _record(
    question: Question,
    sample: int,
    seed: int,
    begun: Opening | None,
    answered: Answered,
    style: str,
    model: str,
    engine: str,
) -> Generation:
    """What came back for a question, its thinking parted from its answer."""
    response = answered.response
    text, separate = continued(begun.text if begun else "", response.text, response.thinking)
    parts = part(text, separate, style, response.finish)
    return Generation(
        id=question.id,
        lang=question.lang,
        sample=sample,
        thinking=parts.thinking,
        answer=parts.answer,
        raw=as_received(text, separate, parts),
        finish=response.finish,  # type: ignore[arg-type]
        prompt_tokens=response.prompt_tokens,
        completion_tokens=response.completion_tokens,
        seed=seed,
        model=model,
        engine=engine,
        sent=response.sent,
        flags=list(parts.flags),
        provenance={
            "journal": answered.key,
            "attempts": response.attempts,
            **({"opening": begun.recorded()} if begun else {}),
        },
    )


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
