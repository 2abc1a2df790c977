"""Say what a run would ask and cost, before it: `make estimate CONFIG=config/paper.yaml`."""

import sys
from pathlib import Path

import yaml

from babelmath.confload import load_config, read_config
from babelmath.errors import InputError
from babelmath.estimates.estimate import estimate
from babelmath.estimates.pages import csv_text, markdown, terminal
from babelmath.files import read_text, write_text


def configured(paths: list[Path]):
    """The configuration of one file, or of several laid over each other as Snakemake does."""
    config = read_config(paths[0]) if len(paths) == 1 else None
    if config is None:
        from snakemake.utils import update_config

        raw: dict = {}
        for path in paths:
            if not path.is_file():
                raise InputError("no such configuration file", file=path)
            update_config(raw, yaml.safe_load(read_text(path)) or {})
        config = load_config(raw, paths)
    return config


def main(paths: list[str]) -> None:
    config = configured([Path(one) for one in paths] or [Path("config/config.yaml")])
    found = estimate(config)
    place = Path(config.paths.results) / "run"
    write_text(place / "estimate.csv", csv_text(found))
    write_text(place / "estimate.md", markdown(found, config))
    print(terminal(found, config))
    print(f"Written to {place}/estimate.csv and estimate.md.")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
