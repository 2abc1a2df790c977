"""Write the ledger of requests and tokens."""

from pathlib import Path

from babelmath.files import write_text
from babelmath.jobs import run
from babelmath.ledger import ledger


def main() -> None:
    params = snakemake.params
    frame = ledger(Path(params.journal), params.models, params.budget)
    write_text(snakemake.output[0], frame.write_csv())


if __name__ == "__main__":
    run(main, snakemake.log)
