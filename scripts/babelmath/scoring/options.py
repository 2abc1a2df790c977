"""Which option a value is: models sometimes give the option's text instead of its letter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

LETTERS = "ABCD"
LABEL = re.compile(r"\s*[(\[]?[A-D][)\].:]\s*")
WRAPPED = re.compile(r"\\(?:text|math|operatorname)(?:bf|it|rm|sf|tt)?\s*\{([^{}]*)\}")
FRACTION = re.compile(r"\\[dt]?frac\s*(?:\{([^{}]*)\}|(\d))\s*(?:\{([^{}]*)\}|(\d))")
LAYOUT = re.compile(r"\\(?:left|right|displaystyle|quad|qquad|[,;!: ])|\\[()\[\]]|[$*`~\s]")
SIGNS = str.maketrans({"−": "-", "–": "-", "⁄": "/", "∕": "/", "۔": ".", "،": ",", "，": ","})
OUTSIDE = "$ \n.।。"
END_MARKS = ".,;:।。!"
LONGEST = 300

Equal = Callable[[str, str], bool]


def option_of(value: str, options: Sequence[str], equal: Equal | None = None) -> str | None:
    """The letter of the one option that a value is; of options that read alike the first.

    Args:
        equal: a comparison of mathematics, asked where no option reads like the value.
    """
    if not value.strip() or len(value) > LONGEST:
        return None
    wanted = reading(value)
    bare = [LABEL.sub("", one, count=1) if LABEL.match(one) else one for one in options]
    texts = [reading(one) for one in bare]
    same = [at for at, text in enumerate(texts) if text and text == wanted]
    if not same and equal is not None and wanted:
        said = value.strip(OUTSIDE)
        same = [at for at, one in enumerate(bare) if texts[at] and equal(one.strip(OUTSIDE), said)]
        if len({texts[at] for at in same}) > 1:
            return None
    return LETTERS[same[0]] if same else None


def same_letters(key: str, options: Sequence[str]) -> frozenset[str]:
    """Letters whose option reads the same as the key's: either of them states the answer."""
    return frozenset(
        letter
        for letter, text in zip(LETTERS, options, strict=True)
        if text.strip() == options[LETTERS.index(key)].strip()
    )


def reading(text: str) -> str:
    """A text without layout: dollars, blanks, fonts, end marks; native digits as ASCII ones."""
    text = unicodedata.normalize("NFKC", text).translate(SIGNS)
    text = "".join(
        str(unicodedata.digit(char)) if char.isdigit() and not char.isascii() else char
        for char in text
        if unicodedata.category(char) != "Cf"
    )
    text = WRAPPED.sub(r"\1", text)
    text = FRACTION.sub(lambda m: f"({m[1] or m[2]})/({m[3] or m[4]})", text)
    text = LAYOUT.sub("", text).replace("{", "").replace("}", "").replace("\\%", "%")
    return re.sub(r"\((\w+)\)/\((\w+)\)", r"\1/\2", text).strip(END_MARKS).lower()
