"""Write flawed solutions and check them."""

from pathlib import Path

from babelmath.asking import Models
from babelmath.config import Perturbation, Selection, models_from
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.perturbation import perturb
from babelmath.records import Problem, load_records, save_records
from babelmath.sources import select


def main() -> None:
    params = snakemake.params
    how = Perturbation.model_validate(params.how)
    sets = {
        lang: load_records(path, Problem)
        for lang, path in zip(params.languages, snakemake.input.problems, strict=True)
    }
    english = sets.pop("en")
    if how.items == "sample":
        chosen = set(select(english, Selection.model_validate(params.sample), params.seed))
        english = [one for one in english if one.id in chosen]
    with Models(
        models_from(params.models, params.running.models),
        Path(params.journal),
        "mathmist.perturb",
        Path(snakemake.log[0]),
    ) as models:
        made = perturb(
            english,
            {lang: {one.id: one for one in problems} for lang, problems in sets.items()},
            how,
            load_languages(snakemake.input.languages),
            models,
            Path(params.prompts),
            params.seed,
        )
    save_records(snakemake.output[0], made)


if __name__ == "__main__":
    run(main, snakemake.log)
