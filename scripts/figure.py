"""Draw one figure."""

from pathlib import Path

from babelmath.figures.registry import FIGURES
from babelmath.figures.style import save
from babelmath.jobs import run
from babelmath.tables.data import load_data


def main() -> None:
    paper, facts = snakemake.wildcards.paper, snakemake.params.facts
    data = load_data(facts, dict(snakemake.input.items()))
    figure = FIGURES[paper, snakemake.params.base](data, facts)
    save(figure, Path(snakemake.output.pdf).with_suffix(""))


if __name__ == "__main__":
    run(main, snakemake.log)
