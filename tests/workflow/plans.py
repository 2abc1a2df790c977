"""What a dry run plans: which rules and files, and what begins it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workflow.running import run

ASKING = {"translate_mathmist", "translate_mmath", "propose_distractors", "perturb", "generate",
          "judge"}  # fmt: skip
FOLLOWS = re.compile(r"Input files updated by another job: [^;]*")


@dataclass
class Plan:
    """The jobs of a dry run.

    `first` are the rules with a job that has a reason of its own; the others come after them.
    """

    rules: set[str] = field(default_factory=set)
    first: set[str] = field(default_factory=set)
    outputs: set[str] = field(default_factory=set)

    @property
    def asking(self) -> set[str]:
        """Rules at work that ask models what is not in the journal."""
        return self.rules & ASKING

    @property
    def generations(self) -> set[str]:
        """Settings, with their benchmarks, whose generations would be made again."""
        found = (re.search(r"(\w+)/generations/([^/]+)/", path) for path in self.outputs)
        return {f"{one[1]}/{one[2]}" for one in found if one}


def plan(folder: Path, config: dict[str, Any], *flags: str) -> Plan:
    """What a dry run in a folder of a finished run would do."""
    done = run(folder, config, "-n", *flags)
    assert done.returncode == 0, done.stdout[-3000:]
    found = Plan()
    blocks = re.split(r"^(?=(?:local)?rule \w+:$)", done.stdout, flags=re.MULTILINE)
    for block in blocks[1:]:
        rule = block.split("rule ", 1)[1].split(":", 1)[0]
        if rule == "all":
            continue
        found.rules.add(rule)
        reason = re.search(r"^    reason: (.*)$", block, re.MULTILINE)
        made = re.search(r"^    output: (.*)$", block, re.MULTILINE)
        assert reason and made, block[:500]
        found.outputs |= set(made[1].split(", "))
        if FOLLOWS.sub("", reason[1]).strip("; "):
            found.first.add(rule)
    return found


@contextmanager
def put_back(path: Path) -> Iterator[Path]:
    """A file of a finished run, or a link, that is as it was when the block ends, times too."""
    aside = path.with_name(f"{path.name}.aside")
    there = path.exists()
    if there:
        shutil.copy2(path, aside, follow_symlinks=False)
    try:
        yield path
    finally:
        if there:
            os.replace(aside, path)
        else:
            path.unlink()


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text that must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path} holds no {old!r}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def append(path: Path, text: str) -> None:
    """Add to a file's end."""
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)
