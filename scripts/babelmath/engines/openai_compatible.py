"""Any OpenAI-compatible server, asked through the openai client with bounded concurrency."""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

import openai

from babelmath.config import Model
from babelmath.engines.base import OnSend, Request, Response
from babelmath.engines.openai_bodies import body_of, recorded, response_of, text_of
from babelmath.engines.rates import Rates

# A prompt that does not fit is the request's own fate and an answer of its kind; other refusals (a
# wrong parameter, key or name) are mended outside and asked again.
TOO_LONG = re.compile(r"context (?:size|length|window)|too (?:long|many tokens)", re.IGNORECASE)
TOO_LONG_CODES = ("context_length_exceeded", "exceed_context_size_error")
BLOCKED_CODES = ("content_filter", "content_policy_violation")  # a refused prompt: no completion
RETRIED = (408, 409, 425, 429)
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
        self._runner = asyncio.Runner()
        here = urlsplit(base_url or "").hostname in LOOPBACK  # not through a cluster's proxy
        self._client = openai.AsyncOpenAI(
            base_url=base_url,
            api_key=api_key,
            max_retries=0,
            timeout=model.timeout_s,
            http_client=openai.DefaultAsyncHttpxClient(trust_env=False) if here else None,
        )

    def stream(
        self, requests: Iterable[Request], on_send: OnSend
    ) -> Iterator[tuple[Request, Response]]:
        """See Engine.stream; at most `concurrency` requests are in flight."""
        waiting = iter(requests)
        flying: dict[asyncio.Task[Response], Request] = {}
        loop = self._runner.get_loop()
        try:
            while True:
                while len(flying) < self._model.concurrency:
                    request = next(waiting, None)
                    if request is None:
                        break
                    flying[loop.create_task(self._ask(request, on_send))] = request
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
        body = body_of(request, self._model, self._name, self._extra)
        attempts: list[str] = []
        started = time.monotonic()
        for attempt in range(1, self._model.attempts + 1):
            on_send(request)
            try:
                completion = await self._client.chat.completions.create(**body)
                seconds = time.monotonic() - started
                if not getattr(completion, "choices", None):  # a proxy's page is a plain string
                    return Response(
                        sent=recorded(body), attempts=[*attempts, "no choices"], failure="empty"
                    )
                return response_of(
                    request, completion.choices[0], completion.usage, body, attempts, seconds
                )
            except openai.APIStatusError as error:
                attempts.append(f"HTTP {error.status_code}")
                said = _message(error, self._client.api_key)
                attempts[-1] += f": {said}" if said else ""
                blocked = error.code in BLOCKED_CODES
                if blocked or TOO_LONG.search(said) or error.code in TOO_LONG_CODES:
                    return Response(
                        finish="blocked" if blocked else "error",
                        sent=recorded(body),
                        attempts=attempts,
                        seconds=time.monotonic() - started,
                    )
                if error.status_code < 500 and error.status_code not in RETRIED:
                    break
                wait = _retry_after(error)
            except (openai.APIConnectionError, ValueError) as error:  # ValueError: not JSON
                attempts.append(type(error).__name__)
                wait = None
            if attempt < self._model.attempts:
                await asyncio.sleep(wait if wait is not None else _backoff(attempt))
        return Response(
            sent=recorded(body),
            attempts=attempts,
            failure=attempts[-1],
            seconds=time.monotonic() - started,
        )


def _message(error: openai.APIStatusError, key: str) -> str:
    """What the service says, without the key that some repeat."""
    body = error.body if isinstance(error.body, dict) else {}
    text = text_of(str(body.get("message", "")))
    return (text.replace(key, "[key]") if key != "none" else text)[:300]


def _retry_after(error: openai.APIStatusError) -> float | None:
    try:
        return min(float(error.response.headers["retry-after"]), 300.0)
    except (KeyError, ValueError):
        return None


def _backoff(attempt: int) -> float:
    return min(2.0 ** (attempt - 1), 30.0) * random.uniform(0.5, 1.5)


async def _first(
    flying: dict[asyncio.Task[Response], Request],
) -> tuple[set[asyncio.Task[Response]], set[asyncio.Task[Response]]]:
    return await asyncio.wait(flying, return_when=asyncio.FIRST_COMPLETED)


async def _settle(flying: dict[asyncio.Task[Response], Request]) -> None:
    await asyncio.gather(*flying, return_exceptions=True)
