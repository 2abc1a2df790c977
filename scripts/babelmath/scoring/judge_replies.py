"""What a judge decided: read from its last decision line, never from words around it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

DECISION = re.compile(
    r"^[\s*#>_-]*decision[\s*_]*[:=][\s*_\"'`]*(yes|no|tp|fp|fn|1|0)\b"
    r"(?!\s*(?:[/|]|or\b))",  # not the prompt's own "YES or NO"
    re.IGNORECASE | re.MULTILINE,
)
CONFIDENCE = re.compile(r"confidence[\s*_]*[:=][\s*_\"'`]*([01](?:\.\d+)?|\.\d+)", re.IGNORECASE)
BOUND = re.compile(r'\s*\{\s*"decision"\s*:\s*"(\w+)"')
WORDS = {"1": "YES", "0": "NO"}


@dataclass(frozen=True)
class Decision:
    """A judge's word (YES, NO, TP, FP, FN), or None where it cannot be told."""

    word: str | None
    confidence: float | None
    reason: str


def reply_schema(allowed: frozenset[str]) -> str:
    """JSON schema of a bound reply: first the decision, which no cut can lose, then a reason."""
    return json.dumps(
        {
            "type": "object",
            "properties": {
                "decision": {"type": "string", "enum": sorted(allowed)},
                "reason": {"type": "string", "maxLength": 60},
            },
            "required": ["decision", "reason"],
            "additionalProperties": False,
        }
    )


def read_bound(text: str, allowed: frozenset[str]) -> Decision:
    """The decision of a reply that was bound to `reply_schema`, also where its end was cut off."""
    found = BOUND.match(text)
    word = found.group(1) if found else None
    return Decision(word if word in allowed else None, None, text.strip())


def read_reply(text: str, allowed: frozenset[str]) -> Decision:
    """The decision of a reply.

    Args:
        allowed: the words that this judging may use; another word is no decision.
    """
    found = list(DECISION.finditer(text))
    word = None
    if found:
        last = found[-1].group(1).upper()
        word = WORDS.get(last, last)
        word = word if word in allowed else None
    confidence = CONFIDENCE.findall(text)
    return Decision(
        word,
        float(confidence[-1]) if confidence else None,
        text[: found[-1].start()].strip() if found else text.strip(),
    )
