"""Samples of one question that one call brings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby, islice
from typing import Literal

from babelmath.engines.base import Request

MOST = 128  # choices that services give at most


def calls_of(
    requests: Iterable[Request], by: Literal["calls", "n"]
) -> Iterator[tuple[Request, ...]]:
    """The requests of each call: one each, or neighbours that differ in sample and seed alone."""
    if by == "calls":
        yield from ((one,) for one in requests)
        return
    for _, alike in groupby(requests, lambda one: replace(one, sample=0, seed=0)):
        while part := tuple(islice(alike, MOST)):
            yield part
