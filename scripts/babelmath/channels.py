"""Channels of gpt-oss: analysis and commentary are thinking, final is the answer.

With its special tokens a message is `<|channel|>NAME<|message|>text<|end|>`; a server that drops
them leaves the bare words, as in `analysisWe add.assistantfinal5`.
"""

from __future__ import annotations

import re

NAMES = r"(analysis|commentary|final)"
TOKEN = re.compile(r"<\|(?:start|channel|constrain|message|end|return|call)\|>")
RECIPIENT = r"(?:\s+to=[\w.]+)?"
HEADER = re.compile(
    rf"(?:<\|start\|>\s*(?:assistant{RECIPIENT})?\s*)?<\|channel\|>\s*{NAMES}{RECIPIENT}"
    r"\s*(?:<\|constrain\|>\s*\w+\s*)?<\|message\|>"
    rf"|\A\s*{NAMES}\s*<\|message\|>"  # the prompt ended in <|channel|>
)
# An answer may begin with a word like a channel's name: "final" counts as one where no small letter
# and no blank follows ("final5", not "finally" or "final answer").
BARE = re.compile(rf"assistant{NAMES}|\A\s*(analysis|commentary|final(?![a-z\s:,.;!?-]))")


def read_channels(text: str, expected: bool) -> list[tuple[str, str]] | None:
    """Channels of a response in order, as (name, content); None where it has none.

    Args:
        expected: the model speaks in channels. Otherwise bare words are no channels unless the
            text begins with one and goes on to a final one.

    Returns:
        Text before the first header has the name "". Tokens are taken out of all contents.
    """
    if TOKEN.search(text):
        return _cut(text, list(HEADER.finditer(text)))
    words = list(BARE.finditer(text))
    begun = bool(words) and not text[: words[0].start()].strip()
    if begun and (expected or (len(words) > 1 and "final" in words[-1].groups())):
        return _cut(text, words)
    return None


def _cut(text: str, headers: list[re.Match[str]]) -> list[tuple[str, str]]:
    first = headers[0].start() if headers else len(text)
    ends = [match.start() for match in headers[1:]] + [len(text)]
    found = [("", text[:first])]
    for match, end in zip(headers, ends, strict=False):
        name = next(group for group in match.groups() if group)
        found.append((name, text[match.end() : end]))
    clean = [(name, TOKEN.sub("", content).strip()) for name, content in found]
    return [(name, content) for name, content in clean if name or content]
