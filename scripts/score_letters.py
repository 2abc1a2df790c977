"""Score option letters and YES/NO words."""

from babelmath.config import Equivalence
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.records import ChoiceItem, load_records, write_records
from babelmath.responses import responses
from babelmath.scoring.by_letters import by_letters, options_of
from babelmath.scoring.equivalence import Comparer
from babelmath.verdicts import gold_letters


def main() -> None:
    files, params = snakemake.input, snakemake.params
    items = [one for path in files.get("choices", ()) for one in load_records(path, ChoiceItem)]
    with Comparer(Equivalence.model_validate(params.equivalence)) as comparer:
        verdicts = by_letters(
            responses(files.generations, params.asked, files),
            gold_letters(items),
            snakemake.wildcards.scorer,
            params.task,
            options_of(items),
            load_languages(files.languages),
            comparer,
        )
        write_records(snakemake.output[0], verdicts)


if __name__ == "__main__":
    run(main, snakemake.log)
