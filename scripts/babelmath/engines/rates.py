"""A service's limit of requests and tokens per minute, shared by all jobs of a machine."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import IO

from babelmath.config import Model
from babelmath.locks import locked

MINUTE = 60


class Rates:
    """The use of the last minute, in a small file that its users lock.

    Without limits nothing is written and every request may leave at once.

    Args:
        folder: where the file is kept, the same for all jobs.
        service: the service's name for the model; a limit is the model's own.
        model: its `requests_per_minute` and `tokens_per_minute`.
    """

    def __init__(self, folder: Path, service: str, model: Model) -> None:
        self._requests = model.requests_per_minute
        self._tokens = model.tokens_per_minute
        self._limited = self._requests is not None or self._tokens is not None
        self._path = folder / f"{re.sub(r'[^A-Za-z0-9.-]', '_', service)}.json"

    def take(self, tokens: int) -> float:
        """Count a request of so many tokens, or say in how many seconds to try again (0: counted).

        A request larger than the whole limit leaves when nothing else has for a minute.
        """
        if not self._limited:
            return 0.0
        with self._opened() as file:
            now = time.time()
            used = _read(file, now)
            requests = sum(one[0] for one in used.values())
            spent = sum(one[1] for one in used.values())
            full = self._requests is not None and requests >= self._requests
            dear = self._tokens is not None and spent + tokens > self._tokens and spent > 0
            if full or dear:
                return max(min(used) + MINUTE + 1 - now, 0.05)
            slot = used.setdefault(int(now), [0, 0])
            slot[0] += 1
            slot[1] += tokens
            _write(file, used)
        return 0.0

    def settle(self, taken: int, used: int, since: float | None = None) -> None:
        """Give back what a request was counted for and did not use, or add what it used more.

        Args:
            since: time.time() right after it was counted; what the minute has forgotten is not
                given back.
        """
        if self._tokens is None or taken == used:
            return
        with self._opened() as file:
            now = time.time()
            counted = _read(file, now)
            second = int(now)
            if since is not None and used < taken:
                then = int(since)
                if (found := {then, then - 1} & counted.keys()) == set():
                    return
                second = max(found)
            counted.setdefault(second, [0, 0])[1] += used - taken
            _write(file, counted)

    def _opened(self) -> IO[str]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        file = open(self._path, "a+", encoding="utf-8")  # noqa: SIM115 - closed by its user
        locked(file)
        return file


def _read(file: IO[str], now: float) -> dict[int, list[int]]:
    """Requests and tokens by second, of the last minute; what cannot be read counts for nothing."""
    file.seek(0)
    try:
        held = {int(second): list(map(int, used)) for second, used in json.load(file).items()}
    except (ValueError, AttributeError, TypeError, OverflowError, RecursionError):
        return {}
    return {
        second: used
        for second, used in held.items()
        if now - MINUTE - 1 < second <= now + 1 and len(used) == 2
    }


def _write(file: IO[str], used: dict[int, list[int]]) -> None:
    file.seek(0)
    file.truncate()
    json.dump(used, file)
    file.flush()
