"""Import one language's raw problems, or the configured subset of them."""

from pathlib import Path

from babelmath.config import Selection
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import save_records
from babelmath.sources import read_problems, select


def main() -> None:
    params = snakemake.params
    (language,) = load_languages([snakemake.input.language]).values()
    problems = read_problems(params.benchmark, Path(params.raw), language, params.release)
    chosen = set(select(problems, Selection.model_validate(params.subset), params.seed))
    save_records(snakemake.output[0], [one for one in problems if one.id in chosen])


if __name__ == "__main__":
    run(main, snakemake.log)
