"""Judged text made harmless before a judge sees it: it is data between two marks.

What would close the marks, open another turn of the chat, or read as a decision when the judge
repeats it, is written so that it does none of that; the mathematics stays as it is.
"""

from __future__ import annotations

import re

from babelmath.scoring.judge_words import (
    COUNTS,
    KEY,
    MARKS,
    SEPARATOR,
    WEAK_KEY,
    WORDS,
    WRAPS,
    readable,
)
from babelmath.thinking import TAG

SPELT = "|".join(map(readable, WORDS.values()))
GIVEN = rf"(?:{SEPARATOR}|[ \t]+)[{MARKS}]*{WRAPS}"
# `"decision": "YES"`, `DECISION YES`, `Score: 1`: keys that a deciding word follows. `The result
# is 1` is mathematics.
CLAIM = re.compile(
    rf"(?:{KEY}|score|grade|(?<=[\"'“]){WEAK_KEY}(?=[\"'”]))"
    rf"(?={GIVEN}(?:{SPELT}|{'|'.join(COUNTS.values())})(?!\w))"
    rf"|{WEAK_KEY}(?={GIVEN}(?:{SPELT})(?!\w))",
    re.IGNORECASE,
)
FENCE = re.compile(r"[<＜]{3,}|[>＞]{3,}")
# What begins a token of a chat format or a tag of thinking.
TURN = re.compile(
    rf"{TAG.pattern}|<[|｜]|</?(?:s|bos|eos|start_of_turn|end_of_turn)>"
    r"|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS)\]",
    re.IGNORECASE,
)
OPENINGS = {"<": "‹", "[": "(", "◁": "("}


def harmless(text: str) -> tuple[str, int]:
    """The text as a judge may see it, and in how many places it had to be changed.

    A key of a decision becomes `answer says`, marks of three are spaced, and tokens of chat formats
    open with another bracket. Text without these stays as it is, character by character.
    """
    cleaned, claims = CLAIM.subn("answer says", readable(text))
    cleaned, fences = FENCE.subn(lambda marks: " ".join(marks.group()), cleaned)
    cleaned, turns = TURN.subn(lambda token: OPENINGS[token[0][0]] + token[0][1:], cleaned)
    changed = claims + fences + turns
    return (cleaned, changed) if changed else (text, 0)
