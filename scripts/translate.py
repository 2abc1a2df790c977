"""Translate a benchmark's English problems into its other languages, in its paper's way."""

from pathlib import Path

from babelmath.asking import Models
from babelmath.config import PairedTranslation, RoundTranslation, Selection, models_from
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import Problem, load_records, save_records
from babelmath.sources import select
from babelmath.translation import translate_paired, translate_rounds


def main() -> None:
    params = snakemake.params
    problems = load_records(snakemake.input.problems, Problem)
    chosen = set(select(problems, Selection.model_validate(params.sample or {}), params.seed))
    problems = [one for one in problems if one.id in chosen]
    languages = list(load_languages(snakemake.input.languages).values())
    with Models(
        models_from(params.models, params.running.models),
        Path(params.journal),
        f"{params.benchmark}.translate",
        Path(snakemake.log[0]),
    ) as models:
        if params.benchmark == "mathmist":
            made = translate_paired(
                problems,
                languages,
                PairedTranslation.model_validate(params.how),
                models,
                Path(params.prompts),
                params.seed,
            )
        else:
            made = translate_rounds(
                problems,
                languages,
                RoundTranslation.model_validate(params.how),
                models,
                Path(params.prompts),
                params.seed,
            )
    for lang, path in zip(params.languages, snakemake.output, strict=True):
        save_records(path, [one for one in made if one.lang == lang])


if __name__ == "__main__":
    run(main, snakemake.log)
