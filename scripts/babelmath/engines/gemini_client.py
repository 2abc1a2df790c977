"""The google-genai client: one request, one call, one reply; its own retries are off."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2
from google import genai
from google.genai import errors, types

from babelmath.config import Model
from babelmath.engines.attempts import Fault
from babelmath.engines.gemini_faults import fault_of
from babelmath.engines.trust import through_proxies, trust
from babelmath.errors import InputError

# Given always, the version too: the client would let GOOGLE_GEMINI_BASE_URL and
# GOOGLE_GENAI_API_VERSION name others, which journal keys do not know.
GEMINI = "https://generativelanguage.googleapis.com"
VERSION = "v1beta"  # holds the names that v1 lacks (gemini-flash-latest)
VERSIONED = re.compile(r"(.*)/(v\d+\w*)/*")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
# The phases of a call have the time-out each; a body that trickles on ends after this share of it.
WHOLE_CALL = 1.25
Found = TypeVar("Found")
NEVER_SENT = (
    httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.LocalProtocolError, httpx2.PoolTimeout,
    httpx2.ProxyError, httpx2.UnsupportedProtocol,
)  # fmt: skip


class Client:
    """One service, asked for one model.

    Redirects are not followed (the key would go along), and a loopback address is not looked for
    through a proxy.

    Args:
        model: its configuration (base_url, timeout_s).
        key: never written anywhere.
        name: the model's name in requests.

    Raises:
        InputError: the environment asks for an HTTP client that is not installed.
    """

    def __init__(self, model: Model, key: str, name: str) -> None:
        self._model, self._key, self._name = model, key, name
        # They speak of keys in the environment, which are not used here.
        logging.getLogger("google_genai").setLevel(logging.ERROR)
        url, version = model.base_url or GEMINI, VERSION
        if (parts := VERSIONED.fullmatch(url)) is not None:
            url, version = parts.groups()
        here = urlsplit(url).hostname in LOOPBACK
        trusted = trust()
        self._http = through_proxies(
            lambda: httpx2.AsyncClient(
                verify=trusted,
                trust_env=not here,
                follow_redirects=False,
                limits=httpx2.Limits(max_connections=None, max_keepalive_connections=None),
            )
        )
        try:
            self._client = genai.Client(
                enterprise=False,
                api_key=key,
                http_options=types.HttpOptions(
                    base_url=url,
                    api_version=version,
                    timeout=max(1, round(model.timeout_s * 1000)),
                    retry_options=types.HttpRetryOptions(attempts=1),
                    httpx_async_client=self._http,
                    client_args={"verify": trusted},  # of clients that are made and never used
                    async_client_args={"ssl": trusted},
                ),
            )
        except ImportError as error:
            raise InputError(str(error), field="GOOGLE_GENAI_HTTP_CLIENT",
                             remedy="Unset this environment variable.") from None  # fmt: skip

    async def send(self, body: Mapping[str, Any]) -> Any | Fault:
        """Send once; the reply's JSON, or why there is none."""
        config = types.GenerateContentConfig.model_validate_json(json.dumps(body["config"]))
        config.should_return_http_response = True  # as it came: unknown fields are no error
        config.automatic_continuation = False  # each would be another paid call
        config.automatic_function_calling = types.AutomaticFunctionCallingConfig(disable=True)
        contents = [types.Content.model_validate_json(json.dumps(one)) for one in body["contents"]]

        async def ask(client: genai.Client) -> Any:
            reply = await client.aio.models.generate_content(
                model=self._name, contents=contents, config=config
            )
            text = reply.sdk_http_response.body if reply.sdk_http_response else None
            return json.loads(text or "")

        return await self.call(ask)

    async def call(
        self, ask: Callable[[genai.Client], Awaitable[Found]], times: float = WHOLE_CALL
    ) -> Found | Fault:
        """What a call gives, within so many times the model's time-out, or why it gave nothing."""
        try:
            async with asyncio.timeout(self._model.timeout_s * times):
                return await ask(self._client)
        except errors.APIError as error:
            headers = getattr(error.response, "headers", {})
            return fault_of(error.code, error.details, headers, self._model, self._name, self._key)
        except httpx2.HTTPError as error:
            crowded = isinstance(error, httpx2.TimeoutException)
            unknown = not isinstance(error, NEVER_SENT)
            return Fault("failed", type(error).__name__, unknown=unknown, crowded=crowded)
        except TimeoutError:
            return Fault("failed", "body not ended in time", unknown=True, crowded=True)
        except (ValueError, KeyError, RecursionError):
            return Fault("failed", "no JSON", unknown=True)

    async def close(self) -> None:
        """Close the connections, in the event loop that opened them."""
        await self._http.aclose()
        self._client.close()
