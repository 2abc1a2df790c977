"""The option letter that a response decides for (MathMist section 3.2), strict reading.

In this order: the last letter that is boxed or stated behind a final-answer phrase; the one letter
that is called correct or chosen; the option whose text is boxed or stated; the only letter that the
text names as an option. A denied letter, the article, a name in a figure and a list of the options
are no decisions; two letters at once are none.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from babelmath.scoring.boxes import Box, boxes
from babelmath.scoring.letter_forms import NATIVE, PLACED_LETTER, plain_letters
from babelmath.scoring.letter_mentions import (
    affirmed_letters,
    alone,
    listed_letters,
    named_letters,
    stating_ends,
    without_formulas,
)
from babelmath.scoring.letter_patterns import (
    ALONE,
    ARTICLE,
    CAPITAL,
    DENIAL,
    FONT,
    IN_BOX,
    MATH,
    OPTION_IS,
    SMALL,
    TENTATIVE,
    joined,
    open_tags,
    with_word,
)
from babelmath.scoring.letter_words import OPTION_WORDS
from babelmath.scoring.options import Equal, option_of
from babelmath.scoring.statements import Wording, alternatives, clause, wording

PLAIN = re.compile(r"(?:Final )?Answer:")
PLAIN_END = re.compile(r"(?:^|\n)(?:\*\*)?(?:Final )?Answer: ([A-D])(?:\*\*)?\.?\s*\Z")
SHORT = 100  # a text of that length can be an option's text as a whole
NUMBERED = re.compile(rf"{alternatives(OPTION_WORDS)}\s*\Z", re.IGNORECASE)
DASHES = "-–−‑－"
ENGLISH = wording(())


@dataclass(frozen=True)
class Choice:
    """A decision for a letter (or YES, NO).

    `how`: stated, boxed, only letter (or only word), or `value of option X`.
    """

    letter: str
    how: str


@dataclass(frozen=True)
class Reading:
    """A text and what is found in it: boxes, ends of final-answer phrases that state something,
    and letters that are no decision (they label a list, or are supposed or doubted)."""

    text: str
    outside: str  # without formulas
    boxed: Sequence[Box]
    ends: Sequence[int]
    listed: set[int]
    words: Wording
    options: Sequence[str]


@dataclass(frozen=True)
class Found:
    """A statement in its place; without a letter it names several."""

    end: int
    letter: str | None
    how: str


def option_strict(
    text: str, options: Sequence[str] = (), words: Wording = ENGLISH, equal: Equal | None = None
) -> Choice | None:
    """The decision of an answer part, or None.

    Args:
        options: the item's four options; with them a value can stand for its letter.
        words: the final-answer phrases to know besides `answer`.
        equal: a comparison of mathematics for values that read like no option.
    """
    if (plain := PLAIN_END.search(text)) is not None and len(PLAIN.findall(text)) == 1:
        return Choice(plain.group(1), "stated")  # as the prompts ask for it: all else stands before
    found = _read(text, options, words)
    stated = sorted([*_boxed(found), *_stated(found)], key=lambda one: one.end)
    if stated:
        last = next(reversed(_without_echo(stated)), None)
        return Choice(last.letter, last.how) if last and last.letter else None
    if letters := affirmed_letters(found.text, found.listed, words.joins):
        return Choice(letters.pop(), "stated") if len(letters) == 1 else None
    named, mentioned = named_letters(found.text, found.outside, found.listed)
    if options and (value := _value(found, equal)) is not None:
        contradicted = len(named) == 1 and named != {value}
        return None if contradicted else Choice(value, f"value of option {value}")
    return Choice(named.pop(), "only letter") if len(named) == 1 and mentioned <= named else None


def _read(text: str, options: Sequence[str], words: Wording) -> Reading:
    text = open_tags(plain_letters(text))
    boxed = boxes(text)
    ends, doubtful = stating_ends(text, words)
    doubted = {one.start(1) for at, stop in doubtful for one in ALONE.finditer(text, at, stop)}
    return Reading(
        text=text,
        outside=without_formulas(text, boxed),
        boxed=boxed,
        ends=ends,
        listed=listed_letters(text) | doubted,
        words=words,
        options=options,
    )


def _boxed(found: Reading) -> Iterator[Found]:
    for box in found.boxed:
        content = FONT.sub("", box.content).strip()
        match = IN_BOX.fullmatch(content)
        letter = (match["letter"] or match["inner"]) if match else NATIVE.get(content.strip("()"))
        if letter is None:
            continue
        if letter.islower() and option_of(box.content, found.options):
            continue  # the variable, which is an option itself
        several = match is not None and joined(found.words.joins).match(match["rest"])
        yield Found(box.end, None if several else letter.upper(), "boxed")


def _stated(found: Reading) -> Iterator[Found]:
    text = found.text
    for end in found.ends:
        gap = found.words.gap.match(text, end)
        start = gap.end() if gap else end
        direct = _letter_at(text, start, end, found.options)
        if direct is None:
            stop = end + len(clause(text, end))
            inside = [
                (one.start(1), one.group(1))
                for one in alone(found.outside, end, stop, found.listed)
            ]
            if len({letter for _, letter in inside}) == 1:
                yield Found(inside[-1][0] + 1, inside[-1][1], "stated")
        elif start not in found.listed:
            letter, after = direct
            if not DENIAL.match(text, after) and not TENTATIVE.match(text, after):
                yield Found(after, None if _several(found, after) else letter, "stated")
    for one in with_word(OPTION_IS, OPTION_WORDS, text):
        after = one.end(1)
        if one.start(1) not in found.listed and not DENIAL.match(text, after):
            yield Found(after, None if _several(found, after) else one.group(1), "stated")


def _letter_at(text: str, start: int, end: int, options: Sequence[str]) -> tuple[str, int] | None:
    """The letter right behind a phrase that ends at `end`, and where it ends."""
    if match := CAPITAL.match(text, start):
        new_line = "\n" in text[end:start]
        article = match.group(1) == "A" and new_line and ARTICLE.match(text, match.end())
        return None if article else (match.group(1), match.end())
    if match := SMALL.match(text, start):
        variable = option_of(match.group(1), options)
        return None if variable else (match.group(1).upper(), match.end())
    if match := PLACED_LETTER.match(text, start):
        return NATIVE[match.group(1)], match.end()
    return None


def _several(found: Reading, after: int) -> bool:
    """Whether another letter is named in one breath, and not to deny it."""
    match = joined(found.words.joins).match(found.text, after)
    return match is not None and not DENIAL.match(found.text, match.end())


def _without_echo(stated: list[Found]) -> list[Found]:
    """Statements behind the last A, B, C and D in a row: that is a prompt's forms, said again."""
    runs = [list(group) for _, group in itertools.groupby(stated, lambda one: one.letter)]
    for at in range(len(runs) - 4, -1, -1):
        if [run[0].letter for run in runs[at : at + 4]] == list("ABCD"):
            return [one for run in runs[at + 4 :] for one in run]
    return stated


def _value(found: Reading, equal: Equal | None) -> str | None:
    """The option whose text is boxed last, else stated last, else the whole text."""
    text, options = found.text, found.options
    if found.boxed:
        return option_of(found.boxed[-1].content, options, equal)
    for end in reversed(found.ends):
        gap = found.words.gap.match(text, end)
        start = gap.end() if gap else end
        if NUMBERED.search(text[end:start]):
            return None  # "option 3" counts options, it is no value
        while start > end and text[start - 1] in DASHES:
            start -= 1  # a sign of what follows
        rest = clause(text, start)
        if rest.strip():
            whole = text[end : start + len(rest)]
            math = MATH.search(whole)
            said = [*([math.group()] if math else []), whole, rest]
            letters = (option_of(one, options, equal) for one in said)
            return next((letter for letter in letters if letter), None)
    return option_of(text, options, equal) if len(text) <= SHORT else None
