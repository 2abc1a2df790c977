"""Gemini, asked through google-genai with bounded concurrency."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from babelmath.config import Model
from babelmath.engines.base import OnSend, Request, Response
from babelmath.engines.gemini_bodies import (
    body_of,
    check_model,
    check_request,
    recorded,
    response_of,
)
from babelmath.engines.openai_bodies import tokens_of
from babelmath.engines.openai_faults import Fault
from babelmath.engines.pace import Pace, StoppedError, backoff
from babelmath.engines.rates import Rates


@dataclass
class Tally:
    """What the attempts at one request came to; `paid` counts tokens of replies without text."""

    notes: list[str] = field(default_factory=list)
    failed: int = 0
    put_off: int = 0
    unknown: int = 0
    paid: tuple[int, int, int] = (0, 0, 0)
    started: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """Since the first attempt, waits included."""
        return time.monotonic() - self.started


class Gemini:
    """One model of the service.

    Args:
        model: its configuration (base_url, concurrency, attempts, throttled, timeout_s, options).
        key: never written anywhere.
        name: the model's name in requests.
        rates: the service's limits per minute.

    Raises:
        InputError: the configuration asks for what no request can carry.
    """

    def __init__(self, model: Model, key: str, name: str, rates: Rates) -> None:
        from babelmath.engines.gemini_client import Client  # google-genai takes seconds to import

        check_model(model, name)
        self._model, self._name, self._rates = model, name, rates
        self._pace = Pace(model.concurrency, rates)
        self._client = Client(model, key, name)
        self._runner = asyncio.Runner()

    def stream(
        self, requests: Iterable[Request], on_send: OnSend
    ) -> Iterator[tuple[Request, Response]]:
        """See Engine.stream; at most `concurrency` requests are in flight, fewer in a crowd.

        After a refusal that holds for everything (a rejected key, a day's quota) what has not left
        fails at once with the same words, without having been sent.

        Raises:
            InputError: a request that the service cannot take; nothing has been sent then.
        """
        asked = list(requests)
        for request in asked:
            check_request(request, self._name)
        waiting = iter(asked)
        flying: dict[asyncio.Task[Response], Request] = {}
        loop = self._runner.get_loop()
        try:
            while True:
                while len(flying) < self._model.concurrency:
                    next_one = next(waiting, None)
                    if next_one is None:
                        break
                    flying[loop.create_task(self._ask(next_one, on_send))] = next_one
                if not flying:
                    return
                done, _ = self._runner.run(_first(flying))
                for task in done:
                    yield flying.pop(task), task.result()
        finally:
            for task in flying:
                task.cancel()
            if flying:
                self._runner.run(_settle(flying))

    def close(self) -> None:
        """Close the client before its event loop ends."""
        self._runner.run(self._client.close())
        self._runner.close()

    async def _ask(self, request: Request, on_send: OnSend) -> Response:
        body = body_of(request, self._model, self._name)
        tally = Tally()
        while True:
            try:
                found = await self._attempt(request, body, on_send, tally)
                if isinstance(found, Response):
                    return found
                tally.notes.append(found.note)
                tally.unknown += found.unknown
                tally.put_off += found.kind == "put off"
                tally.failed += found.kind == "failed"
                if found.kind == "too long":
                    return _ended(body, tally, None)
                if not self._again(found, tally):
                    said = f"{found.note}. {found.remedy}" if found.remedy else found.note
                    return _ended(body, tally, said)
                await self._pace.sleep(_own_wait(found, tally))
            except StoppedError as stopped:
                return _ended(body, tally, str(stopped))

    async def _attempt(
        self, request: Request, body: dict[str, Any], on_send: OnSend, tally: Tally
    ) -> Response | Fault:
        """Send once: the response, or why there is none."""
        tokens = tokens_of(request)
        number = await self._pace.enter(tokens)
        since = time.time()
        fault: Fault | None = None
        used = tokens  # of an unknown fate: as much as it may have taken
        try:
            on_send(request)
            reply = await self._client.send(body)
            if isinstance(reply, Fault):
                fault = reply
                used = tokens if fault.unknown else 0
            else:
                response = response_of(reply, recorded(body), tally.notes, tally.seconds)
                used = response.prompt_tokens + response.completion_tokens
                if response.failure is not None:  # received and paid for, but no answer
                    fault = Fault("failed", response.attempts[-1])
                    tally.paid = _sum(tally.paid, response)
        finally:
            self._pace.leave(number, fault is None, fault is not None and fault.crowded)
        self._rates.settle(tokens, used, since)
        if fault is None:
            return replace(response, unknown=tally.unknown)
        if fault.kind == "stop":
            self._pace.stop(f"{fault.note}. {fault.remedy} Nothing further was sent.")
        elif fault.kind == "put off" and fault.wait is not None:
            self._pace.pause(fault.wait)
        return fault

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


def _ended(body: dict[str, Any], tally: Tally, failure: str | None) -> Response:
    """The end of a request without an answer; without a failure it cannot have one."""
    prompt, new, thought = tally.paid
    return Response(
        failure=failure,
        sent=recorded(body),
        attempts=tally.notes,
        unknown=tally.unknown,
        prompt_tokens=prompt,
        completion_tokens=new,
        thinking_tokens=thought,
        seconds=tally.seconds,
    )


def _sum(paid: tuple[int, int, int], response: Response) -> tuple[int, int, int]:
    prompt, new, thought = paid
    return (
        prompt + response.prompt_tokens,
        new + response.completion_tokens,
        thought + response.thinking_tokens,
    )


async def _first(
    flying: dict[asyncio.Task[Response], Request],
) -> tuple[set[asyncio.Task[Response]], set[asyncio.Task[Response]]]:
    return await asyncio.wait(flying, return_when=asyncio.FIRST_COMPLETED)


async def _settle(flying: dict[asyncio.Task[Response], Request]) -> None:
    await asyncio.gather(*flying, return_exceptions=True)
