"""The authors' released repositories: local copies, or a fetch at a pinned commit."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from babelmath.errors import InputError

# What would turn git's commands to another repository than the folder's (set inside git hooks).
PLACES = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR")
PORTION = 8  # files a request; the release's largest have about 7 MB
VARIABLES = {"mathmist": "BABELMATH_RECORDS", "mmath": "BABELMATH_BENCHMARKS"}


def local_folder(benchmark: str, folder: str | None) -> str | None:
    """A local copy: the configured folder, else the one that the benchmark's variable names."""
    return folder or os.environ.get(VARIABLES[benchmark]) or None


def fetch(repository: str, commit: str, folder: Path) -> dict[str, str]:
    """Bring a repository's files at exactly this commit into a folder; git checks the hashes.

    The files come in portions; what an earlier fetch left there is used where it is whole, so that
    a fetch that was cut goes on where it was.

    Returns:
        repository, commit and tree (git's own hash of all files).

    Raises:
        InputError: git is missing, the repository has no such commit, the fetch was cut, or the
            folder holds files that the commit has not.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot be made: {error.strerror}", file=folder) from None
    own = folder / ".git"

    def git(*step: str) -> str:
        return _git(list(step), folder, repository, commit)

    git("--version")
    begun = own.exists()
    try:
        _bring(git, own, repository, commit)
    except InputError:
        if not begun:
            raise
        shutil.rmtree(own) if own.is_dir() else own.unlink()  # what a kill or a bad disk left
        _bring(git, own, repository, commit)
    changes = git("status", "--porcelain", "--untracked-files=all", "--ignored", "-z")
    strange = [one for one in changes.split("\0") if one and not Path(one).name.startswith(".")]
    if strange:
        raise InputError(
            "is not as the commit has it", file=folder / strange[0][3:], field="source.commit",
            value=f"{repository}@{commit}", remedy="Remove the file and run again.",
        )  # fmt: skip
    tree = git("rev-parse", "HEAD^{tree}").strip()
    return {"repository": repository, "commit": commit, "tree": tree}


def _bring(git: Callable[..., str], own: Path, repository: str, commit: str) -> None:
    """Fetch what is missing, check what was there, and write all files of the commit.

    Args:
        git: runs one command of git in the folder.
        own: the folder's `.git`.
    """
    for lock in list(own.rglob("*.lock")):  # of a fetch that was killed
        lock.unlink(missing_ok=True)
    begun = own.exists()
    git("init", "--quiet")
    git("config", "remote.origin.url", repository)
    if begun:
        git("fsck", "--full", "--no-dangling", "--no-progress")
    if f"{commit} commit " not in git("cat-file", "--batch-all-objects", "--batch-check"):
        git("fetch", "--quiet", "--depth", "1", "--filter=blob:none", "origin", commit)
    listed = git("rev-list", "--objects", "--missing=print", commit).split("\n")
    missing = [line[1:] for line in listed if line.startswith("?")]
    for start in range(0, len(missing), PORTION):  # none where the server filters nothing
        git("-c", "fetch.negotiationAlgorithm=noop", "fetch", "--quiet", "--no-tags",
            "--no-write-fetch-head", "--filter=blob:none", "origin",
            *missing[start : start + PORTION])  # fmt: skip
    git("checkout", "--quiet", "--force", "--detach", commit)
    if begun:  # files whose size and time deceive
        git("read-tree", commit)
        git("checkout-index", "--quiet", "--all", "--force", "--index")


def _git(step: list[str], folder: Path, repository: str, commit: str) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in PLACES}
    try:
        done = subprocess.run(
            ["git", "-c", "core.autocrlf=false", *step],  # the bytes as the commit has them
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
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
