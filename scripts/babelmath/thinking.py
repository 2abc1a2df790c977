"""Where a response's thinking ends and its answer begins.

One rule for all models: what a text shows decides, the configured style only helps where the text
alone leaves it open. Thinking is never handed on as an answer without a flag that says so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from babelmath.channels import HEADER, read_channels
from babelmath.quoting import Mark, marks_of

# Tags that models put around their thinking: <think> (DeepSeek, Qwen), <thinking>, <thought>,
# <reasoning>, with a prefix as in <seed:think>; [THINK] (Magistral); Kimi's, OpenThinker's,
# Cohere's and Gemma's tokens.
NAME = r"(?:[a-z]+[:_])?(?:think(?:ing)?|thoughts?|reasoning)"
OPENING = rf"<\s*{NAME}\s*>|\[THINK\]|◁think▷|<\|begin_of_thought\|>|<\|START_THINKING\|>" + (
    r"|<\|channel>thought\b"
)
CLOSING = rf"<\s*/\s*{NAME}\s*>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>|<\|END_THINKING\|>" + (
    r"|<channel\|>"
)
TAG = re.compile(rf"(?P<opens>{OPENING})|(?P<closes>{CLOSING})", re.IGNORECASE)
BEGUN = re.compile(rf"\s*(?:{OPENING})", re.IGNORECASE)
# Marks that open and close the answer where such tokens closed the thinking.
AROUND_ANSWER = re.compile(r"<\|(?:begin|end)_of_solution\|>|<\|(?:START|END)_RESPONSE\|>")
OWN_KIND = {"tags": "tags", "opened": "tags", "channels": "channels"}

NO_THINKING = "no thinking"
UNTAGGED = "untagged"
UNCLOSED = "unclosed thinking"
AMBIGUOUS = "ambiguous"
UNEXPECTED = "unexpected thinking"
MISROUTED = "parser_misroute"


@dataclass(frozen=True)
class Parts:
    """Thinking, answer, and what was odd about parting them.

    Flags: `no thinking` (an empty thinking part), with `untagged` beside it where nothing marks a
    thinking part and the whole text is the answer; `unclosed thinking`; `ambiguous` (quoted, stray
    or nested tags made the cut a decision); `unexpected thinking` (in another form than the style
    says, or of a model that does not think); `parser_misroute` (the service put the answer into the
    field for thinking).
    """

    thinking: str
    answer: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cut:
    """What one text shows; `kind` is tags, channels, or "" where it shows no thinking part."""

    thinking: str
    answer: str
    kind: str = ""
    closed: bool = True
    ambiguous: bool = False


def part(text: str, separate: str, style: str, finish: str = "stop") -> Parts:
    """Part a response.

    Args:
        text: as received, with the opening that was put into the model's mouth.
        separate: thinking that the service handed over apart.
        style: the model's `thinking` in the configuration. With `opened` the template has begun
            the thinking, so the text holds a closing tag alone.
        finish: how the response ended; one that was cut off has no answer in its thinking.

    Returns:
        Thinking that never closes leaves an empty answer. Of several blocks the answer is what
        stands outside of them; what stands before the first one counts as thinking.
    """
    if separate.strip() and not text.strip():
        return _without_text(separate, style, finish)
    apart = BEGUN.sub("", separate, count=1).strip()
    cut = _cut(text, "separate" if apart else style, finish, style == "none")
    thinking = "\n".join(one for one in (apart, cut.thinking) if one)
    flags = []
    if not cut.closed:
        flags.append(UNCLOSED)
    elif not thinking and (style != "none" or cut.kind):
        flags.append(NO_THINKING)
        if not cut.kind:
            flags.append(UNTAGGED)
    if cut.ambiguous:
        flags.append(AMBIGUOUS)
    if (cut.kind and cut.kind != OWN_KIND.get(style)) or (apart and style == "none"):
        flags += [UNEXPECTED] if thinking else []
    return Parts(thinking, cut.answer, tuple(flags))


def continued(begun: str, text: str, separate: str) -> tuple[str, str]:
    """Text and separate thinking with the opening before the one in which the model went on.

    Some services repeat the opening's words in front of the thinking that they hand over apart.
    """
    if not begun or not separate.strip():
        return begun + text, separate
    channel = HEADER.match(begun)
    if channel:  # what comes apart is one channel's text, without headers
        begun = begun[channel.end() :]
    body = BEGUN.sub("", begun, count=1)
    words = body.strip()
    bare = BEGUN.sub("", separate, count=1).lstrip()
    if not bare.startswith(words):
        return text, begun + separate
    # What stands behind the words in the opening is repeated with them.
    return text, begun + bare.removeprefix(words).removeprefix(body[len(body.rstrip()) :])


def as_received(text: str, separate: str, parts: Parts) -> str:
    """All that came in one text: thinking handed over apart stands in <think> tags before the rest.

    The closing tag has a line of its own, so that no quotation mark beside it makes it a quoted
    one. What was misrouted stands bare, and thinking that never closed has no closing tag.
    """
    if not separate.strip() or MISROUTED in parts.flags:
        return separate + text
    begun = separate if BEGUN.match(separate) else f"<think>{separate}"
    return f"{begun}\n</think>\n\n{text}" if text.strip() else begun


def _without_text(separate: str, style: str, finish: str) -> Parts:
    """A response that is nothing but what stood in the field for thinking."""
    cut = _cut(separate, "separate", finish, False)
    if cut.kind and cut.closed and cut.answer:
        return Parts(cut.thinking, cut.answer, (MISROUTED,))
    if not cut.kind and finish == "stop":
        return Parts("", separate, (MISROUTED,))
    flags = (UNCLOSED, UNEXPECTED) if style == "none" else (UNCLOSED,)
    return Parts(BEGUN.sub("", separate, count=1).strip(), "", flags)


def _cut(text: str, style: str, finish: str, thoughtless: bool) -> Cut:
    channels = read_channels(text, style == "channels")
    if channels is not None and any(name for name, _ in channels):
        finals = [content for name, content in channels if name == "final"]
        thinking = "\n".join(content for name, content in channels if name != "final" and content)
        return Cut(thinking, "\n".join(filter(None, finals)), "channels", bool(finals))
    if channels is not None:
        text = "\n".join(content for _, content in channels)
    return _cut_at_tags(text, style == "opened", finish, thoughtless)


def _cut_at_tags(text: str, opened: bool, finish: str, thoughtless: bool) -> Cut:
    marks = marks_of(text, TAG)
    live = [mark for mark in marks if not mark.quoted]
    cut = _cut_at(text, live, opened)
    open_end = not cut.closed or not (live or opened or thoughtless)
    if open_end and finish == "stop" and (last := _orphan(marks)) is not None:
        live = sorted([*live, last], key=lambda mark: mark.start)
        cut = _cut_at(text, live, opened)
    outside = text[: live[0].start] if live else ""
    if not (live or opened) or (thoughtless and not cut.closed and outside.strip()):
        return Cut("", text, ambiguous=bool(marks))
    ambiguous = cut.ambiguous or len(marks) > len(live) or any(mark.quoted for mark in live)
    return Cut(cut.thinking, cut.answer, "tags", cut.closed, ambiguous)


def _orphan(marks: Sequence[Mark]) -> Mark | None:
    """The last closing tag inside code that no opening tag inside code goes before."""
    waiting = 0
    found = None
    for mark in marks:
        if mark.quoted == "loosely":
            if mark.opens:
                waiting += 1
            elif waiting:
                waiting -= 1
            else:
                found = mark
    return found


def _cut_at(text: str, marks: Sequence[Mark], opened: bool) -> Cut:
    pieces: list[tuple[bool, str]] = []  # whether inside the thinking, and the text
    inside, position, ambiguous, blocks = opened, 0, False, int(opened)
    for mark in marks:
        piece = text[position : mark.start]
        if mark.opens:
            ambiguous = ambiguous or (inside and bool(piece.strip()))  # nested
            blocks += not inside
        elif not inside:  # closes what the template opened, or nothing
            ambiguous = ambiguous or blocks > 0
            if pieces and not pieces[-1][0]:
                pieces[-1] = (True, pieces[-1][1])
            blocks += 1
        pieces.append((inside or not mark.opens, piece))
        inside, position = mark.opens, mark.end
    pieces.append((inside, text[position:]))
    closed = not inside
    if (
        inside
        and not text[position:].strip()
        and any(not within and piece.strip() for within, piece in pieces)
    ):
        closed = ambiguous = True  # a lone opening tag after the answer
    if not closed:
        return Cut(_joined(pieces), "", "tags", False, ambiguous)
    first = pieces[0]
    if not first[0] and any(not within and piece.strip() for within, piece in pieces[1:]):
        pieces[0] = (True, first[1])
    elif not first[0] and first[1].strip() and len(pieces) > 1:
        ambiguous = True  # the answer stands before all thinking
    answer = " ".join(piece for within, piece in pieces if not within)
    answer = AROUND_ANSWER.sub("", answer).strip()
    return Cut(_joined([one for one in pieces if one[0]]), answer, "tags", True, ambiguous)


def _joined(pieces: Sequence[tuple[bool, str]]) -> str:
    return "\n".join(piece.strip() for _, piece in pieces if piece.strip())
