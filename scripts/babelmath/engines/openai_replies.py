"""A completion's choices as the responses of the samples that were asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from babelmath.engines.attempts import Fault
from babelmath.engines.base import Request, Response
from babelmath.engines.openai_bodies import counted, response_of, thought

BROKEN = ("error", "abort")  # finish words of an answer that the service itself broke off


def answers_of(
    asked: Sequence[Request],
    reply: Mapping[str, Any],
    body: Mapping[str, Any],
    notes: list[str],
    seconds: float,
) -> tuple[Fault | None, list[Response | None], tuple[int, int]]:
    """What a reply holds for each request, in order; a fault where it holds nothing.

    A choice without text is an answer where it was blocked or cut, or where the service counted
    tokens for it, and none otherwise. The tokens of several choices come as one sum: prompt tokens
    stand with the first answer, new tokens are shared by length, which `sent` says.

    Returns:
        the fault, the responses (None: this sample is missing), prompt and new tokens of the reply.
    """
    choices, usage = _choices(reply), reply.get("usage")
    used = counted(usage, "prompt_tokens"), counted(usage, "completion_tokens")
    if not choices:
        return Fault("failed", "empty: no choices"), [], used
    found: list[Response | None] = []
    for index, request in enumerate(asked):
        choice = choices[index] if index < len(choices) else None
        kept = choice is not None and choice.get("finish_reason") not in BROKEN
        response = response_of(request, choice, usage, body, notes, seconds) if kept else None
        found.append(None if response is None or _nothing(response) else response)
    if not any(found):
        word = str(choices[0].get("finish_reason"))
        note = f"finish {word}" if word in BROKEN else "empty: no text, no tokens"
        return Fault("failed", note), [], used
    if len(asked) > 1:
        found = _shared(found, used, thought(usage))
    return None, found, used


def _choices(reply: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The choices in the order of their indices."""
    held = reply.get("choices")
    if not isinstance(held, list):
        return []
    whole: list[Mapping[str, Any]] = [one for one in held if isinstance(one, dict)]
    places = [one.get("index") for one in whole]
    if all(type(place) is int for place in places):
        whole.sort(key=lambda one: int(one["index"]))
    return whole


def _nothing(response: Response) -> bool:
    return (
        response.finish in ("stop", "error")
        and not (response.text or response.thinking)
        and response.completion_tokens == 0
    )


def _shared(
    found: list[Response | None], used: tuple[int, int], thinking: int
) -> list[Response | None]:
    """The tokens of a call among its samples: sums stay what the service counted."""
    sizes = [len(one.text) + len(one.thinking) + 1 if one else 0 for one in found]
    first = next(place for place, one in enumerate(found) if one)
    ends = [sum(sizes[: place + 1]) for place in range(len(sizes))]
    result: list[Response | None] = []
    for place, (one, end) in enumerate(zip(found, ends, strict=True)):
        if one is None:
            result.append(None)
            continue
        start = end - sizes[place]
        part = [
            whole * end // ends[-1] - whole * start // ends[-1] for whole in (used[1], thinking)
        ]
        result.append(
            replace(
                one,
                prompt_tokens=used[0] if place == first else 0,
                completion_tokens=part[0],
                thinking_tokens=part[1],
                sent={**one.sent, "choice": place, "tokens": "shared by length"},
            )
        )
    return result
