"""Text for LaTeX: special characters escaped, words of other scripts marked with their script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import PurePosixPath

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}", "`": r"\textasciigrave{}",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "–": "--",
    "—": "---", "‘": "`", "’": "'", "“": "``", "”": "''", "…": r"\dots{}", "±": r"$\pm$",
    "\u00a0": "~", "−": "$-$", "\n": " ", "\r": " ", "\t": " ",
    "[": "{[}", "*": "{*}",  # at the beginning of a row they would belong to the line break before
}  # fmt: skip
SIGNS = {"μ": r"$\mu$", "σ": r"$\sigma$"}  # where no Greek word stands about them
# First words of Unicode names, and the font families of preamble.tex.
SCRIPTS: Mapping[str, str] = {
    "BENGALI": "bengali", "CYRILLIC": "cyrillic", "ARABIC": "arabic", "THAI": "thai",
    "CJK": "chinese", "FULLWIDTH": "chinese", "IDEOGRAPHIC": "chinese",
    "HIRAGANA": "japanese", "KATAKANA": "japanese",
    "KATAKANA-HIRAGANA": "japanese", "HANGUL": "korean", "GREEK": "greek",
    "DEVANAGARI": "other", "HEBREW": "other",
}  # fmt: skip
LATIN = ""
JOINERS = "\u200c\u200d"  # they shape words of Bangla, Arabic and Persian, and are kept
OTHER = "other"
JOINED = "-,'"  # two of them in a row make one sign in LaTeX's fonts
CODE = re.compile("`([^`]+)`")


def tex(text: str) -> str:
    r"""A text that LaTeX sets as it is; of other scripts inside \babelmathscript{script}{...}.

    Characters that no printer shows (controls, direction marks) are left out.
    """
    kept = [char for char in unicodedata.normalize("NFC", text) if _printed(char)]
    parts = []
    for script, run in groupby(_with_scripts(kept), key=lambda pair: pair[1]):
        words = _escaped("".join(char for char, _ in run))
        if script == LATIN:
            words = "".join(SIGNS.get(char, char) for char in words)
        parts.append(words if script == LATIN else rf"\babelmathscript{{{script}}}{{{words}}}")
    return "".join(parts)


def with_code(text: str) -> str:
    r"""The same of a sentence whose `code` is set in \texttt."""
    pieces = enumerate(CODE.split(text))
    return "".join(rf"\texttt{{{tex(piece)}}}" if at % 2 else tex(piece) for at, piece in pieces)


def collected(names: Iterable[str]) -> str:
    """A document of all tables, to compile in their folder with XeLaTeX or LuaLaTeX.

    Args:
        names: paths of the tables from that folder, whatever their endings.
    """
    inputs = [rf"\input{{{PurePosixPath(name).with_suffix('.tex')}}}\clearpage" for name in names]
    lines = [
        "% xelatex tables.tex",
        r"\documentclass{article}",
        r"\usepackage[margin=2cm]{geometry}",
        r"\input{preamble}",
        r"\begin{document}",
        *inputs,
        r"\end{document}",
    ]
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    pairs = zip(text, " " + text, strict=False)
    return "".join(
        "{}" + char if char == before and char in JOINED else SPECIAL.get(char, char)
        for char, before in pairs
    )


def _with_scripts(chars: list[str]) -> list[tuple[str, str]]:
    """Each character with its script; marks, digits and blanks go with what stands before them."""
    found: list[tuple[str, str]] = []
    japanese = any(_script(char) == "japanese" for char in chars)
    greek = any(_script(char) == "greek" for char in chars if char not in SIGNS)
    for index, char in enumerate(chars):
        script = _script(char)
        if char in SIGNS and not greek:
            script = LATIN
        elif script is None:
            inside = found[-1][1] if found else LATIN
            told = (one for one in map(_script, chars[index + 1 :]) if one is not None)
            script = inside if _joins(char) or next(told, LATIN) == inside else LATIN
        elif script == "chinese" and japanese:
            script = "japanese"
        found.append((char, script))
    return found


def _script(char: str) -> str | None:
    """The family of a character; None where it goes with any script."""
    if char in SPECIAL or ord(char) < 128:
        return LATIN if char.isalnum() or char in SPECIAL else None
    category = unicodedata.category(char)
    first = unicodedata.name(char, "").split(" ")[0]
    if first in SCRIPTS:
        return SCRIPTS[first]
    if category[0] in "MZC":
        return None
    return LATIN if first in ("LATIN", "") or ord(char) < 0x250 else OTHER


def _joins(char: str) -> bool:
    return unicodedata.category(char).startswith("M") or char in JOINERS


def _printed(char: str) -> bool:
    return char in "\n\t\r" or char in JOINERS or not unicodedata.category(char).startswith("C")
