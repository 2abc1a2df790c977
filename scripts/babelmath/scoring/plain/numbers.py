"""Numbers as a language writes them, in Western notation: decimal signs and groups of digits.

Three digits after one mark are a group or decimals as the language decides: 1,000 is a thousand in
English and one in French. Two marks of one kind can only group.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from babelmath.languages import Language
from babelmath.scoring.plain.draft import Draft
from babelmath.scoring.plain.scopes import parting_commas

# Blanks that are never written between two numbers of a list.
_THIN = re.compile(
    r"(?<=\d)(?:\\[,;:! ]|~|\\(?:thinspace|nobreakspace)\s?"
    r"|[\u00a0\u2000-\u200a\u202f\u205f\u3000])(?=\d{3}(?!\d))"
)
_APOSTROPHES = re.compile(r"(?<![\d'])[1-9]\d{0,2}(?:'\d{3})+(?![\d'])")
_BLANK_GROUPS = re.compile(r"(?<![\d.,}] )(?<![\d.,^_])[1-9]\d{0,2}(?: \d{3})+(?![\d/]| \d)")
_MARKED = re.compile(r"\d(?:[.,]|\{[.,]\})[\d\\]|\},\d")
_TOKEN = re.compile(r"\d+(?:(?:[.,]|\{[.,]\})\d+)+")
_TIGHT_COMMA = re.compile(r"(?<=[\d}]),(?=[\d\\])")
_MARK = re.compile(r"(\{[.,]\}|[.,])")
_THREE_DECIMALS = re.compile(r"(?<![\d.,}])([1-9]\d{0,2})\.(\d{3})(?![\d.]|,\d)")
_BEFORE_REPEATING = re.compile(r"(?<=\d)(?:,|\{,\})(?=\\(?:dot|overline|bar)(?![a-zA-Z]))")
_AFTER_BAR = re.compile(r"(?<![\d}.,])(\\(?:overline|bar)\s*(?:\{\d\}|\d))(?:,|\{,\})(?=\d)")

GROUPS = ("thousands",)
DECIMAL = ("decimal comma",)


@dataclass(frozen=True)
class Convention:
    """How a language, or a Western text, writes numbers."""

    comma: bool  # the decimal sign is a comma
    points: bool  # points group
    commas: bool  # commas group
    blanks: bool  # plain blanks group
    lakh: bool  # 1,25,000

    @classmethod
    def of(cls, language: Language) -> Convention:
        marks = language.grouping
        return cls(language.decimal == ",", "." in marks, "," in marks, " " in marks, language.lakh)


WESTERN = Convention(comma=False, points=False, commas=True, blanks=True, lakh=False)


def western_numbers(draft: Draft, read: Convention, kept: Convention) -> None:
    """Write every number with a decimal point and no groups.

    Args:
        read: how the text's numbers are written.
        kept: how they will be read if the result is read again: a point that would group there
            is written {.}, a comma that would be decimal gets a blank.
    """
    draft.put("thousands", _without_blanks(draft.text, read))
    if not _MARKED.search(draft.text):
        return
    text = draft.text
    if read.comma:
        draft.put("decimal comma", _AFTER_BAR.sub(r"\1.", _BEFORE_REPEATING.sub(".", text)))
        text = draft.text
    parting = parting_commas(text) if "," in text else frozenset()
    names: dict[str, None] = {}
    pieces, end = [], 0
    for match in _TOKEN.finditer(text):
        marks = _MARK.finditer(text, match.start(), match.end())
        parts = any(mark.start() in parting for mark in marks)
        written, done = _number(match[0], parts, read)
        kept_as = _kept(written, kept)
        names.update(dict.fromkeys(done or (("separators",) if kept_as != match[0] else ())))
        pieces += [text[end : match.start()], kept_as]
        end = match.end()
    whole = "".join([*pieces, text[end:]])
    if (kept.comma and not read.comma) or (kept.lakh and not read.lakh):
        apart = _TIGHT_COMMA.sub(", ", whole)
        if apart != whole:
            names["separators"], whole = None, apart
    draft.take(names, whole)


def without_thin_blanks(draft: Draft) -> None:
    r"""Join the groups of 1\,000, which in every language are one number."""
    if "\\" in draft.text or "~" in draft.text or not draft.text.isascii():
        draft.put("thousands", _THIN.sub("", draft.text))


def _without_blanks(text: str, read: Convention) -> str:
    if " " not in text and "'" not in text:
        return text
    text = _APOSTROPHES.sub(lambda match: match[0].replace("'", ""), text)
    if " " not in text:
        return text

    def grouped(match: re.Match[str]) -> str:
        whole = not re.search(r"\d", match.string[: match.start()] + match.string[match.end() :])
        if read.blanks or whole or match[0].count(" ") > 1:
            return match[0].replace(" ", "")
        return match[0]

    return _BLANK_GROUPS.sub(grouped, text)


def _number(token: str, parts: bool, read: Convention) -> tuple[str, tuple[str, ...]]:
    """One run of digits and marks, and the names of what was done to it.

    Args:
        parts: its commas part members of a bracket.
    """
    pieces = _MARK.split(token)
    digits, marks = pieces[::2], pieces[1::2]
    bare = [mark.strip("{}") for mark in marks]
    commas, points = bare.count(","), bare.count(".")
    if "{.}" in marks:
        return token, ()  # its point is certain
    if parts and not any(len(one) > 1 and one[0] == "0" for one in digits[1:]):
        return _each(token, ",", read)
    if commas and points:
        return _both(token, digits, bare, read)
    grouped = _groups(digits)
    if points:
        return ("".join(digits), GROUPS) if grouped and (points > 1 or read.points) else (token, ())
    if (grouped and (commas > 1 or read.commas)) or (read.lakh and _lakh(digits)):
        return "".join(digits), GROUPS
    if commas == 1 and (read.comma or marks == ["{,}"]):
        return ".".join(digits), DECIMAL
    return token, ()


def _both(
    token: str, digits: list[str], marks: list[str], read: Convention
) -> tuple[str, tuple[str, ...]]:
    """Commas and points in one run: 1,234.5 or 1.234,5, else a list of numbers."""
    sign, whole = marks[-1], digits[:-1]
    if marks.count(sign) == 1 and (_groups(whole) or (read.lakh and _lakh(whole))):
        if sign == ".":
            return "".join(whole) + "." + digits[-1], GROUPS
        if read.comma or len(marks) > 2:
            return "".join(whole) + "." + digits[-1], GROUPS + DECIMAL
    return _each(token, ", ", read)


def _each(token: str, comma: str, read: Convention) -> tuple[str, tuple[str, ...]]:
    """Numbers parted by commas, each read for itself."""
    numbers = [_number(one, False, read) if "." in one else (one, ()) for one in token.split(",")]
    done = max(done for _, done in numbers)
    if comma != ",":
        done = (*done, "separators")
    return comma.join(text for text, _ in numbers), done


def _groups(digits: list[str]) -> bool:
    first, *others = digits
    return len(first) <= 3 and first[0] != "0" and all(len(one) == 3 for one in others)


def _lakh(digits: list[str]) -> bool:
    first, *others, last = digits
    pairs = len(others) > 0 and all(len(one) == 2 for one in others)
    return len(first) <= 2 and first[0] != "0" and pairs and len(last) == 3


def _kept(number: str, kept: Convention) -> str:
    """The number with a point that reads as one again."""
    number = number.replace("{.}", ".")
    return _THREE_DECIMALS.sub(r"\1{.}\2", number) if kept.points else number
