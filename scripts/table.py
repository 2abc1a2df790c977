"""Make one table in its four forms."""

from babelmath.files import write_text
from babelmath.jobs import run
from babelmath.tables.data import load_data
from babelmath.tables.html import page
from babelmath.tables.latex import latex
from babelmath.tables.registry import make_table
from babelmath.tables.render import csv, markdown


def main() -> None:
    wildcards, params, output = snakemake.wildcards, snakemake.params, snakemake.output
    data = load_data(params.facts, dict(snakemake.input.items()))
    table = make_table(wildcards.paper, wildcards.name, params.base, data)
    write_text(output.csv, csv(table))
    write_text(output.md, markdown(table))
    write_text(output.tex, latex(table))
    write_text(output.html, page(table, params.explorer))


if __name__ == "__main__":
    run(main, snakemake.log)
