"""YES or NO in a response (MathMist section 4.4), strict reading.

In this order: the last word that is boxed, stated behind a final-answer phrase, alone on a line, or
opens the text; else the word that occurs, where only one of the two does. Native words count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from babelmath.scoring.boxes import boxes
from babelmath.scoring.letter_forms import plain_letters
from babelmath.scoring.letter_mentions import stating_ends
from babelmath.scoring.letter_patterns import FONT, open_tags
from babelmath.scoring.letter_words import CERTAIN, ERRORS, NO, YES
from babelmath.scoring.letters import ENGLISH, Choice
from babelmath.scoring.statements import Wording, alternatives, folded

MEANING = {folded(word): "YES" for word in YES} | {folded(word): "NO" for word in NO}
WORD = re.compile(alternatives([*YES, *NO]), re.IGNORECASE)
ANYWHERE = re.compile(alternatives(CERTAIN), re.IGNORECASE)
# The prompt's "YES or NO", said again.
BOTH = re.compile(r"\byes\b[\s'\"*]*(?:or|/|and|বা|,)[\s'\"*]*no\b", re.IGNORECASE)
MARKS = r"[ \t*_#>`'\"“”()\[\]{}$.,:;!।。！，、-]*+"
LINE = re.compile(rf"^{MARKS}({WORD.pattern}){MARKS}$", re.IGNORECASE | re.MULTILINE)
FIRST = re.compile(
    rf"\A[\s*_#>`'\"“(\[]*({WORD.pattern})(?=[*_`'\"”)\]]*\s*(?:[.,:;!।。！，、\n—–-]|\Z))",
    re.IGNORECASE,
)
END = re.compile(r"[*_`'\"”)\]}$]*\s*(?:[.,:;!।。！，、\n—–(-]|\Z)")
NO_ERROR = re.compile(rf"\s+(?:{'|'.join(ERRORS)})\b", re.IGNORECASE)
NO_OTHER = re.compile(r"\s+[a-z]")


def flag_strict(text: str, words: Wording = ENGLISH) -> Choice | None:
    """YES or NO and how it was found (stated, boxed, only word), or None."""
    text = open_tags(BOTH.sub(" ", plain_letters(text)))
    ends, doubtful = stating_ends(text, words)
    decided = sorted(_decided(text, words, ends))
    if decided:
        return Choice(decided[-1][1], decided[-1][2])
    for start, end in doubtful:
        text = text[:start] + " " * (end - start) + text[end:]
    found = set(_anywhere(text))
    return Choice(found.pop(), "only word") if len(found) == 1 else None


def _decided(text: str, words: Wording, ends: list[int]) -> Iterator[tuple[int, str, str]]:
    for box in boxes(text):
        word = MEANING.get(folded(FONT.sub("", box.content).strip(" .!")))
        if word:
            yield box.end, word, "boxed"
    for end in ends:
        gap = words.gap.match(text, end)
        match = WORD.match(text, gap.end() if gap else end)
        word = MEANING[folded(match.group())] if match else ""
        if match and (word == "YES" or END.match(text, match.end())):  # "is no longer valid"
            yield match.end(), word, "stated"
    for match in (*LINE.finditer(text), *FIRST.finditer(text)):
        yield match.end(1), MEANING[folded(match.group(1))], "stated"


def _anywhere(text: str) -> Iterator[str]:
    for match in ANYWHERE.finditer(text):
        word = match.group()
        ordinary = word in ("no", "No") and NO_OTHER.match(text, match.end())
        if not (ordinary and not NO_ERROR.match(text, match.end())):
            yield MEANING[folded(word)]
