"""Translation in both papers' ways, and what becomes of a translated problem.

MathMist (section 3.4): translator, then a verifier that says APPROVED or gives the corrected text,
which must itself be approved. MMATH (section 2): one-shot translation, then rounds in which each
verifier marks the text correct or replaces it; a replacement clears all marks. In both a result
stands only if its mathematics is the original's.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babelmath.asking import Answered, Models, request
from babelmath.config import PairedTranslation, Role, RoundTranslation
from babelmath.languages import Language
from babelmath.prompts import load_prompt
from babelmath.records import FIELDS, Construction, Problem
from babelmath.seeds import seed_of
from babelmath.sources import math_spans, words_outside_math

PAIRED_PROMPTS = {
    **{f"mathmist/translate-{name}": "translate" for name in FIELDS},
    **{f"mathmist/verify-{name}": "verify" for name in FIELDS},
}
ROUND_PROMPTS = {"mmath/translate": "translate", "mmath/verify": "verify"}

APPROVED = re.compile(r"[\W_]*approved[\W_]*", re.IGNORECASE)
REPLACEMENT = re.compile(r"<trans>(.*?)</trans>", re.DOTALL | re.IGNORECASE)
MARK = re.compile(r"\b(in)?correct\b", re.IGNORECASE)


@dataclass
class _Text:
    """One text on its way."""

    problem: Problem
    language: Language
    field: str
    source: str
    text: str = ""
    outcome: str | None = None
    reason: str = ""
    rounds: int = 0
    marks: set[str] = dataclasses.field(default_factory=set)
    history: list[dict[str, Any]] = dataclasses.field(default_factory=list)

    def settle(self, outcome: str, reason: str = "") -> None:
        self.outcome, self.reason = outcome, reason

    def note(self, step: str, model: str, answered: Answered, **more: object) -> None:
        self.history.append(
            {
                "step": step,
                "model": model,
                "text": answered.response.text,
                "finish": answered.response.finish,
                "journal": answered.key,
                **more,
            }
        )


def translate_paired(
    problems: Sequence[Problem],
    languages: Sequence[Language],
    how: PairedTranslation,
    models: Models,
    prompts: Path,
    seed: int,
) -> list[Construction]:
    """Questions, solutions and answers of English problems in other languages (MathMist S5).

    All languages are asked for together: a model is loaded once and its batch stays full.

    Raises:
        UnansweredError, InputError: from asking and from prompt files.
    """
    texts = [
        _Text(problem, language, name, getattr(problem, name))
        for language in languages
        for problem in problems
        for name in FIELDS
        if getattr(problem, name) is not None
    ]
    for text in texts:
        if not words_outside_math(text.source):
            text.text = text.source
            text.settle("carried", "no words outside the mathematics")
    _translate(texts, "mathmist", how.translator, models, prompts, seed)
    while opened := [text for text in texts if text.outcome is None]:
        answers = _ask(
            opened,
            [
                load_prompt(prompts, f"mathmist/verify-{text.field}", "verify").messages(
                    target_language=text.language.name, original=text.source, translation=text.text
                )
                for text in opened
            ],
            how.verifier,
            "mathmist verify",
            models,
            seed,
        )
        for text, answered in zip(opened, answers, strict=True):
            reply = answered.response.text.strip()
            approved = APPROVED.fullmatch(reply) is not None
            text.note("verify", how.verifier.model, answered, approved=approved)
            if approved:
                _accept(text)
            elif answered.response.finish != "stop" or not reply:
                text.settle("unresolved", f"verifier's reply {_ending(answered)}")
            elif text.rounds == how.rounds:
                text.settle("unresolved", f"not approved after {how.rounds} corrections")
            else:
                text.text, text.rounds = reply, text.rounds + 1
    return [_construction(text) for text in texts]


def translate_rounds(
    problems: Sequence[Problem],
    languages: Sequence[Language],
    how: RoundTranslation,
    models: Models,
    prompts: Path,
    seed: int,
) -> list[Construction]:
    """Questions of English problems in other languages, agreed by all verifiers (MMATH S6)."""
    texts = [
        _Text(problem, language, "question", problem.question)
        for language in languages
        for problem in problems
    ]
    _translate(texts, "mmath", how.translator, models, prompts, seed)
    prompt = load_prompt(prompts, "mmath/verify", "verify")
    everyone = {f"{index}:{role.model}" for index, role in enumerate(how.verifiers)}
    for turn in range(1, how.rounds + 1):
        for index, role in enumerate(how.verifiers):
            me = f"{index}:{role.model}"
            opened = [text for text in texts if text.outcome is None and me not in text.marks]
            answers = _ask(
                opened,
                [
                    prompt.messages(
                        target_language=text.language.name,
                        original=text.source,
                        translation=text.text,
                    )
                    for text in opened
                ],
                role,
                "mmath verify",
                models,
                seed,
            )
            for text, answered in zip(opened, answers, strict=True):
                replacement = verdict_of(answered.response.text)
                if replacement is None:
                    word = "no verdict"
                elif replacement in ("", text.text):
                    word = "marked" if replacement == "" else "no verdict"
                else:
                    word = "replaced"
                text.note("verify", role.model, answered, round=turn, verdict=word)
                if word == "marked":
                    text.marks.add(me)
                elif word == "replaced":
                    text.text, text.marks, text.rounds = replacement or "", set(), turn
                if text.marks == everyone:
                    _accept(text)
    for text in texts:
        if text.outcome is None:
            text.settle(
                "unresolved",
                f"{len(text.marks)} of {len(everyone)} verifiers agreed after {how.rounds} rounds",
            )
    return [_construction(text) for text in texts]


def verdict_of(reply: str) -> str | None:
    """What a round verifier said: "" for correct, the replacement's text, or None for no verdict.

    A reply that calls the text incorrect without a replacement, or that gives a replacement and
    calls the text correct, is no verdict.
    """
    words = [match.group(1) for match in MARK.finditer(REPLACEMENT.sub(" ", reply))]
    replacements = REPLACEMENT.findall(reply)
    if not words:
        return None
    if words[-1] is None:
        return None if replacements else ""
    return replacements[-1].strip() or None if replacements else None


def infidelity(source: str, text: str) -> str | None:
    """Why a translation does not keep to its original, or None where it does."""
    if not text.strip():
        return "empty"
    if text.strip() == source.strip() and words_outside_math(source):
        return "left in English"
    before, after = Counter(math_spans(source)), Counter(math_spans(text))
    if before != after:
        lost, added = (list(one.elements()) for one in (before - after, after - before))
        return f"mathematics changed: lost {lost or 'none'}, added {added or 'none'}"
    return None


def _translate(
    texts: Sequence[_Text],
    paper: str,
    role: Role,
    models: Models,
    prompts: Path,
    seed: int,
) -> None:
    opened = [text for text in texts if text.outcome is None]
    messages = []
    for text in opened:
        name = f"{paper}/translate" + (f"-{text.field}" if paper == "mathmist" else "")
        messages.append(
            load_prompt(prompts, name, "translate").messages(
                target_language=text.language.name,
                conventions=text.language.conventions(text.source),
                text=text.source,
            )
        )
    answers = _ask(opened, messages, role, f"{paper} translate", models, seed)
    for text, answered in zip(opened, answers, strict=True):
        text.text = answered.response.text.strip()
        text.note("translate", role.model, answered)
        if answered.response.finish != "stop" or not text.text:
            text.settle("unresolved", f"translation {_ending(answered)}")


def _ask(
    texts: Sequence[_Text],
    messages: Sequence[list[dict[str, str]]],
    role: Role,
    label: str,
    models: Models,
    seed: int,
) -> list[Answered]:
    requests = [
        request(
            label.split()[1],
            text.language.code,
            message,
            role.sampling,
            seed_of(seed, label, text.problem.id, text.field, text.language.code, text.rounds),
        )
        for text, message in zip(texts, messages, strict=True)
    ]
    return models.ask(role.model, requests, label)


def _accept(text: _Text) -> None:
    fault = infidelity(text.source, text.text)
    if fault is not None:
        text.settle("unresolved", f"approved, but {fault}")
    else:
        text.settle("corrected" if text.rounds else "accepted")


def _ending(answered: Answered) -> str:
    words = {"stop": "is empty", "length": "was cut off", "blocked": "was blocked"}
    return words.get(answered.response.finish, "is an error")


def _construction(text: _Text) -> Construction:
    return Construction.model_validate(
        {
            "id": text.problem.id,
            "lang": text.language.code,
            "stage": "translation",
            "field": text.field,
            "outcome": text.outcome,
            "rounds": text.rounds,
            "text": text.text,
            "reason": text.reason,
            "history": text.history,
            "detail": {"source": text.source},
        }
    )
