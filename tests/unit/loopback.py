"""A service that speaks OpenAI's protocol on a loopback port and answers as a test says."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler
from typing import Any

from faults import Faults
from unit.loopback_http import Chats, reset


@dataclass(frozen=True)
class Call:
    """One request as the service got it.

    `number` counts all calls from 1, `turn` those with the same messages.
    """

    number: int
    turn: int
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def question(self) -> str:
        """The last message's text."""
        return str(self.body["messages"][-1]["content"])


@dataclass(frozen=True)
class Reply:
    """What the service sends back.

    `cut` resets the connection instead; `late` sends nothing until the client has given up;
    `short` closes it so many bytes before the body's end; `endless` repeats the body until the
    client goes.
    """

    body: dict[str, Any] | bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    late: bool = False
    short: int = 0
    endless: bool = False


def said(text: Any, finish: str | None = "stop", **message: Any) -> Reply:
    """A completion of 7 prompt and 3 new tokens."""
    return Reply(
        {
            "id": "1",
            "object": "chat.completion",
            "created": 1,
            "model": "served",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish,
                    "message": {"role": "assistant", "content": text, **message},
                }
            ],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
        }
    )


def refused(status: int, message: str = "", **headers: str) -> Reply:
    """An error in the protocol's form; an underscore in a header's name stands for a hyphen."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Reply({"error": {"message": message}}, status, named)


CUT = Reply(cut=True)
LATE = Reply(late=True)


def echo(call: Call) -> Reply:
    """The answer that tells which question it belongs to."""
    return said(f"answer to {call.question}")


class Service(Chats):
    """The running server; `answer` may be replaced between calls."""

    def __init__(self, answer: Callable[[Call], Reply] = echo) -> None:
        super().__init__()
        self.answer = answer
        self.url = f"{self.root}/v1"

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        """See Loopback."""
        body = json.loads(handler.rfile.read(int(handler.headers["content-length"])))
        with self._lock:
            same = sum(call.body["messages"] == body["messages"] for call in self.calls)
            headers = {name.lower(): value for name, value in handler.headers.items()}
            call = Call(len(self.calls) + 1, same + 1, body, headers)
            self.came(call)
        try:
            reply = self.answer(call)
        finally:
            self.goes()
        if reply.cut:
            reset(handler)
        elif reply.late:
            handler.close_connection = True
            while handler.connection.recv(4096):
                pass
        else:
            _send(handler, reply)


def _send(handler: BaseHTTPRequestHandler, reply: Reply) -> None:
    data = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
    handler.send_response(reply.status)
    for name, value in ({"content-type": "application/json"} | reply.headers).items():
        handler.send_header(name, value)
    if reply.endless:
        handler.close_connection = True
        handler.end_headers()
        while True:  # until the client closes the connection
            handler.wfile.write(data)
    handler.send_header("content-length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data[: len(data) - reply.short])
    handler.close_connection |= reply.short > 0


def faulty(faults: Faults) -> Callable[[Call], Reply]:
    """A service that fails as a schedule says and else answers each call's question."""
    forms = {
        "throttled": refused(429, "slow down"),
        "throttled with a delay": refused(429, "slow down", retry_after="2"),
        "broken": refused(500, "internal error"),
        "overloaded": refused(503, "overloaded"),
        "reset": CUT,
        "late": LATE,
        "truncated": replace(said("half of it"), short=20),
        "garbage": Reply(b'{"choices": [{"message"'),
        "empty": Reply({**said("").body, "choices": []}),  # type: ignore[dict-item]
        "blocked": said(None, "content_filter"),
    }

    def answer(call: Call) -> Reply:
        fault = faults.fault(call.question, call.turn)
        return echo(call) if fault is None else forms[fault]

    return answer
