"""Check everything that a run takes in, before any model is loaded."""

from pathlib import Path

from babelmath.checks import check_inputs
from babelmath.confload import load_config
from babelmath.files import sha256_file, write_json
from babelmath.jobs import run
from babelmath.languages import load_languages


def main() -> None:
    config = load_config(snakemake.params.config, [])
    sources = {
        name: {lang: Path(path) for lang, path in files.items()}
        for name, files in snakemake.params.raw.items()
    }
    reviews = {name: Path(config.paths.review) / name for name in sources}
    counts = check_inputs(config, load_languages(snakemake.input.languages), sources, reviews)
    hashes = {str(one): sha256_file(one) for files in sources.values() for one in files.values()}
    write_json(snakemake.output[0], {"problems": counts, "sha256": hashes})


if __name__ == "__main__":
    run(main, snakemake.log)
