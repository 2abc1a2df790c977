"""Build the explorer."""

from pathlib import Path

from babelmath.explorer.building import build
from babelmath.explorer.inputs import head_of, page_of, problems_of, sources_of
from babelmath.jobs import run


def main() -> None:
    facts, files = snakemake.params.facts, dict(snakemake.input.items())
    build(
        Path(snakemake.output[0]),
        head_of(facts),
        sources_of(facts, files),
        problems_of(facts, files),
        page_of(files),
        snakemake.threads,
    )


if __name__ == "__main__":
    run(main, snakemake.log)
