"""Label the languages of thinking and answers."""

from babelmath.config import Identification
from babelmath.identification import Identifier, label_generation
from babelmath.jobs import run
from babelmath.records import Generation, load_records, save_records


def main() -> None:
    identifier = Identifier(Identification.model_validate(snakemake.params.how))
    generations = load_records(snakemake.input.generations, Generation)
    save_records(snakemake.output[0], [label_generation(one, identifier) for one in generations])


if __name__ == "__main__":
    run(main, snakemake.log)
