"""What tells one state of local files from another without reading much.

A job carries these in its parameters: a file that was replaced at the same path runs it again,
though the new one be older than the results.
"""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterable
from pathlib import Path

from babelmath.config import Model
from babelmath.files import sha256_file
from babelmath.packages import PACKAGE

SMALL = 1_000_000  # bytes, as up to which Snakemake compares inputs by content


def stamps(files: Iterable[str | Path]) -> list[str]:
    """Those files that are here: a small one by its hash, others by size and time of change.

    So a checkout, which sets times anew, changes nothing of what a repository holds.
    """
    held = (Path(path).expanduser() for path in files)
    return [_stamp(path) for path in held if path.is_file()]


def _stamp(path: Path) -> str:
    state = path.stat()
    if state.st_size <= SMALL:
        return sha256_file(path)[:16]
    return f"{state.st_size} bytes of {state.st_mtime_ns}"


def stamp_of(weights: str) -> str:
    """The same of a weights file: of package:NAME its version, of a path as `stamps`.

    The path is not in it: weights that are moved with their time are the same.
    """
    if not weights.startswith(PACKAGE):
        return f"file {stamps([weights])}"
    name = weights.removeprefix(PACKAGE)
    try:
        return f"{weights} {importlib.metadata.version(name)}"
    except (importlib.metadata.PackageNotFoundError, ValueError):  # ValueError: an empty name
        return weights


def stamp(model: Model) -> str | None:
    """What names a model's weights in a job's parameters; a repository's is its name."""
    weights = model.weights
    if weights is None or model.engine not in ("llamacpp", "vllm"):
        return weights
    if model.engine == "llamacpp":
        return stamp_of(weights)
    folder = Path(weights)
    if not folder.is_dir():
        return weights
    files = sorted(one for one in folder.iterdir() if not one.name.startswith("."))
    return f"folder {stamps(files)}"
