"""What the journal has measured already, for estimates: read, never written."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from babelmath.appended import whole_lines
from babelmath.files import parse_line
from babelmath.journal.files import job_of, journal_files, reading
from babelmath.journal.lines import RESPONSE
from babelmath.shards import whole_job


@dataclass
class Measured:
    """Sums over the journalled responses of one job, in however many shards, and one purpose."""

    responses: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    thinking_tokens: int = 0

    @property
    def mean(self) -> float:
        """Mean new tokens of a response."""
        return self.completion_tokens / self.responses


@dataclass
class Journalled:
    """A model's journal: its responses' keys, and their sums by (job, purpose)."""

    keys: set[bytes] = field(default_factory=set)
    sums: dict[tuple[str, str], Measured] = field(default_factory=lambda: defaultdict(Measured))

    def measured(self, job: str, purpose: str) -> Measured | None:
        """The sums of a job's purpose; None where nothing is journalled."""
        return self.sums.get((job, purpose))


def read_journal(folder: Path) -> Journalled:
    """Read a model's journal (journal/{model}); an empty one where there is none.

    Raises:
        InputError: a damaged line, with file and line.
    """
    found = Journalled()
    with reading(folder):
        for path in journal_files(folder):
            for number, line in whole_lines(path):
                if line.startswith(RESPONSE):
                    _count(found, whole_job(job_of(path)), parse_line(line, path, number))
    return found


def _count(found: Journalled, job: str, record: dict[str, Any]) -> None:
    key = bytes.fromhex(record["key"])
    if key in found.keys:
        return
    found.keys.add(key)
    sums = found.sums[job, record["purpose"]]
    response = record["response"]
    sums.responses += 1
    sums.prompt_tokens += response["prompt_tokens"]
    sums.completion_tokens += response["completion_tokens"]
    sums.thinking_tokens += response.get("thinking_tokens", 0)
