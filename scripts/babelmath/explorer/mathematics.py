"""Where mathematics stands in a text.

What is no mathematics stays text: amounts of money, escaped dollars, code, dollars without a
partner. A reader loses nothing to a mistake here, since every segment keeps its source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST = 4000  # characters of one formula; longer ones stay text
MOST_BRACES = 40  # open at once inside a \boxed{...}

ENVIRONMENTS = (
    "equation", "align", "gather", "multline", "eqnarray", "alignat", "flalign", "aligned",
    "gathered", "split", "cases", "array", "matrix", "pmatrix", "bmatrix", "vmatrix", "Vmatrix",
    "Bmatrix", "smallmatrix",
)  # fmt: skip
_OPENING = re.compile(
    r"(?P<skip>\\[\\$`])"
    r"|(?P<fence>```)"
    r"|(?<!`)(?P<code>`(?!`)[^`\n]{1,200}`(?!`))"
    r"|(?P<double>\$\$)"
    r"|(?P<dollar>\$)"
    r"|(?P<round>\\\()"
    r"|(?P<square>\\\[)"
    rf"|(?P<begin>\\begin\{{(?P<name>(?:{'|'.join(ENVIRONMENTS)})\*?)\}})"
    r"|(?P<boxed>\\boxed\s*\{)"
)
# A backslash takes the next character along, so that an escaped sign closes nothing.
_CLOSING = {
    "double": re.compile(r"(?:[^\\$]|\\.|\$(?!\$))*?\$\$", re.S),
    "dollar": re.compile(r"(?:[^\\$]|\\.)*?\$", re.S),
    "round": re.compile(r"(?:[^\\]|\\(?![()]).)*?\\\)", re.S),
    "square": re.compile(r"(?:[^\\]|\\(?![\[\]]).)*?\\\]", re.S),
}
_BRACES = re.compile(r"\\.|[{}]", re.S)
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_COMMAND = re.compile(r"\\(?:text\w*|mathrm|mbox|operatorname)\s*\{[^{}]*\}|\\[A-Za-z]+")
_WORD = re.compile(r"[^\W\d_]{3,}")
_BARE = re.compile(r"\\[A-Za-z]|[\^_]")


@dataclass(frozen=True)
class Segment:
    """A piece of a text as it stands there; `tex` is the formula in it, None where it is text."""

    source: str
    tex: str | None = None
    display: bool = False


def segments(text: str) -> list[Segment]:
    """The text in pieces whose sources, put together, are the text; neighbours are not both text.

    Mathematics stands in $...$, $$...$$, \\(...\\), \\[...\\], an environment of ENVIRONMENTS, or
    a \\boxed{...} outside of these.
    """
    if "$" not in text and "\\" not in text:
        return [Segment(text)] if text else []
    found, last = [], 0
    for start, end, tex, display in _formulas(text):
        if start > last:
            found.append(Segment(text[last:start]))
        found.append(Segment(text[start:end], tex, display))
        last = end
    if last < len(text):
        found.append(Segment(text[last:]))
    return found


def is_bare(text: str) -> bool:
    """Whether a value, as a gold, is TeX without a sign around it: it is one formula."""
    return (
        len(text) <= MOST
        and "$" not in text
        and _BARE.search(text) is not None
        and _OPENING.search(text) is None
        and not _wordy(text)
    )


def _formulas(text: str) -> Iterator[tuple[int, int, str, bool]]:
    """(start, end, formula, display) of each formula."""
    at = 0
    while match := _OPENING.search(text, at):
        start, at = match.span()
        kind = match.lastgroup or ""
        if match["name"]:
            kind = "begin"
        if kind == "fence":
            closing = text.find("```", at)
            at = closing + 3 if closing >= 0 else at
        elif kind not in ("skip", "code"):
            end = _end(text, kind, match)
            if end is None:
                continue
            at = end
            if kind == "boxed":
                yield start, end, text[start:end].replace("$", ""), False
            elif kind == "begin":
                yield start, end, text[start:end], True
            else:
                width = 1 if kind == "dollar" else 2
                tex = text[start + width : end - width]
                yield start, end, tex, kind in ("double", "square")


def _end(text: str, kind: str, match: re.Match[str]) -> int | None:
    """Where the formula ends that opens here; None where none does."""
    start, inside = match.span()
    most = start + MOST
    if kind == "boxed":
        return _closing_brace(text, inside, most)
    if kind == "begin":
        closing = f"\\end{{{match['name']}}}"
        place = text.find(closing, inside, most)
        return place + len(closing) if place >= 0 else None
    closed = _CLOSING[kind].match(text, inside, most)
    if closed is None:
        return None
    end = closed.end()
    content = text[inside : end - (1 if kind == "dollar" else 2)]
    if not content.strip() or (kind != "square" and _BLANK_LINE.search(content)):
        return None
    if kind == "dollar" and not _is_mathematics(content, text[end : end + 1]):
        return None
    return end


def _closing_brace(text: str, inside: int, most: int) -> int | None:
    depth = 1
    for match in _BRACES.finditer(text, inside, most):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if not depth:
            return match.end()
        if depth > MOST_BRACES:
            return None
    return None


def _is_mathematics(content: str, after: str) -> bool:
    """Whether what stands between two dollars is a formula and not what an amount is followed by.

    `$5 and $7`: a blank on one side alone, a digit behind the second dollar, or words tell that
    the dollars belong to the numbers behind them.
    """
    first, last = content[0].isspace(), content[-1].isspace()
    amount = content.lstrip()[0].isdigit()
    if after.isdigit() and (amount or first or last):
        return False
    if first or last or amount:
        return not _wordy(content) and content.count("(") == content.count(")")
    return True


def _wordy(content: str) -> bool:
    return _WORD.search(_COMMAND.sub(" ", content)) is not None
