"""Objects that a model wrote as JSON, read where strict JSON would give up or lie.

Models write LaTeX with single backslashes (`\\frac` would decode to a form feed and `rac`), leave
quotes unescaped, and are cut off. Here a string ends at a quote that a comma, colon, bracket or the
end follows; what stands before a cut is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

START = re.compile(r"\{\s*(?=[\"'“]?[^\W\d]\w*(?: \w+)*[\"'”]?\s*:)")
KEY = re.compile(
    r"[\s,]*(?:\"([^\"\n]{1,40})\"|'([^'\n]{1,40})'|“([^”\n]{1,40})”|(\w{1,40}))\s*:\s*"
)
PLAIN = re.compile(r"[^,{}\[\]\"\n]+")
CLOSE = re.compile(r"[\s,]*\}")
STRINGS = {
    opening: re.compile(
        rf"(?:[^{closing}\\]|\\[{closing}\\]?|{closing}(?!\s*(?:[,:}}\]]|\Z)))*+", re.DOTALL
    )
    for opening, closing in ('""', "''", "“”")
}
NESTED = re.compile(r"[\"\[\]{}]")
DEEPEST = 20  # objects within objects that are looked into
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|([\"\\/'])|([nrt]))")
# LaTeX commands whose first letter JSON takes for an escape; \b and \f are never taken for one.
COMMAND = re.compile(
    r"(?:nabla|natural|ncong|ne|neq|neg|newline|nexists|ngeq?|nleq?|nmid|not|notin|normalsize"
    r"|nparallel|nprec|nrightarrow|nsim|nu|nwarrow|nearrow"
    r"|rm|rangle|raise|rbrace|rbrack|rceil|ref|real|rfloor|rho|right|rightarrow|root|rvert|rVert"
    r"|tan|tanh|tau|tbinom|text|textbf|textit|textrm|textsf|texttt|textnormal|tfrac|tg|theta"
    r"|therefore|tilde|times|to|top|triangle|triangleq)(?![a-zA-Z])"
)


@dataclass(frozen=True)
class Member:
    """One key with its value as written: of a string its inside; `whole`: it was not cut off."""

    key: str
    value: str
    whole: bool


@dataclass(frozen=True)
class Found:
    """An object's place in the text, and its members, those of nested objects among them."""

    start: int
    end: int
    members: tuple[Member, ...]


def objects(text: str) -> Iterator[Found]:
    """The objects of a text from left to right; LaTeX groups such as `{1,2}` are none."""
    at = 0
    while start := START.search(text, at):
        members: list[Member] = []
        end = _members(text, start.end(), members)
        yield Found(start.start(), end, tuple(members))
        at = max(end, start.end())


def unescaped(value: str) -> str:
    """A string's inside as text: JSON's escapes are undone, LaTeX commands kept."""

    def undone(match: re.Match[str]) -> str:
        code, sign, letter = match.groups()
        if code:
            return chr(int(code, 16))
        if sign:
            return sign
        if COMMAND.match(value, match.start() + 1):
            return match.group()
        return "\t" if letter == "t" else "\n"

    text = ESCAPE.sub(undone, value)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # no half pairs


def _members(text: str, at: int, members: list[Member], depth: int = 0) -> int:
    """Read members from behind a brace; returns where the object ends, or where sense ends."""
    while key := KEY.match(text, at):
        name = next(group for group in key.groups() if group is not None)
        at = key.end()
        mark = text[at : at + 1]
        if mark == "{":
            if depth == DEEPEST:
                return at
            at = _members(text, at + 1, members, depth + 1)
        elif mark == "[":
            at = _list_end(text, at)
        elif mark in STRINGS:
            end = _string_end(text, at)
            members.append(Member(name, text[at + 1 : end], end < len(text)))
            at = min(end + 1, len(text))
        elif plain := PLAIN.match(text, at):
            members.append(Member(name, plain.group().strip(), plain.end() < len(text)))
            at = plain.end()
    closing = CLOSE.match(text, at)
    return closing.end() if closing else at


def _string_end(text: str, at: int) -> int:
    """Where the string that opens at `at` closes; the text's end where it was cut off."""
    inside = STRINGS[text[at]].match(text, at + 1)
    return inside.end() if inside else len(text)


def _list_end(text: str, at: int) -> int:
    depth, place = 0, at
    while mark := NESTED.search(text, place):
        place = mark.end()
        if mark.group() == '"':
            place = _string_end(text, mark.start()) + 1
            continue
        depth += 1 if mark.group() in "[{" else -1
        if depth == 0:
            return place
    return len(text)
