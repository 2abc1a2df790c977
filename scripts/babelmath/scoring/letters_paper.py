"""The released evaluation's way to read an option letter or a YES/NO (MathMist 3.2, 4.4).

Its quirks are kept: anything but A-D is wrong, and the stored letter can be any letter of the
alphabet; the article "a" counts as A; a letter in the question's mathematics counts where nothing
else does; the first box wins over later words; small letters and the letters of other alphabets
are read differently from step to step.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

LETTERS = "ABCD"
FINAL_TAG = re.compile(r"<final>(.*?)</final>", re.DOTALL | re.IGNORECASE)
STATED_FINAL = re.compile(r"Final Answer:\s*([A-D])\b", re.IGNORECASE)
BOXED_LETTER = re.compile(r"\\boxed\{([A-Da-d])\}")
BOXED_TEXT_LETTER = re.compile(r"\\boxed\{\\text\{([A-Da-d])\}\}")
STATED = re.compile(r"\bAnswer\s*[:\-]?\s*([A-D])\b", re.IGNORECASE)
SENTENCE = re.compile(r"The (?:correct )?answer is\s*([A-D])\b", re.IGNORECASE)
BOXED = re.compile(r"\\boxed\{([^}]{1,2000})\}")  # bounded for the sake of time
ALONE = re.compile(r"\b([A-Da-d])\b")
LAST_LINES = 10
ANY_ALONE = re.compile(r"\b([A-Za-z])\b")
ANY_AT_END = re.compile(r"([A-Za-z])\s*\)?[.):\-]*\s*\Z")
NUMERIC = re.compile(r"[0-9./\s%-]+")
WRAPPERS = "$\\() \t\n\r\f\v"
LABEL = re.compile(r"^\s*[A-Za-z]\s*[.)]\s*")
# What the comparison of words drops.
DROPPED = re.compile(r"[^0-9A-Za-z\\/^_.{}\-\s]")
LEAST_SHARE = 0.5


def option_paper(text: str, options: Sequence[str] = ()) -> str | None:
    """The letter that the released evaluation would have stored; None where it stored nothing."""
    found = _extracted(text)
    return (
        _letter(found)
        or (_by_number(found, options) if NUMERIC.fullmatch(found) else None)
        or _by_words(found, options)
        or _letter(text)
        or _by_words(text, options)
    )


def flag_paper(text: str) -> str | None:
    """The first YES or NO, as the released prompt asks for it in the first line."""
    match = re.search(r"\b(YES|NO)\b", text, re.IGNORECASE)
    return match.group(1).upper() if match else None


def _extracted(text: str) -> str:
    """A letter, or what stands in the first box or tag."""
    if tag := FINAL_TAG.search(text):
        return tag.group(1).strip()
    steps: list[Callable[[], str | None]] = [
        lambda: _last(STATED_FINAL, text),
        lambda: _first(BOXED_LETTER, text),
        lambda: _first(BOXED_TEXT_LETTER, text),
        lambda: _last(STATED, text),
        lambda: _last(SENTENCE, text),
    ]
    for step in steps:
        if letter := step():
            return letter.upper()
    if box := BOXED.search(text):
        return box.group(1).strip()
    for line in reversed(text.strip().split("\n")[-LAST_LINES:]):
        alone = ALONE.findall(line)
        if len(alone) == 1:
            return str(alone[0]).upper()
    return (_last(ALONE, text) or "").upper()


def _letter(text: str) -> str | None:
    """The letter at the end, else the last one that stands alone."""
    at_end = ANY_AT_END.search(text.strip()) if "\n" not in text.strip() else None
    letter = at_end.group(1) if at_end else _last(ANY_ALONE, text)
    return letter.upper() if letter else None


def _by_number(text: str, options: Sequence[str]) -> str | None:
    wanted = _number(text)
    if wanted is None:
        return None
    for letter, option in zip(LETTERS, options, strict=False):
        value = _number(BOXED.sub(r"\1", LABEL.sub("", option)))
        if value is not None and abs(value - wanted) < Fraction(1, 1_000_000):
            return letter
    return None


def _number(text: str) -> Fraction | None:
    text = text.strip(WRAPPERS)
    if len(text) > 50 or "e" in text.lower():
        return None
    try:
        return Fraction(text[:-1]) / 100 if text.endswith("%") else Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def _by_words(text: str, options: Sequence[str]) -> str | None:
    """The option that holds the text or stands in it; else the one that shares half its words."""
    said = _dropped(text)
    if not text:
        return None
    bodies = {letter: _dropped(LABEL.sub("", one)) for letter, one in zip(LETTERS, options)}  # noqa: B905
    for letter, body in bodies.items():
        if body and (body in said or said in body):
            return letter
    words = _words(said)
    shares = [
        (len(words & own) / len(own), letter)
        for letter, body in bodies.items()
        if (own := _words(body))
    ]
    best = max(shares, key=lambda one: one[0], default=(0.0, ""))
    return best[1] if best[0] >= LEAST_SHARE else None


def _dropped(text: str) -> str:
    return DROPPED.sub(" ", text).strip().lower()


def _words(text: str) -> set[str]:
    return {word for word in text.split() if len(word) > 1}


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    match = pattern.search(text)
    return match.group(1) if match else None


def _last(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.findall(text)
    return str(found[-1]) if found else None
