"""Check that exact answers can be compared with by rule, and name those that cannot."""

from pathlib import Path

from babelmath.config import Equivalence
from babelmath.files import write_text
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import Problem, load_records
from babelmath.scoring.equivalence import Comparer
from babelmath.scoring.gold_list import gold_csv, gold_lines


def main() -> None:
    files, params = snakemake.input, snakemake.params
    problems = [one for path in files.problems for one in load_records(path, Problem)]
    languages = load_languages(files.languages)
    with Comparer(Equivalence.model_validate(params.equivalence), snakemake.threads) as comparer:
        lines = list(gold_lines(problems, languages, params.western, comparer))
    left = [one for one in lines if not one.by_rule]
    told = [f"{len(left)} of {len(lines)} exact answers are left to the judge"]
    told += [f"{one.id} {one.lang}: {one.reason}: {one.answer}" for one in left]
    write_text(Path(snakemake.log[0]), "\n".join(told) + "\n")
    write_text(snakemake.output[0], gold_csv(lines))


if __name__ == "__main__":
    run(main, snakemake.log)
