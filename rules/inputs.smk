"""The files that rules take: look-ups from the configuration to paths."""

from snakemake.settings.types import DeploymentMethod

from babelmath.scorers import deciding_judge
from babelmath.checks import building_prompts
from babelmath.config import Asked, Selection, imported
from babelmath.judging import AGAIN_PROMPT, JUDGE_PROMPTS
from babelmath.prompts import prompt_path
from babelmath.releases import VARIABLES, local_folder
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


def local_sources():
    """Raw files by benchmark and language, of the benchmarks whose files are here already."""
    return {
        name: {lang: Path(path) for lang, path in raw_files(name).items()}
        for name, one in BENCHMARKS.items()
        if local_folder(name, one.source.folder)
    }


def local_copies():
    """Local copies of releases: what named the folder, the folder, and its corpora."""
    found = {}
    for name, one in BENCHMARKS.items():
        folder = local_folder(name, one.source.folder)
        if one.source.format == "released" and folder:
            key = f"benchmarks.{name}.source.folder" if one.source.folder else VARIABLES[name]
            found[name] = (key, folder, list(raw_files(name).values()))
    return found


def review_folder(benchmark):
    """Corrections belong to a source: those of bundled problems say nothing of released ones."""
    return f"{REVIEW}/{BENCHMARKS[benchmark].source.format}/{benchmark}"


def review_folders():
    return {name: Path(review_folder(name)) for name in BENCHMARKS}


def own_environments():
    """Whether rules run in the environments of envs/ (--sdm conda)."""
    return DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method


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


def raw_files(benchmark):
    return {lang: raw_file(benchmark, lang) for lang in source_languages(benchmark)}


def raw_inputs(benchmark):
    """Local raw files, or the mark of the fetch that brings them."""
    source = BENCHMARKS[benchmark].source
    if local_folder(benchmark, source.folder):
        return list(raw_files(benchmark).values())
    return [f"{R}/run/fetched-{benchmark}.json"]


def imported_section(section):
    """Whether choices or flawed solutions come from the release."""
    return MATHMIST is not None and imported(MATHMIST, section)


def choice_files():
    return [f"{R}/mathmist/choices/{lang}.jsonl" for lang in built_languages("mathmist")]


def flawed_files():
    return [f"{R}/mathmist/perturbed/{lang}.jsonl" for lang in built_languages("mathmist")]


RESULTS = "Evaluation Results/**/*.[jJ][sS][oO][nN]"
RECORDS = ["Data/MCQ/*.jsonl", "Data/Perturbation/*/*.jsonl", RESULTS]


def release_files(*places):
    """Local files of the MathMist release, or the mark of the fetch that brings them."""
    if MATHMIST is None or not (folder := local_folder("mathmist", MATHMIST.source.folder)):
        return raw_inputs("mathmist") if MATHMIST else []
    found = (path for place in places for path in sorted(Path(folder).glob(place)))
    # Snakemake takes braces for wildcards; the import reads such a file all the same.
    return [str(path) for path in found if path.is_file() and not set("{}") & set(str(path))]


def released_settings():
    """Scorers of released records by setting and model."""
    if MATHMIST is None:
        return {}
    found = {
        name: {
            model: [one for one in setting.scorers if released_scorer(one)]
            for model in setting.models
            if CONFIG.models[model].engine == "released"
        }
        for name, setting in MATHMIST.settings.items()
    }
    return {name: models for name, models in found.items() if models}


def released_scorer(scorer):
    """Whether a scorer's verdicts come with the records: stored letters, or a released judge."""
    if scorer.startswith("letter-"):
        return True
    judge = CONFIG.judges.get(scorer.removeprefix("judge-"))
    return judge is not None and CONFIG.models[judge.model].engine == "released"


def asked_from(wildcards):
    """The files that a setting's questions come from, named as responses.py takes them."""
    name, setting = wildcards.benchmark, setting_of(wildcards)
    langs = setting.question_languages
    found = {
        "population": problem_files(name, source_languages(name)[:1]),
        "problems": problem_files(name, langs),
    }
    if setting.task == "choose":
        found["choices"] = [f"{R}/{name}/choices/{lang}.jsonl" for lang in langs]
    if setting.task in ("detect", "identify"):
        found["perturbed"] = [f"{R}/{name}/perturbed/{lang}.jsonl" for lang in langs]
    return found


def material(wildcards):
    """The files a setting asks with, named as the script takes them."""
    setting = setting_of(wildcards)
    langs = [
        *setting.question_languages,
        setting.reasoning_language or setting.question_languages[0],
    ]
    prompts = list(dict.fromkeys(setting_prompts(setting)))
    return asked_from(wildcards) | {"languages": language_files(langs), "prompts": prompts}


def shard_files(wildcards):
    """The responses of all shards, from the first to the last."""
    setting, model = wildcards.setting, wildcards.model
    number = SPLIT[wildcards.benchmark, setting, model]
    place = f"{R}/{wildcards.benchmark}/shards/{setting}/{model}"
    return [f"{place}/{Shard(one + 1, number).name}.jsonl" for one in range(number)]


def asked_by(wildcards):
    """What a setting asks, without who is asked and how it is scored: these rerun nothing."""
    setting = setting_of(wildcards).model_dump(include=set(Asked.model_fields))
    return {"setting": setting, "sample": sample_of(wildcards), "seed": CONFIG.seed}


def asked_for(wildcards):
    """What a file of responses must hold; None of a released model: what there is."""
    released = CONFIG.models[wildcards.model].engine == "released"
    return None if released else asked_by(wildcards)


def sample_of(wildcards):
    """The problems that a setting asks; None for all."""
    if wildcards.benchmark != "mathmist" or setting_of(wildcards).items != "sample":
        return None
    return (setting_of(wildcards).sample or MATHMIST.sample).model_dump()


def judged_beside(wildcards):
    """A judge's verdicts on what the strict rule cannot decide, where the setting has a judge."""
    judge = deciding_judge(setting_of(wildcards).scorers)
    if wildcards.scorer != "rules-strict" or judge is None:
        return []
    place = f"{R}/{wildcards.benchmark}/verdicts/{wildcards.setting}/{wildcards.model}"
    return [f"{place}/{judge}.jsonl"]


def setting_prompts(setting):
    for lang in setting.question_languages:
        yield str(prompt_path(PROMPTS, setting.prompt, lang))
        if setting.opening:
            yield str(prompt_path(PROMPTS, setting.opening, lang))


def labelled_pairs(benchmark):
    """(setting, model) pairs whose languages are labelled."""
    settings = BENCHMARKS[benchmark].settings
    return [(name, model) for name, one in settings.items() if one.labels for model in one.models]


def judge_model(judge):
    return CONFIG.judges[judge].model


PART = " Only a part of its problems is taken: numbers are shown, not compared."


def source_sentence(benchmark):
    """Where a benchmark's files come from, for the audit's page."""
    source = BENCHMARKS[benchmark].source
    if source.format == "bundled":
        return f"{benchmark}: problems bundled with the project."
    part = "" if BENCHMARKS[benchmark].subset == Selection() else PART
    if local_folder(benchmark, source.folder):
        held = f", {len(release_files(*RECORDS))} record files" if benchmark == "mathmist" else ""
        return (
            f"{benchmark}: a local copy of the release{held}, not checked against its commit.{part}"
        )
    return f"{benchmark}: {source.repository} at commit {source.commit}.{part}"
