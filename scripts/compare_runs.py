"""Compare two finished runs: `make compare A=results B=/other/results`."""

import argparse
from functools import partial
from pathlib import Path

from babelmath.comparing.compare import compare
from babelmath.comparing.pairing import names
from babelmath.jobs import run


def main(given: argparse.Namespace) -> None:
    folder = compare(
        given.a, given.b, given.to, names(given.model, "--model"), names(given.setting, "--setting")
    )
    print(f"Written to {folder}/: read README.md there.")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What changed from run A to run B.")
    parser.add_argument("a", type=Path, metavar="A", help="results folder that is held against")
    parser.add_argument("b", type=Path, metavar="B", help="results folder that is looked at")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="none: the folder B/comparison")
    for name in ("model", "setting"):
        parser.add_argument(f"--{name}", action="append", default=[], metavar="ONE=OTHER",
                            help=f"A's {name} ONE is B's OTHER; may be given often")  # fmt: skip
    return parser.parse_args()


if __name__ == "__main__":
    run(partial(main, arguments()), [])
