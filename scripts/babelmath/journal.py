"""The journal: every response ever received, on disk before it counts.

journal/{model}/{job}.jsonl is append-only; a job writes one file and reads its model's all.
Lines: `asked` (right before a request leaves), `response` (synced to disk before it is handed on),
`failure` (kept apart: never returned, asked again). A line cut short by a kill is the file's last
and is dropped when its writer opens the file again.
"""

from __future__ import annotations

import fcntl
import os
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from babelmath.engines.base import Request, Response
from babelmath.errors import InputError
from babelmath.files import dumps, parse_line

RESPONSE = b'{"kind": "response", "key": "'


class Journal:
    """The journal of one model, open for one job.

    Args:
        folder: journal/{model}.
        job: the writer's file name without ending, as `mathmist.zero-shot`.

    Raises:
        InputError: a damaged line (not the torn last one), with file and line.
    """

    def __init__(self, folder: Path, job: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._places: dict[str, tuple[Path, int]] = {}
        self._unknown: Counter[str] = Counter()
        self._sent: Counter[str] = Counter()
        self._file, self._path = _writer(folder, job)
        for path in sorted(folder.glob("*.jsonl")):
            self._index(path)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def get(self, key: str) -> Response:
        """The journalled response of a key."""
        path, offset = self._places[key]
        with open(path, "rb") as handle:
            handle.seek(offset)
            line = handle.readline()
            try:
                record = parse_line(line, path, 0)
            except InputError:
                handle.seek(0)
                parse_line(line, path, handle.read(offset).count(b"\n") + 1)
                raise
        return Response(**record["response"])

    def unknown_fate(self, key: str) -> int:
        """How often earlier runs sent the request without anything having come back."""
        return self._unknown[key]

    def asked(self, key: str, request: Request) -> None:
        """Note that a request is about to leave."""
        self._sent[key] += 1
        self._append(
            {
                "kind": "asked",
                "key": key,
                "purpose": request.purpose,
                "lang": request.lang,
                "time": round(time.time(), 6),
            },
            False,
        )

    def add(self, key: str, request: Request, response: Response) -> None:
        """Store a response (durably) or a failure; `settles` counts the times it was sent for."""
        kind = "response" if response.failure is None else "failure"
        offset = self._append(
            {
                "kind": kind,
                "key": key,
                "settles": self._sent.pop(key, 0),
                "purpose": request.purpose,
                "lang": request.lang,
                "time": round(time.time(), 6),
                "request": asdict(request),
                "response": asdict(response),
            },
            True,
        )
        if kind == "response":
            self._places[key] = (self._path, offset)

    def close(self) -> None:
        """Close the writer's file."""
        self._file.close()

    def _append(self, record: dict[str, Any], durable: bool) -> int:
        offset = self._file.tell()
        self._file.write(dumps(record).encode() + b"\n")
        self._file.flush()
        if durable:
            os.fsync(self._file.fileno())
        return offset

    def _index(self, path: Path) -> None:
        offset = 0
        with open(path, "rb") as handle:
            for number, line in enumerate(handle, start=1):
                if not line.endswith(b"\n"):
                    break  # another job's writer is at work on this line, or was killed there
                if line.startswith(RESPONSE):
                    key = line[len(RESPONSE) : len(RESPONSE) + 64].decode("ascii", "replace")
                    self._places.setdefault(key, (path, offset))
                else:
                    record = parse_line(line, path, number)
                    kind, key = record.get("kind"), str(record.get("key"))
                    if kind == "asked":
                        self._unknown[key] += 1
                    elif kind == "failure" and isinstance(record.get("settles"), int):
                        self._unknown[key] -= record["settles"]
                    else:
                        raise InputError(
                            "not a journal line",
                            file=path,
                            line=number,
                            value=kind,
                            remedy="Move the file away; its responses are then asked anew.",
                        )
                offset += len(line)


def _writer(folder: Path, job: str) -> tuple[BinaryIO, Path]:
    """The job's file, locked, with a torn last line dropped.

    While another process writes it (one that outlived a killed run, or a run into another results
    folder), this one waits: what the other is answered is then in the journal and not asked again.
    """
    path = folder / f"{job}.jsonl"
    file = open(path, "ab")  # noqa: SIM115 - closed by Journal.close
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        print(f"waiting: another process is writing {path}", file=sys.stderr, flush=True)
        fcntl.flock(file, fcntl.LOCK_EX)
    _drop_torn_line(path)
    file.seek(0, os.SEEK_END)
    return file, path


def _drop_torn_line(path: Path) -> None:
    with open(path, "rb+") as handle:
        end = handle.seek(0, os.SEEK_END)
        position = end
        while position > 0:
            step = min(65536, position)
            handle.seek(position - step)
            block = handle.read(step)
            cut = block.rfind(b"\n")
            if cut >= 0:
                if position - step + cut + 1 != end:
                    handle.truncate(position - step + cut + 1)
                return
            position -= step
        if end:
            handle.truncate(0)
