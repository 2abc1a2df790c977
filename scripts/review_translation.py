"""Apply people's corrections to one language's translations."""

from pathlib import Path

from babelmath.corrected import translated_problems
from babelmath.jobs import run
from babelmath.records import FIELDS, Construction, Problem, load_records, save_records
from babelmath.review import read_reviews


def main() -> None:
    english = load_records(snakemake.input.problems, Problem)
    made = load_records(snakemake.input.made, Construction)
    reviews = read_reviews(Path(snakemake.params.review), "field", FIELDS)
    problems = translated_problems(english, made, reviews, snakemake.wildcards.lang)
    save_records(snakemake.output[0], problems)


if __name__ == "__main__":
    run(main, snakemake.log)
