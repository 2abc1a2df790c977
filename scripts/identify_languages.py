"""Label the languages of thinking and answers."""

from babelmath.config import Identification
from babelmath.jobs import run
from babelmath.labelling import Labeller
from babelmath.languages import load_languages
from babelmath.records import Generation, iter_records, write_records


def main() -> None:
    files = snakemake.input
    how = Identification.model_validate(snakemake.params.how)
    languages = list(load_languages(files.languages).values())
    generations = iter_records(files.generations, Generation)
    with Labeller(how, languages, snakemake.threads) as labeller:
        write_records(snakemake.output[0], labeller.stream(generations))


if __name__ == "__main__":
    run(main, snakemake.log)
