"""Which languages a solution is written in, told by its scripts (MathMist appendix A.3).

The paper let a model classify; here the letters of words outside the mathematics are counted by
script, so that the same text always gives the same answer. One script alone names the language;
more are `Mixed`. Units, names of functions, points (ABC) and abbreviations are no words: they make
no Bangla solution a mixed one.
"""

from __future__ import annotations

from babelmath.alphabets import scripts_of
from babelmath.prose import words

# The paper's names of scripts; others keep their Unicode name.
NAMES = {
    "BENGALI": "Bangla",
    "LATIN": "English",
    "HAN": "Chinese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HANGUL": "Korean",
}
MIXED = "Mixed"
NONE = "No words"
LABELS = ("Bangla", "English", "Chinese", MIXED)


def composition(text: str) -> tuple[str, str]:
    """The label of a solution (Bangla, English, Chinese, another script, Mixed, No words) and its
    scripts joined by ` + ` in alphabetical order.
    """
    found = scripts_of(" ".join(words(text, inside=False)))
    scripts = sorted({NAMES.get(one, one.capitalize()) for one in found})
    if not scripts:
        return NONE, ""
    return (scripts[0] if len(scripts) == 1 else MIXED), " + ".join(scripts)
