"""Collect tables and figures on one page."""

from pathlib import Path

from babelmath.files import write_text
from babelmath.jobs import run
from babelmath.page import page


def main() -> None:
    output = Path(snakemake.output[0])
    figures = {
        Path(path).relative_to(output.parent): snakemake.params.captions.get(path, "Overview")
        for path in snakemake.input.figures
    }
    tables = {Path(path).parent.name: [] for path in snakemake.input.tables}
    for path in snakemake.input.tables:
        tables[Path(path).parent.name].append(Path(path).read_text(encoding="utf-8"))
    ledger = Path(snakemake.input.ledger)
    write_text(output, page(snakemake.params.statement, tables, figures, ledger))


if __name__ == "__main__":
    run(main, snakemake.log)
