"""The openai client, held to one attempt: a reply as plain values, or a fault."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, TypeVar

import httpx2
import openai

from babelmath.config import Model
from babelmath.engines.attempts import Fault
from babelmath.engines.openai_faults import fault_of
from babelmath.engines.trust import through_proxies, trust

MOST_BYTES = 64 << 20  # of a reply: 128 samples of 32,768 tokens are a quarter of it
MOST_FILE = 64 << 30  # of a file's content, which goes to disk
CONNECTING = 15.0  # seconds
Found = TypeVar("Found")
# The request cannot have reached the service.
NEVER_SENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.ProxyError,
    httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
)


class Client:
    """One service's client; retries are the engine's, redirects are refused.

    A redirect would carry prompts to a server that journal keys do not name.

    Args:
        direct: past the proxies that the environment names.
    """

    def __init__(self, model: Model, base_url: str | None, api_key: str, direct: bool) -> None:
        self._model, self._key = model, api_key
        timeout = httpx2.Timeout(
            model.timeout_s, connect=min(CONNECTING, model.timeout_s / 2), pool=None
        )
        self._client = openai.AsyncOpenAI(
            base_url=base_url,
            api_key=api_key,
            max_retries=0,
            timeout=timeout,
            http_client=through_proxies(
                lambda: openai.DefaultAsyncHttpxClient(
                    verify=trust(),
                    trust_env=not direct,
                    follow_redirects=False,
                    timeout=timeout,
                    limits=httpx2.Limits(
                        max_connections=None, max_keepalive_connections=model.concurrency
                    ),
                    event_hooks={"response": [_bound]},
                )
            ),
        )

    @property
    def base_url(self) -> str:
        """The server's address."""
        return str(self._client.base_url)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def send(self, body: Mapping[str, Any]) -> Mapping[str, Any] | Fault:
        """A chat completion as the service sent it, or why there is none."""
        return await self.fetch(lambda to: to.chat.completions.with_raw_response.create(**body))

    async def fetch(
        self, ask: Callable[[openai.AsyncOpenAI], Awaitable[Any]], times: float = 1
    ) -> Mapping[str, Any] | Fault:
        """The JSON object that a call with a raw response brings, or why there is none."""
        raw = await self.call(ask, times)
        if isinstance(raw, Fault):
            return raw
        return self._read(raw.http_response.content, raw.http_response.headers)

    async def call(
        self, ask: Callable[[openai.AsyncOpenAI], Awaitable[Found]], times: float = 1
    ) -> Found | Fault:
        """What a call gives, within so many times the model's time-out, or why it gave nothing."""
        try:
            # The client's own time-out is one of silence: a body that drips never meets it.
            async with asyncio.timeout(self._model.timeout_s * times):
                return await ask(self._client)
        except TimeoutError:
            return Fault("failed", "APITimeoutError", unknown=True, crowded=True)
        except openai.APIStatusError as error:
            return self._fault(error.status_code, error.body, error.response.headers)
        except openai.APIConnectionError as error:
            return _lost(error)
        except httpx2.HTTPError as error:  # in the middle of a file
            return Fault("failed", type(error).__name__, unknown=True)

    def _read(self, data: bytes, headers: Mapping[str, str]) -> Mapping[str, Any] | Fault:
        try:
            reply = json.loads(data)
        except (ValueError, RecursionError):
            kind = re.sub(r"[^a-z/+.-].*", "", headers.get("content-type", "").lower())[:40]
            return Fault("failed", f"no JSON ({kind or 'untyped'})", unknown=True)
        if not isinstance(reply, dict):
            return {}
        error = reply.get("error")
        if error and not reply.get("choices"):  # some gateways say 200 and mean something else
            code = error.get("code") if isinstance(error, dict) else None
            status = code if isinstance(code, int) and 400 <= code < 600 else 500
            return self._fault(status, error, headers)
        return reply

    def _fault(self, status: int, error: Any, headers: Mapping[str, str]) -> Fault:
        return fault_of(status, error, headers, self._model, self._key)


def _lost(error: openai.APIConnectionError) -> Fault:
    """A connection that failed; its cause says whether the request can have arrived."""
    cause = error.__cause__
    late = isinstance(error, openai.APITimeoutError)
    name = "APITimeoutError" if late else f"APIConnectionError ({type(cause).__name__})"
    sent = not isinstance(cause, NEVER_SENT)
    return Fault("failed", name, unknown=sent, crowded=late)


async def _bound(response: httpx2.Response) -> None:
    """Let no reply fill the memory."""
    if isinstance(response.stream, httpx2.AsyncByteStream):
        is_file = response.request.url.path.endswith("/content")
        response.stream = _Bounded(response.stream, MOST_FILE if is_file else MOST_BYTES)


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, most: int) -> None:
        self._stream, self._most = stream, most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        held = 0
        async for piece in self._stream:
            held += len(piece)
            if held > self._most:
                raise httpx2.DecodingError(f"a reply of more than {self._most} bytes")
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
