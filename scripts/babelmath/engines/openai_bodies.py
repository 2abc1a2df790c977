"""Requests and replies of OpenAI's chat protocol, as plain values."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from babelmath.config import Model
from babelmath.engines.base import Request, Response
from babelmath.prompts import Message

# Finish words of servers, read by name; anything else is an error that says so.
FINISH = {"stop": "stop", "eos": "stop", "length": "length", "content_filter": "blocked"}
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


def response_of(
    request: Request,
    choice: Any,
    usage: Any,
    body: Mapping[str, Any],
    attempts: list[str],
    seconds: float,
) -> Response:
    """The response that a choice of a completion gives; `usage` counts this choice's tokens."""
    word = str(choice.finish_reason)
    role, begun = request.messages[-1]
    text = text_of(choice.message.content)
    noted = [] if word in FINISH else [f"finish {word}"]
    if LONE_SURROGATE.search(_joined(choice.message.content)):
        noted.append("half a character replaced")
    return Response(
        text=_without(text, begun) if role == "assistant" else text,
        thinking=_thinking(choice.message),
        finish=FINISH.get(word, "error"),
        prompt_tokens=(usage.prompt_tokens or 0) if usage else 0,
        completion_tokens=(usage.completion_tokens or 0) if usage else 0,
        thinking_tokens=_thought(usage),
        seconds=seconds,
        sent=recorded(body),
        attempts=[*attempts, *noted],
    )


def text_of(content: Any) -> str:
    """A message's text; half a surrogate pair (no file can hold it) is replaced."""
    return LONE_SURROGATE.sub("\ufffd", _joined(content))


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


def _thought(usage: Any) -> int:
    details = getattr(usage, "completion_tokens_details", None)
    return getattr(details, "reasoning_tokens", None) or 0


def _joined(content: Any) -> str:
    """A message's text as sent, parts joined."""
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return content or ""


def _thinking(message: Any) -> str:
    """What a service hands over apart: a field of either name, or parts of the content."""
    for name in ("reasoning_content", "reasoning"):
        if isinstance(value := getattr(message, name, None), str) and value:
            return text_of(value)
    parts = message.content if isinstance(message.content, list) else []
    held = [part.get("thinking") for part in parts if isinstance(part, dict)]
    return "".join(text_of(one) for one in held if isinstance(one, str | list))
