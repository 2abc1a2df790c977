"""Processes that label parts of responses; `labelling` starts them and hands out the work.

A worker ends when the process that started it ends, however that happens: its input is closed then.
"""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, cast

from babelmath.config import Identification
from babelmath.errors import InputError
from babelmath.identification import Identifier
from babelmath.languages import Language
from babelmath.records import PartLabel
from babelmath.response_parts import Part


class Worker:
    """A process that labels batches of parts, one batch at a time."""

    def __init__(self, how: Identification, languages: Sequence[Language]) -> None:
        library = str(Path(__file__).resolve().parent.parent)
        paths = os.pathsep.join(filter(None, (library, os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        self._input = cast(BinaryIO, self._process.stdin)
        self.output = cast(BinaryIO, self._process.stdout)
        self._send((how, list(languages)))

    @property
    def pid(self) -> int:
        return self._process.pid

    def label(self, parts: Sequence[Part]) -> None:
        """Hand over a batch; the worker must be idle. `labels` gets what comes of it."""
        self._send(parts)

    def labels(self) -> list[PartLabel]:
        """The labels of the batch that was handed over.

        Raises:
            InputError: what the worker was given is not right: no fastText model, for instance.
            RuntimeError: the worker failed or died.
        """
        try:
            value = pickle.load(self.output)
        except (EOFError, pickle.UnpicklingError):
            raise RuntimeError("a process that labels languages died") from None
        if isinstance(value, InputError):
            raise value
        if isinstance(value, str):
            raise RuntimeError(f"a process that labels languages failed:\n{value}")
        return [PartLabel.model_construct(**one) for one in value]

    def end(self) -> None:
        """Kill the process and wait for its end."""
        self._process.kill()
        self._process.communicate()

    def _send(self, value: object) -> None:
        try:
            pickle.dump(value, self._input, protocol=5)
            self._input.flush()
        except BrokenPipeError:
            self.labels()  # says why it ended
            raise


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Label batches until the input ends; the first thing read are the settings."""

    def say(value: object) -> None:
        pickle.dump(value, sink, protocol=5)
        sink.flush()

    gc.disable()  # nothing here is circular
    try:
        identifier = Identifier(*pickle.load(source))
        while True:
            try:
                parts = pickle.load(source)
            except EOFError:
                return
            say([one.__dict__ for one in identifier.labels(parts)])
    except BrokenPipeError:
        return
    except InputError as error:
        say(error)
    except Exception:
        say(traceback.format_exc())


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
