"""What a judge decided (strict reading): its last well-formed decision, never words around it.

Well formed are a JSON member (`"decision": "NO"`), a line or sentence that begins with a key
(`**Verdict:** no`, `DECISION: NO (units differ)`), a last line of the word alone, and a last
sentence that says nothing but that the answers are, or are not, the same. A choice between words
(`YES or NO`) decides nothing, nor does an example under its heading. JSON, lines and a last word
that contradict each other are a conflict.
"""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from babelmath.scoring.judge_words import (
    KEY,
    MARKS,
    OR,
    SEPARATOR,
    WEAK_KEY,
    closing_word,
    decision_word,
    patterns,
    readable,
)
from babelmath.scoring.loose_json import Found, objects, unescaped

Trouble = Literal["no decision", "two decisions"]

STRONG, WEAK = re.compile(KEY, re.IGNORECASE), re.compile(WEAK_KEY, re.IGNORECASE)
LINE = re.compile(
    r"(?:^|(?<=[.!?;。।؟！])[ \t])(?:[ \t<>#*_•–-]|\d{1,2}[.)])*+(?:the[ _])?"
    rf"(?:(?P<strong>{KEY})|(?P<weak>{WEAK_KEY}))"
    rf"(?:{SEPARATOR}|[ \t]+(?=[a-z]{{2,3}}[.* \t\r]*$))(?P<rest>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
NO_BREAK = re.compile(r"[^\n]")
BELOW = re.compile(r"\s*([^\n]*)")
EXAMPLE = re.compile(r"^[^\w\n]{0,9}example(?: \d+)?[^\w\n]{0,9}$", re.IGNORECASE | re.MULTILINE)
ONE_OR = re.compile(rf"\W*{OR}\W*", re.IGNORECASE)
NUMBER = r"(\d{1,3}(?:[.,]\d+)?|\.\d+)\s*(%?)(?![\d.-])"
CONFIDENCE = re.compile(rf"confidence[{MARKS}]*[:：=＝][{MARKS}]*{NUMBER}", re.IGNORECASE)
CONFIDENCES = ("confidence", "conf", "confidence_score")
REASONS = ("short_reason", "reason", "reasoning", "explanation", "justification", "analysis")


@dataclass(frozen=True)
class Decision:
    """A judge's word (YES, NO, TP, FP, FN), or None and why it cannot be told."""

    word: str | None
    confidence: float | None
    reason: str
    trouble: Trouble | None = None


@dataclass(frozen=True)
class Claim:
    """A decision at a place of the reply."""

    start: int
    end: int
    word: str


def reply_schema(allowed: frozenset[str]) -> str:
    """JSON schema of a bound reply: first the decision, which no cut can lose, then the rest.

    Confidence comes in tenths: a free number may run on to the end of the reply.
    """
    return json.dumps(
        {
            "type": "object",
            "properties": {
                "decision": {"type": "string", "enum": sorted(allowed)},
                "confidence": {"enum": [tenths / 10 for tenths in range(11)]},
                "reason": {"type": "string", "maxLength": 60},
            },
            "required": ["decision", "confidence", "reason"],
            "additionalProperties": False,
        }
    )


@lru_cache(maxsize=4096)
def read_reply(text: str, allowed: frozenset[str], said: str = "") -> Decision:
    """The decision of a reply, bound to `reply_schema` or free.

    Args:
        allowed: the words that this judging may use; another word is no decision.
        said: what the judge was shown of the judged text and the truth. A bare word or a closing
            sentence that stands in it may be an echo, and does not count.
    """
    text, said = readable(text), readable(said)
    held = list(objects(text))
    prose = _without(text, held)
    stated = _members(held, STRONG, allowed)
    lines = _listed(list(_lines(prose, "strong", allowed)), prose, allowed)
    stated, lines = _no_examples(prose, stated, lines)
    words = {claims[-1].word for claims in (stated, lines) if claims}
    if last := _last_word(prose, allowed, said):
        words.add(last)
    if not words:
        stated = _members(held, WEAK, allowed)
        weak = list(_lines(prose, "weak", allowed))
        words = {claims[-1].word for claims in (stated, weak) if claims}
    if not words and allowed >= {"YES", "NO"} and (word := _closing_sentence(prose, said)):
        words = {word}
    deciding = next((one for one in held if stated and one.start == stated[-1].start), None)
    before = text[: lines[-1].start if lines else None].strip()
    reason = _reason(deciding) if deciding else before
    confidence = _confidence(deciding, prose)
    if len(words) == 1:
        return Decision(words.pop(), confidence, reason)
    return Decision(None, confidence, reason, "two decisions" if words else "no decision")


def _without(text: str, held: list[Found]) -> str:
    """The text with blanks in place of its objects: every place stays where it is."""
    for one in held:
        part = text[one.start : one.end]
        blank = NO_BREAK.sub(" ", part) if "\n" in part else " " * len(part)
        text = text[: one.start] + blank + text[one.end :]
    return text


def _members(held: list[Found], keys: re.Pattern[str], allowed: frozenset[str]) -> list[Claim]:
    """What the first deciding member of each object says."""
    claims = []
    for one in held:
        deciding = (each for each in one.members if each.whole and keys.fullmatch(each.key.strip()))
        if (member := next(deciding, None)) and (word := decision_word(member.value, allowed)):
            claims.append(Claim(one.start, one.end, word))
    return claims


def _lines(prose: str, group: str, allowed: frozenset[str]) -> Iterator[Claim]:
    """Decisions of lines and sentences that begin with a key; a word alone may stand below it."""
    for line in LINE.finditer(prose):
        if line[group] is None:
            continue
        rest, end = line["rest"], line.end()
        if not rest.strip(" \t\r*_") and (below := BELOW.match(prose, end)):
            rest = below[1].strip()
            if not patterns(allowed).alone.fullmatch(rest):
                continue
        counted = group == "strong" or re.search("score|grade", line[group], re.IGNORECASE)
        if word := decision_word(rest, allowed, bool(counted)):
            yield Claim(line.start(), end, word)


def _listed(claims: list[Claim], prose: str, allowed: frozenset[str]) -> list[Claim]:
    """Claims without the forms that a prompt lists: `DECISION: YES`, `OR`, `DECISION: NO`."""
    between = [prose[one.end : two.start] for one, two in itertools.pairwise(claims)]
    dropped: set[int] = set()
    for at, text in enumerate(between):
        if text.strip() and ONE_OR.fullmatch(text):
            dropped |= {at, at + 1}
        three = claims[at : at + 3]
        together = not "".join(between[at : at + 2]).strip()
        if together and len(allowed) == 3 and {one.word for one in three} == allowed:
            dropped |= {at, at + 1, at + 2}
    return [one for at, one in enumerate(claims) if at not in dropped]


def _no_examples(
    prose: str, stated: list[Claim], lines: list[Claim]
) -> tuple[list[Claim], list[Claim]]:
    """Claims less those of examples: from the heading to the first line that decides, or object."""
    for heading in EXAMPLE.finditer(prose):
        start = heading.end()
        after = [one for one in lines if one.start >= start] or [
            one for one in stated if one.start >= start
        ]
        end = after[0].end if after else start
        stated = [one for one in stated if not start <= one.start < end]
        lines = [one for one in lines if not start <= one.start < end]
    return stated, lines


def _last_word(prose: str, allowed: frozenset[str], said: str) -> str | None:
    """The word that stands alone in the last line; a number only where it is the whole reply."""
    whole = prose.strip()
    last = whole[whole.rfind("\n") + 1 :].strip()
    match = patterns(allowed).alone.fullmatch(last)
    if match is None or re.search(rf"(?<!\w){re.escape(match['said'])}(?!\w)", said, re.IGNORECASE):
        return None
    return decision_word(last, allowed, counted=last == whole)


def _closing_sentence(prose: str, said: str) -> str | None:
    """The word of a last sentence such as `The two answers are not equivalent.`

    Without a full stop it may have been cut before an `if`, unless it is the whole reply.
    """
    end = prose[-400:].rstrip(" \t\r\n*_")
    last = re.split(r"[.!;\n]", end.rstrip(".!"))[-1]
    if not end.endswith((".", "!")) and last.strip() != prose.strip():
        return None
    if " ".join(last.split()).casefold() in " ".join(said.split()).casefold():
        return None
    return closing_word(last)


def _reason(deciding: Found | None) -> str:
    for member in deciding.members if deciding else ():
        if member.key.strip().lower() in REASONS:
            return unescaped(member.value).strip()
    return ""


def _confidence(deciding: Found | None, prose: str) -> float | None:
    """From 0 to 1; of numbers above 1, and with a percent sign, a hundredth."""
    given = CONFIDENCE.findall(prose)
    for member in deciding.members if deciding else ():
        if member.key.strip().lower() in CONFIDENCES:
            found = re.fullmatch(rf"\s*{NUMBER}\s*", member.value)
            given.append(found.groups() if found else ("1000", ""))
    if not given:
        return None
    number, percent = given[-1]
    value = float(number.replace(",", "."))
    value = value / 100 if percent or value > 1 else value
    return value if value <= 1 else None
