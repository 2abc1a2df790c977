"""How many tokens a text has for a model: by its own tokenizer, or by measured rates.

The tokenizer is the model's own where its files are on this machine (a GGUF file, a folder of
weights, the Hugging Face cache); nothing is fetched. Elsewhere rates per character stand in
(resources/tokens.yaml says how they were measured, and their error).
"""

from __future__ import annotations

import functools
import os
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import yaml

from babelmath.config import Model
from babelmath.errors import InputError
from babelmath.files import read_text
from babelmath.prompts import Message

TABLE = Path(__file__).parents[3] / "resources" / "tokens.yaml"
LATIN = ("en", "fr", "fi", "tr", "lt", "es", "pt", "vi")  # languages of the table in Latin letters
ENGLISH = "en"


class TokenCounter(Protocol):
    """Counts tokens. `name` says by what, `own` whether that is the model's own tokenizer."""

    name: str
    own: bool

    def count(self, text: str, lang: str) -> float:
        """Tokens of a text in a language."""
        ...

    def ratio(self, lang: str) -> float:
        """Tokens of a text in a language for each token of the same text in English."""
        ...

    def frame(self, messages: Sequence[Message]) -> float:
        """Tokens that the chat template adds."""
        ...

    def close(self) -> None:
        """Free what it holds."""
        ...


class Rates:
    """Tokens by characters, from the table.

    Args:
        family: the table's.
        stand_in: it is not the model's family.
        unread: the model's own tokenizer is here and cannot be read.
    """

    def __init__(self, family: str, stand_in: bool = False, unread: bool = False) -> None:
        table = _table()
        self._rates = table["families"][family]
        self._frame = float(table["frame"])
        error = "error unknown: another's vocabulary" if stand_in else (
            f"within {self._rates['error']:g}%")  # fmt: skip
        unable = "; its own tokenizer cannot be read" if unread else ""
        self.name = f"{family} rates ({error}{unable})"
        self.own = False

    def count(self, text: str, lang: str) -> float:
        """See TokenCounter."""
        latin, letters, digits, blanks, marks = _classes(text)
        rates = self._rates["letters"]
        own = rates.get(lang, rates[ENGLISH])
        total = (own if lang in LATIN else rates[ENGLISH]) * latin + own * letters
        total += self._rates["digits"] * digits + self._rates["blanks"] * blanks
        return float(total + self._rates["marks"] * marks)

    def ratio(self, lang: str) -> float:
        """See TokenCounter; 1 for a language that was not measured."""
        return float(self._rates["ratio"].get(lang, 1.0))

    def frame(self, messages: Sequence[Message]) -> float:
        """See TokenCounter."""
        return self._frame * len(messages)

    def close(self) -> None:
        """See TokenCounter."""


class Folder(Rates):
    """A tokenizer.json, read by `tokenizers`; what the template adds is as in the table."""

    def __init__(self, path: Path, family: str) -> None:
        super().__init__(family)
        from tokenizers import Tokenizer

        self._tokenizer: Any = Tokenizer.from_file(str(path))
        self._counted: dict[str, int] = {}
        self.name, self.own = "own tokenizer", True

    def count(self, text: str, lang: str) -> float:
        """See TokenCounter."""
        if text not in self._counted:
            encoded = self._tokenizer.encode(text, add_special_tokens=False)
            self._counted[text] = len(encoded.ids)
        return self._counted[text]


def counter_for(name: str, model: Model) -> TokenCounter:
    """The best counter that this machine has for a model.

    Args:
        name: the model's name in the configuration, where neither weights nor service say more.
    """
    family, known = family_of(model.weights or model.service or name)
    if model.engine == "llamacpp":
        from babelmath.estimates.gguf_tokens import Gguf
        from babelmath.packages import gguf_path

        try:
            return Gguf(gguf_path(model.weights or ""), family)
        except (InputError, RuntimeError):
            return Rates(family, not known, True)
    path = tokenizer_file(model)
    if path is not None:
        try:
            return Folder(path, family)
        except Exception:  # not installed, or a file of a form that this version does not know
            return Rates(family, not known, True)
    return Rates(family, not known)


def tokenizer_file(model: Model) -> Path | None:
    """A tokenizer.json of the model's weights on this machine: in their folder, or in the cache."""
    weights = model.weights
    if weights is None or model.engine == "llamacpp":
        return None
    if Path(weights).is_dir():
        path = Path(weights) / "tokenizer.json"
        return path if path.is_file() else None
    home = Path(os.environ.get("HF_HOME") or "~/.cache/huggingface").expanduser()
    hub = Path(os.environ.get("HF_HUB_CACHE") or home / "hub")
    held = hub / f"models--{weights.replace('/', '--')}" / "snapshots"
    return next(iter(sorted(held.glob(f"{model.revision or '*'}/tokenizer.json"))), None)


def family_of(name: str) -> tuple[str, bool]:
    """The table's family for weights or a service of this name, and whether it is theirs."""
    table = _table()
    for rule in table["models"]:
        if re.search(rule["name"], name, re.IGNORECASE):
            return rule["family"], True
    return table["stand_in"], False


@functools.cache
def _table() -> dict[str, Any]:
    found: dict[str, Any] = yaml.load(read_text(TABLE), Loader=yaml.CSafeLoader)
    return found


@functools.lru_cache(maxsize=50_000)
def _classes(text: str) -> tuple[int, int, int, int, int]:
    """Latin letters, other letters, ASCII digits, blanks and marks of a text."""
    found: Counter[str] = Counter()
    for char, times in Counter(text).items():
        found[_class(char)] += times
    return found["latin"], found["letter"], found["digit"], found["blank"], found["mark"]


@functools.lru_cache(maxsize=20_000)
def _class(char: str) -> str:
    category = unicodedata.category(char)
    if category[0] in "LM":
        return "latin" if unicodedata.name(char, "").startswith("LATIN") else "letter"
    if category[0] == "N":
        return "digit" if char.isascii() else "letter"
    return "blank" if category[0] == "Z" or char in "\n\t\r" else "mark"
