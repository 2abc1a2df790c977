"""Score answers by rule against the exact ones."""

from babelmath.config import Equivalence
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import Problem, Verdict, iter_records, load_records, write_records
from babelmath.responses import responses
from babelmath.scoring.by_rules import by_rules
from babelmath.scoring.equivalence import Comparer
from babelmath.verdicts import gold_answers


def main() -> None:
    files, params = snakemake.input, snakemake.params
    problems = [one for path in files.problems for one in load_records(path, Problem)]
    judged = files.get("judged")
    with Comparer(Equivalence.model_validate(params.equivalence), snakemake.threads) as comparer:
        verdicts = by_rules(
            responses(files.generations, params.asked, files),
            gold_answers(problems),
            snakemake.wildcards.scorer,
            load_languages(files.languages),
            comparer,
            params.western,
            iter_records(judged[0], Verdict) if judged else None,
        )
        write_records(snakemake.output[0], verdicts)


if __name__ == "__main__":
    run(main, snakemake.log)
