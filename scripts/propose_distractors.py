"""Ask a model for concept errors that could be distractors."""

from pathlib import Path

from babelmath.asking import Models
from babelmath.config import Choices, models_from
from babelmath.distractors import propose
from babelmath.jobs import run
from babelmath.records import Problem, load_records, save_records


def main() -> None:
    params = snakemake.params
    problems = load_records(snakemake.input.problems, Problem)
    with Models(
        models_from(params.models, params.running.models),
        Path(params.journal),
        "mathmist.distractors",
        Path(snakemake.log[0]),
    ) as models:
        proposals = propose(
            problems, Choices.model_validate(params.how), models, Path(params.prompts), params.seed
        )
    save_records(snakemake.output[0], proposals)


if __name__ == "__main__":
    run(main, snakemake.log)
