"""Say what a run would ask and cost, before it: `make estimate CONFIG=config/paper.yaml`."""

import sys
from pathlib import Path

from babelmath.confload import read_layers
from babelmath.errors import InputError
from babelmath.estimates.estimate import estimate
from babelmath.estimates.pages import csv_text, markdown, terminal
from babelmath.files import write_text


def main(paths: list[str]) -> None:
    config = read_layers([Path(one) for one in paths] or [Path("config/config.yaml")])
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
