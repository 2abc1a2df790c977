"""The file and batch endpoints of OpenAI's and Gemini's protocols on a loopback port."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from email import policy
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from unit import loopback, loopback_gemini
from unit.loopback_http import Loopback, reset

PAGE = 2  # batches of one page, whatever the client asks: a service may give fewer


@dataclass
class Batch:
    """A batch as the service holds it.

    `results` and `errors` are lines of its files, None where it has no such file; `state` is the
    protocol's word; `looks` counts how often it was looked at.
    """

    id: str
    tag: str | None
    file: str
    lines: list[dict[str, Any]]
    state: str
    created: float = field(default_factory=time.time)
    looks: int = 0
    results: list[dict[str, Any]] | None = None
    errors: list[dict[str, Any]] | None = None
    why: dict[str, Any] | None = None


@dataclass(frozen=True)
class Trouble:
    """What goes wrong at a step: before the service has done what it was asked to do, or after.

    `cut` resets the connection, in the middle of the body where `half`; `hold` waits for an event
    first.
    """

    status: int = 500
    after: bool = False
    cut: bool = False
    half: bool = False
    message: str = "trouble"
    headers: dict[str, str] = field(default_factory=dict)
    hold: threading.Event | None = None


class Service(Loopback):
    """The running server; hooks may be replaced between calls.

    `settle` is called at each look at a batch and may end it; `trouble` is asked at each step, with
    how often the step has come.
    """

    words: ClassVar[dict[str, str]]

    def __init__(self) -> None:
        super().__init__()
        self.settle: Callable[[Batch], None] = self.complete
        self.trouble: Callable[[str, int], Trouble | None] = lambda step, number: None
        self.batches: list[Batch] = []
        self.files: dict[str, bytes] = {}
        self.steps: Counter[str] = Counter()
        self.headers: list[dict[str, str]] = []

    # What tests ask and say

    @property
    def handed_in(self) -> Counter[str]:
        """In how many batches each question is."""
        return Counter(self.question(line) for one in self.batches for line in one.lines)

    def complete(self, batch: Batch) -> None:
        """End a batch with an answer to each line, last line first."""
        self.end(batch, [self.answer(line) for line in reversed(batch.lines)])

    def end(
        self,
        batch: Batch,
        results: list[dict[str, Any]] | None,
        errors: list[dict[str, Any]] | None = None,
        state: str = "completed",
    ) -> None:
        """End a batch; Gemini has one file for both kinds of lines."""
        batch.state, batch.results, batch.errors = self.words[state], results, errors

    def answer(self, line: dict[str, Any], text: str | None = None, **more: Any) -> dict[str, Any]:
        """A result that tells which question it belongs to."""
        raise NotImplementedError

    def failed(
        self, line: dict[str, Any], status: int, message: str, **more: Any
    ) -> dict[str, Any]:
        """A line that says that one request failed."""
        raise NotImplementedError

    def question(self, line: dict[str, Any]) -> str:
        """The last message of a line."""
        raise NotImplementedError

    # What goes over the wire

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        """Do what is asked, unless there is trouble."""
        body = handler.rfile.read(int(handler.headers.get("content-length") or 0))
        url = urlsplit(handler.path)
        step = self.step(handler.command, url.path)
        with self._lock:
            self.steps[step] += 1
            number = self.steps[step]
            self.headers.append({name.lower(): one for name, one in handler.headers.items()})
        trouble = self.trouble(step, number)
        status, data, headers = 0, b"", {}
        if trouble is None or trouble.after:
            with self._lock:
                asked = {name: one[-1] for name, one in parse_qs(url.query).items()}
                status, data, headers = self.do(step, url.path, asked, body, handler.headers)
        if trouble is not None:
            if trouble.hold is not None:
                trouble.hold.wait(30)
            if trouble.cut:
                if trouble.half:
                    _send(handler, status, data, headers, short=len(data) // 2)
                reset(handler)
                return
            status, data = trouble.status, self.refusal(trouble.status, trouble.message)
            headers = trouble.headers
        _send(handler, status, data, headers)

    def step(self, method: str, path: str) -> str:
        """Which step a call is."""
        raise NotImplementedError

    def do(
        self, step: str, path: str, asked: dict[str, str], body: bytes, headers: Any
    ) -> tuple[int, bytes, dict[str, str]]:
        """The status, body and headers that answer a call."""
        raise NotImplementedError

    def refusal(self, status: int, message: str) -> bytes:
        """An error's body."""
        error = {"message": message, "code": status, "status": {429: "RESOURCE_EXHAUSTED"}.get(
            status, "INTERNAL")}  # fmt: skip
        return json.dumps({"error": error}).encode()

    def _page(self, after: int) -> tuple[list[Batch], bool]:
        newest = list(reversed(self.batches))[after:]
        return newest[:PAGE], len(newest) > PAGE

    def _look(self, name: str) -> Batch | None:
        for one in self.batches:
            if one.id == name:
                one.looks += 1
                if one.state not in self.words.values():
                    self.settle(one)
                return one
        return None


class OpenAIService(Service):
    """See Service."""

    words: ClassVar[dict[str, str]] = {
        one: one for one in ("completed", "failed", "expired", "cancelled")
    }

    @property
    def url(self) -> str:
        """The base URL."""
        return f"{self.root}/v1"

    def answer(self, line: dict[str, Any], text: str | None = None, **more: Any) -> dict[str, Any]:
        said = f"answer to {self.question(line)}" if text is None else text
        reply = loopback.said(said, **more).body
        return {"id": "r", "custom_id": line["custom_id"], "error": None,
                "response": {"status_code": 200, "request_id": "q", "body": reply}}  # fmt: skip

    def failed(
        self, line: dict[str, Any], status: int, message: str, **more: Any
    ) -> dict[str, Any]:
        error = {"message": message, **more}
        return {"id": "r", "custom_id": line["custom_id"], "error": None,
                "response": {"status_code": status, "body": {"error": error}}}  # fmt: skip

    def question(self, line: dict[str, Any]) -> str:
        return str(line["body"]["messages"][-1]["content"])

    def step(self, method: str, path: str) -> str:
        for step, pattern in {
            "upload": r"POST /v1/files", "content": r"GET /v1/files/[\w-]+/content",
            "create": r"POST /v1/batches", "list": r"GET /v1/batches",
            "status": r"GET /v1/batches/[\w-]+", "cancel": r"POST /v1/batches/[\w-]+/cancel",
        }.items():  # fmt: skip
            if re.fullmatch(pattern, f"{method} {path}"):
                return step
        return "none"

    def do(
        self, step: str, path: str, asked: dict[str, str], body: bytes, headers: Any
    ) -> tuple[int, bytes, dict[str, str]]:
        found: dict[str, Any] | bytes | None = None
        if not str(headers.get("authorization")).startswith("Bearer "):
            return 401, self.refusal(401, "no key"), {}
        if step == "upload":
            found = self._upload(headers["content-type"], body)
        elif step == "create":
            found = self._create(json.loads(body))
        elif step == "list":
            ids = [one.id for one in reversed(self.batches)]
            held, more = self._page(ids.index(asked["after"]) + 1 if "after" in asked else 0)
            found = {"object": "list", "data": [self._told(one) for one in held], "has_more": more}
        elif step == "content":
            found = self.files.get(path.split("/")[3])
        elif step == "status":
            one = self._look(path.split("/")[3])
            found = self._told(one) if one else None
        elif step == "cancel":
            one = next(one for one in self.batches if one.id == path.split("/")[3])
            one.state = "cancelled"
            found = self._told(one)
        if found is None:
            return 404, self.refusal(404, "not found"), {}
        return 200, found if isinstance(found, bytes) else json.dumps(found).encode(), {}

    def _upload(self, kind: str, body: bytes) -> dict[str, Any]:
        parsed = BytesParser(policy=policy.HTTP).parsebytes(
            b"content-type: " + kind.encode() + b"\r\n\r\n" + body
        )
        parts = {}
        for part in parsed.iter_parts():
            parts[part.get_param("name", header="content-disposition")] = part
        assert parts["purpose"].get_content().strip() == "batch"
        content = parts["file"].get_payload(decode=True)
        name = f"file-{len(self.files) + 1}"
        self.files[name] = content
        return {"id": name, "object": "file", "bytes": len(content), "created_at": 1,
                "filename": parts["file"].get_filename(), "purpose": "batch"}  # fmt: skip

    def _create(self, given: dict[str, Any]) -> dict[str, Any]:
        assert given["endpoint"] == "/v1/chat/completions"
        assert given["completion_window"] == "24h"
        lines = [json.loads(line) for line in self.files[given["input_file_id"]].splitlines()]
        for line in lines:
            assert line.keys() == {"custom_id", "method", "url", "body"}
            assert (line["method"], line["url"]) == ("POST", given["endpoint"])
        assert len({line["custom_id"] for line in lines}) == len(lines)
        made = Batch(f"batch_{len(self.batches) + 1}", given["metadata"]["babelmath"],
                     given["input_file_id"], lines, "in_progress")  # fmt: skip
        self.batches.append(made)
        return self._told(made)

    def _told(self, one: Batch) -> dict[str, Any]:
        files: dict[str, str | None] = {}
        for name, lines in (("output_file_id", one.results), ("error_file_id", one.errors)):
            files[name] = None
            if lines is not None:
                files[name] = f"{name.split('_')[0]}-{one.id}"
                self.files[str(files[name])] = _lines(lines)
        done, failed = len(one.results or ()), len(one.errors or ())
        return {
            "id": one.id, "object": "batch", "endpoint": "/v1/chat/completions",
            "status": one.state, "input_file_id": one.file, "completion_window": "24h",
            "created_at": int(one.created),
            "metadata": {"babelmath": one.tag},
            "errors": {"object": "list", "data": [one.why]} if one.why else None,
            "request_counts": {"total": len(one.lines), "completed": done, "failed": failed},
            **files,
        }  # fmt: skip


class GeminiService(Service):
    """See Service; `uploaded` is the state of a file that has just come."""

    uploaded = "ACTIVE"

    words: ClassVar[dict[str, str]] = {
        "completed": "BATCH_STATE_SUCCEEDED", "failed": "BATCH_STATE_FAILED",
        "expired": "BATCH_STATE_EXPIRED", "cancelled": "BATCH_STATE_CANCELLED",
    }  # fmt: skip

    @property
    def url(self) -> str:
        """The base URL."""
        return self.root

    def answer(self, line: dict[str, Any], text: str | None = None, **more: Any) -> dict[str, Any]:
        said = f"answer to {self.question(line)}" if text is None else text
        return {"key": line["key"], "response": loopback_gemini.said(said, **more).body}

    def failed(
        self, line: dict[str, Any], status: int, message: str, **more: Any
    ) -> dict[str, Any]:
        code = {400: 3, 429: 8, 500: 13, 503: 14}[status]
        return {"key": line["key"], "error": {"code": code, "message": message}}

    def question(self, line: dict[str, Any]) -> str:
        return str(line["request"]["contents"][-1]["parts"][0]["text"])

    def step(self, method: str, path: str) -> str:
        for step, pattern in {
            "start": r"POST /upload/v1beta/files", "upload": r"POST /sent/[\w-]+",
            "content": r"GET /v1beta/files/[\w-]+:download", "file": r"GET /v1beta/files/[\w-]+",
            "create": r"POST /v1beta/models/[\w.-]+:batchGenerateContent",
            "list": r"GET /v1beta/batches", "status": r"GET /v1beta/batches/[\w-]+",
            "cancel": r"POST /v1beta/batches/[\w-]+:cancel",
        }.items():  # fmt: skip
            if re.fullmatch(pattern, f"{method} {path}"):
                return step
        return "none"

    def do(
        self, step: str, path: str, asked: dict[str, str], body: bytes, headers: Any
    ) -> tuple[int, bytes, dict[str, str]]:
        found: dict[str, Any] | bytes | None = None
        more: dict[str, str] = {}
        last = path.rpartition("/")[2]
        if step == "start":
            assert headers["x-goog-upload-protocol"] == "resumable"
            url = f"{self.root}/sent/file{len(self.files) + 1}"
            return 200, b"{}", {"x-goog-upload-url": url, "x-goog-upload-status": "active"}
        if step == "upload":
            assert headers["x-goog-upload-command"] == "upload, finalize"
            self.files[f"files/{last}"] = body
            more = {"x-goog-upload-status": "final"}
            found = {"file": {"name": f"files/{last}", "state": self.uploaded}}
        elif not headers.get("x-goog-api-key"):
            return 403, self.refusal(403, "no key"), {}
        elif step == "file":
            found = {"name": f"files/{last}", "state": "ACTIVE"}
        elif step == "create":
            found = self._create(json.loads(body)["batch"])
        elif step == "list":
            start = int(asked.get("pageToken", 0))
            held, many = self._page(start)
            found = {"operations": [self._told(one) for one in held]}
            found |= {"nextPageToken": str(start + PAGE)} if many else {}
        elif step == "content":
            found = self.files.get("files/" + last.removesuffix(":download"))
        elif step == "status":
            one = self._look(f"batches/{last}")
            found = self._told(one) if one else None
        elif step == "cancel":
            one = next(one for one in self.batches if one.id == f"batches/{last[:-7]}")
            one.state = self.words["cancelled"]
            found = {}
        if found is None:
            return 404, self.refusal(404, "not found"), {}
        return 200, found if isinstance(found, bytes) else json.dumps(found).encode(), more

    def _create(self, given: dict[str, Any]) -> dict[str, Any]:
        file = given["inputConfig"]["fileName"]
        lines = [json.loads(line) for line in self.files[file].splitlines()]
        for line in lines:
            assert line.keys() == {"key", "request"}
            assert line["request"].keys() <= {"contents", "systemInstruction", "generationConfig"}
        made = Batch(f"batches/b{len(self.batches) + 1}", given["displayName"], file, lines,
                     "BATCH_STATE_RUNNING")  # fmt: skip
        self.batches.append(made)
        return self._told(made)

    def _told(self, one: Batch) -> dict[str, Any]:
        metadata: dict[str, Any] = {"state": one.state, "displayName": one.tag}
        if one.results is not None or one.errors is not None:
            name = f"files/batch-{one.id[8:]}"
            self.files[name] = _lines([*(one.results or ()), *(one.errors or ())])
            metadata["output"] = {"responsesFile": name}
        return {"name": one.id, "metadata": metadata}


def _lines(records: list[dict[str, Any]]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in records)


def _send(
    handler: BaseHTTPRequestHandler, status: int, data: bytes, headers: dict[str, str],
    short: int = 0,
) -> None:  # fmt: skip
    handler.send_response(status)
    for name, value in ({"content-type": "application/json"} | headers).items():
        handler.send_header(name, value)
    handler.send_header("content-length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data[: len(data) - short])
