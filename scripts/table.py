"""Make one table in its three forms."""

from babelmath.files import write_text
from babelmath.jobs import run
from babelmath.tables.data import load_data
from babelmath.tables.registry import TABLES
from babelmath.tables.render import csv, latex, markdown


def main() -> None:
    wildcards, output = snakemake.wildcards, snakemake.output
    data = load_data(snakemake.params.facts, dict(snakemake.input.items()))
    table = TABLES[wildcards.paper, wildcards.name](data)
    write_text(output.csv, csv(table))
    write_text(output.md, markdown(table))
    write_text(output.tex, latex(table))


if __name__ == "__main__":
    run(main, snakemake.log)
