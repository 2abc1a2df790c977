"""Batches: requests handed in together, at about half the price, and collected within a day."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from babelmath.config import Model
from babelmath.engines.base import Engine, OnSend, Request, Response
from babelmath.engines.batch_api import BatchApi
from babelmath.engines.batch_run import BatchRun
from babelmath.engines.batch_state import BatchState
from babelmath.engines.batch_tally import Tally


def open_batches(
    model: Model,
    base_url: str,
    key: str,
    name: str,
    state: Path,
    identity: Mapping[str, Any],
    note: Callable[[str], None],
) -> Engine:
    """An engine that asks a service by its batches.

    Args:
        base_url: the address of an OpenAI-compatible server.
        key: never written anywhere.
        name: the model's name in requests.
        state: journal/{model}/{job}; {job}.batches beside it holds what was handed in.
        identity: names the model in keys of requests, under which they are handed in.
        note: takes lines about how batches are.

    Raises:
        InputError: the configuration asks for what no request can carry, or a damaged state file.
    """
    api: BatchApi
    if model.engine == "gemini":
        from babelmath.engines.gemini_batch import GeminiBatches

        api = GeminiBatches(model, key, name)
    else:
        from babelmath.engines.openai_batch import OpenAIBatches

        api = OpenAIBatches(model, base_url, key, name)
    return Batches(model, api, BatchState(state), identity, note)


class Batches:
    """One model of a service, asked by batches. See `open_batches`."""

    def __init__(
        self,
        model: Model,
        api: BatchApi,
        state: BatchState,
        identity: Mapping[str, Any],
        note: Callable[[str], None],
    ) -> None:
        self._model, self._api, self._state = model, api, state
        self._identity, self._note = dict(identity), note
        self._runner = asyncio.Runner()

    def stream(
        self, requests: Iterable[Request], on_send: OnSend
    ) -> Iterator[tuple[Request, Response]]:
        """See Engine.stream. All requests are taken before the first leaves.

        What an open batch holds is collected from it, and the rest is handed in; what came back
        without an answer is handed in again, up to `attempts` times in all. A response without
        attempts stands for a request that stays in its open batch, to be collected by the next run.

        Raises:
            InputError: a request that the service cannot take; nothing has been sent then.
        """
        self._state.refresh()  # before the journal is: what was collected is journalled already
        asked: dict[str, Tally] = {}
        for request in requests:
            self._api.check(request)
            asked[request.key(self._identity)] = Tally(request)
        for one in self._state.left_open(asked):
            left = f"batch {one.id} is open, and its {len(one.open)} requests are not asked here"
            self._note(f"{left}: what asked for them has to run as it was to collect them")
        held = {key for one in self._state.open_with(asked) for key in one.open if key in asked}
        for key in held:
            asked[key].tries = self._state.submitted(key)
        desk = self._model, self._api, self._state, self._runner, self._note, asked
        yield from BatchRun(on_send, *desk).go()

    def close(self) -> None:
        """Close the client before its event loop ends; open batches stay where they are."""
        self._runner.run(self._api.close())
        self._runner.close()
        self._state.close()
