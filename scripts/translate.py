"""Translate a benchmark's English problems into one language, in its paper's way."""

from pathlib import Path

from babelmath.asking import Models
from babelmath.config import PairedTranslation, RoundTranslation, Selection, models_from
from babelmath.languages import load_languages
from babelmath.records import Problem, load_records, save_records
from babelmath.sources import select
from babelmath.translation import translate_paired, translate_rounds


def main() -> None:
    params, lang = snakemake.params, snakemake.wildcards.lang
    problems = load_records(snakemake.input.problems, Problem)
    chosen = set(select(problems, Selection.model_validate(params.sample or {}), params.seed))
    problems = [one for one in problems if one.id in chosen]
    language = load_languages([snakemake.input.language])[lang]
    job = f"{params.benchmark}.translate.{lang}"
    with Models(
        models_from(params.models), Path(params.journal), job, Path(snakemake.log[0])
    ) as models:
        if params.benchmark == "mathmist":
            made = translate_paired(
                problems,
                language,
                PairedTranslation.model_validate(params.how),
                models,
                Path(params.prompts),
                params.seed,
            )
        else:
            made = translate_rounds(
                problems,
                language,
                RoundTranslation.model_validate(params.how),
                models,
                Path(params.prompts),
                params.seed,
            )
    save_records(snakemake.output[0], made)


if __name__ == "__main__":
    main()
