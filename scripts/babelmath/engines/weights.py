"""Weights that vLLM loads: a repository at a revision, or a folder."""

from __future__ import annotations

import functools
import hashlib
import re
from pathlib import Path

from babelmath.config import Model
from babelmath.errors import InputError

PIECE = 1 << 20
COMMIT = re.compile(r"[0-9a-f]{40}")


def check_weights(model: Model, field: str) -> None:
    """Say why a model's weights cannot be named exactly; nothing is loaded or fetched.

    Args:
        field: the model's place in the configuration, as models.qwen3-8b.

    Raises:
        InputError: a repository without a revision, or a folder that holds no model.
    """
    weights = model.weights or ""
    folder = Path(weights)
    if folder.is_dir():
        if not (folder / "config.json").is_file():
            raise InputError("folder holds no config.json", field=f"{field}.weights", value=weights,
                             remedy="Name the folder that the weights were saved to.")  # fmt: skip
    elif weights.startswith((".", "/", "~")):
        raise InputError("no such folder", field=f"{field}.weights", value=weights,
                         remedy="Name a folder of weights or a repository.")  # fmt: skip
    elif model.revision is None:
        raise InputError("weights without a revision", field=f"{field}.revision",
                         remedy="Look up the weights' commit and write it there.")  # fmt: skip
    elif not COMMIT.fullmatch(model.revision):
        raise InputError("not a commit: a branch or tag may name other weights tomorrow",
                         field=f"{field}.revision", value=model.revision,
                         remedy="Write the commit's 40 digits.")  # fmt: skip


def weights_name(model: Model) -> str | None:
    """What names the weights in journal keys: a folder by its content, a repository by its name."""
    if model.weights is not None and Path(model.weights).is_dir():
        return _content(str(Path(model.weights).resolve()))
    return model.weights


@functools.cache
def _content(folder: str) -> str:
    """Hash of a folder of weights: small files whole, of large ones size, beginning and end.

    Training changes every tensor, so the ends of a file tell two states of weights apart without
    reading tens of gigabytes.
    """
    digest = hashlib.sha256()
    for path in sorted(Path(folder).iterdir()):
        if not path.is_file() or path.name.startswith("."):
            continue
        size = path.stat().st_size
        digest.update(f"{path.name}\n{size}\n".encode())
        with open(path, "rb") as file:
            if size <= 64 * PIECE:
                digest.update(file.read())
            else:
                digest.update(file.read(PIECE))
                file.seek(size - PIECE)
                digest.update(file.read())
    return digest.hexdigest()
