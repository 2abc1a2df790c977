"""What the value behind a judge's key says: the word it begins with, unless the rest unsays it.

A word decides alone, with words that mean the same (`NO (not equivalent)`), or with a reason in
English that does not speak against it. A reason in another language cannot be checked, so it
leaves the decision unsure, as a contrary or a condition does (`YES, if we ignore the sign`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from babelmath.scoring.judge_words import COUNTS, ENGLISH, OTHER, SAME, patterns

UNSURE = "unsure"  # a word that the same value takes back
GOES_ON = re.compile(
    r"[.,;:!|()\[{<—–،、，；：！（।。]|-\s|(?:because|since|as|for|due)\b", re.IGNORECASE
)
CLOSED = re.compile(r"</\w{1,30}>")  # <decision>NO</decision>
NUMBER = re.compile("|".join(COUNTS.values()))
ENGLISH_KEY = re.compile(
    r"(?:.*[\s_])?(?:decision|verdict|judge?ment|equivalen(?:t|ce)|equal|correct|conclusion|result"
    r"|score|grade|evaluation|assessment)",
    re.IGNORECASE | re.DOTALL,
)
IN_ENGLISH = re.compile("|".join(ENGLISH.values()), re.IGNORECASE)
FOREIGN = re.compile(r"[^\W\d_a-zA-Z\u0370-\u03ff]")  # letters neither English nor Greek
HEDGED = re.compile(
    r"[\W_]*(?:not|cannot|can['’]t|never|neither|hardly|part(?:ial)?ly|un(?:clear|known|decided"
    r"|certain|resolved)|maybe)\b",
    re.IGNORECASE,
)
CLAUSE = re.compile(r"[.,;:!?|()\[\]—–\n]|\s-\s")
LEADING = re.compile(r"\W*(?:(?:otherwise|else|but|so|and|then|wait|rather|no longer|now)\W+)*+",
                     re.IGNORECASE)  # fmt: skip
# What speaks against YES, and what makes it depend on something.
DENIED = re.compile(
    rf"(?<!\w){OTHER}|\b(?:not|never|neither|nor|cannot|differs?|false|fails?|mismatch\w*|if|unless"
    r"|provided|assuming|otherwise|except|apart|up to|ignoring|missing|lacks?|however)\b|n['’]t\b"
    r"|\bno\b(?=\W*$)",
    re.IGNORECASE,
)
AFFIRMED = re.compile(
    rf"\b(?:yes|identical|match(?:es)?|agrees?|the same (?:value|number|set|expression|solution))\b"
    rf"|\b(?:is|are|both|they|so|but|thus|therefore|actually|in fact)\s+(?:\w+ly\s+)?{SAME}(?!\w)",
    re.IGNORECASE,
)
DENIAL = re.compile(r"\b(?:not?|neither|none|nor|never|only|if|would|false)\b|n['’]t\b",
                    re.IGNORECASE)  # fmt: skip
ALIKE = re.compile(r"\bdifferent(?=\s+(?:form|notation|format|order|representation)s?\b)",
                   re.IGNORECASE)  # fmt: skip
CLOSING = re.compile(
    r"(?:(?:therefore|thus|hence|so|in conclusion|overall|finally),? )?"
    r"(?:(?:the|these|those|both|two|student['’]?s?|given|provided|final|reference|ground|truth|"
    r"answers?|expressions?|values?|solutions?|results?|forms?|sets?|numbers?|they|it|and) )+"
    rf"(?:is|are) ?(?:(?P<NO>{OTHER})|(?:mathematically )?(?P<YES>{SAME}))"
    r"(?: to (?:the |each )?(?:ground truth|truth|other|reference(?: answer)?))?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Said:
    """A word of the judging, or UNSURE, and where in the value the deciding words end."""

    word: str
    end: int


def said_in(key: str, value: str, allowed: frozenset[str], counted: bool = True) -> Said | None:
    """What a value decides; None where it begins with no word of the judging, or offers a choice.

    Args:
        key: what the value stands behind; behind a key that is not English no reason is read.
        counted: whether 1 and 0 stand for YES and NO; only with nothing but such words beside.
    """
    match = patterns(allowed).begins.match(value)
    if match is None:
        word = closing_word(value) if allowed >= {"YES", "NO"} else None
        word = word or (UNSURE if HEDGED.match(value) else None)
        return Said(word, len(value)) if word else None
    word = _named(match, allowed)
    rest = CLOSED.sub("", value[match.end() :])
    said = Said(word, match.end("said"))
    number = NUMBER.fullmatch(match["said"]) is not None
    if (number and not counted) or rest[:1] in ("?", "？", "؟"):
        return None
    if not rest or not re.search(r"[^\W_]", rest):
        return None if number and re.search("[-+/–−]", rest) else said  # `Grade: 1-`
    if patterns(allowed).choice.fullmatch(rest):
        return said if _same(word, rest, allowed) else None
    if number or not GOES_ON.match(rest):
        return None
    english = ENGLISH_KEY.fullmatch(key) and IN_ENGLISH.fullmatch(match["said"])
    if not english or FOREIGN.search(rest) or _unsaid(word, rest, allowed):
        return Said(UNSURE, said.end)
    return said


def closing_word(sentence: str) -> str | None:
    """YES or NO of a sentence that says nothing but that the answers are, or are not, the same."""
    match = CLOSING.fullmatch(" ".join(sentence.strip(" *_.!\r\n").split()))
    return None if match is None else "NO" if match["NO"] else "YES"


def _named(match: re.Match[str], allowed: frozenset[str]) -> str:
    return next(word for word in allowed if match[word] is not None)


def _same(word: str, rest: str, allowed: frozenset[str]) -> bool:
    """Whether words follow, and all of them mean the same; of a question nothing is known."""
    others = [_named(one, allowed) for one in patterns(allowed).each.finditer(rest)]
    return bool(others) and set(others) == {word} and not re.search("[?？؟]", rest)


def _unsaid(word: str, rest: str, allowed: frozenset[str]) -> bool:
    """Whether a reason in English speaks against the word that it follows."""
    for clause in CLAUSE.split(ALIKE.sub("other", rest)):
        led = LEADING.match(clause)
        own = patterns(allowed).begins.match(clause, led.end() if led else 0)
        alone = own and own.end() == len(clause) and not NUMBER.fullmatch(own["said"])
        if own and alone and _named(own, allowed) != word:
            return True
        if word == "YES" and DENIED.search(clause):
            return True
        if word == "NO" and AFFIRMED.search(clause) and not DENIAL.search(clause):
            return True
    return False
