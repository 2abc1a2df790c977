"""Any OpenAI-compatible server, asked through the openai client with bounded concurrency."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from babelmath.config import Model
from babelmath.engines.attempts import Fault, Tally
from babelmath.engines.base import OnSend, Request, Response
from babelmath.engines.flights import Flights
from babelmath.engines.openai_bodies import body_of, recorded, tokens_of
from babelmath.engines.openai_client import Client
from babelmath.engines.openai_replies import answers_of
from babelmath.engines.pace import Pace, StoppedError
from babelmath.engines.rates import Rates
from babelmath.engines.samples import calls_of

LOOPBACK = ("127.0.0.1", "localhost", "::1")


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
        self._flights = Flights(model.concurrency)
        here = urlsplit(base_url or "").hostname in LOOPBACK  # not through a cluster's proxy
        self._client = Client(model, base_url, api_key, direct=here)

    def stream(
        self, requests: Iterable[Request], on_send: OnSend
    ) -> Iterator[tuple[Request, Response]]:
        """See Engine.stream; at most `concurrency` requests are in flight, fewer in a crowd.

        After a refusal that holds for everything (a rejected key, a spent account) what has not
        left fails at once with the same words, without having been sent.
        """
        calls = calls_of(requests, self._model.samples_by)
        return self._flights.fly(calls, lambda call: self._ask(call, on_send))

    def close(self) -> None:
        """Close the client before its event loop ends."""
        self._flights.close(self._client.close())

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
                if found.kind == "blocked":
                    return _ended(asked, tally, body, "blocked")
                if found.kind == "too long":
                    return _ended(asked, tally, body, limited=self._model.context)
                if not tally.again(found, self._model):
                    return _ended(asked, tally, body, failure=found.told)
                await self._pace.sleep(tally.wait(found))
            except StoppedError as stopped:
                return _ended(asked, tally, body, failure=str(stopped))

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
            whole = [one and tally.answered(one) for one in found]
            first = next(place for place, one in enumerate(whole) if one)
            return [  # what the call took before stands with its first sample
                replace(one, paid=[]) if one and place != first else one
                for place, one in enumerate(whole)
            ]
        tally.pay((*used, 0))  # paid for, and no answer
        fault.heed(self._pace)
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


def _ended(
    asked: tuple[Request, ...],
    tally: Tally,
    body: dict[str, Any],
    finish: str = "error",
    failure: str | None = None,
    limited: int | None = None,
) -> list[tuple[Request, Response]]:
    """The end of a call without an answer; what it took stands with its first sample."""
    end = tally.ended(recorded(body), finish, failure, limited)
    others = replace(end, prompt_tokens=0, completion_tokens=0, thinking_tokens=0)
    return [(one, others if place else end) for place, one in enumerate(asked)]
