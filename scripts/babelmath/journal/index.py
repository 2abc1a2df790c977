"""Where the responses of a model's journal stand: an index that stays small."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from babelmath.appended import damaged, is_packed
from babelmath.errors import InputError
from babelmath.files import parse_line
from babelmath.journal.files import journal_files
from babelmath.journal.lines import RESPONSE, Kinds
from babelmath.journal.packed import Packed

OFFSET = 48  # bits of a place that hold the offset; the file's number stands above them
BUFFER = 1 << 20


class Places:
    """The index of all files of a folder.

    Plain files are in memory (about 150 bytes a response), packed ones stay on disk. Where a key
    stands twice, the first in the order of the files counts, packed or not.

    Raises:
        InputError: a damaged line (not a file's torn last one), with file and line.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: list[Path] = []
        self._numbers: dict[Path, int] = {}
        self._at: dict[bytes, int] = {}
        self._packed: dict[int, Packed] = {}
        self._read: dict[int, tuple[int, int]] = {}
        self._kinds: dict[int, Kinds] = {}
        for path in journal_files(folder):
            number = self._number(path)
            if is_packed(path):
                self._packed[number] = Packed(path)
            else:
                self._index(number)

    def __contains__(self, key: str) -> bool:
        short = _short(key)
        return short in self._at or any(
            len(short) == 32 and one.find(short) is not None for one in self._packed.values()
        )

    def unknown(self, key: str) -> int:
        """How often a request was sent, before its file was read, without anything coming back."""
        counts: list[Counter[str]] = [one.unknown for one in self._packed.values()]
        counts += [one.unknown for one in self._kinds.values()]
        return sum(one[key] for one in counts if key in one)

    def settle(self, key: str, path: Path) -> int:
        """Forget, and tell, how often a file's earlier lines sent a request in vain."""
        kinds = self._kinds.get(self._number(path))
        return kinds.unknown.pop(key, 0) if kinds else 0

    def add(self, key: str, path: Path, offset: int) -> None:
        """Note a response that was written."""
        self._at.setdefault(_short(key), self._number(path) << OFFSET | offset)

    def refresh(self, own: Path) -> None:
        """Read what other jobs have written since; a job's own file is known."""
        for path in journal_files(self._folder):
            if not is_packed(path) and path != own:
                number = self._number(path)
                if path.stat().st_size != self._read.get(number, (0, 0))[0]:
                    self._index(number)

    def record(self, key: str) -> dict[str, Any]:
        """The line that holds a key's response.

        Raises:
            KeyError: no response.
            InputError: the file is not what it was when it was opened.
        """
        short = _short(key)
        plain = self._at.get(short)
        before = len(self._files) if plain is None else plain >> OFFSET
        for number, packed in self._packed.items():
            if number < before and len(short) == 32 and (place := packed.find(short)) is not None:
                return packed.record(place, key)
        if plain is None:
            raise KeyError(key)
        path, offset = self._files[plain >> OFFSET], plain & ((1 << OFFSET) - 1)
        return _record_at(path, offset, key)

    def close(self) -> None:
        """Free the maps of packed files."""
        for one in self._packed.values():
            one.close()

    def _number(self, path: Path) -> int:
        if path not in self._numbers:
            self._numbers[path] = len(self._files)
            self._files.append(path)
        return self._numbers[path]

    def _index(self, number: int) -> None:
        """Read a plain file from where it was left to its last line end."""
        path = self._files[number]
        offset, count = self._read.get(number, (0, 0))
        kinds = self._kinds.setdefault(number, Kinds())
        base = number << OFFSET
        with open(path, "rb", buffering=BUFFER) as handle:
            handle.seek(offset)
            for line in handle:
                if not line.endswith(b"\n"):
                    break  # another job's writer is at work on this line, or was killed there
                count += 1
                key = kinds.add(line, path, count)
                if key is not None:
                    self._at.setdefault(_short(key), base | offset)
                offset += len(line)
        self._read[number] = offset, count


def _short(key: str) -> bytes:
    """A key as its 32 bytes; one that is no SHA-256 as its letters."""
    if len(key) == 64:
        try:
            return bytes.fromhex(key)
        except ValueError:
            pass
    return b"key " + key.encode("utf-8", "replace")


def _record_at(path: Path, offset: int, key: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as handle:
            handle.seek(offset)
            line = handle.readline()
            if line.startswith(RESPONSE) and not line.startswith(RESPONSE + key.encode() + b'"'):
                raise damaged(path, None, "it was rewritten while it was open")
            if line.endswith(b"\n"):
                try:
                    return parse_line(line, path, 0)
                except InputError:
                    handle.seek(0)
                    parse_line(line, path, handle.read(offset).count(b"\n") + 1)
                    raise
    except FileNotFoundError:
        raise damaged(path, None, "it vanished while it was open") from None
    raise damaged(path, None, "it became shorter while it was open")
