"""Score answers by rule against the exact ones."""

from babelmath.config import Asked, Equivalence, Selection
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.questions import Material, complete, questions
from babelmath.records import (
    Generation,
    Problem,
    Verdict,
    iter_records,
    load_records,
    write_records,
)
from babelmath.scoring.by_rules import by_rules
from babelmath.scoring.equivalence import Comparer
from babelmath.sources import select
from babelmath.verdicts import gold_answers


def main() -> None:
    files, params = snakemake.input, snakemake.params
    setting = Asked.model_validate(params.setting)
    population = load_records(files.population[0], Problem)
    chosen = select(population, Selection.model_validate(params.sample or {}), params.seed)
    paths = zip(setting.question_languages, files.problems, strict=True)
    problems = {lang: load_records(path, Problem) for lang, path in paths}
    asked, _ = questions(setting, Material(chosen, problems))
    held = iter_records(files.generations, Generation)
    judged = files.get("judged")
    with Comparer(Equivalence.model_validate(params.equivalence), snakemake.threads) as comparer:
        verdicts = by_rules(
            complete(held, asked, setting.samples, files.generations),
            gold_answers([one for same in problems.values() for one in same]),
            snakemake.wildcards.scorer,
            load_languages(files.languages),
            comparer,
            params.western,
            iter_records(judged[0], Verdict) if judged else None,
        )
        write_records(snakemake.output[0], verdicts)


if __name__ == "__main__":
    run(main, snakemake.log)
