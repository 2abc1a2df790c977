"""Ask one model all questions of one setting."""

from pathlib import Path

from babelmath.asking import Models
from babelmath.config import Asked, Selection, models_from
from babelmath.generation import generate
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.questions import Material, questions
from babelmath.records import ChoiceItem, Perturbed, Problem, load_records, save_records
from babelmath.sources import select


def main() -> None:
    params, wildcards, files = snakemake.params, snakemake.wildcards, snakemake.input
    setting = Asked.model_validate(params.setting)
    population = load_records(files.population[0], Problem)
    chosen = Selection.model_validate(params.sample or {})

    def by_language(name, record):
        paths = zip(setting.question_languages, files.get(name, []), strict=False)
        return {lang: load_records(path, record) for lang, path in paths}

    material = Material(
        select(population, chosen, params.seed),
        by_language("problems", Problem),
        by_language("choices", ChoiceItem),
        by_language("perturbed", Perturbed),
    )
    asked, lacking = questions(setting, material)
    models = models_from(params.models)
    model = models[wildcards.model]
    with Models(
        models,
        Path(params.journal),
        f"{wildcards.benchmark}.{wildcards.setting}",
        Path(snakemake.log[0]),
    ) as opened:
        opened.note(f"{len(lacking)} problems left out in every language: {lacking or 'none'}")
        records = generate(
            asked,
            setting,
            wildcards.benchmark,
            wildcards.model,
            model.thinking,
            model.engine,
            load_languages(files.languages),
            opened,
            Path(params.prompts),
            params.seed,
            f"{wildcards.benchmark} {wildcards.setting}",
        )
    save_records(snakemake.output[0], records)


if __name__ == "__main__":
    run(main, snakemake.log)
