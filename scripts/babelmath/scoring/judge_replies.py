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
WORDS = {"1": "YES", "0": "NO"}


@dataclass(frozen=True)
class Decision:
    """A judge's word (YES, NO, TP, FP, FN), or None where it cannot be told."""

    word: str | None
    confidence: float | None
    reason: str


def reply_schema(allowed: frozenset[str]) -> str:
    """JSON schema of a bound reply: a short reason, then the decision."""
    return json.dumps(
        {
            "type": "object",
            "properties": {
                "reason": {"type": "string", "maxLength": 60},
                "decision": {"type": "string", "enum": sorted(allowed)},
            },
            "required": ["reason", "decision"],
            "additionalProperties": False,
        }
    )


def read_bound(text: str, allowed: frozenset[str]) -> Decision:
    """The decision of a reply that was bound to `reply_schema`; cut short, it has none."""
    try:
        reply = json.loads(text)
        word, reason = str(reply["decision"]), str(reply["reason"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return Decision(None, None, text.strip())
    return Decision(word if word in allowed else None, None, reason)


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
