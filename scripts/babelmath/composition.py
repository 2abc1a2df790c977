"""Which languages a solution is written in, told by its scripts (MathMist appendix A.3).

The paper let a model classify; here letters outside the mathematics are counted by script, so that
the same text always gives the same answer. One script alone names the language; more are `Mixed`.
"""

from __future__ import annotations

import re
import unicodedata

from babelmath.identification import COMMAND, MATH, scripts_of

# The paper's names of scripts; others keep their Unicode name.
NAMES = {
    "BENGALI": "Bangla",
    "LATIN": "English",
    "FULLWIDTH": "English",
    "HAN": "Chinese",
    "IDEOGRAPHIC": "Chinese",
    "HIRAGANA": "Japanese",
    "KATAKANA": "Japanese",
    "HALFWIDTH": "Japanese",
    "HANGUL": "Korean",
}
# First words of Unicode names of letters that belong to no script: mathematical ones, units, marks.
SYMBOLS = frozenset(
    [
        "MATHEMATICAL",
        "DOUBLE",
        "SCRIPT",
        "BLACK",
        "EULER",
        "PLANCK",
        "TURNED",
        "ALEF",
        "BET",
        "GIMEL",
        "DALET",
        "OHM",
        "KELVIN",
        "ANGSTROM",
        "MICRO",
        "INFORMATION",
        "SUPERSCRIPT",
        "MODIFIER",
        "CARON",
        "FEMININE",
        "MASCULINE",
        "VERTICAL",
        "MASU",
        "UNKNOWN",
    ]
)
ENVIRONMENT = re.compile(
    r"\\begin\{(align|alignat|aligned|array|bmatrix|cases|displaymath|eqnarray|equation|gather|"
    r"gathered|math|matrix|multline|pmatrix|split|vmatrix)(\*?)\}.*?\\end\{\1\2\}"
    r"|\\(?:begin|end)\{[^{}]*\}",  # the name alone of one that holds words
    re.DOTALL,
)
MIXED = "Mixed"
NONE = "No words"
LABELS = ("Bangla", "English", "Chinese", MIXED)


def composition(text: str) -> tuple[str, str]:
    """The label of a solution (Bangla, English, Chinese, another script, Mixed, No words) and its
    scripts joined by ` + ` in alphabetical order.
    """
    found = {NAMES.get(one, one.capitalize()) for one in scripts_of(_words(text)).keys() - SYMBOLS}
    scripts = sorted(found)
    if not scripts:
        return NONE, ""
    return (scripts[0] if len(scripts) == 1 else MIXED), " + ".join(scripts)


def _words(text: str) -> str:
    """A text's words: a single letter is one in a script without capitals, else a variable."""
    plain = COMMAND.sub(" ", MATH.sub(" ", ENVIRONMENT.sub(" ", text)))
    return " ".join(word for word in plain.split() if _is_word(word))


def _is_word(word: str) -> bool:
    letters = [kind for char in word if (kind := unicodedata.category(char))[0] == "L"]
    return len(letters) > 1 or "Lo" in letters
