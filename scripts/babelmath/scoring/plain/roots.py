"""Root signs and the word sqrt as LaTeX."""

from __future__ import annotations

import re

SIGNS = {"√": "\\sqrt", "∛": "\\sqrt[3]", "∜": "\\sqrt[4]"}
MOST = 50  # roots in one answer; more is no answer, and each costs a look at the rest
_WORD = re.compile(r"(?<![\\a-zA-Z])sqrt\s*(?=[({\d√\\])|\\sqrt\s*(?=[(√∛∜])")
_SIGN = re.compile("[√∛∜]")
_INDEX = re.compile(r"(?<![\w)}\]])\^\{(\d)\}√", re.ASCII)  # a small 3 before the sign
_ARGUMENT = re.compile(
    r"\d+(?:[.,]\d+)?|\\[a-zA-Z]+(?:\[[^\]]*\])?|[^\W\d_](?:\^(?:\w|\{[^{}]*\}))?"
)


def write_roots(text: str) -> str:
    r"""`√2` as \sqrt{2}, `√(x+1)` and `sqrt(x+1)` as \sqrt{x+1}, `∛8` as \sqrt[3]{8}.

    The root reaches over one number, letter (with its exponent), command or pair of brackets.
    """
    text = _WORD.sub("√", text)
    if not (signs := len(_SIGN.findall(text))) or signs > MOST:
        return text
    text = _INDEX.sub(r"\\sqrt[\1]√", text)
    for match in reversed(list(_SIGN.finditer(text))):
        start = match.end()
        while start < len(text) and text[start] == " ":
            start += 1
        end = _end(text, start)
        if end is None:
            continue
        inside = text[start:end]
        if inside[0] in "({":
            inside = inside[1:-1]
        head = text[: match.start()]
        command = "" if head.endswith("]") and "\\sqrt[" in head[-9:] else SIGNS[match[0]]
        text = f"{head}{command}{{{inside}}}{text[end:]}"
    return text


def _end(text: str, start: int) -> int | None:
    """Where the argument that begins there ends, or None where there is none."""
    if start >= len(text):
        return None
    if text[start] in "({":
        return closing(text, start)
    match = _ARGUMENT.match(text, start)
    if match is None:
        return None
    end = match.end()
    if match[0][0] == "\\":
        while end < len(text) and text[end] == "{":
            group = closing(text, end)
            if group is None:
                return None
            end = group
    return end


def closing(text: str, start: int) -> int | None:
    """The index after the bracket that closes the one at `start`, or None."""
    opener, closer = text[start], {"(": ")", "{": "}"}[text[start]]
    depth = 0
    for index in range(start, len(text)):
        if text[index] == opener:
            depth += 1
        elif text[index] == closer:
            depth -= 1
            if depth == 0:
                return index + 1
    return None
