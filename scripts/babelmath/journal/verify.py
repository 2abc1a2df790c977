"""Checking a journal line by line: `python -m babelmath.journal.verify FOLDER`.

Exit status 1, and one line for each problem with its file and line, where there is any.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from babelmath.appended import is_packed, is_written, whole_lines
from babelmath.engines.base import Request, Response
from babelmath.errors import InputError
from babelmath.files import canonical, parse_line, sha256
from babelmath.journal.files import job_of, journal_files, reading

KEY = re.compile(r"[0-9a-f]{64}")
NUMBERS = ("prompt_tokens", "completion_tokens", "thinking_tokens", "unknown")
FINISH = ("stop", "length", "blocked", "error")
LATER = {"images", "thinking_tokens", "unknown", "limited", "paid"}  # fields older ones lack


@dataclass(frozen=True)
class Problem:
    """What is wrong with a line; `line` 0 stands for the whole file."""

    file: Path
    line: int
    problem: str

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" if self.line else str(self.file)
        return f"{place}: {self.problem}"


def verify(folder: Path) -> Iterator[Problem]:
    """Check a model's journal.

    Every line is strict JSON of a known kind with the fields of its kind; a key stands for one
    request; no job has two responses to a key (two jobs may have asked at once); a line settles no
    more than was sent; files end with a line's end, unless a job is writing there.
    """
    check = _Check()
    with reading(folder):
        for path in journal_files(folder):
            yield from check.file(path)


class _Check:
    """Goes through the files of one model; what was seen so far is told by key."""

    def __init__(self) -> None:
        self._asked_for: dict[bytes, bytes] = {}
        self._answered: set[tuple[str, bytes]] = set()

    def file(self, path: Path) -> Iterator[Problem]:
        self._job = job_of(path)
        pending: Counter[str] = Counter()
        number = 0
        try:
            for number, line in whole_lines(path):
                try:
                    record = parse_line(line, path, number)
                except InputError as error:
                    yield Problem(path, number, error.problem)
                    continue
                for problem in self._line(record, pending):
                    yield Problem(path, number, problem)
        except InputError as error:
            yield Problem(path, error.line or number + 1, error.problem)
        if not is_packed(path) and _torn(path) and not is_written(path):
            yield Problem(path, number + 1, "cut short: its job drops it when it runs again")

    def _line(self, record: Mapping[str, Any], pending: Counter[str]) -> Iterator[str]:
        kind, key = record.get("kind"), record.get("key")
        if kind == "dropped":
            return
        if kind not in ("asked", "response", "failure"):
            yield f"no such kind: {kind!r:.40}"
            return
        if not isinstance(key, str) or not KEY.fullmatch(key):
            yield "its key is no SHA-256"
            return
        for name in ("purpose", "lang"):
            if not isinstance(record.get(name), str):
                yield f"{name} is no text"
        if type(record.get("time")) not in (int, float):
            yield "time is no number"
        if kind == "asked":
            pending[key] += 1
            return
        asked = record.get("of", key)
        if not isinstance(asked, str) or not KEY.fullmatch(asked):
            yield "what it is of is no SHA-256"
            return
        yield from self._settled(record, asked, pending)
        yield from self._request(record, bytes.fromhex(key))
        yield from _response(record)
        if kind == "response":
            answered = self._job, bytes.fromhex(key)
            if answered in self._answered:
                yield "a second response to its key"
            self._answered.add(answered)

    def _settled(self, record: Mapping[str, Any], key: str, pending: Counter[str]) -> Iterator[str]:
        settles = record.get("settles")
        if type(settles) is not int or settles < 0:
            yield "settles is no count"
        elif settles > pending[key]:
            yield f"settles {settles} times, but was sent {pending[key]} times"
            del pending[key]
        else:
            pending[key] -= settles
            if not pending[key]:
                del pending[key]

    def _request(self, record: Mapping[str, Any], key: bytes) -> Iterator[str]:
        request = record.get("request")
        if not isinstance(request, dict):
            yield "no request"
            return
        yield from _fields(request, Request, "request")
        parts = {name: request.get(name) for name in request if name not in ("purpose", "lang")}
        if not parts.get("images"):
            parts.pop("images", None)
        content = bytes.fromhex(sha256(canonical(parts)))[:16]
        if self._asked_for.setdefault(key, content) != content:
            yield "its request is another than the one its key stood for"


def _response(record: Mapping[str, Any]) -> Iterator[str]:
    response = record.get("response")
    if not isinstance(response, dict):
        yield "no response"
        return
    yield from _fields(response, Response, "response")
    for name in NUMBERS:
        value = response.get(name, 0)
        if type(value) is not int or value < 0:
            yield f"response.{name} is no count"
    paid = response.get("paid", [])
    if not isinstance(paid, list) or len(paid) not in (0, 3):
        yield "response.paid is no list of three counts"
    elif any(type(value) is not int or value < 0 for value in paid):
        yield "response.paid holds what is no count"
    if not all(isinstance(response.get(name, ""), str) for name in ("text", "thinking")):
        yield "response.text or thinking is no text"
    if response.get("finish") not in FINISH:
        yield f"no such finish: {response.get('finish')!r:.40}"
    if (response.get("failure") is None) != (record["kind"] == "response"):
        yield f"a {record['kind']} whose failure is {response.get('failure')!r:.40}"


def _fields(
    held: Mapping[str, Any], kind: type[Request] | type[Response], at: str
) -> Iterator[str]:
    names = {one.name for one in fields(kind)}
    if lacking := names - held.keys() - LATER:
        yield f"{at} lacks {', '.join(sorted(lacking))}"
    if unknown := held.keys() - names:
        yield f"{at} has unknown fields {', '.join(sorted(unknown))}"


def _torn(path: Path) -> bool:
    with open(path, "rb") as file:
        end = file.seek(0, 2)
        file.seek(max(end - 1, 0))
        return file.read(1) not in (b"", b"\n")


def model_folders(root: Path) -> list[Path]:
    """The folders of a journal that hold a model's files.

    Raises:
        InputError: there is no journal.
    """
    if not root.is_dir():
        raise InputError("no such journal", file=root, remedy="Name the folder paths.journal.")
    return [one for one in sorted(root.iterdir()) if one.is_dir() and journal_files(one)]


def main() -> None:
    """Check all models of the journal folder named on the command line."""
    root = Path(sys.argv[1])
    count = lines = 0
    try:
        for folder in model_folders(root):
            for problem in verify(folder):
                print(problem)
                count += 1
            lines += len(journal_files(folder))
    except InputError as error:
        sys.exit(f"error: {error}")
    print(f"{lines} files, {count or 'no'} problems")
    sys.exit(1 if count else 0)


if __name__ == "__main__":
    main()
