"""What processes of the vLLM engine print, passed on and its end kept: their errors are there."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections import deque
from collections.abc import Iterator

KEPT = 400


class Printed:
    """Standard output and error of processes that start while `taken` is open.

    Both are passed on to standard error; the last lines are kept. The processes hold their end
    as long as they live, so what they print later is passed on as well.
    """

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=KEPT)
        self._reader: threading.Thread | None = None

    @property
    def lines(self) -> list[str]:
        """The last lines so far."""
        return list(self._lines)

    @contextlib.contextmanager
    def taken(self) -> Iterator[None]:
        """Take what is printed meanwhile, by this process too."""
        end, start = os.pipe()
        _flush()
        kept = [os.dup(1), os.dup(2)]
        self._reader = threading.Thread(target=self._read, args=(end, os.dup(2)), daemon=True)
        self._reader.start()
        for place in (1, 2):
            os.dup2(start, place)
        os.close(start)
        try:
            yield
        finally:
            _flush()
            for place, old in zip((1, 2), kept, strict=True):
                os.dup2(old, place)
                os.close(old)

    def ended(self) -> None:
        """Wait for the last words of processes that end."""
        if self._reader is not None:
            self._reader.join(timeout=5)

    def _read(self, end: int, onward: int) -> None:
        with os.fdopen(end, "rb") as printed:
            for line in printed:
                self._lines.append(line.decode("utf-8", "replace").rstrip("\n"))
                with contextlib.suppress(OSError):
                    os.write(onward, line)
        os.close(onward)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
