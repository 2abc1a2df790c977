"""Fetch a released repository at its pinned commit."""

from pathlib import Path

from babelmath.config import Source
from babelmath.errors import InputError
from babelmath.files import write_json
from babelmath.jobs import run
from babelmath.releases import fetch


def main() -> None:
    source = Source.model_validate(snakemake.params.source)
    if source.repository is None or source.commit is None:
        raise InputError(
            "released sources need repository and commit, or a local folder",
            field=f"benchmarks.{snakemake.wildcards.benchmark}.source",
        )
    write_json(
        snakemake.output[0],
        fetch(source.repository, source.commit, Path(snakemake.params.folder)),
    )


if __name__ == "__main__":
    run(main, snakemake.log)
