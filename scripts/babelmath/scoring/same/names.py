"""The names of LaTeX commands and marks that the grammar knows, by what they are."""

from __future__ import annotations

RELATIONS = frozenset((
    "le", "ge", "ne", "in", "notin", "subset", "subseteq", "supset", "supseteq", "approx",
    "equiv", "sim", "rightarrow", "Rightarrow", "Leftrightarrow", "parallel", "perp", "cong",
    "propto", "mapsto", "subsetneq", "ni", "nmid"
))  # fmt: skip
BETWEEN = frozenset((  # what no factor starts with
    "cup", "cap", "setminus", "pm", "mp", "not", "mod", "pmod", "bmod", "rfloor", "rceil"
))  # fmt: skip
TRIGONOMETRIC = ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth")
FUNCTIONS = frozenset(
    (*TRIGONOMETRIC, "arcsin", "arccos", "arctan", "arccot", "arcsec", "arccsc", "ln", "log",
     "log10", "exp", "gcd", "lcm", "max", "min", "det", "arg", "Re", "Im", "sgn")
)  # fmt: skip
RUN_FUNCTIONS = {
    **{name: name for name in FUNCTIONS if name not in ("Re", "Im", "log10")},
    "cosec": "csc", "lg": "log10", "tg": "tan", "ctg": "cot", "cotg": "cot", "arctg": "arctan",
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "sqrt": "sqrt",
}  # fmt: skip
OPAQUE = frozenset((
    "int", "iint", "iiint", "oint", "lim", "partial", "nabla", "limsup", "liminf", "sup", "inf"
))  # fmt: skip
MARKED = frozenset((
    "vec", "overline", "hat", "tilde", "underline", "dot", "ddot", "overset", "stackrel",
    "widehat"
))  # fmt: skip
NAMED = frozenset((
    "angle", "triangle", "measuredangle", "widearc", "overarc", "parallelogram", "odot",
    "square"
))  # fmt: skip
GREEK = frozenset((
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa",
    "lambda", "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi",
    "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi",
    "Psi", "Omega", "ell", "hbar", "aleph", "Re", "Im", "varsigma", "varrho", "varpi", "imath",
    "jmath", "complement"
))  # fmt: skip
MATRICES = frozenset((
    "pmatrix", "bmatrix", "matrix", "array", "smallmatrix", "Bmatrix", "tabular"
))  # fmt: skip
CLOSERS = (")", "]", "\\}", "}")
CURRENCIES = frozenset("$€£¥₹৳฿₩₫₺₸¢￥")
LONGEST_PRODUCT = 4  # letters of a run that are variables side by side; a longer one is a word
