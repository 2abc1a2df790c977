"""Record the hashes of all raw files: problems, and released records where they are read."""

from pathlib import Path

from babelmath.files import sha256_file, write_json
from babelmath.jobs import run


def main() -> None:
    params = snakemake.params
    files = {name: list(found.values()) for name, found in params.raw.items()}
    if params.folder is not None:
        places = (path for one in params.records for path in Path(params.folder).glob(one))
        files["mathmist"] += sorted(str(path) for path in places if path.is_file())
    hashes = {
        name: {path: sha256_file(path) for path in dict.fromkeys(found)}
        for name, found in files.items()
    }
    write_json(snakemake.output[0], hashes)


if __name__ == "__main__":
    run(main, snakemake.log)
