"""The files of batches: requests by parts that a service takes, and lines of results."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BufferedRandom
from tempfile import TemporaryFile
from typing import Any

from babelmath.engines.attempts import Fault
from babelmath.engines.base import Request
from babelmath.engines.batch_api import BatchApi
from babelmath.files import dumps


@dataclass(frozen=True)
class Part:
    """Requests that go together: their keys, what is recorded as sent, the file of their lines."""

    keys: list[str]
    sent: list[dict[str, Any]]
    file: BufferedRandom


def part(asked: Iterable[tuple[str, Request]], api: BatchApi, most: int) -> Part:
    """As many of the requests as one batch may hold, at least one.

    Raises:
        InputError: a request that the service cannot take.
    """
    made = Part([], [], TemporaryFile())  # noqa: SIM115 - closed by its user
    size, most = 0, min(most, api.limits.requests)
    for key, request in asked:
        line, sent = api.line(key, request)
        data = dumps(line).encode("utf-8", "replace") + b"\n"
        size += len(data)
        if made.keys and (size > api.limits.size or len(made.keys) >= most):
            break
        made.keys.append(key)
        made.sent.append(sent)
        made.file.write(data)
    made.file.seek(0)
    return made


async def results(api: BatchApi, name: str) -> BufferedRandom | Fault:
    """A file of results, whole: every line is a JSON object."""
    file = TemporaryFile()  # noqa: SIM115 - closed by its user
    if (fault := await api.download(name, file)) is not None:
        file.close()
        return fault
    file.seek(0)
    try:
        if all(isinstance(record, dict) for record in records(file)):
            file.seek(0)
            return file
    except (ValueError, RecursionError):
        pass
    file.close()
    return Fault("failed", "a file of results that is not whole")


def records(file: BufferedRandom) -> Iterator[Any]:
    """The lines of a file, as JSON.

    Raises:
        ValueError: a line that is none.
    """
    for line in file:
        if line.strip():
            yield json.loads(line)
