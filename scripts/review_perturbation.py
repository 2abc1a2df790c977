"""Apply people's corrections to one language's flawed solutions."""

from pathlib import Path

from babelmath.corrected import perturbed_solutions
from babelmath.jobs import run
from babelmath.records import Construction, Problem, load_records, save_records
from babelmath.review import read_reviews


def main() -> None:
    lang, path = snakemake.wildcards.lang, Path(snakemake.params.review)
    problems = load_records(snakemake.input.problems, Problem)
    made = [one for one in load_records(snakemake.input.made, Construction) if one.lang == lang]
    reviews = read_reviews(path, "strategy", ("1", "2", "3"))
    save_records(snakemake.output[0], perturbed_solutions(made, problems, reviews, path))


if __name__ == "__main__":
    run(main, snakemake.log)
