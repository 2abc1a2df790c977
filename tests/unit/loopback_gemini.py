"""A service that speaks Gemini's protocol on a loopback port and answers as a test says."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

from unit.loopback_http import Chats, reset

PATH = re.compile(r"/(?P<version>v1|v1beta)/models/(?P<model>[\w.-]+):generateContent")
FIELDS = {
    "contents", "systemInstruction", "generationConfig", "safetySettings", "tools", "toolConfig",
    "cachedContent",
}  # fmt: skip
CONFIG = {
    "temperature", "topP", "topK", "maxOutputTokens", "seed", "responseMimeType",
    "responseJsonSchema", "thinkingConfig", "presencePenalty", "frequencyPenalty",
}  # fmt: skip


@dataclass(frozen=True)
class Call:
    """One request as the service got it.

    `number` counts all calls from 1, `turn` those with the same contents and seed.
    """

    number: int
    turn: int
    path: str
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def question(self) -> str:
        """The last message's text."""
        return str(self.body["contents"][-1]["parts"][0]["text"])


@dataclass(frozen=True)
class Reply:
    """What the service sends back.

    `cut` resets the connection instead, `truncated` ends it in the middle of the body, `held` goes
    on from there by single blanks until the event.
    """

    body: Any = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    truncated: bool = False
    held: threading.Event | None = None


CUT = Reply(cut=True)


def usage(prompt: int = 7, new: int | None = 3, thought: int | None = None) -> dict[str, int]:
    """What the service counted; fields without a value are left out, as it does."""
    held = {"promptTokenCount": prompt, "candidatesTokenCount": new, "thoughtsTokenCount": thought}
    counted = {name: value for name, value in held.items() if value is not None}
    return counted | {"totalTokenCount": sum(counted.values())}


def said(
    text: str | None, finish: Any = "STOP", thoughts: str | None = None, **counted: Any
) -> Reply:
    """A reply of one candidate: without text it has no content, as the service's own."""
    parts = [{"text": thoughts, "thought": True}] if thoughts is not None else []
    parts += [{"text": text}] if text is not None else []
    candidate: dict[str, Any] = {"finishReason": finish, "index": 0}
    if parts:
        candidate["content"] = {"role": "model", "parts": parts}
    body = {
        "candidates": [candidate],
        "usageMetadata": usage(**counted),
        "modelVersion": "served-1-001",
        "responseId": "r1",
    }
    return Reply(body)


def blocked(reason: str = "SAFETY") -> Reply:
    """A prompt that was not answered."""
    return Reply({"promptFeedback": {"blockReason": reason}, "usageMetadata": usage(7, None)})


def refused(code: int, status: str, message: str = "", *details: dict[str, Any]) -> Reply:
    """An error in the protocol's form."""
    error: dict[str, Any] = {"code": code, "message": message, "status": status}
    return Reply({"error": error | ({"details": list(details)} if details else {})}, code)


def retry_info(delay: str) -> dict[str, Any]:
    """The detail that says when to come back."""
    return {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay}


def quota(name: str, value: str = "50") -> dict[str, Any]:
    """The detail that says which quota is used up."""
    violation = {
        "quotaMetric": "generativelanguage.googleapis.com/generate_content_requests",
        "quotaId": name,
        "quotaDimensions": {"model": "served-1"},
        "quotaValue": value,
    }
    return {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [violation]}


def echo(call: Call) -> Reply:
    """The answer that tells which question it belongs to."""
    return said(f"answer to {call.question}")


class Service(Chats):
    """The running server; `answer` may be replaced between calls.

    What is no request of the protocol is refused as the service does, before `answer`.
    """

    def __init__(self, answer: Callable[[Call], Reply] = echo) -> None:
        super().__init__()
        self.answer = answer
        self.url = self.root
        self._turns: Counter[str] = Counter()

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        """See Loopback."""
        body = _camel(json.loads(handler.rfile.read(int(handler.headers["content-length"]))))
        headers = {name.lower(): value for name, value in handler.headers.items()}
        if (fault := _fault(handler.path, body, headers)) is not None:
            _send(handler, fault)
            return
        with self._lock:
            same = json.dumps([body["contents"], body["generationConfig"].get("seed")])
            self._turns[same] += 1
            number = len(self.calls) + 1
            call = Call(number, self._turns[same], handler.path, body, headers)
            self.came(call)
        try:
            reply = self.answer(call)
        finally:
            self.goes()
        _send(handler, reply)


def _camel(value: Any) -> Any:
    """A body as the protocol spells it; a service takes the client's forms too."""
    if isinstance(value, list):
        return [_camel(one) for one in value]
    if not isinstance(value, dict):
        return value
    held = {}
    for name, inner in value.items():
        name = re.sub(r"_([a-z])", lambda found: found[1].upper(), name)
        if name == "data":
            held[name] = inner.replace("-", "+").replace("_", "/")
        else:
            held[name] = inner if name == "responseJsonSchema" else _camel(inner)
    return held


def _fault(path: str, body: dict[str, Any], headers: dict[str, str]) -> Reply | None:
    """Why the real service would refuse a request, whatever it asks."""
    if PATH.fullmatch(path) is None:
        return refused(404, "NOT_FOUND", f"no such method: {path}")
    if not headers.get("x-goog-api-key"):
        return refused(403, "PERMISSION_DENIED", "no key")
    unknown = (body.keys() - FIELDS) | (body.get("generationConfig", {}).keys() - CONFIG)
    if unknown:
        return refused(400, "INVALID_ARGUMENT", f"Unknown name {sorted(unknown)}")
    contents = body.get("contents")
    if not contents or any(one.get("role") not in ("user", "model") for one in contents):
        return refused(400, "INVALID_ARGUMENT", "Please use a valid role: user, model.")
    if not all(one.get("parts") for one in contents):
        return refused(400, "INVALID_ARGUMENT", "contents.parts must not be empty.")
    return None


def _send(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    if reply.cut:
        reset(handler)
        return
    data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
    handler.send_response(reply.status)
    for name, value in ({"content-type": "application/json"} | reply.headers).items():
        handler.send_header(name, value)
    handler.send_header("content-length", str(len(data) + (1 << 20) * (reply.held is not None)))
    handler.end_headers()
    half = len(data) // 2
    handler.wfile.write(data[:half])
    while reply.held is not None and not reply.held.wait(0.05):
        handler.wfile.write(b" ")
    if reply.truncated:
        reset(handler, hard=False)
    else:
        handler.wfile.write(data[half:])
