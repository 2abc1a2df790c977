"""Tags in a text, and whether they are quoted: a text about tags holds them as words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})([^\n`]*)$", re.MULTILINE)
PAIRS = {"“": "”", "„": "“", "‘": "’", "«": "»", "‹": "›", "「": "」", "『": "』"}
WORD = re.compile(r"\w")
AROUND = 500  # characters of the line, on each side, that are searched for quotation marks


@dataclass(frozen=True)
class Mark:
    """A tag and how it is quoted.

    `quoted`: "" (a real one), "tightly" (in quotation marks of its own), "loosely" (inside a longer
    quotation or code, which an unbalanced mark can feign).
    """

    start: int
    end: int
    opens: bool
    quoted: str


def marks_of(text: str, tag: re.Pattern[str]) -> list[Mark]:
    """Tags of a text in order. `tag` has the groups `opens` and `closes`."""
    found = list(tag.finditer(text))
    if not found:
        return []
    fences = list(_fences(text))
    marks, at = [], 0
    for match in found:
        while at < len(fences) and fences[at][1] <= match.start():
            at += 1
        fenced = at < len(fences) and fences[at][0] <= match.start()
        quoted = "loosely" if fenced else _quoted(text, match.start(), match.end())
        marks.append(Mark(match.start(), match.end(), match["opens"] is not None, quoted))
    return marks


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """Places of closed code fences."""
    opened: re.Match[str] | None = None
    for fence in FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1].startswith(opened[1]) and not fence[2].strip():
            yield opened.end(), fence.start()
            opened = None


def _quoted(text: str, start: int, end: int) -> str:
    before = text[max(0, start - AROUND) : start].rpartition("\n")[2].rstrip(" ")
    after = text[end : end + AROUND].partition("\n")[0].lstrip(" \\")
    if PAIRS.get(before[-1:]) == after[:1] != "":
        return "tightly"
    if before[-1:] == after[:1] == "'" and not WORD.search(before[-2:-1] + after[1:2]):
        return "tightly"  # no apostrophe, which follows a letter
    for mark in ('"', "`"):
        if len(re.findall(f"{mark}+", before)) % 2 and mark in after:
            tight = before.endswith(mark) and after.startswith(mark)
            return "tightly" if tight else "loosely"
    return ""
