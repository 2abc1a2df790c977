"""Verdicts by a judging model (MathMist section 4.2)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babelmath.asking import Answered, Models, request
from babelmath.config import Judge
from babelmath.engines import Request
from babelmath.prompts import Message, Prompt, load_prompt
from babelmath.records import Generation, Perturbed, Problem, Status, Verdict
from babelmath.scoring.judge_paper import read_as_released
from babelmath.scoring.judge_replies import Decision, read_reply, reply_schema
from babelmath.scoring.judged_text import harmless
from babelmath.seeds import seed_of
from babelmath.thinking import as_received, part
from babelmath.verdicts import Gold, status_without_text, verdict

JUDGE_PROMPTS = {"solve": "mathmist/judge-answer", "identify": "mathmist/judge-identification"}
JUDGE_WORDS = {"solve": frozenset({"YES", "NO"}), "identify": frozenset({"TP", "FP", "FN"})}
JUDGE_PURPOSES = {"solve": "judge-answer", "identify": "judge-identification"}
AGAIN_PROMPT, AGAIN_PURPOSE = "mathmist/judge-again", "judge-again"
AGAIN_WORDS = {"solve": "YES or NO", "identify": "TP, FP or FN"}
AGAIN_TROUBLES = {"no decision": "no decision", "two decisions": "two decisions that differ"}
RIGHT = ("YES", "TP")
UNSEEN = ("Cc", "Cf", "Zs", "Zl", "Zp")  # categories of control marks and blanks


@dataclass(frozen=True)
class Shown:
    """What a judge is shown of one generation: the messages, and what was filled into them.

    `changed`: places of the judged text that were made harmless.
    """

    item: Generation
    messages: list[Message]
    said: str
    changed: int


@dataclass(frozen=True)
class Read:
    """A reply with what was read in it; `text` is its answer part, `raw` all that came."""

    answered: Answered
    text: str
    raw: str
    decision: Decision


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
    thinking: str = "none",
) -> list[Verdict]:
    """A judge's decision on every generation that has an answer (MathMist section 4.2).

    YES (or TP) is correct; NO (FP, FN) is wrong, truncated where the generation was cut off. A
    reply that cannot be used is asked for again once, with what was wrong named. What cannot be
    used then counts as NO under the paper reading, as released; under the strict one it is
    unresolved, and a generation that was cut off is not judged at all.

    Args:
        thinking: how the judging model shows its thinking, as its configuration says.

    Raises:
        UnansweredError, InputError: from asking and from prompt files.
    """
    strict = judge.reading == "strict"
    prompt = load_prompt(prompts, JUDGE_PROMPTS[task], JUDGE_PURPOSES[task])
    again = load_prompt(prompts, AGAIN_PROMPT, AGAIN_PURPOSE)
    judged = [one for one in generations if _status_unasked(one, strict) is None]
    shown = list(_shown(judged, gold, perturbed, problems, task, prompt))

    def ask(asked: Sequence[Shown], messages: Sequence[list[Message]], which: str) -> list[Read]:
        requests = [_request(one.item, said, task, judge, seed_of(seed, which, *one.item.identity))
                    for one, said in zip(asked, messages, strict=True)]  # fmt: skip
        answers = models.ask(judge.model, requests, label)
        return [_read(answered, judge, task, thinking, one.said)
                for one, answered in zip(asked, answers, strict=True)]  # fmt: skip

    first = ask(shown, [one.messages for one in shown], "judge")
    open_ones = [at for at, read in enumerate(first) if read.decision.trouble]
    second: dict[int, Read] = {}
    if open_ones:
        asked = [shown[at] for at in open_ones]
        replies = ask(asked, [_again(shown[at], first[at], again, task) for at in open_ones],
                      "judge again")  # fmt: skip
        second = dict(zip(open_ones, replies, strict=True))
    notes = {one.item.identity: _note(one, first[at], second.get(at)) for at, one in
             enumerate(shown)}  # fmt: skip
    return [
        verdict(one, f"judge-{name}", _status(one, notes, strict), one.answer,
                gold[one.id, one.lang], [], notes.get(one.identity))
        for one in generations
    ]  # fmt: skip


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


def _shown(
    judged: Sequence[Generation],
    gold: Gold,
    perturbed: Sequence[Perturbed],
    problems: Sequence[Problem],
    task: str,
    prompt: Prompt,
) -> Iterator[Shown]:
    flawed = {(item.id, item.lang): item for item in perturbed if item.strategy == 3}
    questions = {problem.identity: problem.question for problem in problems}
    for item in judged:
        key = (item.id, item.lang)
        text, changed = harmless(item.answer.strip())
        if task == "solve":
            values = {"student_answer": text, "ground_truth": gold[key]}
        else:
            values = {
                "question": questions[key],
                "solution": flawed[key].solution,
                "errors": errors_text(flawed[key]),
                "explanation": text,
            }
        yield Shown(item, prompt.messages(**values), "\n".join(values.values()), changed)


def _request(item: Generation, said: list[Message], task: str, judge: Judge, seed: int) -> Request:
    schema = reply_schema(JUDGE_WORDS[task]) if judge.bound else None
    return request("judging", item.lang, said, judge.sampling, seed, schema=schema)


def _read(answered: Answered, judge: Judge, task: str, thinking: str, said: str) -> Read:
    response = answered.response
    parts = part(response.text, response.thinking, thinking, response.finish)
    raw = as_received(response.text, response.thinking, parts)
    if judge.bound or judge.reading == "strict":
        decision = read_reply(parts.answer, JUDGE_WORDS[task], said)
    else:
        decision = read_as_released(parts.answer, JUDGE_WORDS[task])
    return Read(answered, parts.answer, raw, decision)


def _again(shown: Shown, read: Read, prompt: Prompt, task: str) -> list[Message]:
    """The conversation so far, and what was wrong with the reply."""
    trouble = AGAIN_TROUBLES[read.decision.trouble or "no decision"]
    said = {"role": "assistant", "content": read.text.strip() or "(no reply)"}
    return [*shown.messages, said, *prompt.messages(problem=trouble, words=AGAIN_WORDS[task])]


def _note(shown: Shown, first: Read, second: Read | None) -> dict[str, Any]:
    """The judge field of a verdict: the decision, and every reply word by word."""
    decision = (second or first).decision
    again = None
    if second is not None:
        again = {"problem": first.decision.trouble, "raw": second.raw,
                 "journal": second.answered.key}  # fmt: skip
    return {
        "decision": decision.word,
        "confidence": decision.confidence,
        "reason": decision.reason,
        "raw": first.raw,
        "journal": first.answered.key,
        "again": again,
        "defanged": shown.changed,
    }


def _status(
    item: Generation, notes: Mapping[tuple[Any, ...], Mapping[str, Any]], strict: bool
) -> Status:
    status = _status_unasked(item, strict)
    if status is not None:
        return status
    word = notes[item.identity]["decision"]
    if word in RIGHT:
        return "correct"
    if word is None and strict:
        return "unresolved"
    return "truncated" if item.finish == "length" else "wrong"


def _status_unasked(item: Generation, strict: bool) -> Status | None:
    """The status of a generation that no judge is asked about: nothing to see in it, or cut off."""
    seen = (one for one in item.answer if unicodedata.category(one) not in UNSEEN)
    if next(seen, None) is None:
        item = item.model_copy(update={"answer": ""})
    return status_without_text(item, strict)
