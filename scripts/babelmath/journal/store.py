"""The journal: every response ever received, on disk before it counts.

A job writes journal/{model}/{job}.jsonl, append-only, and reads its model's files all. Lines:
`asked` (right before a request leaves), `response` (synced to disk before it is handed on),
`failure` (kept apart: never returned, asked again), `dropped` (what `gc` took out, in sums). A line
cut short by a kill is the file's last and is dropped when its writer opens the file again. A file
that has grown large is packed when its job ends and nobody else has the journal open.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from babelmath.engines.base import Request, Response, limited_key
from babelmath.files import dumps
from babelmath.journal.files import alone, open_writer, share
from babelmath.journal.index import Places
from babelmath.journal.packed import pack_folder
from babelmath.locks import locked

PACKED_FROM = 8 * 1024 * 1024  # bytes of a plain file worth packing


class Journal:
    """The journal of one model, open for one job.

    Args:
        folder: journal/{model}.
        job: the writer's file name without ending, as `mathmist.zero-shot`.
        packed_from: bytes from which the model's plain files are packed at the end.

    Raises:
        InputError: a damaged line (not the torn last one), with file and line.
    """

    def __init__(self, folder: Path, job: str, packed_from: int = PACKED_FROM) -> None:
        self._folder, self._packed_from = folder, packed_from
        self._shared = share(folder)
        self._sent: Counter[str] = Counter()
        self._file, self.path = open_writer(folder, job)
        self._places = Places(folder)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def standing(self, key: str, context: int) -> str | None:
        """Under which key a request's response stands for a model of this context, if any does."""
        within = limited_key(key, context)
        return next((one for one in (key, within) if one in self), None)

    def get(self, key: str) -> Response:
        """The journalled response of a key.

        Raises:
            KeyError: no response.
            InputError: the file was changed by something else while it was open.
        """
        return Response(**self._places.record(key)["response"])

    def unknown_fate(self, key: str) -> int:
        """How often earlier runs sent the request without anything having come back."""
        return self._places.unknown(key)

    def refresh(self) -> None:
        """Learn what other jobs of the model were answered meanwhile."""
        self._places.refresh(self.path)

    @contextmanager
    def adding(self) -> Iterator[None]:
        """No other job of the model that says so, too, adds meanwhile."""
        with open(self._folder / ".adding.lock", "a+b") as file:
            locked(file)
            yield

    def asked(self, key: str, request: Request, most: tuple[int, int] | None = None) -> None:
        """Note that a request is about to leave; `most` prompt and new tokens, where it is paid."""
        self._sent[key] += 1
        self._append(
            {
                "kind": "asked",
                "key": key,
                "purpose": request.purpose,
                "lang": request.lang,
                **({} if most is None else {"most": most}),
                "time": round(time.time(), 6),
            },
            False,
        )

    def add(self, key: str, request: Request, response: Response, batch: bool = False) -> int:
        """Store a response (durably) or a failure; `settles` counts the times it was sent for.

        A response that its context was too small for stands under a key of that context, with the
        request's own as `of`.

        Args:
            batch: it settles, too, what earlier runs of the job sent and nothing came of.

        Returns:
            how often that was.
        """
        earlier = self._places.settle(key, self.path) if batch else 0
        kind = "response" if response.failure is None else "failure"
        stands = key if response.limited is None else limited_key(key, response.limited)
        offset = self._append(
            {
                "kind": kind,
                "key": stands,
                **({} if stands == key else {"of": key}),
                "settles": self._sent.pop(key, 0) + earlier,
                "purpose": request.purpose,
                "lang": request.lang,
                "time": round(time.time(), 6),
                "request": asdict(request),
                "response": asdict(response),
            },
            True,
        )
        if kind == "response":
            self._places.add(stands, self.path, offset)
        return earlier

    def close(self) -> None:
        """Close the writer's file; pack the model's large files where nobody else reads them."""
        if self._file.closed:
            return
        self._places.close()
        self._file.close()
        self._shared.close()
        if (lock := alone(self._folder)) is not None:
            with lock:
                pack_folder(self._folder, self._packed_from)

    def _append(self, record: dict[str, Any], durable: bool) -> int:
        offset = self._file.tell()
        self._file.write(dumps(record).encode() + b"\n")
        self._file.flush()
        if durable:
            os.fsync(self._file.fileno())
        return offset
