r"""One spelling for what is typed in several ways: signs, powers, fractions, decimals, ends."""

from __future__ import annotations

import re
from functools import cache

from babelmath.languages import Language
from babelmath.scoring.plain.draft import Draft
from babelmath.scoring.plain.functions import function_names
from babelmath.scoring.plain.roots import write_roots

_DOTS = re.compile(r"\.(?:\s?\.){2,}(?![a-zA-Z])")
_QUOTED = re.compile(r'^["\s]+|["\s]+$')
_LEAD = re.compile(
    r"^(?:=>|->|[\s:,;=]+|\.(?=\s)|\\(?:therefore|because|Rightarrow|implies|Longrightarrow|to)"
    r"(?![a-zA-Z]))+"
)
_TAIL = ".,;:?؟।॥。｡ "
_STAR = re.compile(r"(?<=[\w)}\]!])\s*\*\s*(?=[\w({\\.\[-])")
_STRAY_STAR = re.compile(r"^\s*\*+\s*|(?<![\^{_*])\s*\*+\s*$")
_RELATION = re.compile(r"(<=|=<|>=|(?<=\s)!=|=/=)\s*")
_RELATIONS = {"<=": "\\le ", "=<": "\\le ", ">=": "\\ge ", "!=": "\\ne ", "=/=": "\\ne "}
_PLUS_MINUS = re.compile(r"\+\s?/\s?-|\+-(?=[\d\\a-zA-Z(.])")
_LETTER_TIMES = re.compile(r"(?<=[\d}])\s*[xX]\s*(?=10\s*\^)")
_PERCENT = re.compile(r"(?<!\\)%")
_PERCENT_FIRST = re.compile(r"(?<![\d}\\])\\%\s*(\d+(?:[.,]\d+)?)(?![\d.,])")
_DEGREE = re.compile(
    r"\s*\\(?:textdegree|degree)(?![a-zA-Z])|\s*\^\s*\{\s*\\circ\s*\}|\s+\^\s*\\circ(?![a-zA-Z])"
)
_POWER = re.compile(r"\^\s*(-?\d{2,}|-\d|-[a-zA-Z])(?![\d.])|\^\s*\(([^(){}]*)\)(?!\s*\()")
_NAMED_FRACTION = re.compile(r"\\[dtc]frac(?![a-zA-Z])")
_SIMPLE = r"\s*(?:([0-9]|[a-zA-Z](?![a-zA-Z]))|\{([^{}]*)\})"
_FRACTION = re.compile(rf"\\frac(?=[\s{{\d]){_SIMPLE}{_SIMPLE}")
_ROOT = re.compile(r"\\sqrt(\[[^\[\]{}]*\])?(?:\s*(\d+)|\s+([a-zA-Z])(?![a-zA-Z]))")
_SCIENTIFIC = re.compile(r"(?<![\w.\\}])(\d+(?:\.\d+)?)[eE]([+-]?\d{1,9})(?![\w.])", re.ASCII)
_MIXED = re.compile(r"(?<![\w.,/^_}])(\d+) (\d{1,9})/(\d{1,9})(?![\w/.,])", re.ASCII)
_MIXED_LATEX = re.compile(r"(?<![\w.^_}\\])(\d+) +(?=\\frac\{\d+\}\{\d+\})", re.ASCII)
_PERIOD = re.compile(r"(?<![\d.])(\d+(?:\.|\{\.\}))\((\d+)\)(?!\s*\^)", re.ASCII)
_PERIOD_LATER = re.compile(r"(?<![\d.])(\d+(?:\.|\{\.\})\d+)\((\d+)\)(?!\s*\^)", re.ASCII)
_BAR = re.compile(r"(?<=[\d.])\s*\\(?:overline|bar)\s*(?:\{\s*(\d+)\s*\}|(\d))", re.ASCII)
_DOTTED = re.compile(r"(?<![\d.])(\d+\.)((?:\d|\s*\\dot\s*(?:\{\d\}|\d))+)", re.ASCII)
_DIGIT = re.compile(r"(\\dot)?\s*\{?(\d)\}?", re.ASCII)
_RAISED_ORDINAL = re.compile(
    r"(?<=\d)\s*\^\s*\{\s*(?:\\(?:text|mathrm)\s*\{\s*)?(?:st|nd|rd|th|er|ère|e|è|ème|ième)\s*\}\}?$"
)
_TEXT_ORDINAL = re.compile(
    r"(?<=\d)\s*\^?\s*\\(?:text|mathrm)\s*\{\s*-?(?:st|nd|rd|th|er|ère|ème|ième)\s*\}"
)
_ENGLISH_ORDINAL = re.compile(r"(\d*?(1[123]|\d))(st|nd|rd|th)", re.ASCII)
_REMARK = re.compile(r"(?<=[^\s(])\s*(?<![a-zA-Z\\])\(([^()\d\\=<>+]*)\)\s*\.?\s*$")


def plain_signs(draft: Draft) -> None:
    """What is typed in ASCII for want of a sign; marks before and after the answer."""
    text = draft.text
    if ".." in text or ". ." in text:
        draft.put("dots", _DOTS.sub("\\\\ldots", text))
    if '"' in text:
        draft.put("quotation marks", _QUOTED.sub("", draft.text))
    draft.put("end mark", _ends(draft.text))
    if "sqrt" in text:
        draft.put("roots", write_roots(draft.text))
    draft.put("function names", function_names(draft.text))
    text = draft.text
    if "<" in text or ">" in text or "!=" in text or "=/" in text:
        text = _RELATION.sub(lambda match: _RELATIONS[match[1]], text)
    if "+" in text:
        text = _PLUS_MINUS.sub("\\\\pm ", text)
    if "*" in text:
        text = _STRAY_STAR.sub("", _STAR.sub("\\\\cdot ", text))
    if "10" in text:
        text = _LETTER_TIMES.sub("\\\\times ", text)
    draft.put("signs", text)
    if "%" in text:
        draft.put("percent signs", _PERCENT_FIRST.sub(r"\1\\%", _PERCENT.sub("\\\\%", text)))
    if "degree" in text or "\\circ" in text:
        draft.put("degree signs", _DEGREE.sub("^\\\\circ", draft.text))


def plain_forms(draft: Draft, language: Language) -> None:
    """Powers, roots, fractions, scientific and repeating decimals, ordinals, closing remarks.

    Numbers have been read: a point between digits is a decimal point.
    """
    text = draft.text
    if "^" in text:
        text = _POWER.sub(lambda match: f"^{{{match[1] or match[2]}}}", text)
    if "\\sqrt" in text:
        text = _ROOT.sub(lambda m: f"\\sqrt{m[1] or ''}{{{m[2] or m[3]}}}", text)
    draft.put("powers and roots", text)
    if "frac" in text:
        text = _FRACTION.sub(_fraction, _NAMED_FRACTION.sub("\\\\frac", text))
        draft.put("fraction forms", text)
    if "e" in text or "E" in text:
        draft.put("scientific notation", _SCIENTIFIC.sub(_scientific, draft.text))
    if " " in text:
        draft.put("mixed numbers", _MIXED_LATEX.sub(r"\1", _MIXED.sub(_mixed, draft.text)))
    if "." in text and ("\\" in text or "(" in text):
        draft.put("repeating decimals", _repeating(draft.text, language.decimal == ","))
    draft.put("ordinals", _ordinals(draft.text, language))
    if ")" in text:
        draft.put("remark", _REMARK.sub(_remark, draft.text))


def _ends(text: str) -> str:
    text = _LEAD.sub("", text).rstrip(_TAIL)
    slashes = len(text) - len(text.rstrip("\\"))
    return text[: len(text) - slashes].rstrip(_TAIL) if slashes else text


def _fraction(match: re.Match[str]) -> str:
    over = match[1] if match[1] is not None else match[2]
    under = match[3] if match[3] is not None else match[4]
    return f"\\frac{{{over}}}{{{under}}}"


def _scientific(match: re.Match[str]) -> str:
    return f"{match[1]}\\times 10^{{{int(match[2])}}}"


def _mixed(match: re.Match[str]) -> str:
    whole, over, under = match[1], match[2], match[3]
    return f"{whole}\\frac{{{over}}}{{{under}}}" if int(over) < int(under) else match[0]


def _repeating(text: str, comma: bool) -> str:
    text = _PERIOD.sub(r"\1\\overline{\2}", text)
    if comma:  # elsewhere 2.5(4) is a product
        text = _PERIOD_LATER.sub(r"\1\\overline{\2}", text)
    text = _BAR.sub(lambda match: f"\\overline{{{match[1] or match[2]}}}", text)
    return _DOTTED.sub(_dotted, text) if "\\dot" in text else text


def _dotted(match: re.Match[str]) -> str:
    r"""Digits from the first dotted one to the last repeat: 5.\dot{6}3\dot{9}."""
    digits = [(one[2], one[1] is not None) for one in _DIGIT.finditer(match[2])]
    places = [place for place, (_, dotted) in enumerate(digits) if dotted]
    if not places or places[-1] != len(digits) - 1:
        return match[0]
    plain = "".join(digit for digit, _ in digits)
    return f"{match[1]}{plain[: places[0]]}\\overline{{{plain[places[0] :]}}}"


def _ordinals(text: str, language: Language) -> str:
    if "^" in text:
        text = _RAISED_ORDINAL.sub("", text)
    if "\\" in text:
        text = _TEXT_ORDINAL.sub("", text)
    match = _ENGLISH_ORDINAL.fullmatch(text)
    if match:  # 5th is 5; 5st is a product of letters
        ending = {"1": "st", "2": "nd", "3": "rd"}.get(match[2], "th")
        return match[1] if match[3] == ending else text
    if language.ordinals and language.code != "en":
        text = _endings(tuple(language.ordinals)).sub("", text)
    return text


@cache
def _endings(words: tuple[str, ...]) -> re.Pattern[str]:
    every = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?<=\d)(?:{every})(?=\s|$)")


def _remark(match: re.Match[str]) -> str:
    """Nothing in place of a closing remark in words: 60.62 metres (approx.)."""
    words, before = match[1].strip(), match.string[: match.start()]
    longest = max(map(len, re.findall(r"[^\W\d_]+", words)), default=0)
    known = longest >= 4 or words.endswith(".") or not words.isascii() or words.lower() == "ans"
    if not known or "mod" in words or "," in words or re.search(r"\([^()]*[^\W\d_]{2}", before):
        return match[0]
    return ""
