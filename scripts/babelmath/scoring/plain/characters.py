"""Characters of many scripts as ASCII and LaTeX: digits, signs, fractions, roots, indices."""

from __future__ import annotations

import re
import unicodedata

from babelmath.languages import Language
from babelmath.scoring.plain.draft import Draft
from babelmath.scoring.plain.roots import write_roots

# Format characters, controls, fillers, variation selectors, the keycap's frame.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)
_NATIVE_DIGIT = re.compile(r"(?![0-9])\d")
_WIDE = re.compile(
    "[\uff01-\uff5d\uff5f-\uffee\ufe50-\ufe6b\u2100-\u214f\u3371-\u33df\U0001d400-\U0001d7ff]"
)
_WIDE_TAGS = ("<wide>", "<narrow>", "<small>", "<font>", "<square>", "<compat>")
SPECIAL_BLANKS = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_BLANKS = re.compile(f"[{SPECIAL_BLANKS}\t\n\r\u2028\u2029\x85]+|  +")
_VULGAR = re.compile("[\u00bc-\u00be\u2150-\u215f\u2189]")
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁱⁿ"
_LOWERED = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ"
_RAISED_FRACTION = re.compile(f"([{_RAISED}]+)[⁄/∕]([{_LOWERED}]+)")
_RAISED_RUN = re.compile(f"[{_RAISED}]+")
_LOWERED_RUN = re.compile(f"[{_LOWERED}]+")
_DOTTED_DIGIT = re.compile("([0-9])\u0307")
_LINED_DIGITS = re.compile("(?:[0-9]\u0305)+")
_MONEY = re.compile("[\uff04\ufe69]")

_LETTERLIKE = {
    "ℝ": "\\mathbb{R}", "ℤ": "\\mathbb{Z}", "ℕ": "\\mathbb{N}", "ℚ": "\\mathbb{Q}",
    "ℂ": "\\mathbb{C}", "ℙ": "\\mathbb{P}", "℃": "^\\circ\\text{C}", "℉": "^\\circ\\text{F}",
    "Ω": "\\Omega", "K": "K", "Å": "Å", "℘": "\\wp", "ℏ": "\\hbar", "№": "", "™": "",
}  # fmt: skip
_SIGNS = {
    **dict.fromkeys("−–—‒―‐‑﹣－⁃➖", "-"), **dict.fromkeys("∗＊⁎", "*"),
    **dict.fromkeys("➕＋", "+"), **dict.fromkeys("÷∕⁄➗", "/"), **dict.fromkeys("∣｜❘", "|"),
    **dict.fromkeys("×✕✖⨯", "\\times"), **dict.fromkeys("·⋅∙•‧", "\\cdot"),
    **dict.fromkeys("≤⩽≦", "\\le"), **dict.fromkeys("≥⩾≧", "\\ge"),
    **dict.fromkeys("≈≃≒", "\\approx"), **dict.fromkeys("∅⌀", "\\emptyset"),
    **dict.fromkeys("→⟶⟼↦", "\\to"), **dict.fromkeys("⇒⟹", "\\Rightarrow"),
    **dict.fromkeys("⇔⟺", "\\Leftrightarrow"), **dict.fromkeys("٪﹪％", "%"),
    **dict.fromkeys("⟨〈", "\\langle"), **dict.fromkeys("⟩〉", "\\rangle"),
    **dict.fromkeys("°˚", "^\\circ"), **dict.fromkeys("′’‘ʹʼ", "'"),
    **dict.fromkeys("“”„‟«»「」『』", '"'), **dict.fromkeys("【】〖〗✅☑✔❌¿¡", ""),
    "″": "''", "∥": "\\parallel", "‖": "\\|", "…": "\\ldots", "⋯": "\\cdots",
    "≠": "\\ne", "≡": "\\equiv", "≅": "\\cong", "∼": "\\sim", "∝": "\\propto", "±": "\\pm",
    "∓": "\\mp", "∞": "\\infty", "∪": "\\cup", "∩": "\\cap", "∈": "\\in", "∉": "\\notin",
    "∋": "\\ni", "⊂": "\\subset", "⊆": "\\subseteq", "⊃": "\\supset", "⊇": "\\supseteq",
    "∖": "\\setminus", "∧": "\\land", "∨": "\\lor", "¬": "\\neg", "∀": "\\forall",
    "∃": "\\exists", "∴": "\\therefore", "∵": "\\because", "∠": "\\angle", "△": "\\triangle",
    "⊥": "\\perp", "∑": "\\sum", "∏": "\\prod", "∫": "\\int", "∂": "\\partial", "∇": "\\nabla",
    "⌊": "\\lfloor", "⌋": "\\rfloor", "⌈": "\\lceil", "⌉": "\\rceil", "∘": "\\circ",
    "≪": "\\ll", "≫": "\\gg", "⊕": "\\oplus", "∤": "\\nmid", "↔": "\\leftrightarrow",
    "←": "\\leftarrow", "ϕ": "\\phi", "ϵ": "\\epsilon", "ϑ": "\\theta",
}  # fmt: skip
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu",
    "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon",
    "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta",
    "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi",
    "Ω": "Omega",
}  # fmt: skip
_MAPPED = _SIGNS | {letter: "\\" + name for letter, name in _GREEK.items()}
_SIGN = re.compile(f"[{re.escape(''.join(_MAPPED))}]")
_ORDINAL_MARK = re.compile("(?<=[0-9])º")
_FEMININE_MARK = re.compile("(?<=[0-9])ª")
# Marks that only part, never group; and those that stand where a comma stands.
_PARTING = re.compile("[、،]")
_SEPARATORS = {
    "，": ",", "﹐": ",", "﹑": ",", "；": ";", "؛": ";", "﹔": ";", "：": ":", "∶": ":", "﹕": ":",
    "．": ".", "﹒": ".", "٫": "{.}", "٬": "{,}",
}  # fmt: skip
_SEPARATOR = re.compile(f"[{''.join(_SEPARATORS)}]")
_STOP_BEFORE_MARK = re.compile(r"[।॥。｡]\s*(?=[,;،、，；])")
_STOP = re.compile(r"[।॥。｡]\s*(?=[^\s$*])")
# Cyrillic letters that stand alone and look like the Latin variable that is meant.
_LOOK_ALIKES = str.maketrans("хуаАВСЕНКМОРТХУ", "xyaABCEHKMOPTXY")
_ABOUT = re.compile(r"^[约約]\s*(?=[0-9\\])")
_LONE = re.compile(r"(?<![^\W\d_])(?<!\d )[хуаАВСЕНКМОРТХУ](?![^\W\d_])")


def plain_characters(draft: Draft, language: Language) -> None:
    """Rewrite all characters outside ASCII that have one meaning; letters of words stay."""
    if not unicodedata.is_normalized("NFC", draft.text):
        draft.put("composed letters", unicodedata.normalize("NFC", draft.text))
    draft.put("invisible marks", _INVISIBLE.sub("", draft.text))
    draft.put(
        "native digits", _NATIVE_DIGIT.sub(lambda m: str(unicodedata.digit(m[0])), draft.text)
    )
    draft.put("separators", _separators(draft.text, language))
    draft.put("currency signs", _MONEY.sub("\\\\$", draft.text))
    draft.put("full-width forms", _WIDE.sub(_narrow, draft.text))
    draft.put("fraction characters", _fractions(draft.text))
    draft.put("repeating decimals", _repeating(draft.text))
    draft.put("superscripts", _RAISED_RUN.sub(lambda m: _index("^", m[0]), draft.text))
    draft.put("subscripts", _LOWERED_RUN.sub(lambda m: _index("_", m[0]), draft.text))
    draft.put("roots", write_roots(draft.text))
    draft.put("ordinals", _FEMININE_MARK.sub("", draft.text))
    draft.put("signs", _SIGN.sub(_sign, _ORDINAL_MARK.sub("°", draft.text)))
    if "Cyrillic" in language.scripts:
        draft.put(
            "look-alike letters", _LONE.sub(lambda m: m[0].translate(_LOOK_ALIKES), draft.text)
        )
    draft.put("signs", _ABOUT.sub("\\\\approx ", draft.text))
    draft.put("blanks", _BLANKS.sub(" ", draft.text))


def _separators(text: str, language: Language) -> str:
    text = _STOP.sub("; ", _STOP_BEFORE_MARK.sub("", text))
    text = _SEPARATOR.sub(lambda match: _SEPARATORS[match[0]], text)

    def parting(match: re.Match[str]) -> str:
        """A comma; with a blank where a comma alone would read as part of a number."""
        after = match.string[match.end() : match.end() + 4]
        return ", " if after[:1].isdecimal() and match.start() else ","

    return _PARTING.sub(parting, text)


def _narrow(match: re.Match[str]) -> str:
    char = match[0]
    if char in _LETTERLIKE:
        return _LETTERLIKE[char]
    tag, _, codes = unicodedata.decomposition(char).partition(" ")
    if tag not in _WIDE_TAGS:
        return char
    return "".join(chr(int(code, 16)) for code in codes.split())


def _fractions(text: str) -> str:
    def vulgar(match: re.Match[str]) -> str:
        over, _, under = unicodedata.normalize("NFKC", match[0]).partition("⁄")
        return f"\\frac{{{over}}}{{{under}}}" if under else f"{over}/"

    text = _VULGAR.sub(vulgar, text)
    return _RAISED_FRACTION.sub(
        lambda match: f"\\frac{{{_folded(match[1])}}}{{{_folded(match[2])}}}", text
    )


def _repeating(text: str) -> str:
    text = _DOTTED_DIGIT.sub(r"\\dot{\1}", text)
    return _LINED_DIGITS.sub(
        lambda match: "\\overline{" + match[0].replace("\u0305", "") + "}", text
    )


def _index(mark: str, run: str) -> str:
    return f"{mark}{{{_folded(run)}}}"


def _folded(run: str) -> str:
    return unicodedata.normalize("NFKC", run).replace("−", "-")


def _sign(match: re.Match[str]) -> str:
    """A command, with a blank where a letter follows or, after × and ·, any operand."""
    command = _MAPPED[match[0]]
    following = match.string[match.end() : match.end() + 1]
    if command[-1:].isalpha() and following.isascii() and following.isalpha():
        return command + " "
    if command in ("\\times", "\\cdot") and following.isascii() and following.isdigit():
        return command + " "
    return command
