"""Proposals for concept distractors by a model (MathMist section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from babelmath.asking import Models, request
from babelmath.config import Choices
from babelmath.prompts import load_prompt
from babelmath.records import Problem, Proposal
from babelmath.seeds import seed_of

PROMPT = "mathmist/distractor"


def propose(
    english: Sequence[Problem], how: Choices, models: Models, prompts: Path, seed: int
) -> list[Proposal]:
    """One wrong answer by a wrong formula or a confused unit for each problem that is no proof.

    Raises:
        UnansweredError, InputError: from asking and from the prompt file.
    """
    problems = [problem for problem in english if problem.kind != "proof"]
    prompt = load_prompt(prompts, PROMPT, "distractor")
    requests = [
        request(
            "distractor",
            problem.lang,
            prompt.messages(question=problem.question, answer=problem.answer),
            how.model.sampling,
            seed_of(seed, "distractor", problem.id),
        )
        for problem in problems
    ]
    answers = models.ask(how.model.model, requests, "mathmist distractors")
    return [
        Proposal(id=problem.id, lang=problem.lang, text=one.response.text, journal=one.key)
        for problem, one in zip(problems, answers, strict=True)
    ]
