"""Flawed solutions made on purpose, with their checks (MathMist section 3.3).

A flawed solution keeps the true one's style, hides its errors, and ends with exactly the right
answer. The English one is written first; other languages get the same errors in the same places.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from babelmath.asking import Answered, Models, request
from babelmath.config import Perturbation
from babelmath.corrected import faults
from babelmath.languages import Language
from babelmath.prompts import load_prompt
from babelmath.records import Construction, EmbeddedError, Problem
from babelmath.seeds import seed_of

ERRORS: dict[int, tuple[str, ...]] = {
    1: ("step_omission", "incorrect_rule", "faulty_causality"),
    2: ("overgeneralization", "logical_fallacy"),
    3: (
        "step_omission",
        "incorrect_rule",
        "faulty_causality",
        "overgeneralization",
        "logical_fallacy",
    ),
}
PROMPTS = {
    "mathmist/perturb-1": "perturb",
    "mathmist/perturb-2": "perturb",
    "mathmist/perturb-3": "perturb",
    "mathmist/perturb-parallel": "perturb-parallel",
    "mathmist/perturb-check": "perturb-check",
}


@dataclass
class _Flawed:
    """A flawed solution on its way."""

    problem: Problem
    strategy: int
    text: str
    errors: list[EmbeddedError]
    reason: str
    history: list[dict[str, Any]]

    @property
    def construction(self) -> Construction:
        return Construction(
            id=self.problem.id,
            lang=self.problem.lang,
            stage="perturbation",
            field=str(self.strategy),
            outcome="unresolved" if self.reason else "accepted",
            rounds=0,
            text=self.text,
            reason=self.reason,
            history=self.history,
            detail={"errors": [error.model_dump() for error in self.errors]},
        )


def perturb(
    english: Sequence[Problem],
    others: dict[str, dict[str, Problem]],
    how: Perturbation,
    languages: dict[str, Language],
    models: Models,
    prompts: Path,
    seed: int,
) -> list[Construction]:
    """Flawed solutions of English problems and of their other languages, each with its checks.

    Raises:
        UnansweredError, InputError: from asking and from prompt files.
    """
    first = _write(
        [(problem, strategy, None) for problem in english for strategy in how.strategies],
        how, languages, models, prompts, seed,
    )  # fmt: skip
    done = list(first)
    for lang, problems in others.items():
        pairs = [
            (problems[one.problem.id], one.strategy, one)
            for one in first
            if one.problem.id in problems
        ]
        done += [
            _Flawed(problem, strategy, "", [], "the English version is unresolved", [])
            for problem, strategy, one in pairs
            if one.reason
        ]
        ready = [pair for pair in pairs if not pair[2].reason]
        done += _write(ready, how, languages, models, prompts, seed, lang)
    return [one.construction for one in done]


def _write(
    pairs: Sequence[tuple[Problem, int, _Flawed | None]],
    how: Perturbation,
    languages: dict[str, Language],
    models: Models,
    prompts: Path,
    seed: int,
    lang: str = "en",
) -> list[_Flawed]:
    requests = []
    for problem, strategy, model_text in pairs:
        values = {
            "language": languages[problem.lang].name,
            "question": problem.question,
            "solution": problem.solution or "",
            "answer": problem.answer,
        }
        if model_text is None:
            prompt = load_prompt(prompts, f"mathmist/perturb-{strategy}", "perturb")
        else:
            prompt = load_prompt(prompts, "mathmist/perturb-parallel", "perturb-parallel")
            values["errors"] = "; ".join(
                f"{error.type} in step {error.step}" for error in model_text.errors
            )
        requests.append(
            request(
                "perturbation",
                problem.lang,
                prompt.messages(**values),
                how.model.sampling,
                seed_of(seed, "perturb", problem.id, problem.lang, strategy),
            )
        )
    answers = models.ask(how.model.model, requests, f"mathmist perturb {lang}")
    flawed = []
    for (problem, strategy, _), answered in zip(pairs, answers, strict=True):
        text = answered.response.text.strip()
        found = faults(text, problem)
        if answered.response.finish != "stop":
            found.insert(0, "cut off")
        history = [{"step": "write", "text": text, "journal": answered.key, "faults": found}]
        flawed.append(_Flawed(problem, strategy, text, [], "; ".join(found), history))
    _check(flawed, pairs, how, models, prompts, seed, lang)
    return flawed


def _check(
    flawed: Sequence[_Flawed],
    pairs: Sequence[tuple[Problem, int, _Flawed | None]],
    how: Perturbation,
    models: Models,
    prompts: Path,
    seed: int,
    lang: str,
) -> None:
    """A model names the errors it finds in the texts without a fault; all wanted must be there."""
    prompt = load_prompt(prompts, "mathmist/perturb-check", "perturb-check")
    readable = [
        (one, twin) for one, (_, _, twin) in zip(flawed, pairs, strict=True) if not one.reason
    ]
    requests = [
        request(
            "perturbation check",
            one.problem.lang,
            prompt.messages(
                question=one.problem.question,
                solution=one.problem.solution or "",
                perturbed=one.text,
                error_types=", ".join(ERRORS[one.strategy]),
            ),
            how.checker.sampling,
            seed_of(seed, "check", one.problem.id, one.problem.lang, one.strategy),
            schema=_schema(ERRORS[one.strategy]),
        )
        for one, _ in readable
    ]
    answers = models.ask(how.checker.model, requests, f"mathmist check perturbations {lang}")
    for (one, twin), answered in zip(readable, answers, strict=True):
        one.errors, problem = read_check(answered)
        wanted = set(ERRORS[one.strategy])
        if problem is None and not wanted <= {error.type for error in one.errors}:
            problem = "the checker does not find all wanted errors"
        if problem is None and twin is not None and _places(one.errors) != _places(twin.errors):
            problem = "errors differ from the English version's"
        one.history.append(
            {"step": "check", "text": answered.response.text, "journal": answered.key,
             "problem": problem}
        )  # fmt: skip
        if problem is not None:
            one.reason = problem


def read_check(answered: Answered) -> tuple[list[EmbeddedError], str | None]:
    """The errors that a checker's JSON reply names, and what is wrong with the reply."""
    try:
        reply = json.loads(answered.response.text)
        errors = [EmbeddedError.model_validate(item) for item in reply["errors"]]
        flawed = reply["flawed"]
    except (ValueError, KeyError, TypeError, RecursionError, ValidationError):
        return [], "the checker's reply cannot be read"
    return errors, None if flawed is True else "the checker finds no error"


def _places(errors: Sequence[EmbeddedError]) -> list[tuple[str, int]]:
    return sorted((error.type, error.step) for error in errors)


def _schema(types: Sequence[str]) -> str:
    return json.dumps(
        {
            "type": "object",
            "properties": {
                "flawed": {"type": "boolean"},
                "errors": {
                    "type": "array",
                    "maxItems": len(types),
                    "items": {
                        "type": "object",
                        "properties": {
                            "type": {"type": "string", "enum": list(types)},
                            "step": {"type": "integer"},
                            "text": {"type": "string", "maxLength": 80},
                        },
                        "required": ["type", "step", "text"],
                        "additionalProperties": False,
                    },
                },
            },
            "required": ["flawed", "errors"],
            "additionalProperties": False,
        }
    )
