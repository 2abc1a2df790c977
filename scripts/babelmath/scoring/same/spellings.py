"""How LaTeX and other characters spell one thing: commands, marks and signs to one name each."""

from __future__ import annotations

WRAPPERS = {
    "text": True, "mathrm": True, "textrm": True, "mbox": True, "textit": True, "textbf": True,
    "textsf": True, "texttt": True, "mathsf": True, "operatorname": True, "mathit": False,
    "mathbf": False, "boldsymbol": False, "bm": False, "mathcal": False, "pmb": False,
    "boxed": False, "fbox": True, "hbox": True, "emph": True, "mathop": True, "ensuremath": False,
    "mathtt": True, "textnormal": True, "mathnormal": False, "mathscr": False, "mathfrak": False,
    "bold": False, "underbrace": False,
}  # fmt: skip
DROPPED = frozenset((
    "displaystyle", "textstyle", "scriptstyle", "limits", "nolimits", "left", "right", "middle",
    "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl",
    "Biggr", "therefore", "because", "boldmath", "rm", "bf", "it", "mathstrut", "strut", "hfill",
    "noindent", "hline", "phantom"
))  # fmt: skip
BLANKS = frozenset(("quad", "qquad", "space", "enspace", "thinspace", "hspace"))
SAME = {
    "dfrac": "frac", "tfrac": "frac", "cfrac": "frac", "dbinom": "binom", "tbinom": "binom",
    "leq": "le", "leqslant": "le", "geq": "ge", "geqslant": "ge", "neq": "ne", "varnothing":
    "emptyset", "infin": "infty", "isin": "in", "backslash": "setminus", "smallsetminus":
    "setminus", "land": "and", "wedge": "and", "lor": "or", "vee": "or", "to": "rightarrow",
    "longrightarrow": "rightarrow", "implies": "Rightarrow", "Longrightarrow": "Rightarrow",
    "iff": "Leftrightarrow", "arctg": "arctan", "tg": "tan", "ctg": "cot", "cotg": "cot", "cosec":
    "csc", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "sh": "sinh", "ch": "cosh", "th":
    "tanh", "arcctg": "arccot", "varphi": "phi", "varepsilon": "epsilon", "vartheta": "theta",
    "approxeq": "approx", "simeq": "approx", "thickapprox": "approx", "overrightarrow": "vec",
    "widehat": "hat", "bar": "overline", "widetilde": "tilde", "lg": "log10",
}  # fmt: skip
MARKS = {
    "times": "×", "cdot": "*", "ast": "*", "cdotp": "*", "bullet": "*", "div": "/", "slash": "/",
    "colon": ":", "lvert": "|", "rvert": "|", "vert": "|", "mid": "|", "lbrace": "\\{", "rbrace":
    "\\}", "lt": "<", "gt": ">", "prime": "'", "lbrack": "[", "rbrack": "]", "ldots": "dots",
    "cdots": "dots", "dots": "dots", "dotsc": "dots", "dotsb": "dots", "vdots": "dots", "ddots":
    "dots", "degree": "°", "textdegree": "°", "circ": "°",
    "langle": "(", "rangle": ")", "lVert": "‖", "rVert": "‖", "Vert": "‖", "euro": "€",
    "texteuro": "€", "pounds": "£", "textdollar": "$", "yen": "¥",
}  # fmt: skip
UNICODE = str.maketrans(
    {
        "−": "-", "–": "-", "·": "*", "⋅": "*", "∙": "*", "÷": "/", "∕": "/",
        "≤": "\\le ", "≥": "\\ge ", "≠": "\\ne ", "≈": "\\approx ", "∞": "\\infty ", "±": "\\pm ",
        "∓": "\\mp ", "∪": "\\cup ", "∩": "\\cap ", "∈": "\\in ", "∉": "\\notin ",
        "∅": "\\emptyset ", "√": "\\sqrt ", "⊂": "\\subset ", "⊆": "\\subseteq ", "′": "'",
        "″": "''", "º": "°", "’": "'", "∶": ":", "ℝ": "\\mathbb{R}", "ℤ": "\\mathbb{Z}",
        "ℕ": "\\mathbb{N}", "ℚ": "\\mathbb{Q}", "∖": "\\setminus ", "°": "°", "\u00a0": " ",
        "\u202f": " ", "\u2009": " ", "\u200b": "", "→": "\\rightarrow ", "⇒": "\\Rightarrow ",
        "∠": "\\angle ", "△": "\\triangle ", "∥": "\\parallel ", "⊥": "\\perp ", "≡": "\\equiv ",
        "℃": "°C", "℉": "°F", "⁰": "^{0}", "∣": "|", "∧": "\\land ", "∨": "\\lor ", "π": "\\pi ",
        "α": "\\alpha ", "β": "\\beta ", "γ": "\\gamma ", "δ": "\\delta ", "ε": "\\epsilon ",
        "θ": "\\theta ", "λ": "\\lambda ", "φ": "\\phi ", "ϕ": "\\phi ", "ω": "\\omega ",
        "σ": "\\sigma ", "ρ": "\\rho ", "τ": "\\tau ", "Δ": "\\Delta ", "Ω": "\\Omega ",
        "Σ": "\\Sigma ", "ψ": "\\psi ", "η": "\\eta ", "ξ": "\\xi ", "∆": "\\Delta ", "।": " ",
        "。": " ",
    }
)  # fmt: skip
