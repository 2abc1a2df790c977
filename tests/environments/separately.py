"""The real workflow with every rule in its own environment, made by the stand-in for conda."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from environments.made import KEYS, PLAIN_GIT
from workflow.running import REPOSITORY, command, environment

STAND_IN = Path(__file__).resolve().parent / "conda"
KEPT = REPOSITORY / ".envs-test"  # between runs, under Snakemake's own hashes
CHECK = Path(__file__).resolve().parent / "check.py"
CONDA = ("--sdm", "conda", "--conda-prefix", str(KEPT))


def run(folder: Path, config: dict[str, Any], *flags: str, **variables: str) -> str:
    """Run to the end; what was told. With CONDA among the flags: each rule in its environment."""
    done = subprocess.run(
        command(folder, config, *flags), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, env=called(folder) | variables,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-5000:]
    return done.stdout


def called(folder: Path) -> dict[str, str]:
    """The variables of a run: the stand-in is the `conda` that is found."""
    path = f"{STAND_IN / 'bin'}{os.pathsep}{os.environ['PATH']}"
    own = {"PATH": path, "STAND_IN_PYTHON": sys.executable, "GUARD_NOTES": str(folder / "notes")}
    return environment() | KEYS | PLAIN_GIT | own


def ran_in(folder: Path) -> dict[str, set[str]]:
    """The environments that each rule's jobs ran in, by their files in envs/."""
    found: dict[str, set[str]] = {}
    for line in (folder / "notes").read_text(encoding="utf-8").splitlines():
        rule, prefix = line.split("\t")
        found.setdefault(rule, set()).add(file_of(Path(prefix)))
    return found


def file_of(prefix: Path) -> str:
    """The file in envs/ that an environment was made from: Snakemake keeps a copy beside it."""
    copy = prefix.with_name(f"{prefix.name}.yaml").read_bytes()
    (file,) = [one for one in (REPOSITORY / "envs").glob("*.yaml") if one.read_bytes() == copy]
    return file.stem
