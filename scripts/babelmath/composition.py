"""Which languages a solution is written in, told by its scripts (MathMist appendix A.3).

The paper let a model classify; here letters outside the mathematics are counted by script, so that
the same text always gives the same answer. One script alone names the language; more are `Mixed`.
"""

from __future__ import annotations

from babelmath.identification import prose, scripts_of

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
    scripts = sorted({NAMES.get(one, one.capitalize()) for one in scripts_of(prose(text))})
    if not scripts:
        return NONE, ""
    return (scripts[0] if len(scripts) == 1 else MIXED), " + ".join(scripts)
