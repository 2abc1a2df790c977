"""Verdicts by a judging model (MathMist section 4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from babelmath.asking import Models, request
from babelmath.config import Judge
from babelmath.prompts import load_prompt
from babelmath.records import Generation, Perturbed, Problem, Verdict
from babelmath.scoring.judge_replies import read_bound, read_reply, reply_schema
from babelmath.seeds import seed_of
from babelmath.verdicts import Gold, status_without_text, verdict

JUDGE_PROMPTS = {"solve": "mathmist/judge-answer", "identify": "mathmist/judge-identification"}
JUDGE_WORDS = {"solve": frozenset({"YES", "NO"}), "identify": frozenset({"TP", "FP", "FN"})}
JUDGE_PURPOSES = {"solve": "judge-answer", "identify": "judge-identification"}


def by_judge(
    generations: Sequence[Generation],
    gold: Gold,
    perturbed: Sequence[Perturbed],
    problems: Sequence[Problem],
    task: str,
    name: str,
    judge: Judge,
    models: Models,
    prompts: Path,
    seed: int,
    label: str,
) -> list[Verdict]:
    """A judge's decision on every generation that has an answer (MathMist section 4.2).

    YES (or TP) is correct; NO (FP, FN) is wrong, truncated where the generation was cut off; a
    reply without a decision is unresolved, which never counts as correct.

    Raises:
        UnansweredError, InputError: from asking and from prompt files.
    """
    prompt = load_prompt(prompts, JUDGE_PROMPTS[task], JUDGE_PURPOSES[task])
    flawed = {(item.id, item.lang): item for item in perturbed if item.strategy == 3}
    questions = {problem.identity: problem.question for problem in problems}
    asked = [item for item in generations if status_without_text(item, False) is None]
    requests = []
    for item in asked:
        key = (item.id, item.lang)
        if task == "solve":
            values = {"student_answer": item.answer.strip(), "ground_truth": gold[key]}
        else:
            values = {
                "question": questions[key],
                "solution": flawed[key].solution,
                "errors": errors_text(flawed[key]),
                "explanation": item.answer.strip(),
            }
        requests.append(
            request(
                "judging",
                item.lang,
                prompt.messages(**values),
                judge.sampling,
                seed_of(seed, "judge", item.id, item.lang, item.sample),
                schema=reply_schema(JUDGE_WORDS[task]) if judge.bound else None,
            )
        )
    answers = dict(
        zip(
            [item.identity for item in asked], models.ask(judge.model, requests, label), strict=True
        )
    )
    verdicts = []
    for item in generations:
        truth = gold[item.id, item.lang]
        status = status_without_text(item, False)
        note: dict[str, Any] | None = None
        if status is None:
            answered = answers[item.identity]
            read = read_bound if judge.bound else read_reply
            decision = read(answered.response.text, JUDGE_WORDS[task])
            if decision.word is None:
                status = "unresolved"
            elif decision.word in ("YES", "TP"):
                status = "correct"
            else:
                status = "truncated" if item.finish == "length" else "wrong"
            note = {
                "decision": decision.word,
                "confidence": decision.confidence,
                "reason": decision.reason,
                "raw": answered.response.text,
                "journal": answered.key,
            }
        verdicts.append(verdict(item, f"judge-{name}", status, item.answer, truth, [], note))
    return verdicts


def gold_errors(perturbed: Sequence[Perturbed]) -> Gold:
    """The true errors of strategy 3's flawed solutions."""
    return {(one.id, one.lang): errors_text(one) for one in perturbed if one.strategy == 3}


def errors_text(item: Perturbed) -> str:
    """The true errors of a flawed solution as lines for a judge; also the gold of its verdict."""
    if not item.errors:  # released ones are described in words
        return "\n".join(text for text in map(str, item.checks.values()) if text)
    return "\n".join(
        f"- step {error.step}, {error.type.replace('_', ' ')}: {error.text}"
        for error in item.errors
    )
