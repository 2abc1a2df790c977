"""What a journal line is, told at the speed of opening a large journal.

Lines that this project wrote are known by their beginning; all others are parsed in full.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from babelmath.errors import InputError
from babelmath.files import parse_line

RESPONSE = b'{"kind": "response", "key": "'
KEY_END = len(RESPONSE) + 64
OF = b'", "of": "'
ASKED = re.compile(
    rb'\{"kind": "asked", "key": "([0-9a-f]{64})", "purpose": "[^"\\\x00-\x1f]*", '
    rb'"lang": "[a-z]*", (?:"most": \[[0-9]+, [0-9]+\], )?"time": [0-9]+(?:\.[0-9]+)?\}\n'
)


class Kinds:
    """Goes through a file's lines and counts requests that were sent and never answered.

    `unknown` holds what was sent without a response or failure having come, by key; what a
    response has answered is of no matter there and is left out.
    """

    def __init__(self) -> None:
        self.unknown: Counter[str] = Counter()

    def add(self, line: bytes, path: Path, number: int) -> str | None:
        """Count a whole line; the key where it is a response.

        Raises:
            InputError: no journal line.
        """
        if line.startswith(RESPONSE) and line[KEY_END : KEY_END + 1] == b'"':
            key = line[len(RESPONSE) : KEY_END].decode("ascii", "replace")
            if line.startswith(OF, KEY_END):  # the key that it was asked under
                asked = KEY_END + len(OF)
                self.unknown.pop(line[asked : asked + 64].decode("ascii", "replace"), None)
            self.unknown.pop(key, None)
            return key
        if (fast := ASKED.fullmatch(line)) is not None:
            self.unknown[fast[1].decode()] += 1
            return None
        record = parse_line(line, path, number)
        kind, key = record.get("kind"), str(record.get("key"))
        if kind == "asked":
            self.unknown[key] += 1
        elif kind == "failure" and isinstance(record.get("settles"), int):
            self.unknown[key] -= record["settles"]
            if not self.unknown[key]:
                del self.unknown[key]
        elif kind == "response":
            self.unknown.pop(str(record.get("of")), None)
            self.unknown.pop(key, None)
            return key
        elif kind != "dropped":
            raise InputError(
                "not a journal line",
                file=path,
                line=number,
                value=kind,
                remedy="Move the file away; its responses are then asked anew.",
            )
        return None
