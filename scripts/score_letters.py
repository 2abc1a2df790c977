"""Score option letters and YES/NO words."""

from babelmath.config import Equivalence
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import ChoiceItem, Generation, iter_records, load_records, write_records
from babelmath.scoring.by_letters import by_letters, options_of
from babelmath.scoring.equivalence import Comparer
from babelmath.verdicts import gold_letters


def main() -> None:
    files = snakemake.input
    items = [one for path in files.choices for one in load_records(path, ChoiceItem)]
    with Comparer(Equivalence.model_validate(snakemake.params.equivalence)) as comparer:
        verdicts = by_letters(
            iter_records(files.generations, Generation),
            gold_letters(items),
            snakemake.wildcards.scorer,
            snakemake.params.task,
            options_of(items),
            load_languages(files.languages),
            comparer,
        )
        write_records(snakemake.output[0], verdicts)


if __name__ == "__main__":
    run(main, snakemake.log)
