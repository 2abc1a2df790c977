"""Errors that a person can mend: they say where, what, and how."""

from __future__ import annotations

from pathlib import Path


class InputError(Exception):
    """Bad input, named so that a person can mend it at once.

    Args:
        problem: what is wrong, in one clause.
        file: the file that holds the input.
        line: its 1-based line, where known.
        field: the field or key, dotted where nested.
        value: the offending value (cut to 80 characters; never a secret).
        remedy: what to change.
    """

    def __init__(
        self,
        problem: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        field: str | None = None,
        value: object = None,
        remedy: str | None = None,
    ) -> None:
        self.problem = problem
        self.file = str(file) if file is not None else None
        self.line = line
        self.field = field
        self.value = value
        self.remedy = remedy
        super().__init__(self._text())

    def _text(self) -> str:
        place = self.file or ""
        if self.line is not None:
            place += f", line {self.line}"
        if self.field:
            place += f"{', ' if place else ''}field {self.field}"
        text = f"{place}: {self.problem}" if place else self.problem
        if self.value is not None:
            shown = repr(self.value)
            text += f" (value {shown if len(shown) <= 80 else shown[:77] + '...'})"
        if self.remedy:
            text += f". {self.remedy}"
        return text


class UnansweredError(Exception):
    """Some requests got no answer; all others are in the journal, so the job can be run again."""
