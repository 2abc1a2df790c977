"""Prompt files: finding, checking, filling in.

A prompt is prompts/{name}.txt, or prompts/{name}.{lang}.txt where languages differ. Lines
`[system]` and `[user]` part the file; without them all is the user's text. Placeholders are
{{name}}; a placeholder is replaced once, so braces inside a question are left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from babelmath.errors import InputError
from babelmath.files import read_text

PLACEHOLDER = re.compile(r"\{\{([^{}\n]*)\}\}")
PART = re.compile(r"^\[(system|user)\][ \t]*$", re.MULTILINE)

# What each purpose needs to say; checked against the files before any model is loaded.
REQUIRED: dict[str, frozenset[str]] = {
    "solve": frozenset({"question"}),
    "choose": frozenset({"question", "options"}),
    "detect": frozenset({"question", "solution"}),
    "identify": frozenset({"question", "solution"}),
    "translate": frozenset({"target_language", "text"}),
    "verify": frozenset({"target_language", "original", "translation"}),
    "distractor": frozenset({"question", "answer"}),
    "perturb": frozenset({"language", "question", "solution", "answer"}),
    "perturb-parallel": frozenset({"language", "question", "solution", "answer", "errors"}),
    "perturb-check": frozenset({"question", "solution", "perturbed", "error_types"}),
    "judge-answer": frozenset({"student_answer", "ground_truth"}),
    "judge-identification": frozenset({"question", "solution", "errors", "explanation"}),
    "judge-again": frozenset({"problem", "words"}),
    "opening": frozenset(),
}
OPTIONAL: dict[str, frozenset[str]] = {
    "solve": frozenset({"question_language", "reasoning_language"}),
    "choose": frozenset({"question_language"}),
    "detect": frozenset({"question_language"}),
    "identify": frozenset({"question_language"}),
    "translate": frozenset({"conventions"}),
    "opening": frozenset({"question"}),
}

Message = dict[str, str]


@dataclass(frozen=True)
class Prompt:
    """A checked prompt file: `parts` are (role, text) pairs."""

    path: Path
    parts: tuple[tuple[str, str], ...]

    def messages(self, **values: str) -> list[Message]:
        """The chat messages with every placeholder filled in."""
        return [{"role": role, "content": _fill(text, values)} for role, text in self.parts]

    def text(self, **values: str) -> str:
        """The first part alone, filled in (for openings)."""
        return _fill(self.parts[0][1], values)


def prompt_path(folder: str | Path, name: str, lang: str | None = None) -> Path:
    """The file of a prompt: the language's own where there is one, else the common one."""
    own = Path(folder) / f"{name}.{lang}.txt"
    return own if lang and own.is_file() else Path(folder) / f"{name}.txt"


def load_prompt(folder: str | Path, name: str, purpose: str, lang: str | None = None) -> Prompt:
    """Read and check a prompt.

    Args:
        purpose: a key of REQUIRED; says which placeholders must and may occur.

    Raises:
        InputError: no such file, a placeholder missing, unknown or empty, or a part without text.
    """
    path = prompt_path(folder, name, lang)
    if not path.is_file():
        raise InputError(
            "no such prompt file",
            file=path,
            value=name,
            remedy=f"Write this file, or one for each language: {name}.LANG.txt.",
        )
    source = read_text(path)
    found = set(PLACEHOLDER.findall(source))
    known = REQUIRED[purpose] | OPTIONAL.get(purpose, frozenset())
    for missing in sorted(REQUIRED[purpose] - found):
        raise InputError(
            f"placeholder {{{{{missing}}}}} is missing",
            file=path,
            field=missing,
            remedy=f"A prompt to {purpose} needs it.",
        )
    for unknown in sorted(found - known):
        raise InputError(
            f"unknown placeholder {{{{{unknown}}}}}",
            file=path,
            line=source[: source.index("{{" + unknown + "}}")].count("\n") + 1,
            field=unknown,
            remedy=f"Known are {', '.join(sorted(known))}.",
        )
    return Prompt(path, _parts(source, path))


def _parts(source: str, path: Path) -> tuple[tuple[str, str], ...]:
    pieces = PART.split(source)
    if len(pieces) == 1:
        pairs = [("user", source)]
    else:
        pairs = list(zip(pieces[1::2], pieces[2::2], strict=True))
        if pieces[0].strip():
            raise InputError("text before the first part", file=path, line=1)
    if [role for role, _ in pairs] not in (["user"], ["system", "user"]):
        raise InputError(
            "parts must be [system] then [user], or [user] alone",
            file=path,
            value=[role for role, _ in pairs],
        )
    for role, text in pairs:
        if not text.strip():
            raise InputError(f"part [{role}] is empty", file=path, field=role)
    return tuple((role, text.strip()) for role, text in pairs)


def _fill(text: str, values: dict[str, str]) -> str:
    return PLACEHOLDER.sub(lambda match: values[match.group(1)], text)
