"""Openings of the thinking (MMATH section 3.3.2): discourse markers (DIT), restatements (QRT).

The first words of a model's own turn are written for it, in the question's language, and it goes on
from there. Which of a file's lines opens a response depends on run, problem, language and sample
alone, so that two settings, models or runs draw the same one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from babelmath.config import Model
from babelmath.prompts import load_prompt
from babelmath.seeds import seed_of

PLACE = "{{question}}"
TAG = "<think>\n"
CHANNEL = "<|channel|>analysis<|message|>"
# What begins a thinking part, by the style that the model shows its thinking in.
BEGINS = {"tags": TAG, "opened": TAG, "channels": CHANNEL}
CONTINUING = ("llamacpp", "vllm")


@dataclass(frozen=True)
class Opening:
    """What stands in the model's mouth: `text` as sent, and the file's `line` with its `index`."""

    text: str
    index: int
    line: str

    def recorded(self) -> dict[str, Any]:
        """The choice, as a generation's provenance holds it."""
        return {"index": self.index, "text": self.line}


def continues(model: Model) -> bool:
    """Whether a model goes on from an opened turn: as configured, else as its engine does."""
    return model.engine in CONTINUING if model.continues is None else model.continues


def lines_of(prompts: Path, name: str, lang: str) -> list[str]:
    """The openings of a file, one a line.

    Raises:
        InputError: no such file, no line, or a placeholder other than {{question}}.
    """
    prompt = load_prompt(prompts, name, "opening", lang)
    return [line.strip() for line in prompt.parts[0][1].split("\n") if line.strip()]


def opening(prompts: Path, name: str, lang: str, question: str, style: str, draw: int) -> Opening:
    """The opening that a number draws.

    A marker is left open, so that the model ends its sentence; a restated question ends its line.

    Args:
        name: the prompt file's name, as mmath/dit.
        style: how the model shows its thinking (`thinking` in its configuration).
        draw: from `drawn`; the same number draws the same line.

    Raises:
        InputError: from the prompt file.
    """
    lines = lines_of(prompts, name, lang)
    index = draw % len(lines)
    line = lines[index]
    restated = line.replace(PLACE, question) + "\n" if PLACE in line else line
    return Opening(BEGINS.get(style, TAG) + restated, index, line)


def drawn(run_seed: int, benchmark: str, identity: str, lang: str, sample: int) -> int:
    """The number that draws an opening; it shares nothing with the request's own seed."""
    return seed_of(run_seed, "opening", benchmark, identity, lang, sample)
