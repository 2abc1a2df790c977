"""Compare two finished runs: `make compare A=results B=/other/results`."""

import argparse
from functools import partial
from pathlib import Path

from babelmath.comparing.compare import compare
from babelmath.comparing.pairing import names
from babelmath.jobs import run


def main(given: argparse.Namespace) -> None:
    place = compare(
        given.a, given.b, given.to, names(given.model, "--model"), names(given.setting, "--setting")
    )
    print(f"Written to {place}/: read README.md there.")


def folder(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("name both runs: make compare A=results B=/other/results")
    return Path(text)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="What changed from run A to run B.")
    parser.add_argument("a", type=folder, metavar="A", help="results folder that is held against")
    parser.add_argument("b", type=folder, metavar="B", help="results folder that is looked at")
    parser.add_argument("--to", type=Path, metavar="FOLDER", help="none: the folder B/comparison")
    for name in ("model", "setting"):
        parser.add_argument(f"--{name}", action="append", default=[], metavar="ONE=OTHER",
                            help=f"A's {name} ONE is B's OTHER; may be given often")  # fmt: skip
    return parser.parse_args()


if __name__ == "__main__":
    run(partial(main, arguments()), [])
