"""The files that rules take: look-ups from the configuration to paths."""

from babelmath.catalogue import scorer_of
from babelmath.checks import building_prompts
from babelmath.judging import JUDGE_PROMPTS
from babelmath.prompts import prompt_path
from babelmath.releases import local_folder
from babelmath.sources import source_files


def problem_files(benchmark, languages):
    return [f"{R}/{benchmark}/problems/{lang}.jsonl" for lang in languages]


def language_files(languages):
    return [f"{CONFIG.paths.languages}/{lang}.yaml" for lang in dict.fromkeys(languages)]


def building_files(benchmark, start):
    """Prompt files of a building step, by the beginning of their names."""
    if benchmark not in BENCHMARKS:
        return []
    return [
        str(prompt_path(PROMPTS, name))
        for name in building_prompts(BENCHMARKS[benchmark])
        if name.split("/")[1].startswith(start)
    ]


def translation_files(benchmark):
    return [
        f"{R}/{benchmark}/construction/translation/{lang}.jsonl"
        for lang in made_languages(benchmark)
    ]


def translated_sample(benchmark):
    """The selection of problems to translate; None for all."""
    one = BENCHMARKS[benchmark]
    sampled = getattr(one.translation, "items", "all") == "sample"
    return one.sample.model_dump() if sampled else None


def existing(path):
    """A file that may be there: its path where it is, so that its edits rerun a job."""
    return [path] if Path(path).is_file() else []


def raw_folder(benchmark):
    source = BENCHMARKS[benchmark].source
    return local_folder(benchmark, source.folder) or f"sources/{benchmark}/{source.commit}"


def raw_file(benchmark, lang):
    release = BENCHMARKS[benchmark].source.format == "released"
    return f"{raw_folder(benchmark)}/{source_files(benchmark, release, LANGUAGES[lang])}"


def raw_inputs(benchmark):
    """Local raw files, or the mark of the fetch that brings them."""
    source = BENCHMARKS[benchmark].source
    if local_folder(benchmark, source.folder):
        return [raw_file(benchmark, lang) for lang in source_languages(benchmark)]
    return [f"{R}/run/fetched-{benchmark}.json"]


def material(wildcards):
    """The files a setting asks from, named as the script takes them."""
    name, setting = wildcards.benchmark, setting_of(wildcards)
    langs = setting.question_languages
    found = {
        "population": problem_files(name, source_languages(name)[:1]),
        "problems": problem_files(name, langs),
        "languages": language_files([*langs, setting.reasoning_language or langs[0]]),
        "prompts": list(dict.fromkeys(setting_prompts(setting))),
    }
    if setting.task == "choose":
        found["choices"] = [f"{R}/{name}/choices/{lang}.jsonl" for lang in langs]
    if setting.task in ("detect", "identify"):
        found["perturbed"] = [f"{R}/{name}/perturbed/{lang}.jsonl" for lang in langs]
    return found


def setting_prompts(setting):
    for lang in setting.question_languages:
        yield str(prompt_path(PROMPTS, setting.prompt, lang))
        if setting.opening:
            yield str(prompt_path(PROMPTS, setting.opening, lang))


def judge_model(judge):
    return CONFIG.judges[judge].model


def records_of(item):
    """The record files behind a table or figure, named as the scripts take them."""
    name, benchmark = item.paper, BENCHMARKS[item.paper]
    choices = getattr(benchmark, "choices", None)
    perturbation = getattr(benchmark, "perturbation", None)
    given = source_languages(name)
    found = {}
    if "problems" in item.needs:
        found["problems"] = problem_files(name, benchmark.languages)
    if "verdicts" in item.needs:
        found["verdicts"] = [
            f"{R}/{name}/verdicts/{one}/{model}/{table_scorer(name, one)}.jsonl"
            for one, model in pairs_of(item)
        ]
    if "labels" in item.needs:
        found["labels"] = [
            f"{R}/{name}/languages/{one}/{model}.jsonl" for one, model in pairs_of(item)
        ]
    if "choices" in item.needs and choices:
        found["choices"] = [f"{R}/{name}/choices/{lang}.jsonl" for lang in given]
    if "perturbed" in item.needs and perturbation:
        found["perturbed"] = [f"{R}/{name}/perturbed/{lang}.jsonl" for lang in given]
    if "constructions" in item.needs:
        found["constructions"] = [
            *translation_files(name),
            *([f"{R}/{name}/construction/choices.jsonl"] if choices else []),
            *([f"{R}/{name}/construction/perturbation.jsonl"] if perturbation else []),
        ]
    return found


def pairs_of(item):
    """(setting, model) pairs of a table, in the order of their files."""
    settings = BENCHMARKS[item.paper].settings
    return [(one, model) for one in item.settings for model in settings[one].models]


def table_scorer(benchmark, setting):
    return scorer_of(BENCHMARKS[benchmark].settings[setting].scorers, CONFIG.protocol)


def facts_of(item):
    """What a table says besides its records: names, order, protocol, scorers, samples."""
    benchmark = BENCHMARKS[item.paper]
    settings = {one: benchmark.settings[one] for one in item.settings}
    return {
        "protocol": CONFIG.protocol,
        "scale": CONFIG.scale,
        "models": {name: (one.display, one.parameters) for name, one in CONFIG.models.items()},
        "language_names": {lang: LANGUAGES[lang].name for lang in benchmark.languages},
        "native_names": {lang: LANGUAGES[lang].native_name for lang in benchmark.languages},
        "languages": benchmark.languages,
        "source_languages": benchmark.source_languages,
        "scorers": {one: table_scorer(item.paper, one) for one in settings},
        "samples": {one: setting.samples for one, setting in settings.items()},
        "pairs": pairs_of(item),
    }
