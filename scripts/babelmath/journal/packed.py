"""Packed journal segments: gzip members of about a quarter of a MiB, and their sorted index.

{name}.jsonl.gz has {name}.index beside it: one line of JSON (size and last bytes of the packed
file, requests of unknown fate), then 44 bytes a response, sorted: key, start of its member, offset
in it. It is read through a memory map, so that a segment of any size opens at once. An index that
is not there or belongs to another file is made anew.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mmap
import os
import struct
import zlib
from bisect import bisect_left
from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from babelmath.appended import damaged, is_packed, is_written
from babelmath.errors import InputError
from babelmath.files import parse_line
from babelmath.journal.files import journal_files
from babelmath.journal.lines import Kinds

BLOCK = 256 * 1024
ENTRY = struct.Struct(">32sQI")
KEPT = 8  # unpacked members in memory


class Packed:
    """One packed segment.

    Raises:
        InputError: the file is damaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        index = index_of(path)
        head = _head(index, path)
        if head is None and _write_index(path):
            head = _head(index, path)
        if head is None:
            raise damaged(path, None, "a key in it is no SHA-256")
        self.unknown: Counter[str] = Counter(head["unknown"])
        self._count: int = head["responses"]
        with open(index, "rb") as file:
            self._start = len(file.readline())
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._blocks: OrderedDict[int, bytes] = OrderedDict()

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> bytes:
        start = self._start + number * ENTRY.size
        return self._map[start : start + 32]

    def find(self, key: bytes) -> tuple[int, int] | None:
        """Where the first response of a key stands: start of its member, offset in it."""
        number = bisect_left(self, key)
        if number == self._count or self[number] != key:
            return None
        _, block, offset = ENTRY.unpack_from(self._map, self._start + number * ENTRY.size)
        return block, offset

    def line(self, place: tuple[int, int]) -> bytes:
        """The line at a place."""
        block, offset = place
        if block not in self._blocks:
            self._blocks[block] = self._read(block)
            if len(self._blocks) > KEPT:
                self._blocks.popitem(last=False)
        data = self._blocks[block]
        return data[offset : data.find(b"\n", offset) + 1]

    def record(self, place: tuple[int, int], key: str) -> dict[str, Any]:
        """The line at a place, which holds a key's response.

        Raises:
            InputError: the index leads to another line, or the file is damaged.
        """
        line = self.line(place)
        try:
            record = parse_line(line, self.path, 0)
        except InputError:
            record = {}
        if record.get("key") != key or record.get("kind") != "response":
            raise InputError(
                "a damaged index of a packed journal file: it leads to another line",
                file=index_of(self.path),
                remedy="Delete it: it is made anew. Then run make journal-verify.",
            )
        return record

    def close(self) -> None:
        """Free the map."""
        self._map.close()

    def _read(self, block: int) -> bytes:
        unpacking = zlib.decompressobj(wbits=31)
        parts: list[bytes] = []
        try:
            with open(self.path, "rb") as file:
                file.seek(block)
                while not unpacking.eof and (chunk := file.read(65536)):
                    parts.append(unpacking.decompress(chunk))
        except (FileNotFoundError, zlib.error) as error:
            raise damaged(self.path, None, str(error)) from None
        if not unpacking.eof:
            raise damaged(self.path, None, "it ends in the middle")
        return b"".join(parts)


def pack(path: Path) -> Path | None:
    """Pack the file that a job wrote; the caller holds the folder alone.

    At every moment the lines stand in exactly one file that counts. A file with a key that is none
    stays as it is.

    Returns:
        The packed file.
    """
    folder, job = path.parent, path.name.removesuffix(".jsonl")
    if "+" not in job:
        taken = [one.name for one in journal_files(folder)]
        number = 1
        while any(name.startswith(f"{job}+{number}.jsonl") for name in taken):
            number += 1
        segment = folder / f"{job}+{number}.jsonl"
        path.rename(segment)
        path = segment
    packed, part = path.with_name(path.name + ".gz"), path.with_name(f".{path.name}.gz.part")
    written = hashlib.sha256()
    with open(part, "wb") as file:
        for block in _blocks(path):
            written.update(block)
            file.write(gzip.compress(block, compresslevel=6, mtime=0))
        file.flush()
        os.fsync(file.fileno())
    held = hashlib.sha256()
    with gzip.open(part, "rb") as file:
        while chunk := file.read(1 << 20):
            held.update(chunk)
    if held.digest() != written.digest():
        part.unlink()
        raise damaged(path, None, "packing it gives other bytes")
    if _write_index(packed, part):
        part.replace(packed)
        path.unlink()
        return packed
    part.unlink()
    return None


def pack_folder(folder: Path, least: int) -> list[Path]:
    """Pack every plain file of at least so many bytes; the caller holds the folder alone."""
    for leftover in folder.glob(".*.part"):
        leftover.unlink()
    plain = [one for one in journal_files(folder) if not is_packed(one)]
    for twin in folder.glob("*+*.jsonl"):
        if twin.with_name(twin.name + ".gz").exists():
            twin.unlink()
    large = [one for one in plain if "+" in one.name or one.stat().st_size >= least]
    made = [pack(one) for one in large if not is_written(one)]
    return [one for one in made if one is not None]


def index_of(path: Path) -> Path:
    """The index of a packed file."""
    return path.with_name(path.name.removesuffix(".jsonl.gz") + ".index")


def _blocks(path: Path) -> Iterator[bytes]:
    """A file's whole lines in blocks; a torn end is left out."""
    lines: list[bytes] = []
    size = 0
    with open(path, "rb") as file:
        for line in file:
            if not line.endswith(b"\n"):
                break
            lines.append(line)
            size += len(line)
            if size >= BLOCK:
                yield b"".join(lines)
                lines, size = [], 0
    if lines or not path.stat().st_size:
        yield b"".join(lines)


def _members(path: Path) -> Iterator[tuple[int, bytes]]:
    """(start, content) of each gzip member."""
    start, rest = 0, b""
    with open(path, "rb") as file:
        while rest or (rest := file.read(1 << 20)):
            unpacking, parts, used = zlib.decompressobj(wbits=31), [], 0
            while rest and not unpacking.eof:
                parts.append(unpacking.decompress(rest))
                used += len(rest) - len(unpacking.unused_data)
                rest = unpacking.unused_data if unpacking.eof else file.read(1 << 20)
            if not unpacking.eof:
                raise EOFError("it ends in the middle")
            yield start, b"".join(parts)
            start += used


def _write_index(path: Path, data: Path | None = None) -> bool:
    """Write a packed file's index, whole; False where a key is no SHA-256.

    Args:
        data: where the bytes stand that `path` will hold.
    """
    entries: list[bytes] = []
    kinds, number = Kinds(), 0
    try:
        for start, content in _members(data or path):
            offset = 0
            for line in _cut(content):
                number += 1
                key = kinds.add(line, path, number)
                if key is not None:
                    if len(key) != 64:
                        return False
                    entries.append(ENTRY.pack(bytes.fromhex(key), start, offset))
                offset += len(line)
    except (EOFError, zlib.error) as error:
        raise damaged(path, number + 1, str(error)) from None
    except ValueError:  # a key that is no SHA-256
        return False
    entries.sort()
    head = {
        **_stamp(data or path), "responses": len(entries), "sum": _sum(entries),
        "unknown": {key: times for key, times in kinds.unknown.items() if times > 0},
    }  # fmt: skip
    index = index_of(path)
    part = index.with_name(f".{index.name}.{os.getpid()}.part")
    with open(part, "wb") as file:
        file.write(json.dumps(head).encode() + b"\n")
        file.writelines(entries)
        file.flush()
        os.fsync(file.fileno())
    part.replace(index)
    return True


def _sum(parts: Iterable[bytes]) -> int:
    """A check sum of an index's entries."""
    found = 0
    for part in parts:
        found = zlib.crc32(part, found)
    return found


def _cut(content: bytes) -> list[bytes]:
    return [line + b"\n" for line in content.split(b"\n")[:-1]]


def _stamp(path: Path) -> dict[str, object]:
    with open(path, "rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - 8, 0))
        return {"bytes": size, "end": file.read().hex()}


def _head(index: Path, path: Path) -> dict[str, Any] | None:
    """The first line of an index that belongs to a packed file and is whole."""
    try:
        with open(index, "rb") as file:
            line = file.readline()
            head: dict[str, Any] = json.loads(line)
            whole = len(line) + head["responses"] * ENTRY.size == file.seek(0, os.SEEK_END)
            file.seek(len(line))
            whole = whole and _sum(iter(lambda: file.read(1 << 20), b"")) == head["sum"]
        return head if whole and _stamp(path).items() <= head.items() else None
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
