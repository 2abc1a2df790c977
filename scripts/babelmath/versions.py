"""Versions of everything that a run's numbers come from."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from babelmath import __version__

MAIN = "main"  # the environment that Snakemake itself runs in
HEADER = ("environment", "name", "version")
METADATA = re.compile(r"(?P<name>.+?)-(?P<version>\d[^-]*)(?:-py[\d.]+)?\.(?:dist|egg)-info")


def versions(folders: Iterable[str] | None = None) -> list[tuple[str, str]]:
    """(name, version) of this project, Python, the platform, and every installed package.

    Names of folders alone are read, a thousandth of the time that their metadata take: a plan of
    the workflow asks this.

    Args:
        folders: where packages are looked for; None: where this Python does. Of a package that
            stands in several, the first counts, as it does for an import.
    """
    packages: dict[str, str] = {}
    for folder in sys.path if folders is None else folders:
        for name, version in sorted(_held(folder)):
            packages.setdefault(name, version)
    return [
        ("babelmath", __version__),
        ("python", platform.python_version()),
        ("platform", f"{platform.system()} {platform.machine()}"),
        *sorted(packages.items()),
    ]


def as_csv(environment: str, found: Sequence[tuple[str, str]]) -> str:
    """The versions of one environment as lines of versions.csv, with its header."""
    lines = [HEADER, *((environment, name, version) for name, version in found)]
    return "".join(f"{','.join(line)}\n" for line in lines)


def _held(folder: str) -> Iterator[tuple[str, str]]:
    with suppress(OSError):  # an archive, or no folder at all
        for one in os.listdir(folder or "."):
            if match := METADATA.fullmatch(one):
                yield re.sub(r"[-_.]+", "-", match["name"]).lower(), match["version"]
