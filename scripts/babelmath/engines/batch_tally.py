"""What has become of one request that goes by batches, and how many may be handed in."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from babelmath.engines import pace
from babelmath.engines.attempts import Fault, Used, added
from babelmath.engines.base import Request, Response

LONGEST_PUT_OFF = 3600.0  # seconds


@dataclass
class Tally:
    """One request: what its attempts brought, and how often it was part of a batch.

    `announced`: the journal knows that it leaves, and it has not left yet. `out`: this run handed
    it in, and nothing has come of it yet.
    """

    request: Request
    tries: int = 0
    notes: list[str] = field(default_factory=list)
    unknown: int = 0
    paid: Used = (0, 0, 0)
    announced: bool = False
    out: bool = False
    sent: dict[str, Any] = field(default_factory=dict)

    def add(self, fault: Fault, paid: Used = (0, 0, 0)) -> None:
        """Count an attempt that brought no answer."""
        self.notes.append(fault.note)
        self.paid = added(self.paid, paid)
        self.out = False

    def answered(self, response: Response) -> Response:
        """The answer, with what earlier attempts took or may have taken."""
        paid = list(self.paid) if any(self.paid) else []
        return replace(response, unknown=self.unknown, paid=paid)

    def ended(self, failure: str | None, finish: str = "error") -> Response:
        """The end without an answer; without a failure there cannot be one."""
        prompt, new, thought = self.paid
        return Response(
            finish=finish,
            failure=failure,
            attempts=list(self.notes),
            unknown=self.unknown,
            prompt_tokens=prompt,
            completion_tokens=new,
            thinking_tokens=thought,
            sent=self.sent,
        )

    def left(self, failure: str) -> Response:
        """It stays in its batch: not an end, so without attempts, and its tokens may be spent."""
        return Response(failure=failure, unknown=self.unknown + self.out)


class Queue:
    """How much is handed in at a time, and when: services bound what may wait in their queues.

    Args:
        most: requests of one batch.
        poll: seconds between two looks, the shortest wait.
        times: refusals in a row, with nothing of ours in the queue, after which it is given up.
    """

    def __init__(self, most: int, poll: float, times: int) -> None:
        self.most, self._poll, self._times = most, poll, times
        self._refused = 0
        self._until = 0.0

    @property
    def wait(self) -> float:
        """Seconds until something may be handed in again."""
        return self._until - pace.CLOCK.now()

    def put_off(self, size: int, told: float | None, full: bool, others: bool) -> bool:
        """The service takes no batch now; whether to try again.

        Args:
            size: requests of the refused batch: fewer are tried where the queue was too full for
                them although nothing else of ours was in it.
            told: seconds that the service asks to wait.
            full: the queue was too full, as against the calls too fast.
            others: batches of ours are open, and make room when they end.
        """
        self._refused += not others
        if full and not others:
            self.halve(size)
        wait = self._poll * 2 ** min(self._refused, 6) if told is None else told
        self._until = pace.CLOCK.now() + min(wait, LONGEST_PUT_OFF)
        return self._refused < self._times

    def halve(self, size: int) -> None:
        """Hand in no more than half of so many."""
        self.most = max(1, size // 2)

    def room(self) -> None:
        """Something of ours has left the queue."""
        self._refused, self._until = 0, 0.0
