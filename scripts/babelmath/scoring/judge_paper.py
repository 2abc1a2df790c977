"""What MathMist's released code takes from a judge's reply (paper reading; section 4.2).

Its quirks are kept: the last JSON object that strict JSON accepts wins over the line below it; a
line counts only as the last and without marks or words around the decision; then phrases of the
last three lines decide, those of equality first, so that `not mathematically equivalent` after
`therefore` is YES; and an example of the prompt that the reply repeats is taken for its decision.
"""

from __future__ import annotations

import json
import re
from typing import Any

from babelmath.scoring.judge_replies import Decision

MARK = "<<END_THINK>>"  # the released prompt asks for it before the decision
OBJECT = re.compile(r"\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
LONGEST = 20_000  # a reply's end that is searched for objects; no released one is longer
TRUE = ("YES", "TRUE", "1")
FALSE = ("NO", "FALSE", "0")
CONCLUDES = ("THEREFORE", "THUS", "CONCLUSION", "FINAL", "RESULT")
SAME = (
    "MATHEMATICALLY EQUIVALENT",
    "ARE THE SAME",
    "REPRESENT THE SAME",
    "SAME VALUE",
    "EQUIVALENT EXPRESSIONS",
    "EQUAL VALUES",
)
OTHER = (
    "NOT EQUIVALENT",
    "ARE DIFFERENT",
    "NOT THE SAME",
    "DIFFERENT VALUES",
    "NOT EQUAL",
    "DISTINCT",
)
LONG_NAMES = {"TP": "TRUE POSITIVE", "FP": "FALSE POSITIVE", "FN": "FALSE NEGATIVE"}
KEYS = ("decision", "Decision", "DECISION")
SECONDARY_KEYS = ("secondary_decision", "Secondary_Decision", "SECONDARY_DECISION", "decision")


def read_as_released(text: str, allowed: frozenset[str]) -> Decision:
    """The decision of a reply as the released code finds it.

    Its names of an explanation's judgement are long (`True Positive`); this project's prompt asks
    for TP, FP or FN, so these are taken at the same places.
    """
    final = text[text.rfind(MARK) + len(MARK) :] if MARK in text else text
    final = final.strip()
    solving = "YES" in allowed
    found = _last_object(final)
    confidence, reason = _beside(found)
    word = _from_object(found, solving)
    if word is not None:
        return Decision(word, confidence, reason)
    word = _from_line(final, solving) or _from_phrases(final, solving)
    return Decision(word, None, "", None if word else "no decision")


def _last_object(text: str) -> dict[str, Any]:
    for match in reversed(OBJECT.findall(text[-LONGEST:])):
        try:
            found = json.loads(match)
        except (ValueError, RecursionError):
            continue
        return found if isinstance(found, dict) else {}
    return {}


def _from_object(found: dict[str, Any], solving: bool) -> str | None:
    for key in KEYS if solving else SECONDARY_KEYS:
        if key not in found:
            continue
        said = str(found[key]).strip().upper()
        if solving:
            return "YES" if said in TRUE else "NO" if said in FALSE else None
        if (judgement := _judgement(said)) is not None:
            return judgement
    return None


def _judgement(said: str) -> str | None:
    return next((word for word, name in LONG_NAMES.items() if said in (word, name)), None)


def _beside(found: dict[str, Any]) -> tuple[float | None, str]:
    """Confidence, percentages divided, and reason of an object."""
    confidence = None
    given = next((found[key] for key in ("confidence", "conf", "confidence_score") if key in found),
                 None)  # fmt: skip
    try:
        value = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        pass  # no number: no confidence, as released
    else:
        if 0 <= value <= 100:
            confidence = value if value <= 1 else value / 100
    reasons = ("short_reason", "reason", "short_reasoning")
    return confidence, str(next((found[key] for key in reasons if key in found), ""))


def _from_line(text: str, solving: bool) -> str | None:
    """The word of the last line that holds text."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    last = lines[-1].upper().rstrip(".") if lines else ""
    if solving:
        for word in ("YES", "NO"):
            if last in (f"DECISION: {word}", f"DECISION {word}", word):
                return word
        return None
    heads = ("SECONDARY_DECISION: ", "SECONDARY DECISION: ", "SECONDARY_DECISION ", "DECISION: ")
    judged = (_judgement(last.removeprefix(head)) for head in heads)
    return next((one for one in judged if one), None)


def _from_phrases(text: str, solving: bool) -> str | None:
    """The word of the last three lines, where they conclude."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    tail = " ".join(lines[-3:]).upper()
    if not any(one in tail for one in (*CONCLUDES, *(() if solving else ("DECISION",)))):
        return None
    if not solving:
        return next((word for word, name in LONG_NAMES.items() if name in tail), None)
    if any(one in tail for one in SAME):
        return "YES"
    return "NO" if any(one in tail for one in OTHER) else None
