"""The records behind tables and figures: look-ups from a catalogue item to files and facts."""

from babelmath.scorers import scorer_of
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
            f"{R}/{name}/verdicts/{one}/{model}/{table_scorer(item, one)}.jsonl"
            for one, model in pairs_of(item)
        ]
    if "scores" in item.needs:
        found["scores"] = [
            f"{R}/{name}/verdicts/{one}/{model}/{scorer}.jsonl"
            for one, model, scorer in scored_by(item)
        ]
    if "labels" in item.needs:
        found["labels"] = [
            f"{R}/{name}/languages/{one}/{model}.jsonl" for one, model in labelled_of(item)
        ]
    if "claims" in item.needs:
        found["claims"] = [CONFIG.paths.claims]
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
    if "golds" in item.needs:
        found["golds"] = [f"{R}/{name}/golds.csv"]
    if "reviews" in item.needs:
        found["sampled"] = [f"{R}/{name}/review/labels.csv"]
        found["reviewed"] = existing(f"{review_folder(name)}/labels.csv")
    if "confusion" in item.needs:
        found["confusion"] = [f"{R}/run/identification.csv"]
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
    return [
        (one, model)
        for one in item.settings
        for model in settings[one].models
        if item.model in (None, model) and (not item.models or model in item.models)
    ]


def labelled_of(item):
    """Those of a table's pairs whose languages are labelled."""
    settings = BENCHMARKS[item.paper].settings
    return [(one, model) for one, model in pairs_of(item) if settings[one].labels]


def scored_by(item):
    """(setting, model, scorer) of all scorers of a table's settings, in their files' order."""
    settings = BENCHMARKS[item.paper].settings
    return [(*one, scorer) for one in pairs_of(item) for scorer in settings[one[0]].scorers]


def table_caption(item):
    """A table's or figure's caption, with its model where it is of one."""
    return item.caption + (f": {CONFIG.models[item.model].display}" if item.model else "")


def protocol_of(item):
    return "strict" if item.protocol == "strict" else CONFIG.protocol


def table_scorer(item, setting):
    return scorer_of(BENCHMARKS[item.paper].settings[setting].scorers, protocol_of(item))


def facts_of(item):
    """What a table says besides its records: names, order, protocol, scorers, samples."""
    benchmark = BENCHMARKS[item.paper]
    settings = {one: benchmark.settings[one] for one in item.settings}
    shown = {model for _, model in pairs_of(item)}
    trained = {name: one.trained_from for name, one in CONFIG.models.items() if name in shown}
    return {
        "protocol": protocol_of(item),
        "scale": CONFIG.scale,
        "models": {
            name: (one.display, one.parameters)
            for name, one in CONFIG.models.items()
            if name in shown or name in trained.values()
        },
        "language_names": {lang: LANGUAGES[lang].name for lang in benchmark.languages},
        "native_names": {lang: LANGUAGES[lang].native_name for lang in benchmark.languages},
        "languages": benchmark.languages,
        "source_languages": benchmark.source_languages,
        "scorers": {one: table_scorer(item, one) for one in settings},
        "wanted": {
            one: (setting.samples, setting.question_languages) for one, setting in settings.items()
        },
        "pairs": pairs_of(item),
        "labelled": labelled_of(item),
        "scored": scored_by(item),
        "released": [name for name, one in CONFIG.models.items() if one.engine == "released"],
        "cot_columns": getattr(benchmark, "cot_columns", {}),
        "trained": {name: base for name, base in trained.items() if base},
        "answers_in": {one: setting.reasoning_language for one, setting in settings.items()},
        "configured": list(benchmark.settings),
    }


COMPOSED = ("cs-bn-bn", "cs-en-bn")  # settings whose solutions' languages the paper counts


def audit_pairs(paper):
    """(setting, model) pairs by kind of record that the audit reads."""
    settings = BENCHMARKS[paper].settings if paper in BENCHMARKS else {}
    every = [(name, model) for name, one in settings.items() for model in one.models]
    return {
        "paper": every,
        "strict": every,
        "labels": [
            (name, model)
            for name, model in every
            if settings[name].labels and CONFIG.models[model].engine != "released"
        ],
        "generations": [one for one in every if one[0] in COMPOSED],
    }


def audit_files(paper):
    """The record files of the audit, by kind, in the order of `audit_pairs`."""
    if paper not in BENCHMARKS:
        return {}
    settings, pairs = BENCHMARKS[paper].settings, audit_pairs(paper)
    found = {"problems": problem_files(paper, BENCHMARKS[paper].languages)}
    for reading in ("paper", "strict"):
        found[reading] = [
            f"{R}/{paper}/verdicts/{name}/{model}/{scorer_of(settings[name].scorers, reading)}.jsonl"
            for name, model in pairs[reading]
        ]
    found["labels"] = [
        f"{R}/{paper}/languages/{one}/{model}.jsonl" for one, model in pairs["labels"]
    ]
    found["generations"] = [
        f"{R}/{paper}/generations/{one}/{model}.jsonl" for one, model in pairs["generations"]
    ]
    if paper == "mathmist" and (MATHMIST.choices or imported(MATHMIST, "choices")):
        found["choices"] = choice_files()
    if paper == "mathmist" and (MATHMIST.perturbation or imported(MATHMIST, "perturbation")):
        found["perturbed"] = flawed_files()
    return found


def audit_facts(paper):
    """What the audit needs to know besides the records."""
    benchmark = BENCHMARKS.get(paper)
    languages = benchmark.languages if benchmark else []
    return {
        **audit_pairs(paper),
        "models": {name: (one.display, one.parameters) for name, one in CONFIG.models.items()},
        "language_names": {lang: LANGUAGES[lang].name for lang in languages},
        "languages": languages,
        "source_languages": benchmark.source_languages if benchmark else [],
        "cot_columns": getattr(benchmark, "cot_columns", {}),
        "scope": {
            "problems": benchmark is not None
            and benchmark.source.format == "released"
            and benchmark.subset == Selection(),
            "languages": len(languages) == {"mathmist": 7, "mmath": 10}[paper],
        },
        "released": {
            **{name: one.engine == "released" for name, one in CONFIG.models.items()},
            "problems": True,
            "choices": imported_section("choices"),
            "perturbed": imported_section("perturbation"),
        },
    }


def published_audit(paper):
    """The finished audit of a published run, where there is one beside this run."""
    if Path(CONFIG.paths.published).resolve() == Path(R).resolve():
        return []
    return existing(f"{CONFIG.paths.published}/audit/{paper}.csv")


def oddity_files():
    """What was odd in the sources of this run."""
    found = [
        f"{R}/run/oddities/{name}.problems.{lang}.csv"
        for name in BENCHMARKS
        for lang in source_languages(name)
    ]
    for section, name in (("choices", "choices"), ("perturbation", "flawed")):
        if imported_section(section):
            found.append(f"{R}/run/oddities/mathmist.{name}.csv")
    if released_settings():
        found.append(f"{R}/run/oddities/mathmist.records.csv")
    return found


def explored():
    """(benchmark, setting, model) of all generations, as the explorer lists them."""
    return [
        (benchmark, name, model)
        for benchmark, one in BENCHMARKS.items()
        for name, setting in one.settings.items()
        for model in setting.models
    ]


def explorer_files():
    """The record files of the explorer by kind, in the order of `explored`."""
    found = {
        "problems": [
            one
            for name, benchmark in BENCHMARKS.items()
            for one in problem_files(name, benchmark.languages)
        ],
        "generations": [f"{R}/{b}/generations/{s}/{model}.jsonl" for b, s, model in explored()],
        "verdicts": [
            f"{R}/{b}/verdicts/{s}/{model}/{scorer}.jsonl"
            for b, s, model in explored()
            for scorer in BENCHMARKS[b].settings[s].scorers
        ],
        "labels": [
            f"{R}/{b}/languages/{s}/{model}.jsonl"
            for b, s, model in explored()
            if BENCHMARKS[b].settings[s].labels
        ],
    }
    tasks = {one.task for one in MATHMIST.settings.values()} if MATHMIST else set()
    if "choose" in tasks:
        found["choices"] = choice_files()
    if tasks & {"detect", "identify"}:
        found["perturbed"] = flawed_files()
    return found


def explorer_facts():
    """What the explorer says besides the records."""
    return {
        "statement": CONFIG.statement.strip(),
        "scale": CONFIG.scale,
        "protocol": CONFIG.protocol,
        "seed": CONFIG.seed,
        "most": CONFIG.explorer.most,
        "sources": explored(),
        "benchmarks": {name: one.languages for name, one in BENCHMARKS.items()},
        "models": {model: CONFIG.models[model].display for _, _, model in explored()},
        "languages": {
            lang: (LANGUAGES[lang].name, LANGUAGES[lang].native_name)
            for one in BENCHMARKS.values()
            for lang in one.languages
        },
        "settings": {
            name: {
                setting: {
                    "task": how.task,
                    "expected": how.reasoning_language,
                    "labels": how.labels,
                    "scorers": how.scorers,
                    "shown": scorer_of(how.scorers, CONFIG.protocol),
                    "strict": scorer_of(how.scorers, "strict"),
                }
                for setting, how in one.settings.items()
            }
            for name, one in BENCHMARKS.items()
        },
    }
