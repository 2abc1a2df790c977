"""How many tokens a text has for a model: by its own tokenizer, or by measured rates.

The tokenizer is the model's own where its files are on this machine (a GGUF file, a folder of
weights, the Hugging Face cache); nothing is fetched. Elsewhere rates per character stand in.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from babelmath.config import Model
from babelmath.errors import InputError
from babelmath.estimates.gguf_tokens import Gguf
from babelmath.estimates.token_rates import Rates, family_of
from babelmath.packages import gguf_path
from babelmath.prompts import Message


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
