"""What in a configuration names nothing or contradicts itself, each with its place and remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from babelmath.config import (
    RULE_SCORERS,
    Benchmark,
    Config,
    MathMist,
    Setting,
    benchmarks,
    imported,
    roles,
)
from babelmath.modelfaults import Finding, model_faults

NEEDED = {
    "llamacpp": "weights",
    "vllm": "weights",
    "openai": "service",
    "gemini": "service",
    "released": "released_as",
}
COT_COLUMNS = {"bn": "cot", "en": "cot"}
NOT_SPLIT = "its records are released: nothing is asked that could be split"


def faults(config: Config) -> list[Finding]:
    """Names that nothing defines and values that contradict each other."""
    found: list[Finding] = []

    def model(location: tuple[str | int, ...], name: str) -> None:
        if name not in config.models:
            known = ", ".join(config.models) or "none"
            found.append((location, "no such model", name, f"Defined under models: {known}."))

    at: tuple[str | int, ...]
    for name, entry in config.models.items():
        at = ("models", name)
        needed = NEEDED[entry.engine]
        if getattr(entry, needed) is None:
            found.append(
                (at, f"engine {entry.engine} needs {needed}", None, f"Add {needed} to the model.")
            )
        if entry.engine == "released" and entry.shards > 1:
            found.append(((*at, "shards"), NOT_SPLIT, entry.shards, "Leave shards out."))
    found += _unpriced(config)
    found += _explored(config)
    found += model_faults(config)
    found += _places(config)
    for name, judge in config.judges.items():
        model(("judges", name, "model"), judge.model)
        if (judge.reading == "strict") != name.endswith("-strict"):
            found.append((("judges", name, "reading"),
                          "a judge whose reading is strict is named ...-strict, and no other",
                          judge.reading, "Rename the judge, or change reading."))  # fmt: skip
    for field in ("transcription", "training_data"):
        if (chosen := getattr(config.builders, field)) is not None:
            model(("builders", field), chosen)
    for name, benchmark in benchmarks(config).items():
        base: tuple[str | int, ...] = ("benchmarks", name)
        found += _twice(base, benchmark)
        found += _languages(base, benchmark)
        for role_at, role in roles(base, benchmark):
            model((*role_at, "model"), role.model)
            if _is_released(config, role.model):
                found.append(((*role_at, "model"), "its records are released, it cannot be asked",
                              role.model, "Take a model that can be asked."))  # fmt: skip
        for setting_name, setting in benchmark.settings.items():
            at = (*base, "settings", setting_name)
            for index, chosen in enumerate(setting.models):
                model((*at, "models", index), chosen)
            found += _setting(at, setting, benchmark, config)
            found += _released(at, setting, name, benchmark, config)
            found += _shards(at, setting, config)
        if isinstance(benchmark, MathMist) and benchmark.cot_columns != COT_COLUMNS:
            found += _cot_columns(base, benchmark)
    return found


def _cot_columns(base: tuple[str | int, ...], benchmark: MathMist) -> list[Finding]:
    """Settings that cannot stand in the CoT columns of tables."""
    found: list[Finding] = []
    columns = benchmark.cot_columns
    if missing := [lang for lang in COT_COLUMNS if lang not in columns]:
        found.append(((*base, "cot_columns"), f"lacks {' and '.join(missing)}", columns,
                      f"Tables have columns for {' and '.join(COT_COLUMNS)}."))  # fmt: skip
    for lang, chosen in columns.items():
        at = (*base, "cot_columns", lang)
        if chosen not in benchmark.settings:
            known = ", ".join(benchmark.settings) or "none"
            found.append((at, "no such setting", chosen, f"Settings are {known}."))
        elif lang not in benchmark.settings[chosen].question_languages:
            found.append((at, f"a setting without questions in {lang}", chosen,
                          f"Take one whose question_languages hold {lang}."))  # fmt: skip
    return found


def _unpriced(config: Config) -> list[Finding]:
    """Services without a price: no cap could hold what they take."""
    if config.most_cost is None:
        return []
    return [
        (("models", name, "price"), "most_cost needs the price of every service", None,
         "Add price: {input: ..., output: ...}, in US dollars for a million tokens.")
        for name, model in config.models.items()
        if model.engine in ("openai", "gemini") and not model.base_url and model.price is None
    ]  # fmt: skip


def _explored(config: Config) -> list[Finding]:
    """An explorer that could not show one generation of each setting, model and language."""
    cells = sum(
        len(setting.models) * len(setting.question_languages)
        for one in benchmarks(config).values()
        for setting in one.settings.values()
    )
    if config.explorer.most >= cells:
        return []
    return [(("explorer", "most"), f"fewer than the {cells} settings, models and languages",
             config.explorer.most, f"Write {cells} or more.")]  # fmt: skip


def _is_released(config: Config, model: str) -> bool:
    """Whether a model's records are read instead of asking it."""
    return model in config.models and config.models[model].engine == "released"


def _places(config: Config) -> list[Finding]:
    """A results root that would overwrite what the run reads, or that no path can hold."""
    results, at = config.paths.results, ("paths", "results")
    if not results.strip() or set(results) & set("{}\n~"):
        return [(at, "not a folder's name", results, "Name a folder of its own.")]
    root = Path(results).absolute()
    read = [config.paths.journal, config.paths.prompts, config.paths.review,
            config.paths.languages, config.paths.claims, "config", "rules", "scripts"]  # fmt: skip
    read += [one.source.folder for one in benchmarks(config).values() if one.source.folder]
    for folder in read:
        other = Path(folder).absolute()
        if root == other or root in other.parents or other in root.parents:
            return [(at, f"holds or lies in {folder}", results, "Name a folder of its own.")]
    return []


def _twice(base: tuple[str | int, ...], benchmark: Benchmark) -> list[Finding]:
    """Lists in which a name must not stand twice: it would count double."""
    lists: list[tuple[tuple[str | int, ...], list[Any]]] = [
        ((*base, "languages"), list(benchmark.languages)),
        ((*base, "source_languages"), list(benchmark.source_languages)),
        ((*base, "subset", "numbers"), list(benchmark.subset.numbers or [])),
    ]
    if isinstance(benchmark, MathMist):
        lists.append(((*base, "sample", "numbers"), list(benchmark.sample.numbers or [])))
        if benchmark.perturbation is not None:
            at = (*base, "perturbation", "strategies")
            lists.append((at, list(benchmark.perturbation.strategies)))
    for name, setting in benchmark.settings.items():
        own = setting.sample.numbers if setting.sample else None
        lists.append(((*base, "settings", name, "sample", "numbers"), list(own or [])))
        for field in ("question_languages", "models", "scorers"):
            lists.append(((*base, "settings", name, field), list(getattr(setting, field))))
    return [
        (at, "stands twice", value, "Name it once.")
        for at, values in lists
        for value in dict.fromkeys(values)
        if values.count(value) > 1
    ]


def _languages(base: tuple[str | int, ...], benchmark: Benchmark) -> list[Finding]:
    found: list[Finding] = []
    for lang in benchmark.source_languages:
        if lang not in benchmark.languages:
            found.append(((*base, "languages"), "lacks a source language", lang, "Add it."))
    made = [lang for lang in benchmark.languages if lang not in benchmark.source_languages]
    if made and benchmark.translation is None:
        found.append(
            (
                (*base, "languages"),
                "languages without a source need a translation section",
                made,
                "Add translation, or name them in source_languages if the source has them.",
            )
        )
    if made and "en" not in benchmark.source_languages:
        found.append(
            ((*base, "source_languages"), "translation starts from English", made, "Add en.")
        )
    if benchmark.source.format == "bundled" and benchmark.source.folder is None:
        found.append(((*base, "source"), "bundled sources need a folder", None, "Add folder."))
    if isinstance(benchmark, MathMist) and benchmark.choices is not None:
        total = sum(benchmark.choices.mixture.values())
        if not abs(total - 1) <= 1e-9 or min(benchmark.choices.mixture.values()) < 0:
            found.append(
                (
                    (*base, "choices", "mixture"),
                    "weights must be at least 0 and sum to 1",
                    benchmark.choices.mixture,
                    "Change the weights.",
                )
            )
    return found


def _setting(
    at: tuple[str | int, ...], setting: Setting, benchmark: Benchmark, config: Config
) -> list[Finding]:
    found: list[Finding] = []
    asked: list[tuple[tuple[str | int, ...], str]] = [
        ((*at, "question_languages", index), lang)
        for index, lang in enumerate(setting.question_languages)
    ]
    if setting.reasoning_language is not None:
        asked.append(((*at, "reasoning_language"), setting.reasoning_language))
    for where, lang in asked:
        if lang not in benchmark.languages:
            found.append(
                (
                    where,
                    "not a language of the benchmark",
                    lang,
                    f"The benchmark has {', '.join(benchmark.languages)}.",
                )
            )
    if setting.items == "sample" and not isinstance(benchmark, MathMist):
        found.append(((*at, "items"), "the benchmark has no sample", "sample", "Write all."))
    if setting.sample is not None and setting.items != "sample":
        found.append(((*at, "sample"), "is not used with items all", None, "Write items: sample."))
    known = [*RULE_SCORERS, *(f"judge-{name}" for name in config.judges)]
    fitting = {"solve": ("rules", "judge"), "choose": ("letter",), "detect": ("letter",)}
    fits = fitting.get(setting.task, ("judge",))
    for index, scorer in enumerate(setting.scorers):
        where = (*at, "scorers", index)
        if scorer not in known:
            found.append((where, "no such scorer", scorer, f"Known are {', '.join(known)}."))
        elif scorer.split("-")[0] not in fits:
            found.append((where, f"cannot score task {setting.task}", scorer, "Choose another."))
    if not any(_is_strict(one) == (config.protocol == "strict") for one in setting.scorers):
        own = [f"{one}-{config.protocol}" for one in fits if one != "judge"]
        own += [f"a judge whose reading is {config.protocol}"] if "judge" in fits else []
        found.append(((*at, "scorers"), f"no scorer is of the tables' protocol, {config.protocol}",
                      setting.scorers, f"Add {' or '.join(own)}."))  # fmt: skip
    needs: dict[str, Literal["choices", "perturbation"]] = {
        "choose": "choices", "detect": "perturbation", "identify": "perturbation"
    }  # fmt: skip
    section = needs.get(setting.task)
    given = section and imported(benchmark, section)
    if section and getattr(benchmark, section, None) is None and not given:
        found.append(
            (at, f"task {setting.task} needs the benchmark's {section} section", None, "Add it.")
        )
    return found


def _shards(at: tuple[str | int, ...], setting: Setting, config: Config) -> list[Finding]:
    """Shards of what the setting does not ask."""
    found: list[Finding] = []
    for model in setting.shards:
        where = (*at, "shards", model)
        if model not in setting.models:
            found.append((where, "not a model of the setting", model,
                          f"The setting asks {', '.join(setting.models)}."))  # fmt: skip
        elif _is_released(config, model):
            found.append((where, NOT_SPLIT, model, "Take it out."))
    return found


def _is_strict(scorer: str) -> bool:
    return scorer.endswith("-strict")


def _released(
    at: tuple[str | int, ...], setting: Setting, name: str, benchmark: Benchmark, config: Config
) -> list[Finding]:
    """Released records: only MathMist's release has them, and nothing can be asked of a record."""
    found: list[Finding] = []
    given = name == "mathmist" and benchmark.source.format == "released"
    readers = [config.judges[one.removeprefix("judge-")].model for one in setting.scorers
               if one.removeprefix("judge-") in config.judges]  # fmt: skip
    for index, one in enumerate(setting.models):
        if _is_released(config, one) and not given:
            found.append(((*at, "models", index), "this source has no released records", one,
                          "Take a model that can be asked."))  # fmt: skip
        if not _is_released(config, one) and any(_is_released(config, by) for by in readers):
            found.append(((*at, "models", index), "a released judge judged no such responses", one,
                          "Score its setting by a judge that can be asked."))  # fmt: skip
    return found
