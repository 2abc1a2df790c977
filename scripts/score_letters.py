"""Score option letters and YES/NO words."""

from babelmath.jobs import run
from babelmath.records import ChoiceItem, Generation, load_records, save_records
from babelmath.scoring.by_letters import by_letters, same_options
from babelmath.verdicts import gold_letters


def main() -> None:
    files = snakemake.input
    items = [one for path in files.choices for one in load_records(path, ChoiceItem)]
    verdicts = by_letters(
        load_records(files.generations, Generation),
        gold_letters(items),
        snakemake.wildcards.scorer,
        snakemake.params.task,
        same_options(items) if snakemake.params.task == "choose" else None,
    )
    save_records(snakemake.output[0], verdicts)


if __name__ == "__main__":
    run(main, snakemake.log)
