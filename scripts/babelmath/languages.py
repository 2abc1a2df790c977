"""What the workflow knows of a language: one data file each, resources/languages/{code}.yaml."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from babelmath.errors import InputError
from babelmath.files import read_text
from babelmath.records import dotted


class Language(BaseModel):
    """Facts of one language: names, scripts, number conventions, terms (MathMist A.1)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    code: str
    name: str
    native_name: str
    scripts: list[str]
    decimal: Literal[".", ","]
    grouping: list[str]
    digits: str
    direction: Literal["ltr", "rtl"]
    terms: dict[str, str]
    lakh: bool = False  # groups as 1,25,000
    final_answer: list[str]  # phrases before an answer; one that ends in ":" needs the mark
    copulas: list[str] = []  # words between such a phrase and the answer: "is"
    endings: list[str] = []  # words that close a sentence after its answer
    conjunctions: list[str] = []  # words for "and" between the parts of a list
    alternatives: list[str] = []  # words for "or"
    number_words: list[str] = []  # names of 0, 1, 2, ...; forms of one are parted by "|"
    ordinals: list[str] = []  # endings that make 5 the fifth
    common_words: list[str] = []  # words that tell this language from others in a short text

    def conventions(self, text: str) -> str:
        """Decimal sign and the terms that an English text uses, for a translation prompt."""
        lowered = text.lower()
        terms = [
            f"{words} = {term}"
            for key, term in self.terms.items()
            if re.search(rf"\b{(words := key.replace('_', ' '))}\b", lowered)
        ]
        return "; ".join(["decimals as in " + f"3{self.decimal}14", *terms])


def available(folder: str | Path) -> list[str]:
    """Codes of all languages with a data file, sorted."""
    return sorted(path.stem for path in Path(folder).glob("*.yaml"))


def load_language(folder: str | Path, code: str) -> Language:
    """Read one language's data file.

    Raises:
        InputError: no such file, or a field is missing, unknown or of the wrong type.
    """
    path = Path(folder) / f"{code}.yaml"
    if not path.is_file():
        raise InputError(
            "unknown language",
            file=path,
            value=code,
            remedy=f"Known are {', '.join(available(folder))}; add this file for another.",
        )
    try:
        raw = yaml.load(read_text(path), Loader=yaml.CSafeLoader)
        return Language.model_validate({**raw, "code": code})
    except (ValidationError, yaml.YAMLError, TypeError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else None
        raise InputError(
            first["msg"] if first else f"not a YAML mapping: {error}",
            file=path,
            field=dotted(first["loc"]) if first else None,
            remedy="Compare with another file of the folder.",
        ) from None


def load_languages(paths: Iterable[str | Path]) -> dict[str, Language]:
    """Languages by code from their files."""
    return {Path(path).stem: load_language(Path(path).parent, Path(path).stem) for path in paths}
