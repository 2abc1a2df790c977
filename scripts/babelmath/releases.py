"""The authors' released repositories: local copies, or a fetch at a pinned commit."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from babelmath.errors import InputError

# What would turn git's commands to another repository than the folder's (set inside git hooks).
PLACES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR")
VARIABLES = {"mathmist": "BABELMATH_RECORDS", "mmath": "BABELMATH_BENCHMARKS"}


def local_folder(benchmark: str, folder: str | None) -> str | None:
    """A local copy: the configured folder, else the one that the benchmark's variable names."""
    return folder or os.environ.get(VARIABLES[benchmark]) or None


def fetch(repository: str, commit: str, folder: Path) -> dict[str, str]:
    """Bring a repository's files at exactly this commit into a folder; git checks the hashes.

    Returns:
        repository, commit and tree (git's own hash of all files).

    Raises:
        InputError: git is missing, the repository has no such commit, or the fetch was cut.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for lock in (folder / ".git").glob("*.lock"):  # of a fetch that was killed
        lock.unlink(missing_ok=True)
    steps = [
        ["init", "--quiet"],
        ["fetch", "--quiet", "--depth", "1", repository, commit],
        ["checkout", "--quiet", "--force", commit],
    ]
    for step in steps:
        _git(step, folder, repository, commit)
    tree = _git(["rev-parse", "HEAD^{tree}"], folder, repository, commit).strip()
    return {"repository": repository, "commit": commit, "tree": tree}


def _git(step: list[str], folder: Path, repository: str, commit: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in PLACES}
    try:
        done = subprocess.run(
            ["git", *step],
            cwd=folder,
            capture_output=True,
            text=True,
            env={**environment, "GIT_TERMINAL_PROMPT": "0"},
        )
    except FileNotFoundError:
        raise InputError("git is not installed", remedy="Install git.") from None
    if done.returncode:
        raise InputError(
            f"git {step[0]} failed: {done.stderr.strip()[:300]}",
            field="source.commit",
            value=f"{repository}@{commit}",
            remedy="Run again, or name a local copy by source.folder or "
            f"{' or '.join(VARIABLES.values())}.",
        )
    return done.stdout
