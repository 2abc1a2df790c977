r"""Letters before brackets: f(x) applies f, x(x+1) multiplies.

Names used for functions (f, P, \Gamma ...) apply to whatever bracket follows. Any other letter does
where a bracket behind it holds a number alone, as in y(0), or a set, as in n(A \cup B), and letters
that are no usual variables where it holds one letter, as in u(x); then it does so in the whole
answer. What is read here as an application might be meant
as a product, so `reading` keeps both readings. d/dx and the cross product are applications too.
"""

from __future__ import annotations

from collections.abc import Sequence

from babelmath.scoring.same.names import GREEK
from babelmath.scoring.same.tokens import Token
from babelmath.scoring.same.tree import CONSTANTS, Node

NAMES = frozenset("fghFGHPQTE") | frozenset(
    f"\\{name}" for name in ("phi", "Phi", "psi", "Psi", "Gamma", "zeta", "sigma", "tau")
)
VARIABLES = frozenset("abckmntxyz")  # letters that usually name no function
SETS = frozenset(("union", "intersection", "difference", "set"))
BETWEEN_SETS = frozenset(("cup", "cap", "setminus"))
CROSS = "×"
DERIVATIVE = "\\frac{d"  # how the names of derivatives begin
MARKED_VECTORS = ("\\vec ", "\\overline ", "\\hat ")


def called(tokens: Sequence[Token]) -> frozenset[str]:
    """Letters that a bracket with one number, one letter or a set in it makes functions."""
    found: set[str] = set()
    for at in range(len(tokens) - 2):
        name = _letter(tokens[at])
        if not name or tokens[at + 1].text != "(":
            continue
        inside = tokens[at + 2 : _closing(tokens, at + 1)]
        single = len(inside) == 1 and (
            inside[0].kind == "number" or (name not in VARIABLES and bool(_letter(inside[0])))
        )
        if single or any(token.text in BETWEEN_SETS for token in inside):
            found.add(name)
    return frozenset(found) - frozenset(CONSTANTS)


def head(node: Node, known: frozenset[str]) -> str:
    """The name under which a node applies to the bracket behind it, empty where it does not."""
    if node.kind == "power" and node.parts[1].kind == "number":
        if node.parts[1].value != -1 and _base(node.parts[0]) not in NAMES:
            return ""
        name = head(node.parts[0], known)
        return name and f"{name}^{node.parts[1].value}"
    if node.kind != "symbol" or node.name.startswith(("label ", *MARKED_VECTORS)):
        return ""
    return node.name if _base(node) in NAMES | known or node.name.endswith("'") else ""


def is_argument(tokens: Sequence[Token], at: int) -> bool:
    """Whether an opening bracket holds one thing: F(1, 2) names a point or a value of several."""
    depth = 0
    for token in tokens[at : _closing(tokens, at)]:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if depth == 1 and token.text in (",", ";"):
            return False
    return True


def derivative(above: Node, below: Node) -> tuple[str, Node | None] | None:
    r"""The name of d/dx and what stands beside the upper d, for the parts of \frac{dy}{dx}."""
    upper, lower = (one.parts if one.kind == "product" else (one,) for one in (above, below))
    order = "1"
    if upper[0].kind == "power" and upper[0].parts[0] == Node("symbol", name="d"):
        order = str(upper[0].parts[1].value or upper[0].parts[1].name)
    elif upper[0] != Node("symbol", name="d"):
        return None
    if len(lower) != 2 or lower[0] != Node("symbol", name="d") or len(upper) > 2:
        return None
    variable = lower[1]
    if variable.kind == "power" and order != "1":
        variable = variable.parts[0]
    if variable.kind != "symbol":
        return None
    return f"\\frac{{d^{order}}}{{d{variable.name}}}", upper[1] if len(upper) == 2 else None


def crosses(one: Node, other: Node) -> bool:
    r"""Whether \times between these may be a product that does not commute: vectors, sets."""
    return all(
        node.kind in SETS
        or (node.kind == "apply" and node.name == CROSS)
        or (node.kind == "symbol" and node.name.startswith(MARKED_VECTORS))
        or (node.kind == "symbol" and len(node.name) == 1 and node.name.isupper())
        for node in (one, other)
    )


def _base(node: Node) -> str:
    return node.name.split("_")[0].rstrip("'")


def _letter(token: Token) -> str:
    if token.kind == "run":
        return token.text[-1] if len(token.text) <= 2 else ""
    return f"\\{token.text}" if token.kind == "command" and token.text in GREEK else ""


def _closing(tokens: Sequence[Token], at: int) -> int:
    depth = 0
    for end in range(at, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[end].text, 0)
        if depth == 0:
            return end
    return len(tokens)
