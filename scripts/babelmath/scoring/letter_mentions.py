"""Letters that a text mentions, less those that are denied, listed, a name or the article."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence

from babelmath.scoring.boxes import Box
from babelmath.scoring.letter_patterns import (
    AFFIRMED,
    ALONE,
    ARTICLE,
    AT_END,
    AT_LINE,
    CHOSEN,
    DENIAL,
    FONT,
    IN_MARKS,
    LABEL,
    MATH,
    NONE_OF,
    OPTIONED,
    SUPPOSED,
    TENTATIVE,
    joined,
    with_word,
)
from babelmath.scoring.letter_words import CHOOSING, DENIED_BEFORE, NAMED, OPTION_WORDS
from babelmath.scoring.statements import FIRST_UNSPACED, Wording, clause, composed

BEFORE = 60  # characters before a letter that can deny or name it
OPENED = " \t([{*_$\"'“«\\"
FILLERS = tuple(
    map(composed, ("be", "the", "letter", "correct", "text{", *OPTION_WORDS, *CHOOSING))
)
DENYING = tuple(map(composed, (*DENIED_BEFORE, *NAMED)))


def alone(text: str, start: int, end: int, listed: set[int]) -> Iterator[re.Match[str]]:
    """Capitals that stand alone and are mentioned for themselves.

    Args:
        listed: places of letters that label a list (`listed_letters`).
    """
    for one in ALONE.finditer(text, start, end):
        if (
            one.start(1) not in listed
            and not (one.group(1) == "A" and ARTICLE.match(text, one.end()))
            and not DENIAL.match(text, one.end())
            and not TENTATIVE.match(text, one.end())
            and not _denied_before(text, one.start())
        ):
            yield one


def affirmed_letters(text: str, listed: set[int], joins: tuple[str, ...]) -> set[str]:
    """Letters that are called correct or chosen."""
    found = set()
    for one in alone(text, 0, len(text), listed):
        if NONE_OF.search(text[max(0, one.start() - BEFORE) : one.start()]):
            continue
        more = joined(joins).match(text, one.end())
        if AFFIRMED.match(text, more.end() if more else one.end()):
            found.add(one.group(1))
    for one in with_word(CHOSEN, CHOOSING, text):
        if one.start(1) not in listed and not _denied_before(text, one.start()):
            found.add(one.group(1))
    return found


def named_letters(text: str, outside: str, listed: set[int]) -> tuple[set[str], set[str]]:
    """Letters that are named as options, and all that are mentioned.

    Args:
        outside: the text without its formulas.
    """
    mentioned = {one.start(1): one.group(1) for one in alone(outside, 0, len(outside), listed)}
    named = set()
    optioned = with_word(OPTIONED, OPTION_WORDS, outside)
    in_place = (pattern.finditer(outside) for pattern in (AT_LINE, IN_MARKS, AT_END))
    for one in itertools.chain(optioned, *in_place):
        at = one.start(one.lastindex or 0)
        if at in mentioned:
            named.add(mentioned[at])
        elif outside[at].islower() and not DENIAL.match(outside, at + 1):
            named.add(outside[at].upper())
    bare = FONT.sub("", text).strip(' \n.():[]`"').upper()
    if bare in ("A", "B", "C", "D"):
        named.add(bare)
    return named, {*mentioned.values(), *named}


def stating_ends(text: str, words: Wording) -> tuple[list[int], list[tuple[int, int]]]:
    """Ends of final-answer phrases that state something; the clauses behind all others.

    "If the answer is A" and "I do not think the answer is B" state nothing.
    """
    ends, doubtful = [], []
    for end in words.ends(text):
        if SUPPOSED.search(text[max(0, end - BEFORE) : end]):
            doubtful.append((end, end + len(clause(text, end))))
        else:
            ends.append(end)
    return ends, doubtful


def listed_letters(text: str) -> set[int]:
    """Places of letters that label a list of the options: A, B, C in a row."""
    found: set[int] = set()
    run: list[int] = []
    for one in LABEL.finditer(text):
        if one.group(1) == "ABCD"[len(run) % 4]:
            run.append(one.start(1))
        else:
            run = [one.start(1)] if one.group(1) == "A" else []
        if len(run) >= 3:
            found.update(run[-4:])
    return found


def without_formulas(text: str, boxed: Sequence[Box]) -> str:
    """The text with blanks in the place of mathematics and boxes."""
    kept, at = [], 0
    for box in boxed:
        kept += [text[at : box.start], " " * (box.end - max(at, box.start))]
        at = max(at, box.end)
    return MATH.sub(lambda match: " " * len(match.group()), "".join([*kept, text[at:]]))


def _denied_before(text: str, place: int) -> bool:
    """Whether the words right before a letter deny it, or make it a name in a figure."""
    tail = text[max(0, place - BEFORE) : place].rpartition("\n")[2].lower().rstrip(OPENED)
    for _ in range(3):
        if filler := _last_word(tail, FILLERS):
            tail = tail[: -len(filler)].rstrip(OPENED)
    return bool(_last_word(tail, DENYING))


def _last_word(tail: str, words: tuple[str, ...]) -> str:
    if not tail.endswith(words):
        return ""
    for word in words:
        inside = tail[: -len(word)][-1:].isalnum() and word[0] < FIRST_UNSPACED
        whole = not inside or word.startswith("n't")
        if tail.endswith(word) and whole:
            return word
    return ""
