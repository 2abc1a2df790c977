"""Fetch a released repository at its pinned commit."""

from pathlib import Path

from babelmath.config import Source
from babelmath.errors import InputError
from babelmath.files import write_json
from babelmath.jobs import run
from babelmath.languages import load_languages
from babelmath.releases import fetch
from babelmath.sources import read_aligned


def main() -> None:
    source = Source.model_validate(snakemake.params.source)
    if source.repository is None or source.commit is None:
        raise InputError(
            "released sources need repository and commit, or a local folder",
            field=f"benchmarks.{snakemake.wildcards.benchmark}.source",
        )
    fetched = fetch(source.repository, source.commit, Path(snakemake.params.folder))
    languages = load_languages(snakemake.input.languages)
    files = {lang: Path(path) for lang, path in snakemake.params.files.items()}
    sets = read_aligned(snakemake.wildcards.benchmark, files, languages, release=True)
    counts = {lang: len(problems) for lang, problems in sets.items()}
    write_json(snakemake.output[0], {**fetched, "problems": counts})


if __name__ == "__main__":
    run(main, snakemake.log)
