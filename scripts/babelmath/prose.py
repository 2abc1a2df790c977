"""The words of a response: what is left when mathematics, code, tags and marks are taken out.

Every pattern reads a text once, whatever it holds: a delimiter that never closes costs no more than
the way to the next one.
"""

from __future__ import annotations

import functools
import re
import unicodedata

from babelmath.alphabets import script_of

ENVIRONMENTS = (
    "align|alignat|aligned|array|bmatrix|cases|displaymath|eqnarray|equation|gather|gathered|math|"
    "matrix|multline|pmatrix|split|tabular|vmatrix"
)
# Money is no mathematics: a closing $ has a blank before it only where the opening one has one
# after it, and no digit after it. A formula ends with its paragraph. \$ is a sign of money.
INSIDE = r"(?:[^$\\\n]++|\\.|\n(?!\s*\n))*+"
FORMULA = re.compile(
    r"\$\$(?:[^$\\]++|\\.|\$(?!\$))*+\$\$"
    rf"|\$(?!\$)(?:(?=\S){INSIDE}(?<=\S)|(?=\s){INSIDE}(?<=\s))\$(?!\d)"
    r"|\\\((?:[^\\]++|\\[^()])*+\\\)"
    r"|\\\[(?:[^\\]++|\\[^\[\]])*+\\\]"
    rf"|\\begin\{{({ENVIRONMENTS})(\*?)\}}(?:[^\\]++|\\(?!(?:begin|end)\{{\1\2\}}))*+"
    r"\\end\{\1\2\}"
    r"|\[asy\](?:[^\[]++|\[(?!/?asy\]))*+\[/asy\]"  # drawings of the MATH problems
    r"|```(?:[^`]++|`(?!``))*+```"
    r"|`[^`\n]{1,300}`"
    r"|\\(?:begin|end)\{[^{}]{0,40}\}"  # the name alone of an environment that holds words
    r"|\\[A-Za-z]+\*?|\\."
    r'|</?[A-Za-z][\w-]{0,30}(?:\s+[\w-]{1,30}="[^"]{0,300}")*\s*/?>'
    r"|<[|｜][^<>]{1,40}[|｜]>",  # a chat template's mark
    re.DOTALL,
)
ADDRESS = re.compile(r"https?://\S+|www\.\S+|[\w.+-]{1,64}@[\w-]{1,64}\.\w[\w.-]*")
TEXT = re.compile(r"\\(?:text|textbf|textit|textrm|mbox)\s*\{([^{}]*)\}")
# Names of functions and units, as they stand outside of delimiters: no language's words.
SIGNS = frozenset([
    "sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh",
    "tanh", "log", "ln", "lg", "exp", "lim", "max", "min", "sup", "inf", "gcd", "lcm", "hcf",
    "mod", "det", "deg", "rad", "dim", "ker", "arg", "sqrt", "frac", "cdot", "times", "boxed",
    "mm", "cm", "dm", "km", "nm", "mg", "kg", "ml", "cl", "dl", "ms", "hr", "kmh", "mph", "hz",
    "khz", "pa", "kpa", "kj", "kw", "kwh", "mol", "cc", "sq", "ft", "lb", "oz", "tg", "ctg",
    "arctg",
])  # fmt: skip
LIMIT = 400  # longest text that is read whole, in characters
WINDOWS = 5
NEAR = 100  # how far a piece may be moved to begin at a line or a word


def words(text: str, inside: bool = True, capitals: bool = False) -> list[str]:
    """A text's words, in order, without digits and punctuation.

    One letter is a word in a script without capitals, else a variable. Names of functions, units,
    code (`f(`, `a_b`), points and abbreviations of up to four capitals are no words.

    Args:
        inside: also the words that a formula holds in \\text{...}.
        capitals: take short words of capitals too, as a text that is all capitals has them.
    """
    if "://" in text or "www." in text or "@" in text:
        text = ADDRESS.sub(" ", text)
    if inside and ("\\text" in text or "\\mbox" in text):
        text = FORMULA.sub(_inner, text)
    else:
        text = FORMULA.sub(" ", text)
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).replace("\u00ad", "")
    runs, code = _runs()
    if "(" in text or "_" in text:
        text = code.sub(" ", text)
    return [one for one in runs.findall(text) if len(one) > 6 or _is_word(one, capitals)]


def excerpt(text: str, limit: int = LIMIT, windows: int = WINDOWS) -> str:
    """A text, or even pieces of a long one, `limit` characters in all, from its start to its end.

    A piece begins at a line's start where one is near, and never inside of a formula of its line or
    of code: these would leave variables and the code's words.
    """
    if len(text) <= limit:
        return text
    size = limit // windows
    step = (len(text) - size) / (windows - 1)
    fenced = "```" in text
    starts = [_start(text, round(number * step), fenced) for number in range(windows)]
    return "\n\n".join(text[start : start + size] for start in starts)


def _start(text: str, place: int, fenced: bool) -> int:
    if fenced and text.count("```", 0, place) % 2:
        place = _past(text, "```", place)
    if place == 0 or (line := text.find("\n", place, place + NEAR)) >= 0:
        return place and line
    line = text.rfind("\n", 0, place) + 1
    if (text.count("$", line, place) - text.count("\\$", line, place)) % 2:
        place = _past(text, "$", place)
    return max(place, text.find(" ", place, place + NEAR))


def _past(text: str, mark: str, start: int) -> int:
    found = text.find(mark, start, start + 5000)
    return start if found < 0 else found + len(mark)


def _inner(found: re.Match[str]) -> str:
    return f" {' '.join(TEXT.findall(found[0]))} " if "\\" in found[0] else " "


@functools.lru_cache(maxsize=65536)
def _is_word(word: str, capitals: bool) -> bool:
    """Whether a short run of letters is a word and no sign of mathematics."""
    if word.lower() in SIGNS:
        return False
    letters = [char for char in word if script_of(char)]
    if not any(unicodedata.category(char) == "Lo" for char in letters):
        short = len(letters) <= 4 and word.isascii() and word.isupper() and not capitals
        if len(letters) < 2 or short:
            return False
    greek = sum(script_of(char) == "GREEK" for char in letters)
    return not greek or (greek == len(letters) > 2)


@functools.cache
def _runs() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Runs of letters with their marks; and words of code, which are none."""
    kinds = [unicodedata.category(chr(code))[0] in "LM" for code in range(0x10000)]
    ranges, start = [], None
    for code, kind in enumerate([*kinds, False]):
        if kind and start is None:
            start = code
        elif not kind and start is not None:
            ranges.append(f"\\u{start:04x}-\\u{code - 1:04x}")
            start = None
    # Above U+FFFF: the letters of living and dead scripts, not the mathematical alphabets.
    above = "\U00010000-\U0001cfff\U0001e000-\U0001edff\U00020000-\U0003ffff"
    letters = f"{''.join(ranges)}\u200c\u200d{above}"  # two marks that join letters
    return (
        re.compile(rf"[{letters}]++(?:['’][{letters}]++)*+"),
        re.compile(rf"(?<![{letters}])[A-Za-z][A-Za-z0-9]*+(?:_[A-Za-z0-9{{]\w*|\()"),
    )
