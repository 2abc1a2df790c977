"""Requests and replies of OpenAI's chat protocol, as plain values."""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from babelmath.config import Model
from babelmath.engines.base import Request, Response
from babelmath.prompts import Message

# Finish words of servers, read by name; anything else is an error that says so.
FINISH = {"stop": "stop", "eos": "stop", "length": "length", "content_filter": "blocked"}
MOST_TOKENS = 1 << 40
TAG = re.compile(r"\A<think>\n?")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def body_of(
    request: Request, model: Model, name: str, extra: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """The arguments of a chat completion.

    Args:
        name: the model's name in requests.
        extra: fields of this kind of server that the client does not know.
    """
    body: dict[str, Any] = {
        "model": name,
        "messages": _messages(request, model),
        "temperature": request.temperature,
        "top_p": request.top_p,
        model.tokens_field or "max_tokens": request.max_tokens,
        "seed": request.seed,
    }
    if request.images:
        last = body["messages"][-1]
        last["content"] = [
            {"type": "text", "text": last["content"]},
            *map(_picture, request.images),
        ]
    if request.schema is not None:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": json.loads(request.schema)},
        }
    for field in model.refused or ():
        body.pop(field, None)
    more = {**(extra or {}), **model.options}
    if model.template:
        more["chat_template_kwargs"] = dict(model.template)
    if more:
        body["extra_body"] = more
    return body


def recorded(body: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent, less the messages (their text is in the journal's request)."""
    return {key: value for key, value in body.items() if key != "messages"}


def tokens_of(request: Request, samples: int = 1) -> int:
    """A guess at the tokens that a call counts for at a service's limit: rather too many.

    Three bytes a token is near for scripts of three bytes a letter, and too many for English.
    """
    size = sum(len(content.encode("utf-8", "replace")) for _, content in request.messages)
    framed = 8 * len(request.messages) + 1000 * len(request.images)
    return -(-size // 3) + framed + request.max_tokens * samples


def response_of(
    request: Request,
    choice: Any,
    usage: Any,
    body: Mapping[str, Any],
    attempts: list[str],
    seconds: float,
) -> Response:
    """The response that a choice of a completion gives; `usage` counts this choice's tokens.

    A refusal that comes in a field of its own is no answer: finish is blocked, and what it says
    stands among the attempts.

    Args:
        choice, usage: plain values, or the client's objects.
    """
    word = str(_get(choice, "finish_reason"))
    message = _get(choice, "message")
    content, refusal = _get(message, "content"), _get(message, "refusal")
    role, begun = request.messages[-1]
    text = text_of(content)
    noted = [] if word in FINISH else [f"finish {text_of(word)[:60]}"]
    if LONE_SURROGATE.search(_joined(content)):
        noted.append("half a character replaced")
    refused = isinstance(refusal, str) and refusal != ""
    if refused:
        noted.append(f"refusal: {text_of(refusal)[:300]}")
    return Response(
        text=_without(text, begun) if role == "assistant" else text,
        thinking=_thinking(message),
        finish="blocked" if refused else FINISH.get(word, "error"),
        prompt_tokens=counted(usage, "prompt_tokens"),
        completion_tokens=counted(usage, "completion_tokens"),
        thinking_tokens=thought(usage),
        seconds=seconds,
        sent=recorded(body),
        attempts=[*attempts, *noted],
    )


def text_of(content: Any) -> str:
    """A message's text; half a surrogate pair (no file can hold it) is replaced."""
    return LONE_SURROGATE.sub("\ufffd", _joined(content))


def counted(usage: Any, name: str) -> int:
    """A count of tokens; what is none (a service may send anything) is 0."""
    value = _get(usage, name)
    if isinstance(value, float) and math.isfinite(value):
        value = int(value)
    return value if type(value) is int and 0 <= value < MOST_TOKENS else 0


def thought(usage: Any) -> int:
    """The new tokens that a service says it thought with."""
    return counted(_get(usage, "completion_tokens_details"), "reasoning_tokens")


def _messages(request: Request, model: Model) -> list[Message]:
    """The chat as sent.

    A server that goes on from a last assistant message puts it behind the generation prompt. Where
    the template has begun the thinking there, the opening goes without its tag, or it would stand
    twice. With `continue_final_message` the template writes that message itself and begins nothing.
    """
    chat = request.chat()
    if (
        model.thinking == "opened"
        and chat[-1]["role"] == "assistant"
        and not model.options.get("continue_final_message")
    ):
        chat[-1]["content"] = TAG.sub("", chat[-1]["content"], count=1)
    return chat


def _without(text: str, begun: str) -> str:
    """A reply without its opening: some servers hand it back, with or without its tag."""
    shorter = text.removeprefix(begun)
    return shorter if shorter != text else text.removeprefix(TAG.sub("", begun, count=1))


def _picture(image: Any) -> dict[str, Any]:
    data = base64.b64encode(Path(image.path).read_bytes()).decode()
    return {"type": "image_url", "image_url": {"url": f"data:{image.mime};base64,{data}"}}


def _get(held: Any, name: str) -> Any:
    return held.get(name) if isinstance(held, Mapping) else getattr(held, name, None)


def _joined(content: Any) -> str:
    """A message's text as sent, parts joined."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, Mapping)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _thinking(message: Any) -> str:
    """What a service hands over apart: a field of either name, or parts of the content."""
    for name in ("reasoning_content", "reasoning"):
        if isinstance(value := _get(message, name), str) and value:
            return text_of(value)
    content = _get(message, "content")
    parts = content if isinstance(content, list) else []
    held = [part.get("thinking") for part in parts if isinstance(part, Mapping)]
    return "".join(text_of(one) for one in held if isinstance(one, str | list))
