"""What the batch services have in common: files of requests go in, files of results come out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BufferedRandom
from typing import Any, Protocol

from babelmath.engines.attempts import Fault
from babelmath.engines.base import Request, Response

FILE_TIME = 20  # times a model's time-out that a file may take in all


@dataclass(frozen=True)
class Limits:
    """The most requests and bytes of one batch."""

    requests: int
    size: int


@dataclass(frozen=True)
class Held:
    """A batch as its service tells of it.

    `word`: its state in the service's own word; `ended`: nothing more will come; `files`: where its
    results are; `done` of `total` requests; `why`: what the service says is wrong; `full`: it was
    not begun since too much waits in the queue.
    """

    word: str
    ended: bool
    files: tuple[str, ...] = ()
    done: int | None = None
    total: int | None = None
    why: str = ""
    full: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a line of results says: a response, or why there is none and what that took.

    `paid`: prompt, new and thinking tokens of a result that is no answer.
    """

    response: Response | None
    fault: Fault | None = None
    paid: tuple[int, int, int] = (0, 0, 0)


class BatchApi(Protocol):
    """One service's batches. Every call is one attempt; what went wrong comes back as a Fault."""

    limits: Limits

    def check(self, request: Request) -> None:
        """Say why a request cannot be sent.

        Raises:
            InputError: the service cannot take it.
        """
        ...

    def line(self, key: str, request: Request) -> tuple[dict[str, Any], dict[str, Any]]:
        """A line of the file, and what of it is recorded as sent.

        Raises:
            InputError: a request that the service cannot take.
        """
        ...

    async def upload(self, file: BufferedRandom, tag: str) -> str | Fault:
        """Bring a file of lines to the service; the service's name for it."""
        ...

    async def create(self, file: str, tag: str) -> str | Fault:
        """Hand an uploaded file in as a batch; the batch's id."""
        ...

    async def find(self, file: str, tag: str, since: float) -> Sequence[str] | Fault:
        """Ids of the batches made from a file or with a tag, not before a time (of time.time())."""
        ...

    async def status(self, batch: str) -> Held | Fault:
        """How a batch is."""
        ...

    async def download(self, file: str, into: BufferedRandom) -> Fault | None:
        """Write a file of results."""
        ...

    async def cancel(self, batch: str) -> Fault | None:
        """Ask the service to stop a batch."""
        ...

    def key(self, record: Mapping[str, Any]) -> object:
        """The request that a line of results is about."""
        ...

    def outcome(
        self,
        record: Mapping[str, Any],
        request: Request,
        sent: dict[str, Any],
        notes: list[str],
        seconds: float,
    ) -> Outcome:
        """What a line of results says.

        Args:
            sent: what was recorded of the request's line.
            notes: what earlier attempts brought.
        """
        ...

    async def close(self) -> None:
        """Close the client before its event loop ends."""
        ...
