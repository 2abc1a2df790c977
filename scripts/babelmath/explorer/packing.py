"""How data stand in a script: JSON or columns, deflated, in base64.

A page opened from disk may load scripts and nothing else, so that each packet is a script of one
call, `explorer.deliver(name, data)`. The same content gives the same bytes.
"""

from __future__ import annotations

import base64
import struct
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic_core import to_json

LEVEL = 6
_TYPES = (("B", 1 << 8), ("H", 1 << 16), ("I", 1 << 32))


@dataclass(frozen=True)
class Column:
    """A column of small numbers: those of `words` where it has some, else the values."""

    name: str
    values: Sequence[int]
    words: Sequence[str] | None = None


def coded(name: str, values: Iterable[str], first: Iterable[str] = ()) -> Column:
    """A column of words: those of `first` in that order, then others as they come."""
    places = {word: place for place, word in enumerate(dict.fromkeys(first))}
    codes = [places.setdefault(value, len(places)) for value in values]
    return Column(name, codes, list(places))


def write_packet(folder: Path, name: str, data: bytes) -> None:
    """Write folder/data/{name}.js, which delivers `data` under its name."""
    path = folder / "data" / f"{name}.js"
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written at once and not synced: a job that is cut leaves no folder behind.
    path.write_bytes(b"explorer.deliver(" + json_bytes(name) + b',"' + _packed(data) + b'");\n')


def json_bytes(value: object) -> bytes:
    """Compact JSON in UTF-8, of values that came from strict JSON."""
    return to_json(value)


def table_bytes(head: Mapping[str, Any], columns: Sequence[Column]) -> bytes:
    """A head and columns: the length of the head's JSON (4 bytes, little-endian), that JSON with
    blanks up to a multiple of four bytes, then each column so too, as `head.columns` says:
    {name, bytes (of one number), start (from the head's end), words or null}."""
    blocks, entries, start = [], [], 0
    for one in columns:
        most = max(one.values, default=0)
        letter, _ = next(kind for kind in _TYPES if most < kind[1])
        block = struct.pack(f"<{len(one.values)}{letter}", *one.values)
        width = struct.calcsize(letter)
        entries.append({"name": one.name, "bytes": width, "start": start,
                        "words": None if one.words is None else list(one.words)})  # fmt: skip
        blocks.append(block + bytes(-len(block) % 4))
        start += len(blocks[-1])
    text = json_bytes({**head, "columns": entries})
    text += b" " * (-len(text) % 4)
    return struct.pack("<I", len(text)) + text + b"".join(blocks)


def _packed(data: bytes) -> bytes:
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(packer.compress(data) + packer.flush())
