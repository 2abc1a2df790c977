"""Score answers by rule against the exact ones."""

from babelmath.config import Equivalence
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import Generation, Problem, load_records, save_records
from babelmath.scoring.by_rules import by_rules
from babelmath.scoring.equivalence import Comparer
from babelmath.verdicts import gold_answers


def main() -> None:
    files = snakemake.input
    problems = [one for path in files.problems for one in load_records(path, Problem)]
    with Comparer(Equivalence.model_validate(snakemake.params.equivalence)) as comparer:
        verdicts = by_rules(
            load_records(files.generations, Generation),
            gold_answers(problems),
            snakemake.wildcards.scorer,
            load_languages(files.languages),
            comparer,
        )
    save_records(snakemake.output[0], verdicts)


if __name__ == "__main__":
    run(main, snakemake.log)
