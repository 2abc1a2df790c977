"""Checks that come before any model is loaded: at planning, and as a run starts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from babelmath import perturbation, translation
from babelmath.audit.claims import load_claims
from babelmath.config import (
    Benchmark,
    Config,
    MathMist,
    PairedTranslation,
    Selection,
    benchmarks,
    roles,
)
from babelmath.corrected import check_correction
from babelmath.distractors import PROMPT as DISTRACTOR
from babelmath.engines import installed, runnable
from babelmath.errors import InputError
from babelmath.files import is_there
from babelmath.judging import AGAIN_PROMPT, AGAIN_PURPOSE, JUDGE_PROMPTS, JUDGE_PURPOSES
from babelmath.label_review import read_checked
from babelmath.languages import Language, load_language
from babelmath.locks import check_locks
from babelmath.packages import fasttext_path, gguf_path
from babelmath.prompts import load_prompt
from babelmath.records import FIELDS, Problem
from babelmath.review import read_reviews
from babelmath.sources import read_aligned, select


def check_copies(copies: Mapping[str, tuple[str, str, list[str]]]) -> None:
    """Local copies of releases: the folder must be there and hold the corpora that are configured.

    Args:
        copies: by benchmark: what named the folder (a variable or key), the folder, its files.

    Raises:
        InputError: no such folder, or a file that it lacks.
    """
    for name, (where, folder, files) in copies.items():
        remedy = f"Let it name the copy of {name}'s release, or unset it to fetch the commit."
        if not Path(folder).is_dir():
            raise InputError("no such folder", field=where, value=folder, remedy=remedy)
        for file in files:
            if not Path(file).is_file():
                raise InputError(f"lacks {Path(file).relative_to(folder)}", field=where,
                                 value=folder, remedy=remedy)  # fmt: skip


def check_plan(config: Config) -> dict[str, Language]:
    """Languages, prompts and local weight files of a run; returns the languages by code.

    Raises:
        InputError: the first fault, before anything is planned.
    """
    codes = dict.fromkeys(
        code for benchmark in benchmarks(config).values() for code in benchmark.languages
    )
    languages = {code: load_language(config.paths.languages, code) for code in codes}
    if not Path(config.paths.review).is_dir():
        raise InputError(
            "no such folder", field="paths.review", value=config.paths.review,
            remedy="Name the folder of people's corrections; it may be empty.",
        )  # fmt: skip
    if not Path(config.paths.claims).is_file():
        raise InputError(
            "no such file", field="paths.claims", value=config.paths.claims,
            remedy="Name the claims ledger; the project's own is config/printed/claims.csv.",
        )  # fmt: skip
    for name, purpose, lang in prompts_of(config):
        load_prompt(config.paths.prompts, name, purpose, lang)
    for name in used_models(config):
        model = config.models[name]
        if model.engine == "llamacpp":
            try:
                gguf_path(model.weights or "")
            except InputError as error:
                raise InputError(
                    error.problem, file=error.file, field=f"models.{name}.weights",
                    value=model.weights, remedy=error.remedy,
                ) from None  # fmt: skip
    if any(setting.labels for one in benchmarks(config).values()
           for setting in one.settings.values()):  # fmt: skip
        fasttext_path(config.identification.weights)
    return languages


def check_inputs(
    config: Config,
    languages: Mapping[str, Language],
    sources: Mapping[str, Mapping[str, Path]],
    reviews: Mapping[str, Path],
    own_environments: bool = False,
) -> dict[str, dict[str, int]]:
    """Raw problems, reviews, claims and models of a run; problems by benchmark and language.

    Args:
        sources: raw files by benchmark and source language; of the benchmarks whose files are here
            (a fetch checks what it brings).
        reviews: review folders by benchmark.
        own_environments: whether every rule runs in an environment of its own (`--sdm conda`).

    Raises:
        InputError: the first fault: a bad line, sets that do not align, a review of an unknown
            item, a model that cannot be started here.
    """
    counts: dict[str, dict[str, int]] = {}
    for name, files in sources.items():
        benchmark = benchmarks(config)[name]
        release = benchmark.source.format == "released"
        sets = read_aligned(name, files, languages, release)
        first = next(iter(sets.values()))
        chosen = set(select(first, benchmark.subset, config.seed))
        if isinstance(benchmark, MathMist):
            held = [one for one in first if one.id in chosen]
            for sample in (benchmark.sample, *own_samples(benchmark)):
                select(held, sample, config.seed)
        _check_reviews(benchmark, sets, reviews[name])
        counts[name] = {lang: len(problems) for lang, problems in sets.items()}
    load_claims(config.paths.claims)
    check_locks(Path(config.paths.journal))
    for model in used_models(config):
        runnable(model, config.models[model])
        if not own_environments:
            installed(model, config.models[model])
    return counts


def own_samples(benchmark: Benchmark) -> list[Selection]:
    """The samples of settings that have one of their own."""
    return [one.sample for one in benchmark.settings.values() if one.sample is not None]


def used_models(config: Config) -> list[str]:
    """Models that some step of the run asks, in the configuration's order."""
    used: set[str] = set()
    for benchmark in benchmarks(config).values():
        used |= {role.model for _, role in roles((), benchmark)}
        for setting in benchmark.settings.values():
            used |= set(setting.models)
            used |= {
                config.judges[scorer.removeprefix("judge-")].model
                for scorer in setting.scorers
                if scorer.startswith("judge-")
            }
    return [name for name in config.models if name in used]


def prompts_of(config: Config) -> Iterator[tuple[str, str, str | None]]:
    """Every prompt a run needs: name, purpose, language (None where it has no language's own)."""
    for benchmark in benchmarks(config).values():
        for setting in benchmark.settings.values():
            for lang in setting.question_languages:
                yield setting.prompt, setting.task, lang
                if setting.opening is not None:
                    yield setting.opening, "opening", lang
            if any(scorer.startswith("judge-") for scorer in setting.scorers):
                yield JUDGE_PROMPTS[setting.task], JUDGE_PURPOSES[setting.task], None
                yield AGAIN_PROMPT, AGAIN_PURPOSE, None
        for name, purpose in building_prompts(benchmark).items():
            yield name, purpose, None


def building_prompts(benchmark: Benchmark) -> dict[str, str]:
    """Prompts (name, purpose) of a benchmark's building steps."""
    found: dict[str, str] = {}
    if benchmark.translation is not None:
        paired = isinstance(benchmark.translation, PairedTranslation)
        found |= translation.PAIRED_PROMPTS if paired else translation.ROUND_PROMPTS
    if isinstance(benchmark, MathMist) and benchmark.choices is not None:
        found[DISTRACTOR] = "distractor"
    if isinstance(benchmark, MathMist) and benchmark.perturbation is not None:
        found |= perturbation.PROMPTS
    return found


def _check_reviews(benchmark: Benchmark, sets: dict[str, list[Problem]], folder: Path) -> None:
    ids = [problem.id for problem in next(iter(sets.values()))]
    if isinstance(benchmark, MathMist) and is_there(folder / "labels.csv"):
        raise InputError("a check of labels, which is MMATH's alone", file=folder / "labels.csv",
                         remedy="Remove the file, or move it to MMATH's folder.")  # fmt: skip
    read_checked(folder / "labels.csv", ids)
    for lang in benchmark.languages:
        if lang not in sets:
            read_reviews(folder / "translation" / f"{lang}.csv", "field", FIELDS, ids)
    if isinstance(benchmark, MathMist) and benchmark.perturbation is not None:
        strategies = [str(one) for one in perturbation.ERRORS]
        for lang, problems in sets.items():
            path = folder / "perturbation" / f"{lang}.csv"
            reviews = read_reviews(path, "strategy", strategies, ids)
            for (identity, _), review in reviews.items():
                problem = next(one for one in problems if one.id == identity)
                if review.verdict == "corrected":
                    check_correction(review, problem, path)
