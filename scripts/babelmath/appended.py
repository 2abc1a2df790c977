"""Files of lines that one process appends to: whole lines, torn ends, and who is writing."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from pathlib import Path

from babelmath.errors import InputError
from babelmath.locks import open_locked


def is_packed(path: Path) -> bool:
    """Whether a journal file is a packed one."""
    return path.suffix == ".gz"


def whole_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """(1-based number, line) of a file, plain or packed; a last line without its end is left out.

    Raises:
        InputError: a packed file that is damaged.
    """
    number = 0
    try:
        with gzip.open(path, "rb") if is_packed(path) else open(path, "rb") as handle:
            for number, line in enumerate(handle, start=1):
                if line.endswith(b"\n"):
                    yield number, line
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise damaged(path, number + 1, str(error)) from None


def damaged(path: Path, line: int | None, problem: str) -> InputError:
    """The error for a journal file that holds what no writer wrote."""
    return InputError(
        f"a damaged journal file: {problem}",
        file=path,
        line=line,
        remedy="Take it from a backup, or move it away; its responses are then asked anew.",
    )


def is_written(path: Path) -> bool:
    """Whether a process holds a job's file for writing."""
    file = open_locked(path, wait=False)
    if file is not None:
        file.close()
    return file is None


def drop_torn_line(path: Path) -> None:
    """Cut off what stands after a file's last line end."""
    with open(path, "rb+") as handle:
        end = handle.seek(0, os.SEEK_END)
        position = end
        while position > 0:
            step = min(65536, position)
            handle.seek(position - step)
            block = handle.read(step)
            cut = block.rfind(b"\n")
            if cut >= 0:
                if position - step + cut + 1 != end:
                    handle.truncate(position - step + cut + 1)
                return
            position -= step
        if end:
            handle.truncate(0)
