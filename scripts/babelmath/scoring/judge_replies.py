"""What a judge decided (strict reading): its last well-formed decision, never words around it.

Well formed are a JSON member (`"decision": "NO"`), a line or sentence that begins with a key
(`**Verdict:** no`, `DECISION: NO (units differ)`), a last line of the word alone, and a last
sentence that says nothing but that the answers are, or are not, the same. A choice between words
(`YES or NO`) decides nothing, nor does an example under its heading. JSON, lines and a last word
that contradict each other are a conflict.
"""

from __future__ import annotations

import bisect
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from babelmath.scoring.judge_values import UNSURE, closing_word, said_in
from babelmath.scoring.judge_words import KEY, MARKS, OR, SEPARATOR, WEAK_KEY, patterns, readable
from babelmath.scoring.judged_text import Shown
from babelmath.scoring.loose_json import Found, Member, objects, unescaped

Trouble = Literal["no decision", "two decisions"]

STRONG, WEAK = re.compile(KEY, re.IGNORECASE), re.compile(WEAK_KEY, re.IGNORECASE)
LINE = re.compile(
    r"(?:^|(?<=[.!?;。।؟！])[ \t])(?:[ \t<>#*_•|–-]|\d{1,2}[.)]){0,20}+(?:the[ _])?"
    rf"(?P<key>(?P<strong>{KEY})|(?P<weak>{WEAK_KEY}))"
    rf"(?:{SEPARATOR}|[ \t]+(?=[a-z]{{2,3}}[.* \t]*$))(?P<rest>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
# `Previous verdict: YES`: a decision of another, or of another time.
OTHERS = re.compile(
    rf"^[\W_]{{0,9}}(?:[\w'’]+,?[ \t]){{1,4}}(?P<key>{KEY}){SEPARATOR}(?P<rest>[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
NO_BREAK = re.compile(r"[^\n]")
BELOW = re.compile(r"\s*([^\n]*)")
STRUCK = re.compile(r"~~[^~\n]{1,200}~~")
EXAMPLE = re.compile(r"^[^\w\n]{0,9}example(?: \d+)?[^\w\n]{0,9}$", re.IGNORECASE | re.MULTILINE)
ELSE = re.compile(rf"\W*(?:{OR}|else|otherwise)\W*", re.IGNORECASE)
CONDITION = re.compile(
    r"\W*(?:if|when|unless|suppose|assuming|provided|else|otherwise)\b[^\n]*(?:then|[:,])\W*",
    re.IGNORECASE,
)
COUNTED = re.compile("score|grade", re.IGNORECASE)
UNCOUNTED = re.compile("conclusion|result|evaluation|assessment", re.IGNORECASE)
HIGHEST = re.compile(r"max\w*|out[ _]of|total|scale", re.IGNORECASE)
NUMBER = r"(\d{1,3}(?:[.,]\d+)?(?:e-\d{1,2})?|\.\d+)\s*(%|(?:/|(?:out )?of\b)\s*\d{1,3})?(?![\d.-])"
CONFIDENCE = re.compile(rf"confidence[{MARKS}]*+[:：=＝][{MARKS}]*+{NUMBER}", re.IGNORECASE)
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
    """A decision at a place of the reply; `clause`: its key and its deciding words."""

    start: int
    end: int
    word: str
    clause: str


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
        said: what the judge was shown of the judged text and the truth. A decision whose words
            stand in it may be an echo, and does not count.
    """
    text, shown = readable(text), Shown(said)
    held = list(objects(text))
    prose = _without(text, held)
    if "~~" in prose:
        prose = STRUCK.sub(lambda struck: " " * len(struck.group()), prose)
    stated, lines = _no_examples(
        prose,
        _own(_members(held, STRONG, allowed), shown),
        _own(_unconditional(list(_lines(prose, "strong", allowed)), prose, allowed), shown),
    )
    words = {claims[-1].word for claims in (stated, lines) if claims}
    if lines and _contradicted(lines[-1], prose, allowed):
        words.add(UNSURE)
    if last := _last_word(text, prose, allowed, shown):
        words.add(last)
    if not words:
        stated = _own(_members(held, WEAK, allowed), shown)
        weak = _own(list(_lines(prose, "weak", allowed)), shown)
        words = {claims[-1].word for claims in (stated, weak) if claims}
    if not words and allowed >= {"YES", "NO"} and (word := _closing_sentence(prose, shown)):
        words = {word}
    deciding = next((one for one in held if stated and one.start == stated[-1].start), None)
    before = text[: lines[-1].start if lines else None].strip()
    reason = _reason(deciding) if deciding else before
    confidence = _confidence(deciding, prose)
    if len(words) == 1 and UNSURE not in words:
        return Decision(words.pop(), confidence, reason)
    return Decision(None, confidence, reason, "two decisions" if words else "no decision")


def _without(text: str, held: Sequence[Found]) -> str:
    """The text with blanks in place of its objects: every place stays where it is."""
    parts, at = [], 0
    for one in held:
        part = text[one.start : one.end]
        blank = NO_BREAK.sub(" ", part) if "\n" in part else " " * len(part)
        parts += [text[at : one.start], blank]
        at = one.end
    return "".join([*parts, text[at:]])


def _own(claims: list[Claim], shown: Shown) -> list[Claim]:
    """Claims that are no echo of what the judge was shown."""
    clauses = {clause: shown.holds(clause) for clause in {one.clause for one in claims}}
    return [one for one in claims if not clauses[one.clause]]


def _members(held: Sequence[Found], keys: re.Pattern[str], allowed: frozenset[str]) -> list[Claim]:
    """What the deciding members of each object say; members that differ leave it unsure."""
    claims = []
    for one in held:
        deciding = [each for each in one.members if each.whole and keys.fullmatch(each.key.strip())]
        found = [
            (said.word, f"{each.key} {each.value[: said.end]}")
            for each in deciding
            if (said := said_in(each.key.strip(), each.value, allowed, _is_counted(each, one)))
        ]
        if found:
            word, clause = found[-1]
            same = len({word for word, _ in found}) == 1
            claims.append(Claim(one.start, one.end, word if same else UNSURE, clause))
    return claims


def _is_counted(member: Member, one: Found) -> bool:
    """Whether 1 and 0 decide there: not as a result, nor beside the highest score (`"max": 10`)."""
    scaled = any(HIGHEST.fullmatch(each.key.strip()) for each in one.members)
    return not (scaled or UNCOUNTED.search(member.key))


def _lines(prose: str, group: str, allowed: frozenset[str]) -> Iterator[Claim]:
    """Decisions of lines and sentences that begin with a key; a word alone may stand below it."""
    for line in LINE.finditer(prose):
        if line[group] is None:
            continue
        rest = line["rest"]
        if not rest.strip(" \t*_") and (below := BELOW.match(prose, line.end())):
            rest = below[1].strip()
            if not patterns(allowed).alone.fullmatch(rest):
                continue
        key = line["key"]
        counted = group == "strong" or COUNTED.search(key) is not None
        if said := said_in(key, rest, allowed, counted):
            yield Claim(line.start(), line.end(), said.word, f"{key} {rest[: said.end]}")


def _contradicted(own: Claim, prose: str, allowed: frozenset[str]) -> bool:
    """Whether a later line gives another word as a decision, though not as the judge's own."""
    for line in OTHERS.finditer(prose, own.end):
        said = said_in(line["key"], line["rest"], allowed)
        if said and said.word != own.word:
            return True
    return False


def _unconditional(claims: list[Claim], prose: str, allowed: frozenset[str]) -> list[Claim]:
    """Claims without those of a condition (`If x > 0 then`, `else`) and without a prompt's forms:
    `DECISION: YES`, `OR`, `DECISION: NO`."""
    ends = [0, *(one.end for one in claims)]
    between = [prose[end : one.start] for end, one in zip(ends, claims, strict=False)]
    dropped: set[int] = set()
    for at, text in enumerate(between):
        if at and text.strip() and ELSE.fullmatch(text):
            dropped |= {at - 1, at}
        if CONDITION.fullmatch(text[-300:].rstrip().rpartition("\n")[2]):
            dropped.add(at)
        three = claims[at : at + 3]
        together = not "".join(between[at + 1 : at + 3]).strip()
        if together and len(allowed) == 3 and {one.word for one in three} == allowed:
            dropped |= {at, at + 1, at + 2}
    return [one for at, one in enumerate(claims) if at not in dropped]


def _no_examples(
    prose: str, stated: list[Claim], lines: list[Claim]
) -> tuple[list[Claim], list[Claim]]:
    """Claims less those of examples: from the heading to the first line that decides, or object."""
    starts, ends, line, member = [], [0], 0, 0
    for heading in EXAMPLE.finditer(prose):
        start = end = heading.end()
        line = _first(lines, line, start)
        if line < len(lines):
            end, line = lines[line].end, line + 1
        elif (member := _first(stated, member, max(start, ends[-1]))) < len(stated):
            end, member = stated[member].end, member + 1
        starts.append(start)
        ends.append(max(end, ends[-1]))

    def outside(one: Claim) -> bool:
        return one.start >= ends[bisect.bisect_right(starts, one.start)]

    return [one for one in stated if outside(one)], [one for one in lines if outside(one)]


def _first(claims: Sequence[Claim], at: int, start: int) -> int:
    """The place of the first claim, from `at` on, that begins at `start` or later."""
    while at < len(claims) and claims[at].start < start:
        at += 1
    return at


def _last_word(text: str, prose: str, allowed: frozenset[str], shown: Shown) -> str | None:
    """The word that stands alone in the last line; a number only where it is the whole reply."""
    whole = prose.strip()
    last = whole[whole.rfind("\n") + 1 :].strip()
    match = patterns(allowed).alone.fullmatch(last)
    if match is None or shown.holds(match["said"]):
        return None
    said = said_in("", last, allowed, counted=last == text.strip())
    return said.word if said else None


def _closing_sentence(prose: str, shown: Shown) -> str | None:
    """The word of a last sentence such as `The two answers are not equivalent.`

    Without a full stop it may have been cut before an `if`, unless it is the whole reply.
    """
    end = prose[-400:].rstrip(" \t\n*_")
    last = re.split(r"[.!;\n]", end.rstrip(".!"))[-1]
    if not end.endswith((".", "!")) and last.strip() != prose.strip():
        return None
    return None if shown.holds(last) else closing_word(last)


def _reason(deciding: Found | None) -> str:
    for member in deciding.members if deciding else ():
        if member.key.strip().lower() in REASONS:
            return unescaped(member.value).strip()
    return ""


def _confidence(deciding: Found | None, prose: str) -> float | None:
    """From 0 to 1; of numbers above 1, and with a percent sign, a hundredth; `9/10` is 0.9."""
    given = CONFIDENCE.findall(prose)
    for member in deciding.members if deciding else ():
        if member.key.strip().lower() in CONFIDENCES:
            found = re.fullmatch(rf"\s*{NUMBER}\s*", member.value)
            given.append(found.groups("") if found else ("1000", ""))
    if not given:
        return None
    number, scale = given[-1]
    value = float(number.replace(",", "."))
    most = float(re.sub(r"\D", "", scale) or (100 if scale or value > 1 else 1))
    return value / most if value <= most else None
