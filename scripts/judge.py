"""Let a judge decide on one model's responses in one setting."""

from pathlib import Path

from babelmath.asking import Models
from babelmath.config import Judge, models_from
from babelmath.jobs import run
from babelmath.judging import by_judge, gold_errors
from babelmath.records import Perturbed, Problem, load_records, save_records
from babelmath.responses import responses
from babelmath.verdicts import gold_answers


def main() -> None:
    params, wildcards, files = snakemake.params, snakemake.wildcards, snakemake.input
    problems = [one for path in files.problems for one in load_records(path, Problem)]
    flawed = [one for path in files.get("perturbed", ()) for one in load_records(path, Perturbed)]
    place = f"{wildcards.benchmark} {wildcards.setting} {wildcards.model}"
    known, judge = (
        models_from(params.models, params.running.models),
        Judge.model_validate(params.judge),
    )
    with Models(
        known,
        Path(params.journal),
        f"judge.{place.replace(' ', '.')}",
        Path(snakemake.log[0]),
    ) as models:
        verdicts = by_judge(
            list(responses(files.generations, params.asked, files)),
            gold_answers(problems) if params.task == "solve" else gold_errors(flawed),
            flawed,
            problems,
            params.task,
            wildcards.judge,
            judge,
            models,
            Path(params.prompts),
            params.seed,
            f"judge {place} by",
            known[judge.model].thinking,
        )
    save_records(snakemake.output[0], verdicts)


if __name__ == "__main__":
    run(main, snakemake.log)
