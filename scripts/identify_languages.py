"""Label the languages of thinking and answers."""

from babelmath.config import Identification
from babelmath.jobs import run
from babelmath.labelling import Labeller
from babelmath.languages import load_languages
from babelmath.records import write_records
from babelmath.responses import responses


def main() -> None:
    files, params = snakemake.input, snakemake.params
    how = Identification.model_validate(params.how)
    languages = list(load_languages(files.languages).values())
    generations = responses(files.generations, params.asked, files)
    with Labeller(how, languages, snakemake.threads) as labeller:
        write_records(snakemake.output[0], labeller.stream(generations))


if __name__ == "__main__":
    run(main, snakemake.log)
