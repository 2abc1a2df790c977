"""Gemini's batches, from files of keyed requests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BufferedRandom
from typing import Any

from google import genai
from google.genai import types

from babelmath.config import Model
from babelmath.engines import pace
from babelmath.engines.attempts import Fault
from babelmath.engines.base import Request
from babelmath.engines.batch_api import FILE_TIME, Held, Limits, Outcome
from babelmath.engines.gemini_bodies import (
    body_of,
    check_model,
    check_request,
    recorded,
    response_of,
    rest_of,
)
from babelmath.engines.gemini_client import Client
from babelmath.engines.gemini_faults import fault_of
from babelmath.engines.openai_bodies import text_of

ENDED = ("SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED", "PARTIALLY_SUCCEEDED")
PAGE = 100  # batches of one listing
# Errors of single requests bear the codes of google.rpc.Code; what they mean as HTTP status.
RPC = {1: 499, 2: 500, 3: 400, 4: 504, 5: 404, 6: 409, 7: 403, 8: 429, 9: 400, 10: 409, 11: 400,
       12: 501, 13: 500, 14: 503, 15: 500, 16: 401}  # fmt: skip


class GeminiBatches:
    """See BatchApi.

    Args:
        key: never written anywhere.
        name: the model's name in requests.

    Raises:
        InputError: as `gemini_bodies.check_model`.
    """

    # The service takes files of 2 GB; results of many requests must still come in time.
    limits = Limits(50_000, 1_900_000_000)

    def __init__(self, model: Model, key: str, name: str) -> None:
        check_model(model, name)
        self._model, self._key, self._name = model, key, name
        self._client = Client(model, key, name)

    def check(self, request: Request) -> None:
        """See BatchApi."""
        check_request(request, self._name)

    def line(self, key: str, request: Request) -> tuple[dict[str, Any], dict[str, Any]]:
        """See BatchApi."""
        body = body_of(request, self._model, self._name)
        return {"key": key, "request": rest_of(body)}, recorded(body)

    async def upload(self, file: BufferedRandom, tag: str) -> str | Fault:
        """See BatchApi."""

        async def ask(client: genai.Client) -> str:
            config = types.UploadFileConfig(mime_type="application/jsonl", display_name=tag)
            found = await client.aio.files.upload(file=file, config=config)
            while found.state == types.FileState.PROCESSING and found.name:
                await pace.CLOCK.sleep(1)
                found = await client.aio.files.get(name=found.name)
            return found.name or ""

        found = await self._client.call(ask, FILE_TIME)
        return found or Fault("failed", "a file without a name")

    async def create(self, file: str, tag: str) -> str | Fault:
        """See BatchApi."""

        async def ask(client: genai.Client) -> str:
            config = types.CreateBatchJobConfig(display_name=tag)
            found = await client.aio.batches.create(model=self._name, src=file, config=config)
            return found.name or ""

        found = await self._client.call(ask)
        return found or Fault("failed", "a batch without a name", unknown=True)

    async def find(self, file: str, tag: str, since: float) -> Sequence[str] | Fault:
        """See BatchApi: the order of the listing is not told, so all of it is read."""

        async def ask(client: genai.Client) -> list[str]:
            config = types.ListBatchJobsConfig(page_size=PAGE)
            listed = await client.aio.batches.list(config=config)
            return [one.name async for one in listed if one.display_name == tag and one.name]

        return await self._client.call(ask, FILE_TIME)

    async def status(self, batch: str) -> Held | Fault:
        """See BatchApi."""

        async def ask(client: genai.Client) -> types.BatchJob:
            return await client.aio.batches.get(name=batch)

        found = await self._client.call(ask)
        if isinstance(found, Fault):
            return found
        if found.state is None:
            return Fault("failed", "a batch without a state")
        word = found.state.name.removeprefix("JOB_STATE_")
        file = found.dest.file_name if found.dest else None
        ended = word in ENDED
        return Held(text_of(word).lower()[:60], ended, (file,) if file and ended else ())

    async def download(self, file: str, into: BufferedRandom) -> Fault | None:
        """See BatchApi."""

        async def ask(client: genai.Client) -> None:
            await client.aio.files.download(file=file, destination=into)

        return await self._client.call(ask, FILE_TIME)

    async def cancel(self, batch: str) -> Fault | None:
        """See BatchApi."""

        async def ask(client: genai.Client) -> None:
            await client.aio.batches.cancel(name=batch)

        return await self._client.call(ask)

    def key(self, record: Mapping[str, Any]) -> object:
        """See BatchApi."""
        return record.get("key")

    def outcome(
        self,
        record: Mapping[str, Any],
        request: Request,
        sent: dict[str, Any],
        notes: list[str],
        seconds: float,
    ) -> Outcome:
        """See BatchApi."""
        reply, error = record.get("response"), record.get("error")
        if isinstance(reply, dict):
            found = response_of(reply, sent, notes, seconds)
            if found.failure is None:
                return Outcome(found)
            paid = found.prompt_tokens, found.completion_tokens, found.thinking_tokens
            return Outcome(None, Fault("failed", found.attempts[-1]), paid)
        if not isinstance(error, dict):
            return Outcome(None, Fault("failed", "neither a response nor an error"))
        code = error.get("code")
        status = RPC.get(code, code) if type(code) is int else 500
        status = status if 400 <= status < 600 else 500
        body = {"error": error}
        return Outcome(None, fault_of(status, body, {}, self._model, self._name, self._key))

    async def close(self) -> None:
        """See BatchApi."""
        await self._client.close()
