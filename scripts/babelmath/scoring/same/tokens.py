r"""Cutting a text in plain notation into tokens; layout is dropped, spellings become one.

`\text{...}` and its like are opened: their tokens are marked upright, since an upright letter can
be a unit where a bare one is a variable. Brackets keep their shape; LaTeX groups are `{` and `}`.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import dataclass

from babelmath.scoring.same.literals import REPEATING
from babelmath.scoring.same.spellings import BLANKS, DROPPED, MARKS, SAME, UNICODE, WRAPPERS
from babelmath.scoring.same.tree import TooLargeError, UnreadableError
from babelmath.scoring.same.words import squeezed, words

LONGEST = 4000  # characters; an answer of several pages is none
DIGITS = frozenset("0123456789")
NUMBER = re.compile(r"(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,6}(?![\w.]))?", re.ASCII)
GROUPED = re.compile(r"(?<=\d)\{,\}(?=\d{3}(?!\d))")
COMMAND = re.compile(r"\\([A-Za-z]+)\*?")
DOTS = re.compile(r"(?:\.\s?){3,}|…+|⋯+|\.\.")


@dataclass(frozen=True, slots=True)
class Token:
    """`kind`: number, repeating, run (ASCII letters), word (letters of any script), command, open,
    close (an environment's ends) or mark; `blank`: whether a blank stands before it."""

    kind: str
    text: str
    blank: bool = False
    upright: bool = False


def tokens_of(text: str) -> list[Token]:
    """The tokens of an answer.

    Raises:
        UnreadableError: braces that do not balance in a wrapper, characters that no notation has.
        TooLargeError: text longer than any answer.
    """
    if len(text) > LONGEST:
        raise TooLargeError("length")
    text = GROUPED.sub("", text.replace("{.}", ".").replace("\\$", "\ue000")).translate(UNICODE)
    return _scan(text, 0, len(text), upright=False)


def _scan(text: str, at: int, end: int, upright: bool) -> list[Token]:
    found: list[Token] = []
    blank = False

    def add(kind: str, content: str) -> None:
        nonlocal blank
        found.append(Token(kind, content, blank, upright))
        blank = False

    while at < end:
        char = text[at]
        if char.isspace() or char == "~":
            blank, at = True, at + 1
        elif (char in DIGITS or char == ".") and (match := REPEATING.match(text, at, end)):
            add("repeating", match.group())
            at = match.end()
        elif char in DIGITS or (char == "." and text[at + 1 : at + 2] in DIGITS and at + 1 < end):
            match = NUMBER.match(text, at, end)
            if match is None:
                raise UnreadableError(f"digit {char}")
            add("number", match.group())
            at = match.end()
        elif char == "\\":
            at, blank = _command(text, at, end, upright, found, blank)
        elif match := DOTS.match(text, at, end):
            add("mark", "dots")
            at = match.end()
        elif char == ".":
            at, blank = at + 1, True  # the end of a sentence or an abbreviation
        elif _letter(char):
            stop = _run_end(text, at, end)
            run = text[at:stop]
            add("run" if run.isascii() else "word", run.replace(".", ""))
            at = stop
        elif char == "$" and text.count("$") % 2 == 0:
            blank, at = True, at + 1  # marks of inline mathematics; an odd one is money
        elif char in "²³":
            found += [Token("mark", "^"), Token("number", "2" if char == "²" else "3")]
            at += 1
        elif char == "\ue000":
            add("mark", "$")
            at += 1
        elif char.isprintable() and (char.isascii() or char in "×°‖€£¥₹৳฿₩₫₺₸¢￥"):
            double = text[at : at + 2] in ("**", "<=", ">=", "!=") and text[at : at + 2]
            spelt = {"**": "^", "<=": "\\le", ">=": "\\ge", "!=": "\\ne"}
            if double and not (double == "!=" and found and found[-1].kind == "number"):
                add("command" if double != "**" else "mark", spelt[double].lstrip("\\"))
                at += 2
            else:
                add("mark", char)
                at += 1
        else:
            raise UnreadableError(f"character U+{ord(char):04X}")
    return found


def _command(
    text: str, at: int, end: int, upright: bool, found: list[Token], blank: bool
) -> tuple[int, bool]:
    """Read what stands at a backslash; where to go on, and whether a blank is pending."""
    match = COMMAND.match(text, at, end)
    if match is None:
        char = text[at + 1 : min(at + 2, end)]
        if char in ("", " ", ",", ";", ":", "!", "\n", ">"):
            return at + 1 + len(char), True if char != "!" else blank
        if char == "\\":
            found.append(Token("mark", "newline", blank, upright))
            return at + 2, False
        if char not in "{}%$&#_|()[]-":
            raise UnreadableError(f"command \\{char}")
        if char in "()[]":
            return at + 2, True  # marks of inline mathematics
        mark = {"{": "\\{", "}": "\\}", "|": "‖"}.get(char, char)
        found.append(Token("mark", mark, blank, upright))
        return at + 2, False
    name, at = match.group(1), match.end()
    if name in ("begin", "end"):
        close = text.find("}", at, end)
        if text[at : at + 1] != "{" or close < 0:
            raise UnreadableError("environment without a name")
        environment = text[at + 1 : close].rstrip("*")
        at = close + 1
        columns = re.compile(r"\s*\{[lcr|\s]*\}").match(text, at, end)
        if name == "begin" and environment in ("array", "tabular") and columns:
            at = columns.end()
        found.append(Token("open" if name == "begin" else "close", environment, blank, upright))
        return at, False
    if name in DROPPED:
        if name in ("left", "right") and text[at : at + 1] == ".":
            at += 1
        return at, blank
    if name in BLANKS:
        if name in ("quad", "qquad"):
            found.append(Token("mark", "gap", True, upright))
        return at, True
    if name == "mathbb":
        group = re.compile(r"\s*\{?([A-Za-z])\}?").match(text, at, end)
        if group is None:
            raise UnreadableError("\\mathbb without a letter")
        found.append(Token("command", "mathbb" + group.group(1), blank, upright))
        return group.end(), False
    if name in WRAPPERS:
        start = re.compile(r"\s*\{").match(text, at, end)
        if start is None:
            return at, blank
        stop = _closing(text, start.end(), end)
        inner = _scan(text, start.end(), stop, WRAPPERS[name])
        if inner and blank:
            first = inner[0]
            inner[0] = Token(first.kind, first.text, True, first.upright)
        found += inner
        return stop + 1, stop > start.end() and text[stop - 1].isspace()
    name = SAME.get(name, name)
    kind, content = ("mark", MARKS[name]) if name in MARKS else ("command", name)
    found.append(Token(kind, content, blank, upright))
    return at, False


def _closing(text: str, at: int, end: int) -> int:
    depth = 1
    while at < end:
        if text[at] == "\\":
            at += 1
        elif text[at] in "{}":
            depth += 1 if text[at] == "{" else -1
            if depth == 0:
                return at
        at += 1
    raise UnreadableError("braces do not balance")


def _letter(char: str) -> bool:
    return unicodedata.category(char)[0] in "LM" or char in "\u200c\u200d"


def _run_end(text: str, at: int, end: int) -> int:
    """End of a run of letters; a dotted abbreviation of a unit (c.m.) is one run."""
    stop = at
    while stop < end and _letter(text[stop]):
        stop += 1
    dotted = stop
    while dotted + 1 < end and text[dotted] == "." and _letter(text[dotted + 1]):
        dotted += 1
        while dotted < end and _letter(text[dotted]):
            dotted += 1
    if dotted > stop and squeezed(text[at:dotted]) in _abbreviations():
        return dotted
    return stop


@functools.cache
def _abbreviations() -> frozenset[str]:
    known = words()
    return frozenset(known.units) | frozenset(squeezed(one) for one in known.short)
