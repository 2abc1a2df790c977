"""Calls in flight: a bounded number at once, each handed on as it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any, TypeVar

from babelmath.engines.base import Request, Response

Call = TypeVar("Call")
Pairs = list[tuple[Request, Response]]


class Flights:
    """An event loop of its own, run from plain code.

    Args:
        most: calls in flight at once.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._runner = asyncio.Runner()

    def fly(
        self, calls: Iterator[Call], ask: Callable[[Call], Coroutine[Any, Any, Pairs]]
    ) -> Iterator[tuple[Request, Response]]:
        """Make all calls; each request with its response as its call ends.

        A reader that stops early cancels what is in flight.
        """
        flying: set[asyncio.Task[Pairs]] = set()
        loop = self._runner.get_loop()
        try:
            while True:
                while len(flying) < self._most and (call := next(calls, None)) is not None:
                    flying.add(loop.create_task(ask(call)))
                if not flying:
                    return
                for task in self._runner.run(_first(flying)):
                    flying.discard(task)
                    yield from task.result()
        finally:
            for task in flying:
                task.cancel()
            if flying:
                self._runner.run(_settled(flying))

    def close(self, client: Awaitable[None]) -> None:
        """Close the client, then its event loop."""
        self._runner.run(_awaited(client))
        self._runner.close()


async def _first(flying: set[asyncio.Task[Pairs]]) -> set[asyncio.Task[Pairs]]:
    done, _ = await asyncio.wait(flying, return_when=asyncio.FIRST_COMPLETED)
    return done


async def _settled(flying: set[asyncio.Task[Pairs]]) -> None:
    await asyncio.gather(*flying, return_exceptions=True)


async def _awaited(client: Awaitable[None]) -> None:
    await client
