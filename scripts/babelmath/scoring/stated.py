"""The value that a text states after a final-answer phrase."""

from __future__ import annotations

import re
from dataclasses import dataclass

from babelmath.languages import Language
from babelmath.scoring.letter_patterns import SUPPOSED
from babelmath.scoring.phrases import Place, phrase_places
from babelmath.scoring.plain.words import UNSPACED, number_word
from babelmath.scoring.stated_words import NUMERALS
from babelmath.scoring.value_patterns import (
    DIGIT,
    FIRST_WORD,
    ITEM,
    MATH,
    MEMBER,
    NUMBER,
    REASON,
    REMARK,
    RUN,
    SENTENCE,
    STARTS_VALUE,
    UNIT_WORD,
    UNIT_WORDS,
    Wording,
    asks,
    wording,
)

LONGEST = 400  # characters after a phrase in which its value must begin and end
WORDS = 6  # an answer in more words is no answer
UNIT = 3  # words
BETWEEN = 5  # words between a bare phrase and the number that they deny or bind
BEFORE = 60  # characters before a phrase that can suppose or doubt it
_LEAD = re.compile(r"\s*\\(?:text|textbf|textrm|mathrm)\s*\{([^{}]*)\}\s*(?=\S)")
_NUMERAL = re.compile(rf"(?<!\w)(?:{NUMERALS})(?!\w)", re.IGNORECASE)
_CLAUSE = re.compile(r"[\n:：;；!?！？。।]|\.\s")
_BOUND_MARKS = "([{^_/*\\±+<>≤≥≠="


class _DeniedError(Exception):
    """The sentence says what its answer is not, or only something about it."""


@dataclass(frozen=True)
class Stated:
    """Values of the last phrase that has one (several for a list in lines), as they stand in the
    text; `silent`: sentences that deny or suppose an answer, whose numbers decide nothing."""

    values: tuple[str, ...]
    silent: tuple[tuple[int, int], ...]


def stated(text: str, language: Language) -> Stated:
    """What a text states behind the last final-answer phrase that has a value.

    That is the first mathematics after the phrase (with those that only a conjunction parts from
    it), else what the sentence says: a run of mathematics with its unit, the name of a number, or,
    where a copula or a colon asks for a value, a few words (yes, undefined). Denied and supposed
    answers are passed over.

    Args:
        text: composed (NFC), without invisible characters.
    """
    words = wording(language)
    silent: list[tuple[int, int]] = []
    for place in phrase_places(text, language):
        before = _CLAUSE.split(text[max(0, place.start - BEFORE) : place.start])[-1]
        try:
            supposed = SUPPOSED.search(before) or SUPPOSED.search(
                before + text[place.start : place.end]
            )
            if supposed or words.false_before.search(before):
                raise _DeniedError
            values = _values(text, place, words, language)
        except _DeniedError:
            stop = SENTENCE.search(text, place.end, place.end + LONGEST)
            silent.append((place.start, stop.start() if stop else place.end + LONGEST))
            continue
        if values:
            return Stated(values, tuple(silent))
    return Stated((), tuple(silent))


def stated_value(text: str, language: Language) -> str | None:
    """The one value that a text states, if it does."""
    values = stated(text, language).values
    return values[0] if len(values) == 1 else None


def without_lead(text: str, language: Language) -> str:
    r"""What follows words in \text{...} that lead to it: \text{the area is } 5."""
    lead = _LEAD.match(text)
    return text[lead.end() :] if lead and asks(lead[1], language) else text


def _values(text: str, place: Place, words: Wording, language: Language) -> tuple[str, ...]:
    rest = text[place.end : place.end + LONGEST]
    match = (words.strong if place.strong else words.weak).match(rest)
    assert match is not None  # it may be empty
    strong = place.strong or match["mark"] is not None or "\n" in match[0]
    if "\n" in match[0] and (items := _items(rest[match.start() :], words, language)):
        return items
    value = _value(rest[match.end() :], strong, words, language)
    return (value,) if value else ()


def _items(rest: str, words: Wording, language: Language) -> tuple[str, ...]:
    """The values of a list in lines: 1. 5, 2. 6; none where a line has none."""
    values: list[str] = []
    lines = [line for line in rest.split("\n")[1:] if line.strip()]
    for number, line in enumerate(lines, 1):
        item = ITEM.match(line)
        if item is None or (item[1] and int(item[1]) != number):
            break
        value = _value(item[2].strip("* "), True, words, language)
        if not value or not STARTS_VALUE.match(value):
            return ()
        values.append(value)
    return tuple(values) if len(values) > 1 else ()


def _value(rest: str, strong: bool, words: Wording, language: Language) -> str | None:
    math = MATH.match(rest)
    stop = SENTENCE.search(rest, math.end() if math else 0)
    sentence = rest[: stop.start()] if stop else rest
    if denied := words.denied_after.match(sentence):
        return _instead(sentence[denied.end() :], False, words, language)
    if math:
        return _maths(rest, math, words)
    if minus := words.minus.match(sentence):
        value = _value(sentence[minus.end() :], strong, words, language)
        return minus[0] + value if value else None
    inner = MATH.search(sentence)
    if inner and not DIGIT.search(before := sentence[: inner.start()]):
        if not strong and not words.copula.search(before):
            return None
        if words.binding.search(before) and (later := _told(sentence, inner.end(), words)):
            return later
        return _led(sentence, inner.start(), words, language) or _maths(sentence, inner, words)
    value = REMARK.sub("", sentence.strip(' \t*_`"”」』$')) or sentence
    if STARTS_VALUE.match(value):
        found = _mathematics(value, words)
        return found if any(char.isalnum() or char in "∞∅" for char in found) else None
    if (named := _named(value, words, language)) is not None:
        return named
    if DIGIT.search(value):
        return _in_prose(value, strong, words, language)
    if not strong:
        return None
    lines = rest[stop.end() :].lstrip() if stop and stop[0] == "\n" else ""
    below = MATH.match(lines)
    return _maths(lines, below, words) if below else _words(value, words, language)


def _told(sentence: str, at: int, words: Wording) -> str | None:
    """The value behind a later copula: the area of $ABC$ is $5$."""
    for copula in words.copula.finditer(sentence, at):
        after = sentence[copula.end() :].lstrip(" *_`:=")
        if math := MATH.match(after):
            return _maths(after, math, words)
        if STARTS_VALUE.match(after):
            return _mathematics(after, words)
    return None


def _instead(rest: str, marked: bool, words: Wording, language: Language) -> str:
    """The answer that follows a denied one: not 5 but 6."""
    found = words.contrary.search(rest)
    if found is None and marked:
        raise _DeniedError
    rest = rest[found.end() :] if found else rest.lstrip(" ,;،、，*_")
    match = words.weak.match(rest)
    value = _value(rest[match.end() :] if match else rest, True, words, language)
    if value is None or not STARTS_VALUE.match(value):
        raise _DeniedError
    return value


def _led(value: str, at: int, words: Wording, language: Language) -> str | None:
    """What becomes of a value for the words that lead to it; None if they change nothing."""
    lead = value[:at]
    if words.denied.search(lead):
        return _instead(value[at + 1 :], True, words, language)
    if words.false.search(lead):
        raise _DeniedError
    if not words.binding.search(lead):
        return None
    whole = _words(value, words, language)
    if whole is None:
        raise _DeniedError
    return whole


def _named(value: str, words: Wording, language: Language) -> str | None:
    """The name of a number and its unit; all words where the name may go on (two thirds)."""
    bare = words.ending.sub("", REASON.split(value)[0]).strip(" .,;:*_`\"'")
    minus = words.minus.match(bare)
    word = FIRST_WORD.match(bare)
    if word is None:
        return None
    digits = number_word(word[0], language)
    if digits == word[0]:
        return number if minus is None and (number := number_word(bare, language)) != bare else None
    unit = re.split(r"[,;]", bare[word.end() :])[0].strip()
    if not unit:
        return digits
    if DIGIT.search(bare) or len(unit.split()) > 3:
        return None
    article = digits in ("0", "1") and word[0].casefold() not in ("one", "zero")
    goes_on = any(number_word(one, language) != one for one in unit.split())
    if article or goes_on or _NUMERAL.search(unit):
        return _words(value, words, language)
    return f"{digits} {unit}"


def _in_prose(value: str, strong: bool, words: Wording, language: Language) -> str | None:
    """The value after the last copula of a sentence that begins with words, else its number."""
    for copula in reversed(list(words.copula.finditer(value))):
        after = value[copula.end() :].lstrip(" *_`:=$")
        at = len(value) - len(after)
        if words.denied_after.match(after):
            return _instead(value[at:], True, words, language)
        if STARTS_VALUE.match(after):
            return _led(value, at, words, language) or _mathematics(after, words)
    number = NUMBER.search(value)
    if number is None:
        return None
    start = number.start()
    if not strong and len(value[:start].split()) > BETWEEN:
        return None
    if not strong:
        return _led(value, start, words, language)
    if changed := _led(value, start, words, language):
        return changed
    minus = words.minus.search(value, 0, start + 1)
    if minus and minus.end() >= start:
        return minus[0] + _mathematics(value[start:], words)
    if start and value[start - 1] in _BOUND_MARKS:  # a part of a term: sin(5), x^2
        start = max(value.rfind(" ", 0, start), value.rfind(":", 0, start)) + 1
    return _mathematics(value[start:], words)


def _maths(text: str, first: re.Match[str], words: Wording) -> str:
    end = first.end()
    while (gap := words.gap.match(text, end)) and (following := MATH.match(text, gap.end())):
        if words.denied_after.match(text, gap.end()):
            break
        end = following.end()
    relation = words.relation_after.match(text, end)
    if relation:
        return text[first.start() : relation.end()]
    if end == first.end():
        return next(inside for inside in first.groups() if inside is not None)
    return text[first.start() : end]


def _mathematics(value: str, words: Wording) -> str:
    """The run of mathematics that a value begins with, and its unit if that ends the sentence."""
    value = REASON.split(words.ending.sub("", value))[0]
    end = 0
    while run := RUN.match(value, end):
        end = run.end()
        gap = _gap(value, end, words)
        if gap is None:
            end = _unit(value, end, words)
            gap = _gap(value, end, words)
        if gap is None:
            break
        end = gap.end()
    if relation := words.relation_after.match(value, end):
        end = relation.end()
    return value[:end].strip(" ,;:") or value


def _unit(value: str, at: int, words: Wording) -> int:
    """Where the unit behind a number ends: it closes the clause, or a list goes on behind it."""
    if unit := UNIT_WORDS.match(value, at):
        return unit.end()
    end = at
    for _ in range(UNIT):
        word = UNIT_WORD.match(value, end)
        if word is None:
            break
        end = word.end()
        if _gap(value, end, words):
            return end
    return at


def _gap(value: str, at: int, words: Wording) -> re.Match[str] | None:
    """What parts the next member of a list from the one before, if there is one."""
    gap = words.gap.match(value, at)
    if gap is None or not MEMBER.match(value, gap.end()):
        return None
    return None if words.denied_after.match(value, gap.end()) else gap


def _words(value: str, words: Wording, language: Language) -> str | None:
    value = words.ending.sub("", value).strip(" .,;:*_")
    letters = UNSPACED & set(language.scripts)
    few = len(value) <= 4 * WORDS if letters else len(value.split()) <= WORDS
    return value if few and any(char.isalpha() for char in value) else None
