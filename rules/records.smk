"""The records behind tables and figures: look-ups from a catalogue item to files and facts."""

from babelmath.catalogue import scorer_of
from babelmath.config import imported


def records_of(item):
    """The record files behind a table or figure, named as the scripts take them."""
    name, benchmark = item.paper, BENCHMARKS[item.paper]
    choices = getattr(benchmark, "choices", None)
    perturbation = getattr(benchmark, "perturbation", None)
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
    if "generations" in item.needs:
        found["generations"] = [
            f"{R}/{name}/generations/{one}/{model}.jsonl" for one, model in pairs_of(item)
        ]
    if "choices" in item.needs and (choices or imported(benchmark, "choices")):
        found["choices"] = [f"{R}/{name}/choices/{lang}.jsonl" for lang in built_languages(name)]
    if "perturbed" in item.needs and (perturbation or imported(benchmark, "perturbation")):
        found["perturbed"] = [
            f"{R}/{name}/perturbed/{lang}.jsonl" for lang in built_languages(name)
        ]
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
        "models": {
            name: (one.display, one.parameters)
            for name, one in CONFIG.models.items()
            if any(name == model for _, model in pairs_of(item))
        },
        "language_names": {lang: LANGUAGES[lang].name for lang in benchmark.languages},
        "native_names": {lang: LANGUAGES[lang].native_name for lang in benchmark.languages},
        "languages": benchmark.languages,
        "source_languages": benchmark.source_languages,
        "scorers": {one: table_scorer(item.paper, one) for one in settings},
        "samples": {one: setting.samples for one, setting in settings.items()},
        "pairs": pairs_of(item),
        "cot_columns": getattr(benchmark, "cot_columns", {}),
    }
