"""Reading and writing the project's files: strict JSON lines, whole or not at all.

JSONL here is UTF-8 with one record a line, ended by \\n. Lines are cut at \\n alone: splitlines()
would also cut at U+2028, which occurs inside questions.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO

from babelmath.errors import InputError
from babelmath.locks import locked

TEMPORARY = re.compile(r"\..+\.[a-z0-9_]{8}")  # as `replacing` names them, by tempfile
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
SURROGATE_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


def dumps(record: object) -> str:
    """One line of strict JSON: NaN and infinities are refused, non-Latin text stays readable."""
    return ENCODER.encode(record)


def canonical(record: object) -> str:
    """JSON with sorted keys and no blanks: equal content gives equal text (for hashes)."""
    return json.dumps(
        record, ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":")
    )


def sha256(data: str | bytes) -> str:
    """Hexadecimal SHA-256 of a text (as UTF-8) or of bytes."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def sha256_file(path: str | Path) -> str:
    """Hexadecimal SHA-256 of a file's bytes."""
    with open(path, "rb") as handle:
        return hashlib.file_digest(handle, "sha256").hexdigest()


def read_text(path: str | Path) -> str:
    """A text file's content, without its byte-order mark.

    Raises:
        InputError: not UTF-8, with the line.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            "not UTF-8",
            file=path,
            line=error.object[: error.start].count(b"\n") + 1,
            remedy="Save the file as UTF-8.",
        ) from None


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    with replacing(path) as stream:
        stream.write(text)


@contextmanager
def replacing(path: str | Path) -> Iterator[TextIO]:
    """A stream into a temporary neighbour that takes the file's name at the end: never half a file.

    An error inside leaves the old file as it was and nothing beside it; a kill leaves the
    neighbour, which `sweep` removes.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
            with suppress(OSError, InputError):  # without locks nothing is swept
                locked(stream, shared=True)
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, path)  # still locked: nobody sweeps it before
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def sweep(root: Path) -> list[Path]:
    """Remove what killed writers of `replacing` left below a folder; returns what went.

    A living writer holds a lock on its file, which then stays.
    """
    swept = []
    for folder, _, names in os.walk(root):
        for name in names:
            if TEMPORARY.fullmatch(name):
                path = Path(folder, name)
                with suppress(OSError, InputError), open(path, "r+b") as file:
                    if locked(file, wait=False):
                        path.unlink()
                        swept.append(path)
    return swept


def write_json(path: str | Path, value: object) -> None:
    """Write one indented JSON document."""
    write_text(path, json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2) + "\n")


def write_jsonl(path: str | Path, records: Iterable[Mapping[str, Any]]) -> int:
    """Write records as JSONL as they come, whole or not at all; returns their number."""
    count = 0
    with replacing(path) as stream:
        for record in records:
            stream.write(dumps(record) + "\n")
            count += 1
    return count


def is_there(path: Path) -> bool:
    """Whether a file is there.

    Raises:
        InputError: it cannot be told, for want of a permission for instance.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", file=path) from None
    return True


def read_jsonl(path: str | Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (1-based line number, record) of a JSONL file, line by line; blank lines are skipped.

    Raises:
        InputError: no such file, not UTF-8, not JSON, NaN, a repeated key, or not an object;
            it names the line. A byte-order mark before the first key is accepted and dropped.
    """
    path = Path(path)
    try:
        with open(path, "rb") as handle:
            for number, line in enumerate(handle, start=1):
                if number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                if line.strip():
                    yield number, parse_line(line, path, number)
    except FileNotFoundError:
        raise InputError("no such file", file=path, remedy="Check the path.") from None
    except OSError as error:  # a folder, a loop of links, no permission
        raise InputError(
            f"cannot be read: {error.strerror}", file=path, remedy="Check the path."
        ) from None


def parse_line(line: bytes, path: str | Path, number: int) -> dict[str, Any]:
    """One JSONL line as a dictionary; errors name file and line."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"not UTF-8 at byte {error.start} of the line",
            file=path,
            line=number,
            remedy="Save the file as UTF-8.",
        ) from None
    try:
        record = STRICT.decode(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"not a line of strict JSON: {error}",
            file=path,
            line=number,
            value=text.strip(),
            remedy="Every line must be one JSON object.",
        ) from None
    if half_pair(record, text):
        raise InputError(
            "holds half a surrogate pair, which no file can hold",
            file=path,
            line=number,
            remedy="Write the whole character instead of \\ud800-\\udfff.",
        )
    if not isinstance(record, dict):
        raise InputError(
            "not a JSON object", file=path, line=number, value=record, remedy="Write {...}."
        )
    return record


def refuse_constant(word: str) -> float:
    """Hook of json.loads: NaN and infinities are not JSON."""
    raise ValueError(f"{word} is not JSON")


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Hook of json.loads: a repeated key is refused, not overwritten."""
    record = dict(pairs)
    if len(record) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"key {next(k for k in keys if keys.count(k) > 1)!r} stands twice")
    return record


def finite(word: str) -> float:
    """Hook of json: a number that no computer holds (1e999) is refused."""
    if math.isinf(value := float(word)):
        raise ValueError(f"{word} is too large a number")
    return value


# JSON as this project takes it: no NaN, no infinite number, no repeated key.
STRICT = json.JSONDecoder(
    parse_constant=refuse_constant, parse_float=finite, object_pairs_hook=unique_keys
)


def half_pair(value: object, text: str) -> bool:
    """Whether a value decoded from a JSON text holds half a surrogate pair, as no file can."""
    # UTF-8 itself has none: they come from escapes alone.
    return SURROGATE_ESCAPE.search(text) is not None and bool(LONE_SURROGATE.search(dumps(value)))


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
