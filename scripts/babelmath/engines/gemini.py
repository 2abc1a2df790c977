"""Gemini, asked through google-genai with bounded concurrency."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import Any

from babelmath.config import Model
from babelmath.engines.attempts import Fault, Tally
from babelmath.engines.base import OnSend, Request, Response
from babelmath.engines.flights import Flights
from babelmath.engines.gemini_bodies import (
    body_of,
    check_model,
    recorded,
    response_of,
)
from babelmath.engines.openai_bodies import tokens_of
from babelmath.engines.pace import Pace, StoppedError
from babelmath.engines.rates import Rates


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
        self._flights = Flights(model.concurrency)

    def stream(
        self, requests: Iterable[Request], on_send: OnSend
    ) -> Iterator[tuple[Request, Response]]:
        """See Engine.stream; at most `concurrency` requests are in flight, fewer in a crowd.

        After a refusal that holds for everything (a rejected key, a day's quota) what has not left
        fails at once with the same words, without having been sent.

        Raises:
            InputError: a request that the service cannot take; `engines.askable` tells it before.
        """
        return self._flights.fly(iter(requests), lambda one: self._ask(one, on_send))

    def close(self) -> None:
        """Close the client before its event loop ends."""
        self._flights.close(self._client.close())

    async def _ask(self, request: Request, on_send: OnSend) -> list[tuple[Request, Response]]:
        body = body_of(request, self._model, self._name)
        tally = Tally()
        while True:
            try:
                found = await self._attempt(request, body, on_send, tally)
                if isinstance(found, Response):
                    return [(request, found)]
                tally.add(found)
                if found.kind == "too long":
                    return [(request, tally.ended(recorded(body)))]
                if not tally.again(found, self._model):
                    return [(request, tally.ended(recorded(body), failure=found.told))]
                await self._pace.sleep(tally.wait(found))
            except StoppedError as stopped:
                return [(request, tally.ended(recorded(body), failure=str(stopped)))]

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
                    tally.pay((response.prompt_tokens, response.completion_tokens,
                               response.thinking_tokens))  # fmt: skip
        finally:
            self._pace.leave(number, fault is None, fault is not None and fault.crowded)
        self._rates.settle(tokens, used, since)
        if fault is None:
            return tally.answered(response)
        fault.heed(self._pace)
        return fault
