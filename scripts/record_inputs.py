"""Record the hashes of all raw problem files."""

from babelmath.files import sha256_file, write_json
from babelmath.jobs import run


def main() -> None:
    hashes = {
        name: {path: sha256_file(path) for path in files.values()}
        for name, files in snakemake.params.raw.items()
    }
    write_json(snakemake.output[0], hashes)


if __name__ == "__main__":
    run(main, snakemake.log)
