"""What building steps will ask: translation and its verifiers, distractors, flawed solutions.

As expected, a translation is approved the first time; at most, every round is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from babelmath.config import (
    MathMist,
    PairedTranslation,
    Perturbation,
    Role,
    RoundTranslation,
    Selection,
    imported,
)
from babelmath.distractors import PROMPT as DISTRACTOR
from babelmath.estimates.questions import Stock
from babelmath.estimates.work import Ground, Load, Part, Prompted, prompted
from babelmath.languages import Language
from babelmath.perturbation import ERRORS
from babelmath.prompts import load_prompt
from babelmath.records import FIELDS, Problem
from babelmath.sources import words_outside_math

VERDICT = 10  # tokens of a verifier's approval


@dataclass(frozen=True)
class Text:
    """A text to be translated."""

    problem: Problem
    field: str
    source: str
    lang: str


def building(stock: Stock, ground: Ground) -> Iterator[Load]:
    """The loads of a benchmark's building steps; none for what is imported from a release."""
    benchmark = stock.benchmark
    how = benchmark.translation
    made = [one for one in benchmark.languages if one not in benchmark.source_languages]
    if made and "en" in stock.problems and isinstance(how, PairedTranslation):
        yield from _paired(stock, ground, how, made)
    if made and "en" in stock.problems and isinstance(how, RoundTranslation):
        yield from _rounds(stock, ground, how, made)
    if not isinstance(benchmark, MathMist) or "en" not in stock.problems:
        return
    if benchmark.choices is not None and not imported(benchmark, "choices"):
        yield _distractors(stock, ground, benchmark.choices.model)
    if benchmark.perturbation is not None and not imported(benchmark, "perturbation"):
        yield from _perturbation(stock, ground, benchmark.perturbation)


def _paired(
    stock: Stock, ground: Ground, how: PairedTranslation, made: Sequence[str]
) -> Iterator[Load]:
    texts = [
        Text(problem, name, getattr(problem, name), lang)
        for lang in made
        for problem in _chosen(stock, how.items)
        for name in FIELDS
        if getattr(problem, name) is not None and words_outside_math(getattr(problem, name))
    ]
    yield _translate(stock, ground, texts, how.translator, "mathmist/translate-{}")
    yield _verify(stock, ground, texts, how.verifier, "mathmist/verify-{}", how.rounds + 1)


def _rounds(
    stock: Stock, ground: Ground, how: RoundTranslation, made: Sequence[str]
) -> Iterator[Load]:
    texts = [
        Text(problem, "question", problem.question, lang)
        for lang in made
        for problem in stock.problems["en"]
    ]
    yield _translate(stock, ground, texts, how.translator, "mmath/translate")
    for role in how.verifiers:
        yield _verify(stock, ground, texts, role, "mmath/verify", how.rounds)


def _translate(stock: Stock, ground: Ground, texts: Sequence[Text], role: Role, name: str) -> Load:
    prompts = Path(ground.config.paths.prompts)
    asked = []
    for text in texts:
        prompt = load_prompt(prompts, name.format(text.field), "translate")
        language: Language = stock.language(text.lang)
        chat = prompt.messages(
            target_language=language.name,
            conventions=language.conventions(text.source),
            text=text.source,
        )
        parts = [Part(one["content"], "en", "en") for one in chat]
        asked.append(Prompted(tuple(chat), tuple(parts), True))
    counter = ground.counter(role.model)
    lengths = [prompted([], [], "en", [Part(text.source, "en", text.lang)], False).tokens(counter)
               for text in texts]  # fmt: skip
    length = sum(lengths) / len(lengths) if lengths else 0.0
    return _load(stock, ground, "translation", "translate", role, asked, 1, length)


def _verify(
    stock: Stock, ground: Ground, texts: Sequence[Text], role: Role, name: str, most: int
) -> Load:
    prompts = Path(ground.config.paths.prompts)
    asked = []
    for text in texts:
        prompt = load_prompt(prompts, name.format(text.field), "verify")
        fixed = prompt.messages(
            target_language=stock.language(text.lang).name, original="", translation=""
        )
        values = [Part(text.source, "en", "en"), Part(text.source, "en", text.lang)]
        asked.append(prompted(fixed, fixed, "en", values, False))
    return _load(stock, ground, "verification", "verify", role, asked, most, VERDICT)


def _distractors(stock: Stock, ground: Ground, role: Role) -> Load:
    prompt = load_prompt(Path(ground.config.paths.prompts), DISTRACTOR, "distractor")
    asked = []
    for problem in stock.problems["en"]:
        if problem.kind != "proof":
            chat = prompt.messages(question=problem.question, answer=problem.answer)
            parts = tuple(Part(one["content"], "en", "en") for one in chat)
            asked.append(Prompted(tuple(chat), parts, True))
    return _load(stock, ground, "distractors", "distractor", role, asked, 1, None)


def _perturbation(stock: Stock, ground: Ground, how: Perturbation) -> Iterator[Load]:
    prompts = Path(ground.config.paths.prompts)
    chosen = {one.id for one in _chosen(stock, how.items)}
    writing, checking, lengths = [], [], []
    counter = ground.counter(how.model.model)
    release = stock.benchmark.source.format == "released"
    langs = [one for one in stock.benchmark.source_languages
             if one in stock.problems and (not release or one in ("bn", "en"))]  # fmt: skip
    check = load_prompt(prompts, "mathmist/perturb-check", "perturb-check")
    for strategy in how.strategies:
        for lang in langs:
            first = lang == "en"
            purpose = "perturb" if first else "perturb-parallel"
            name = f"mathmist/perturb-{strategy if first else 'parallel'}"
            write = load_prompt(prompts, name, purpose)
            errors = "; ".join(f"{one} in step 1" for one in ERRORS[strategy])
            more = {} if first else {"errors": errors}
            given = {"language": stock.language(lang).name, **more}
            fixed = write.messages(**given, question="", solution="", answer="")
            types = ", ".join(ERRORS[strategy])
            blank = check.messages(question="", solution="", perturbed="", error_types=types)
            for problem in stock.problems[lang]:
                if problem.id not in chosen:
                    continue
                solution = problem.solution or ""
                texts = [problem.question, solution, problem.answer]
                values = [Part(one, lang, lang) for one in texts]
                writing.append(prompted(fixed, fixed, "en", values, False))
                shown = [Part(one, lang, lang) for one in (problem.question, solution, solution)]
                checking.append(prompted(blank, blank, "en", shown, False))
                lengths.append(counter.count(solution, lang))
    length = sum(lengths) / len(lengths) if lengths else 0.0
    yield _load(stock, ground, "flawed solutions", "perturbation", how.model, writing, 1, length,
                "mathmist.perturb")  # fmt: skip
    yield _load(stock, ground, "checks of these", "perturbation check", how.checker, checking, 1,
                None, "mathmist.perturb")  # fmt: skip


def _load(
    stock: Stock,
    ground: Ground,
    step: str,
    purpose: str,
    role: Role,
    asked: Sequence[Prompted],
    most: int,
    text: float | None,
    job: str | None = None,
) -> Load:
    """The load of a step. What is journalled is told by its number: replies decide what follows."""
    jobs = {"translate": "translate", "verify": "translate", "distractor": "distractors"}
    measured = ground.journal(role.model).measured(job or f"{stock.name}.{jobs[purpose]}", purpose)
    held = min(measured.responses if measured else 0, len(asked) * most)
    counter = ground.counter(role.model)
    left = max(len(asked) - held, 0)
    mean = sum(one.tokens(counter) for one in asked) / len(asked) if asked else 0.0
    new_each, new_by = ground.new_tokens(role.model, role.sampling.max_tokens, measured, text)
    return Load(step, stock.name, "", role.model, left, len(asked) * most - held, held, mean * left,
                new_each, role.sampling.max_tokens, new_by, "read")  # fmt: skip


def _chosen(stock: Stock, items: str) -> list[Problem]:
    english = stock.problems["en"]
    benchmark = stock.benchmark
    if items != "sample" or not isinstance(benchmark, MathMist):
        return english
    sample: Selection = benchmark.sample
    chosen = stock.selected(sample)
    return [one for one in english if one.id in chosen]
