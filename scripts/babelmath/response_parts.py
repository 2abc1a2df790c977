"""Which text of a response counts as its thinking and which as its answer, when languages are told.

The paper's way (MMATH section 3.1, released code) and this project's stand side by side.
"""

from __future__ import annotations

from babelmath.records import Generation, LabelFlag
from babelmath.thinking import NO_THINKING, UNCLOSED, UNTAGGED

CLOSING = "</think>"  # the tag that the paper's code looks for
TRUNCATED: LabelFlag = "truncated"
EMPTY: LabelFlag = "empty thinking"

Part = tuple[str, str | None]  # a text as the paper takes it, and as we do where that is another


def parts(generation: Generation) -> tuple[Part, Part]:
    """The thinking and the answering part, each as the paper takes it and as this project does.

    The paper's code parts the raw text at its last `</think>` and takes the whole text for both
    where there is none, in the middle of the thinking too. Here a response whose thinking never
    closed has thinking alone. Both take the whole response for both parts where a model shows no
    thinking part at all.
    """
    raw = generation.raw
    unclosed = UNCLOSED in generation.flags
    whole = not (generation.thinking or unclosed or _emptied(generation))
    strict = (raw, raw) if whole else (generation.thinking, generation.answer)
    if CLOSING in raw:
        before, _, after = raw.rpartition(CLOSING)
        paper = (before.replace(CLOSING, " "), after)
    else:
        paper = (raw, raw) if whole or unclosed else strict
    return _part(paper[0], strict[0]), _part(paper[1], strict[1])


def flags(generation: Generation) -> list[LabelFlag]:
    """What bears on a response's labels: `truncated` (cut off), `empty thinking`."""
    cut = generation.finish == "length" or UNCLOSED in generation.flags
    found: list[LabelFlag] = [TRUNCATED] if cut else []
    return [*found, EMPTY] if _emptied(generation) else found


def _emptied(generation: Generation) -> bool:
    """Whether there is a thinking part, and nothing in it."""
    held = generation.flags
    return not generation.thinking and NO_THINKING in held and UNTAGGED not in held


def _part(paper: str, strict: str) -> Part:
    bare = paper.strip().removeprefix("<think>").strip()  # the strict label takes no tag for words
    return (paper, None) if strict in (paper, bare) else (paper, strict)
