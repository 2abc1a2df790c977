r"""LaTeX commands that a JSON or Python escape ate: a form feed before "rac" was \frac.

Only what is certain is repaired: the control character must be followed by the rest of a known
command. A newline before "u" may have been \nu or a new line, and stays.
"""

from __future__ import annotations

import re

# What each escape letter can have been, after the letter itself. TAB and line ends also stand in
# ordinary text, so their commands must not read as words or variables there.
_EATEN = {
    "\a": "lpha|ngle|pprox|rctan|rccos|rcsin|rccot|leph|symp|malg|st|mp|rg",
    "\b": "oxed|eta|ar|inom|egin|ig[lrg]?|igg[lr]?|oldsymbol|f|m|ullet|ackslash|ecause|mod"
    "|mid|igcup|igcap|igoplus|igtriangleup|owtie|reve|ot",
    "\t": r"imes|ext(?:bf|it|rm|tt|sf|normal|style)?(?=\s*\{)|extstyle|frac|heta|riangle|herefore"
    r"|riangleq|ilde(?=\s*\{)|binom|o(?=\s*\\)|an(?=\s*[\\(^{])|anh(?=\s*[\\(^{])|au(?=[\\^_}])",
    "\n": r"eq(?![.])|abla|otin|ot(?=\s*[=\\<>])|eg(?=\s*[\\(])|ewline|earrow|ormalsize",
    "\v": "ec|arphi|arepsilon|artheta|arnothing|arDelta|ert|ee|dots|phantom",
    "\f": "rac|orall|lat|box|rown",
    "\r": r"ho|ight|angle|ceil|floor|vert|Vert|brace|group|m(?=\s*\{)|ightarrow",
}
_LETTERS = dict(zip("\a\b\t\n\v\f\r", "abtnvfr", strict=True))
_EATEN_COMMAND = re.compile(
    "|".join(f"{control}(?:{rests})(?![a-zA-Z])" for control, rests in _EATEN.items())
)
_DOUBLED = re.compile(
    r"(?<!\\)\\(?=\\(?:[dtc]?frac|sqrt|times|cdot|text|left|right|boxed|mathrm|mathbb|infty|pi"
    r"|leq?|geq?|neq?|cup|cap|in|pm|log|ln|sin|cos|tan|circ|degree|binom)(?![a-zA-Z]))"
)
_CONTROL = re.compile("[\a\b\t\v\f\r\n]")


def repair_escapes(text: str) -> tuple[str, tuple[str, ...]]:
    r"""The text with its eaten commands back, and a name for each, as `escape repaired: \frac`."""
    if not _CONTROL.search(text):
        return text, ()
    names: dict[str, None] = {}

    def restored(match: re.Match[str]) -> str:
        command = "\\" + _LETTERS[match[0][0]] + match[0][1:]
        names[f"escape repaired: {command}"] = None
        return command

    return _EATEN_COMMAND.sub(restored, text), tuple(names)


def single_backslashes(text: str) -> str:
    r"""A text escaped twice with its commands' backslashes single again: \\frac is \frac.

    In rows of a matrix or a case list two backslashes end a row, so these stay.
    """
    if "\\\\" not in text or "\\begin" in text:
        return text
    return _DOUBLED.sub("", text)
