"""The batches of OpenAI and of servers that speak its protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BufferedRandom
from typing import Any
from urllib.parse import urlsplit

import openai

from babelmath.config import Model
from babelmath.engines.attempts import Fault
from babelmath.engines.base import Request
from babelmath.engines.batch_api import FILE_TIME, Held, Limits, Outcome
from babelmath.engines.openai_bodies import body_of, counted, recorded, text_of
from babelmath.engines.openai_client import Client
from babelmath.engines.openai_compatible import LOOPBACK
from babelmath.engines.openai_faults import fault_of
from babelmath.engines.openai_replies import answers_of

ENDED = ("completed", "failed", "expired", "cancelled")
MARK = "babelmath"  # name of the tag in a batch's metadata
PAGE = 100  # batches of one listing
SKEW = 3600  # seconds by which two clocks may differ
BEGUN = ("batch_expired", "batch_cancelled")  # codes of requests that a batch did not come to


class OpenAIBatches:
    """See BatchApi.

    Args:
        base_url: the server's address.
        key: never written anywhere.
        name: the model's name in requests.
    """

    limits = Limits(50_000, 200_000_000)

    def __init__(self, model: Model, base_url: str, key: str, name: str) -> None:
        self._model, self._key, self._name = model, key, name
        here = urlsplit(base_url).hostname in LOOPBACK
        self._client = Client(model, base_url, key, direct=here)

    def check(self, request: Request) -> None:
        """See BatchApi: the protocol takes whatever can be asked."""

    def line(self, key: str, request: Request) -> tuple[dict[str, Any], dict[str, Any]]:
        """See BatchApi: fields that the client puts beside the others stand among them here."""
        body = body_of(request, self._model, self._name)
        whole = {name: value for name, value in body.items() if name != "extra_body"}
        whole |= body.get("extra_body", {})
        line = {"custom_id": key, "method": "POST", "url": "/v1/chat/completions", "body": whole}
        return line, recorded(body)

    async def upload(self, file: BufferedRandom, tag: str) -> str | Fault:
        """See BatchApi."""

        async def ask(client: openai.AsyncOpenAI) -> Any:
            return await client.files.with_raw_response.create(
                file=(f"{tag}.jsonl", file, "application/jsonl"), purpose="batch"
            )

        return _id(await self._client.fetch(ask, FILE_TIME))

    async def create(self, file: str, tag: str) -> str | Fault:
        """See BatchApi."""

        async def ask(client: openai.AsyncOpenAI) -> Any:
            return await client.batches.with_raw_response.create(
                input_file_id=file,
                endpoint="/v1/chat/completions",
                completion_window="24h",
                metadata={MARK: tag},
            )

        return _id(await self._client.fetch(ask))

    async def find(self, file: str, tag: str, since: float) -> Sequence[str] | Fault:
        """See BatchApi: the newest are listed first."""
        found: dict[str, None] = {}
        after: str | None = None
        while True:
            more = {} if after is None else {"after": after}

            async def ask(client: openai.AsyncOpenAI, more: dict[str, str] = more) -> Any:
                return await client.batches.with_raw_response.list(limit=PAGE, extra_query=more)

            page = await self._client.fetch(ask)
            if isinstance(page, Fault):
                return page
            data = page.get("data")
            if not isinstance(data, list):
                return Fault("failed", "a listing without data")
            held = [one for one in data if isinstance(one, dict) and isinstance(one.get("id"), str)]
            for one in held:
                metadata = one.get("metadata")
                marked = isinstance(metadata, dict) and metadata.get(MARK) == tag
                if marked or one.get("input_file_id") == file:
                    found[one["id"]] = None
            times = [one.get("created_at") for one in held]
            old = any(isinstance(one, int | float) and one < since - SKEW for one in times)
            if not page.get("has_more") or not held or old or held[-1]["id"] == after:
                return list(found)
            after = held[-1]["id"]

    async def status(self, batch: str) -> Held | Fault:
        """See BatchApi."""

        async def ask(client: openai.AsyncOpenAI) -> Any:
            return await client.batches.with_raw_response.retrieve(batch)

        found = await self._client.fetch(ask)
        if isinstance(found, Fault):
            return found
        word = found.get("status")
        if not isinstance(word, str):
            return Fault("failed", "a batch without a status")
        files = [found.get(name) for name in ("output_file_id", "error_file_id")]
        counts = found.get("request_counts")
        done = counted(counts, "completed") + counted(counts, "failed")
        whys = list(_errors(found.get("errors")))
        said = "; ".join(dict.fromkeys(_said(one, self._key) for one in whys))
        return Held(
            word=text_of(word)[:60],
            ended=word in ENDED,
            files=tuple(one for one in files if isinstance(one, str) and one),
            done=done,
            total=counted(counts, "total"),
            why=said[:300],
            full=word == "failed" and _is_full(whys),
        )

    async def download(self, file: str, into: BufferedRandom) -> Fault | None:
        """See BatchApi."""

        async def ask(client: openai.AsyncOpenAI) -> None:
            async with client.files.with_streaming_response.content(file) as reply:
                async for piece in reply.iter_bytes():
                    into.write(piece)

        return await self._client.call(ask, FILE_TIME)

    async def cancel(self, batch: str) -> Fault | None:
        """See BatchApi."""

        async def ask(client: openai.AsyncOpenAI) -> Any:
            return await client.batches.with_raw_response.cancel(batch)

        found = await self._client.fetch(ask)
        return found if isinstance(found, Fault) else None

    def key(self, record: Mapping[str, Any]) -> object:
        """See BatchApi."""
        return record.get("custom_id")

    def outcome(
        self,
        record: Mapping[str, Any],
        request: Request,
        sent: dict[str, Any],
        notes: list[str],
        seconds: float,
    ) -> Outcome:
        """See BatchApi: a line of the output file or of the error file."""
        reply = _dict(record.get("response"))
        body, error = _dict(reply.get("body")), _dict(record.get("error"))
        status = reply.get("status_code")
        if status == 200 and not body.get("error"):
            fault, found, used = answers_of([request], body, sent, notes, seconds)
            if fault is None:
                return Outcome(found[0])
            return Outcome(None, fault, (*used, 0))
        held = body.get("error") or error
        if error.get("code") in BEGUN or type(status) is not int or not 400 <= status < 600:
            said = _said(_dict(held), self._key) or str(error.get("code") or "no result")[:60]
            return Outcome(None, Fault("failed", text_of(said)))
        return Outcome(None, fault_of(status, held, {}, self._model, self._key))

    async def close(self) -> None:
        """See BatchApi."""
        await self._client.close()


def _id(found: Mapping[str, Any] | Fault) -> str | Fault:
    if isinstance(found, Fault):
        return found
    name = found.get("id")
    if isinstance(name, str) and name:
        return name
    return Fault("failed", "a reply without an id", unknown=True)


def _errors(errors: Any) -> Sequence[Mapping[str, Any]]:
    data = _dict(errors).get("data")
    return [one for one in data if isinstance(one, dict)] if isinstance(data, list) else []


def _is_full(whys: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a batch failed for what waits in the queue alone."""
    return any(
        one.get("code") == "token_limit_exceeded" or "enqueued" in str(one.get("message")).lower()
        for one in whys
    )


def _said(error: Mapping[str, Any], key: str) -> str:
    """What the service says, without the key that some repeat."""
    message = error.get("message")
    text = text_of(message) if isinstance(message, str) else ""
    return (text.replace(key, "[key]") if key != "none" else text)[:300]


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
