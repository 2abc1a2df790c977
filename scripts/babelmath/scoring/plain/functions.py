r"""Names of functions as countries write them: `tg` is the tangent in most of Europe."""

from __future__ import annotations

import re

_FUNCTIONS = {
    "tg": "\\tan", "tan": "\\tan", "ctg": "\\cot", "cotg": "\\cot", "cotan": "\\cot",
    "cot": "\\cot", "cosec": "\\csc", "csc": "\\csc", "kosek": "\\csc", "sec": "\\sec",
    "sek": "\\sec", "sen": "\\sin", "sin": "\\sin", "cos": "\\cos", "arctg": "\\arctan",
    "arctan": "\\arctan",
    "arcctg": "\\operatorname{arccot}", "arccotg": "\\operatorname{arccot}",
    "arccot": "\\operatorname{arccot}", "arcsen": "\\arcsin", "arcsin": "\\arcsin",
    "arccos": "\\arccos", "sh": "\\sinh", "sinh": "\\sinh", "senh": "\\sinh", "ch": "\\cosh",
    "cosh": "\\cosh", "th": "\\tanh", "tgh": "\\tanh", "tanh": "\\tanh", "ln": "\\ln",
    "log": "\\log", "lg": "\\lg", "exp": "\\exp", "max": "\\max", "min": "\\min",
    "gcd": "\\gcd", "mcd": "\\gcd",
}  # fmt: skip
_UNITS = (
    "min",
    "sec",
    "sek",
    "th",
    "ch",
    "sh",
    "max",
)  # after a number these are units or ordinals
_WRAPPED = re.compile(r"\\(operatorname\*?|mathrm|text|textrm|mathop)\s*\{\s*([a-z]+)\s*\}")
_ARGUMENT = re.compile(r"\}?\s*[a-zA-Z0-9(\\^_{|]")
_LONE_GROUP = re.compile(r"(?<![a-zA-Z}\^_\]])\{(\\[a-z]+)\}(?=[\^_(\\])")
_ALIAS = re.compile(r"\\(tg|ctg|cotg|cosec|arctg|arcctg|sen|arcsen|sh|ch|th|tgh|senh)(?![a-zA-Z])")
# Without a backslash only where an argument or a power follows.
_BARE = re.compile(
    r"(?<![\\a-zA-Z])(tg|tan|ctg|cotg|cot|cosec|csc|kosek|(?<!\d)(?<!\d )se[ck]|sen|sin|cos|arctg"
    r"|arctan|arcsin|arccos|ln|log|lg|exp|sinh|cosh|tanh)(?=\s*[(^_\\\d]| ?[a-zA-Z](?![a-zA-Z]))"
)
_TEXT = re.compile(r"\\(?:text|mathrm|operatorname)\s*\{[^{}]*\}")


def function_names(text: str) -> str:
    r"""`\operatorname{tg}`, `\text{tg}`, `tg x` as \tan; words inside other \text stay."""
    if "\\" in text:
        text = _WRAPPED.sub(_function, text)
        text = _ALIAS.sub(lambda match: _FUNCTIONS[match[1]], text)
        text = _LONE_GROUP.sub(r"\1", text)
    if not _BARE.search(text):
        return text
    pieces, end = [], 0
    for words in _TEXT.finditer(text):
        pieces += [_backslashed(text[end : words.start()]), words[0]]
        end = words.end()
    return "".join([*pieces, _backslashed(text[end:])])


def _function(match: re.Match[str]) -> str:
    """A function's command where an argument follows; 5 min and 12 sec are units."""
    font, name = match[1], match[2]
    known = _FUNCTIONS.get(name)
    if known is None or (known.startswith("\\operatorname") and font == "operatorname"):
        return match[0]
    if not font.startswith("operatorname"):
        before = match.string[: match.start()].rstrip()
        if not _ARGUMENT.match(match.string, match.end()):
            return match[0]
        if name in _UNITS and before[-1:] and before[-1] in "0123456789^{}":
            return match[0]
    return known + (" " if match.string[match.end() : match.end() + 1].isalpha() else "")


def _backslashed(text: str) -> str:
    return _BARE.sub(lambda match: _FUNCTIONS[match[1]], text)
