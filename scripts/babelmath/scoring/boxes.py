r"""Boxes around answers: \boxed{...}, \fbox{...}, \boxed 5, one that never closes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

_BRACED = re.compile(r"\\(?:boxed|fbox)\s*\{")
# Also without the backslash, which some services drop, and without braces.
_OPENING = re.compile(r"(?:\\(?:boxed|fbox|framebox)|(?<![\\a-zA-Z])boxed(?=\s*\{))\s*(\{)?")
_BARE_VALUE = re.compile(
    r"\\[a-zA-Z]+(?:\{[^{}]*\})*|[-+−]?\d[^\s$\\]*|[(\[][^\s$]*|[a-zA-Z](?![a-zA-Z])"
)
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_REST = re.compile(r"\$|\\\]|\\\)|\n|$")
# Between boxes that are one answer: blanks, mathematics' marks, punctuation, Markdown.
_GAP = r"[\s$,;.:&、，；。،؛।*~_|()\[\]]|\\[()\[\],;:! \\]|\\q?quad(?![a-zA-Z])"
_PLACEHOLDER = re.compile(
    r"(?:\\(?:text|mathrm|textbf|mathbf|ldots|dots|cdots|square|quad|_)|your|the|final|answer|here"
    r"|value|result|number|xxx+|[\s{}.,…?_<>\[\]()*$~-])*",
    re.IGNORECASE,
)
LONGEST_GAP = 60


@dataclass(frozen=True)
class Box:
    """One box: its place in the text and what stands inside."""

    start: int
    end: int
    content: str


def last_box(text: str) -> str | None:
    r"""Content of the last \boxed{...} whose braces balance, or None (MMATH's rule)."""
    closed = _closed(text, {match.end(): match.start() for match in _BRACED.finditer(text)})
    if not closed:
        return None
    start, end = closed[max(closed)]
    return text[start:end].strip()


def last_boxes(text: str, conjunctions: Sequence[str], placeholders: Sequence[str]) -> list[str]:
    """Contents of the boxes that are the text's answer, in order; none if there is no box.

    The last box counts, and with it those before it from which only blanks, punctuation and a
    conjunction part it. Of nested boxes the innermost counts. Empty ones and echoes of a prompt
    ("your answer") are passed over. A box that never closes takes the rest of its line.

    Args:
        placeholders: other words that stand in a box of a prompt.
    """
    gap = _gap(tuple(conjunctions))
    answer: list[Box] = []
    for box in reversed(boxes(text)):
        if _placeholder(box.content, placeholders):
            continue
        if answer and not _one_answer(text[box.end : answer[-1].start], gap):
            break
        answer.append(box)
    return [box.content for box in reversed(answer)]


def boxes(text: str) -> list[Box]:
    """All innermost boxes that hold something, in order. Takes time linear in the text."""
    openings = list(_OPENING.finditer(text))
    if not openings:
        return []
    braced = {match.end(): match.start() for match in openings if match[1]}
    closed = _closed(text, braced)
    found: list[Box] = []
    following = len(text)
    for match in reversed(openings):
        place = _place(text, match, closed, following)
        following = match.start()
        nested = place is not None and found and found[-1].start < place[2]
        if place is None or nested:
            continue
        start, end, after = place
        content = text[start:end]
        if content.strip():  # an empty one is an echo of the prompt
            found.append(Box(match.start(), after, content))
    return found[::-1]


def _place(
    text: str, opening: re.Match[str], closed: dict[int, tuple[int, int]], following: int
) -> tuple[int, int, int] | None:
    """Start and end of a box's content and the end of the box.

    None if it has no value, or never closes and another box follows before its line ends.
    """
    if opening[1] is None:
        value = _BARE_VALUE.match(text, opening.end())
        if value is None:
            return None
        end = value.start() + len(value[0].rstrip(".,;:"))
        return value.start(), end, end
    if opening.start() in closed:
        start, end = closed[opening.start()]
        return start, end, end + 1
    rest = _REST.search(text, opening.end(), following)
    end = rest.start() if rest else following
    if end == following and following < len(text):
        return None
    return opening.end(), end, end


def _closed(text: str, braced: dict[int, int]) -> dict[int, tuple[int, int]]:
    """Contents (start, end) of the boxes whose braces balance, by the box's own start.

    Args:
        braced: place of a box's content -> place of the box.
    """
    closed: dict[int, tuple[int, int]] = {}
    if not braced:
        return closed
    open_: list[int] = []
    for match in _BRACE.finditer(text, min(braced) - 1):
        if match[0] == "{":
            open_.append(match.end())
        elif match[0] == "}" and open_:
            start = open_.pop()
            if start in braced:
                closed[braced[start]] = (start, match.start())
    return closed


def _placeholder(content: str, others: Sequence[str]) -> bool:
    if len(content) > LONGEST_GAP:
        return False
    bare = re.sub(r"\\(?:text|mathrm)\s*|[{}\s.:：<>\[\]*]", "", content).casefold()
    return bare in _known(tuple(others)) or _PLACEHOLDER.fullmatch(content) is not None


@cache
def _known(others: tuple[str, ...]) -> frozenset[str]:
    return frozenset(re.sub(r"[\s:]", "", one).casefold() for one in others)


def _one_answer(between: str, gap: re.Pattern[str]) -> bool:
    return len(between) <= LONGEST_GAP and gap.fullmatch(between) is not None


@cache
def _gap(conjunctions: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(map(re.escape, sorted(conjunctions, key=len, reverse=True)))
    word = rf"(?:{words})|\\(?:text|mathrm)\s*\{{\s*(?:{words})\s*\}}"
    return re.compile(rf"(?:{_GAP})*(?:(?:{word})(?:{_GAP})*)?", re.IGNORECASE)
