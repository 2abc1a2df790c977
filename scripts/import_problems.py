"""Import one language's raw problems, or the configured subset of them."""

from pathlib import Path

from babelmath.config import Selection
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import save_records
from babelmath.released.corpora import count_oddities
from babelmath.released.oddities import Oddities, save_oddities
from babelmath.sources import read_problems, select


def main() -> None:
    params, raw = snakemake.params, Path(snakemake.params.raw)
    (language,) = load_languages([snakemake.input.language]).values()
    problems = read_problems(params.benchmark, raw, language, params.release)
    oddities = Oddities(Path(params.folder))
    if params.release:
        count_oddities(params.benchmark, raw, language, problems, oddities)
    chosen = set(select(problems, Selection.model_validate(params.subset), params.seed))
    save_records(snakemake.output.problems, [one for one in problems if one.id in chosen])
    save_oddities(snakemake.output.oddities, oddities)


if __name__ == "__main__":
    run(main, snakemake.log)
