"""Where a response's thinking ends and its answer begins."""

from __future__ import annotations

import re
from dataclasses import dataclass

CLOSING = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
OPENING = re.compile(r"^\s*<think(?:ing)?>", re.IGNORECASE)
FINAL = re.compile(
    r"<\|channel\|>\s*final\s*(?:<\|constrain\|>\w+\s*)?<\|message\|>|assistantfinal"
)
CHANNEL_MARK = re.compile(
    r"<\|(?:start|channel)\|>(?:\s*(?:assistant|analysis|commentary|final))?"
    r"|<\|(?:end|message|return|call)\|>"
)
ANALYSIS = re.compile(r"^\s*(?:<\|start\|>\s*assistant\s*)?(?:<\|channel\|>\s*)?analysis")


@dataclass(frozen=True)
class Parts:
    """Thinking, answer, and what was odd about parting them."""

    thinking: str
    answer: str
    flags: tuple[str, ...] = ()


def part(text: str, separate: str, style: str) -> Parts:
    """Part a response.

    Args:
        text: as received.
        separate: thinking that the service handed over apart.
        style: the model's `thinking` in the configuration. With `opened` the template has begun
            the thinking, so the text holds a closing tag alone.

    Returns:
        Thinking that never closes leaves an empty answer, flagged `unclosed thinking`.
    """
    if style == "none":
        return Parts(separate, text)
    if style == "separate":
        return Parts(separate, text, () if separate else ("no thinking",))
    if style == "channels":
        final = list(FINAL.finditer(text))
        if final:
            before = CHANNEL_MARK.sub("", ANALYSIS.sub("", text[: final[-1].start()])).strip()
            after = CHANNEL_MARK.sub("", text[final[-1].end() :]).strip()
            return Parts(before, after, () if before else ("no thinking",))
        bare = CHANNEL_MARK.sub("", ANALYSIS.sub("", text)).strip()
        if ANALYSIS.match(text):
            return Parts(bare, "", ("unclosed thinking",))
        return Parts(separate, bare, () if separate else ("no thinking",))
    closings = list(CLOSING.finditer(text))
    if closings:
        before = OPENING.sub("", text[: closings[-1].start()]).strip()
        after = text[closings[-1].end() :].strip()
        return Parts(before, after, () if before else ("no thinking",))
    if style == "opened" or OPENING.match(text):
        return Parts(OPENING.sub("", text).strip(), "", ("unclosed thinking",))
    return Parts("", text, ("no thinking",))
