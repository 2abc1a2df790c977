"""The attempts at one request: what faults mean, what they came to, when to try again."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from babelmath.config import Model
from babelmath.engines.base import Response
from babelmath.engines.pace import Pace

Kind = Literal["blocked", "too long", "put off", "failed", "refused", "stop"]
Used = tuple[int, int, int]  # prompt, new and thinking tokens


@dataclass(frozen=True)
class Fault:
    """One attempt that brought no answer.

    `kind`: blocked and too long are answers of their kind; put off (come back later) and failed
    are tried again; refused is not; after stop nothing further is sent. `note` is for the list of
    attempts, `remedy` what helps, `wait` the seconds that the service asks for. `unknown`: nobody
    knows whether the service computed an answer; `crowded`: fewer requests at a time may help.
    """

    kind: Kind
    note: str
    remedy: str = ""
    wait: float | None = None
    unknown: bool = False
    crowded: bool = False

    @property
    def told(self) -> str:
        """The note, with the remedy where there is one."""
        return f"{self.note}. {self.remedy}" if self.remedy else self.note

    def heed(self, pace: Pace) -> None:
        """Let all requests of the job do as the service asks."""
        if self.kind == "stop":
            pace.stop(f"{self.note}. {self.remedy} Nothing further was sent.".replace(".  ", ". "))
        elif self.kind == "put off" and self.wait is not None:
            pace.pause(self.wait)


@dataclass
class Tally:
    """What the attempts at one call came to; `paid` counts tokens of replies without an answer."""

    notes: list[str] = field(default_factory=list)
    failed: int = 0
    put_off: int = 0
    unknown: int = 0
    paid: Used = (0, 0, 0)
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Since the first attempt, waits included."""
        return time.monotonic() - self.started

    def add(self, fault: Fault) -> None:
        """Count an attempt that brought no answer."""
        self.notes.append(fault.note)
        self.unknown += fault.unknown
        self.put_off += fault.kind == "put off"
        self.failed += fault.kind == "failed"

    def pay(self, used: Used) -> None:
        """Count the tokens of a reply that is no answer."""
        self.paid = added(self.paid, used)

    def again(self, fault: Fault, model: Model) -> bool:
        """Whether to try again after the last fault."""
        return (
            fault.kind in ("failed", "put off")
            and self.failed < model.attempts
            and self.put_off < model.throttled
        )

    def wait(self, fault: Fault) -> float:
        """Seconds before the call leaves again; the first wait that is asked for is kept."""
        times = self.put_off if fault.kind == "put off" else self.failed
        if fault.wait is None:
            return backoff(times)
        return fault.wait if times == 1 else max(fault.wait, backoff(times - 1))

    def answered(self, response: Response) -> Response:
        """The answer, with what earlier attempts took or may have taken."""
        paid = list(self.paid) if any(self.paid) else []
        return replace(response, unknown=self.unknown, paid=paid)

    def ended(
        self,
        sent: Mapping[str, Any],
        finish: str = "error",
        failure: str | None = None,
        limited: int | None = None,
    ) -> Response:
        """The end without an answer; without a failure there cannot be one."""
        prompt, new, thought = self.paid
        return Response(
            finish=finish,
            failure=failure,
            sent=dict(sent),
            attempts=list(self.notes),
            unknown=self.unknown,
            prompt_tokens=prompt,
            completion_tokens=new,
            thinking_tokens=thought,
            seconds=self.seconds,
            limited=limited,
        )


def added(first: Used, second: Used) -> Used:
    """Sums of tokens, kind by kind."""
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


def backoff(times: int) -> float:
    """Seconds to wait after so many failures: 1, 2, 4, ... up to 30, less or more by a half."""
    return float(min(2.0 ** (min(times, 10) - 1), 30.0) * random.uniform(0.5, 1.5))
