"""Any OpenAI-compatible server, asked through the openai client with bounded concurrency."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urlsplit

from babelmath.config import Model
from babelmath.engines.base import OnSend, Request, Response
from babelmath.engines.openai_bodies import body_of, recorded, tokens_of
from babelmath.engines.openai_client import Client
from babelmath.engines.openai_faults import Fault
from babelmath.engines.openai_replies import answers_of
from babelmath.engines.pace import Pace, StoppedError, backoff
from babelmath.engines.rates import Rates
from babelmath.engines.samples import calls

LOOPBACK = ("127.0.0.1", "localhost", "::1")


@dataclass
class Tally:
    """What the attempts at one call came to."""

    notes: list[str] = field(default_factory=list)
    failed: int = 0
    put_off: int = 0
    unknown: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    started: float = field(default_factory=time.monotonic)

    def add(self, fault: Fault) -> None:
        """Count an attempt that brought no answer."""
        self.notes.append(fault.note)
        self.unknown += fault.unknown
        self.put_off += fault.kind == "put off"
        self.failed += fault.kind == "failed"

    @property
    def seconds(self) -> float:
        """Since the first attempt, waits included."""
        return time.monotonic() - self.started


class OpenAICompatible:
    """One service.

    Args:
        model: its configuration (concurrency, attempts, timeout).
        base_url: the server's address; None for the client's default.
        api_key: never written anywhere.
        name: the model's name in requests.
        extra: body fields of this kind of server, sent with every request and recorded.
        rates: the service's limits per minute.
    """

    def __init__(
        self,
        model: Model,
        base_url: str | None,
        api_key: str,
        name: str,
        extra: dict[str, Any] | None = None,
        rates: Rates | None = None,
    ) -> None:
        self._model = model
        self._name = name
        self._extra = extra
        self._rates = rates
        self._pace = Pace(model.concurrency, rates)
        self._runner = asyncio.Runner()
        here = urlsplit(base_url or "").hostname in LOOPBACK  # not through a cluster's proxy
        self._client = Client(model, base_url, api_key, direct=here)

    def stream(
        self, requests: Iterable[Request], on_send: OnSend
    ) -> Iterator[tuple[Request, Response]]:
        """See Engine.stream; at most `concurrency` requests are in flight, fewer in a crowd.

        After a refusal that holds for everything (a rejected key, a spent account) what has not
        left fails at once with the same words, without having been sent.
        """
        waiting = calls(requests, self._model.samples_by)
        flying: set[asyncio.Task[list[tuple[Request, Response]]]] = set()
        loop = self._runner.get_loop()
        try:
            while True:
                while len(flying) < self._model.concurrency:
                    call = next(waiting, None)
                    if call is None:
                        break
                    flying.add(loop.create_task(self._ask(call, on_send)))
                if not flying:
                    return
                done, _ = self._runner.run(_first(flying))
                for task in done:
                    flying.discard(task)
                    yield from task.result()
        finally:
            for task in flying:
                task.cancel()
            if flying:
                self._runner.run(_settle(flying))

    def close(self) -> None:
        """Close the client before its event loop ends."""
        self._runner.run(self._client.close())
        self._runner.close()

    async def _ask(
        self, asked: tuple[Request, ...], on_send: OnSend
    ) -> list[tuple[Request, Response]]:
        """One call for one request, or for several samples of one."""
        body = body_of(asked[0], self._model, self._name, self._extra)
        if len(asked) > 1:
            body["n"] = len(asked)
        tally = Tally()
        while True:
            try:
                found = await self._attempt(asked, body, on_send, tally)
                if not isinstance(found, Fault):
                    return await self._with_missing(asked, found, on_send)
                tally.add(found)
                if found.kind in ("blocked", "too long"):
                    end = "blocked" if found.kind == "blocked" else "error"
                    return [(one, _ended(body, tally, finish=end)) for one in asked]
                if not self._again(found, tally):
                    failure = f"{found.note}. {found.remedy}" if found.remedy else found.note
                    return [(one, _ended(body, tally, failure=failure)) for one in asked]
                await self._pace.sleep(_own_wait(found, tally))
            except StoppedError as stopped:
                return [(one, _ended(body, tally, failure=str(stopped))) for one in asked]

    async def _attempt(
        self, asked: tuple[Request, ...], body: dict[str, Any], on_send: OnSend, tally: Tally
    ) -> list[Response | None] | Fault:
        """Send once: a response for each request (None where its choice is missing), or a fault."""
        tokens = tokens_of(asked[0], len(asked))
        number, since = await self._pace.enter(tokens), time.time()
        fault: Fault | None = Fault("failed", "broken off")
        try:
            for one in asked:
                on_send(one)
            reply = await self._client.send(body)
            if isinstance(reply, Fault):
                fault, used = reply, (0, 0)
            else:
                fault, found, used = answers_of(asked, reply, body, tally.notes, tally.seconds)
        finally:
            self._pace.leave(number, fault is None, fault is not None and fault.crowded)
        if self._rates is not None and (any(used) or not (fault is None or fault.unknown)):
            self._rates.settle(tokens, sum(used), since)  # what nobody counted stays as guessed
        if fault is None:
            return [one and replace(one, unknown=tally.unknown) for one in found]
        tally.prompt_tokens += used[0]  # paid for, and no answer
        tally.completion_tokens += used[1]
        if fault.kind == "stop":
            self._pace.stop(f"{fault.note}. {fault.remedy} Nothing further was sent.")
        elif fault.kind == "put off" and fault.wait is not None:
            self._pace.pause(fault.wait)
        return fault

    async def _with_missing(
        self, asked: tuple[Request, ...], found: list[Response | None], on_send: OnSend
    ) -> list[tuple[Request, Response]]:
        """What came, and each sample that a server left out asked by a call of its own."""
        pairs = [(one, had) for one, had in zip(asked, found, strict=True) if had is not None]
        for one, had in zip(asked, found, strict=True):
            if had is None:
                pairs += await self._ask((one,), on_send)
        return pairs

    def _again(self, fault: Fault, tally: Tally) -> bool:
        return (
            fault.kind in ("failed", "put off")
            and tally.failed < self._model.attempts
            and tally.put_off < self._model.throttled
        )


def _own_wait(fault: Fault, tally: Tally) -> float:
    """Seconds before the same request leaves again; the first wait that is asked for is kept."""
    times = tally.put_off if fault.kind == "put off" else tally.failed
    if fault.wait is None:
        return backoff(times)
    return fault.wait if times == 1 else max(fault.wait, backoff(times - 1))


def _ended(
    body: dict[str, Any], tally: Tally, finish: str = "error", failure: str | None = None
) -> Response:
    """The end of a call without an answer."""
    return Response(
        finish=finish,
        failure=failure,
        sent=recorded(body),
        attempts=list(tally.notes),
        unknown=tally.unknown,
        prompt_tokens=tally.prompt_tokens,
        completion_tokens=tally.completion_tokens,
        seconds=tally.seconds,
    )


async def _first(
    flying: set[asyncio.Task[list[tuple[Request, Response]]]],
) -> tuple[
    set[asyncio.Task[list[tuple[Request, Response]]]],
    set[asyncio.Task[list[tuple[Request, Response]]]],
]:
    return await asyncio.wait(flying, return_when=asyncio.FIRST_COMPLETED)


async def _settle(flying: set[asyncio.Task[list[tuple[Request, Response]]]]) -> None:
    await asyncio.gather(*flying, return_exceptions=True)
