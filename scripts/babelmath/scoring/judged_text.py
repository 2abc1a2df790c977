"""Judged text made harmless before a judge sees it: it is data between two marks.

What would close the marks, open another turn of the chat, or read as a decision when the judge
repeats it, is written so that it does none of that; the mathematics stays as it is. What a judge
repeats of it all the same is known by its words.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property, lru_cache

from babelmath.scoring.judge_words import (
    COUNTS,
    END,
    KEY,
    MARKS,
    SEPARATOR,
    WEAK_KEY,
    WORDS,
    WRAPS,
    readable,
)
from babelmath.thinking import TAG

SPELT = "|".join(WORDS.values())
GIVEN = rf"(?:{SEPARATOR}|[ \t])[{MARKS}]*+{WRAPS}"
# Marks, and commands around a word, that may part a key from it.
BETWEEN = r"(?:[\W_]|\b(?:is|boxed|text(?:bf)?|math(?:bf|rm))\b){1,60}+"
# No key inside a word (প্রায় ends in রায়), where words are parted by blanks.
ALONE = r"(?<![a-zA-Z\u00c0-\u024f\u0400-\u04ff\u0600-\u06ff\u0980-\u09ff])"
NUMBERS = "|".join(COUNTS.values())
# `"decision": "YES"`, `DECISION YES`, `Score: 1`: keys that a deciding word follows, a number only
# at the end of its line. `The result is 1` is mathematics.
CLAIM = re.compile(
    rf"{ALONE}(?:{KEY}(?={BETWEEN}(?:(?:{SPELT}){END}|(?:{NUMBERS})(?![^\w\n]{{0,80}}+\w)))"
    rf"|(?:score|grade|(?<=[\"'“]){WEAK_KEY}(?=[\"'”]))"
    rf"(?={GIVEN}(?:(?:{SPELT}){END}|(?:{NUMBERS})(?!\w)))"
    rf"|{WEAK_KEY}(?={GIVEN}(?:{SPELT}){END}))",
    re.IGNORECASE,
)
FENCE = re.compile(r"[<＜]{3,}|[>＞]{3,}")
# What begins a token of a chat format or a tag of thinking.
NAMES = (
    r"s|bos|eos|unk|pad|mask|cls|sep|[se]op|role|\w+_s|(?:start|end|beginning)_of_\w+|reserved_\w+"
    r"|unused_?\d+|extra_id_\d+|im_(?:start|end)|tool_\w+|longcat_\w+|seed:\w+|0x[0-9a-f]{2}"
)
TURN = re.compile(
    rf"{TAG.pattern}|<[|｜]|<\w{{1,30}}[|｜]>|</?(?:{NAMES})>|<</?SYS>>|\[[gs]?MASK\]"
    r"|\[/?(?:INST|BOS|EOS|SEP|CLS|PAD|UNK|(?-i:[A-Z]{3,}_[A-Z_]{3,}))\]",
    re.IGNORECASE,
)
# What layout adds to words: LaTeX commands, tags, entities.
LAYOUT = re.compile(r"\\[a-z]+|</?\w{1,30}>|&#?\w{1,8};", re.IGNORECASE)
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


class Shown:
    """What a judge was shown, so that an echo of it can be told: the words alone are compared."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _folded(self) -> str:
        return _folded(self.text)

    @cached_property
    def _spellings(self) -> tuple[str, str]:
        """The words with and without commands of layout, which an echo may keep or drop."""
        return f" {_words(self.text)} ", f" {_words(LAYOUT.sub(' ', self.text))} "

    def holds(self, clause: str) -> bool:
        """Whether the words of a clause stand there in a row; marks, blanks, case are nothing."""
        plain, bare = _spellings(clause)
        if not bare or any(word not in self._folded for word in bare.split()):
            return False
        return f" {plain} " in self._spellings[0] or f" {bare} " in self._spellings[1]


class _Letters(dict[int, int | str]):
    """Letters, digits and the signs that spell them; a blank for all else."""

    def __missing__(self, code: int) -> int | str:
        self[code] = code if unicodedata.category(chr(code))[0] in "LMN" else " "
        return self[code]


LETTERS = _Letters()


@lru_cache(maxsize=1024)
def _spellings(clause: str) -> tuple[str, str]:
    return _words(clause), _words(LAYOUT.sub(" ", clause))


def _words(text: str) -> str:
    return " ".join(_folded(text).translate(LETTERS).split())


def _folded(text: str) -> str:
    text = readable(text)
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()
