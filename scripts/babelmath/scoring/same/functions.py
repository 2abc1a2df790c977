"""Reading letters and commands: variables, functions with their arguments, roots, series."""

from __future__ import annotations

from babelmath.scoring.same.applications import head
from babelmath.scoring.same.factors import Factors
from babelmath.scoring.same.literals import literal
from babelmath.scoring.same.names import (
    FUNCTIONS,
    GREEK,
    LONGEST_PRODUCT,
    MARKED,
    NAMED,
    OPAQUE,
    RUN_FUNCTIONS,
    TRIGONOMETRIC,
)
from babelmath.scoring.same.sides import is_join
from babelmath.scoring.same.tokens import Token
from babelmath.scoring.same.tree import INFINITY, Node, UnreadableError, number, product_of, symbol
from babelmath.scoring.same.words import words


class Functions(Factors):
    """A reader of letters and commands."""

    def run(self, token: Token) -> Node:
        """A run of letters: a function, a constant's name, or variables side by side."""
        text = token.text
        if len(text) == 1:
            return self.letter(text)
        lower = text.lower()
        for length in range(len(text), 1, -1):
            name = RUN_FUNCTIONS.get(text[:length]) or (
                RUN_FUNCTIONS.get(lower) if length == len(text) else None
            )
            if name and (length == len(text) or len(text) - length <= 2):
                if length < len(text):
                    self.push(Token("run", text[length:], False, token.upright))
                return self.root() if name == "sqrt" else self.call(name)
        if lower == "pi" or (lower[0:2] == "pi" and len(text) == 3):
            if len(text) == 3:
                self.push(Token("run", text[2:]))
            return symbol("\\pi")
        if lower in ("infinity", "infty", "inf"):
            return INFINITY
        if (len(text) > LONGEST_PRODUCT and not text.isupper()) or words().is_in(text, "small"):
            raise UnreadableError(f"word {text}")
        after = self.peek()
        beside = after.kind == "run" and after.blank and len(after.text) > 1
        if beside and not text.isupper():
            raise UnreadableError(f"words {text} {after.text}")
        applied = self.peek().text == "(" and self.applying and not token.upright
        if applied and head(symbol(text[-1]), self.functions):
            self.push(Token("run", text[-1]))
            return product_of(_letters(text[:-1]))
        if self.peek().text in ("^", "_", "'", "!"):
            if token.upright:
                return symbol(text) if self.peek().text != "^" else product_of(_letters(text))
            self.push(Token("run", text[-1]))
            return product_of(_letters(text[:-1]))
        return product_of(_letters(text))

    def letter(self, name: str) -> Node:
        """A variable with its index."""
        if self.peek().text != "_" or self.peek().blank:
            return symbol(name)
        self.take()
        return symbol(f"{name}_{{{self.index()}}}")

    def index(self) -> str:
        """The text of a subscript."""
        if self.peek().text != "{":
            token = self.take()
            if token.kind == "end":
                raise UnreadableError("empty index")
            if token.kind in ("number", "run") and len(token.text) > 1:
                self.push(Token(token.kind, token.text[1:], False, token.upright))
                return token.text[0]
            return token.text
        self.take()
        depth, text = 1, ""
        while True:
            token = self.take()
            if token.kind == "end":
                raise UnreadableError("braces do not balance")
            depth += {"{": 1, "}": -1}.get(token.text, 0)
            if depth == 0:
                terms = text.split("+")  # a_{n+1} is a_{1+n}
                return (
                    "+".join(sorted(terms, reverse=True)) if all(map(str.isalnum, terms)) else text
                )
            text += token.text

    def command(self, token: Token) -> Node:
        name = token.text
        if name == "frac":
            above = self.argument()
            return self.quotient(above, self.argument())
        if name == "sqrt":
            return self.root()
        if name == "binom":
            above = self.argument()
            return Node("call", (above, self.argument()), "binom")
        if name == "infty":
            return INFINITY
        if name == "emptyset":
            return Node("set")
        if name in FUNCTIONS:
            return self.call(name)
        if name in ("sum", "prod"):
            return self.series(name)
        if name in OPAQUE:
            return self.opaque(name)
        if name.startswith("mathbb"):
            return symbol(f"\\mathbb{{{name[6:]}}}") if self.peek().text != "^" else symbol(name)
        if name in MARKED:
            text = self.index() if self.peek().text == "{" else self.take().text
            return symbol(f"\\{name} {text}")
        if name in NAMED:
            text = self.take().text if self.peek().kind == "run" else ""
            return symbol(f"\\{name} {text}")
        if name in ("lfloor", "lceil"):
            inner = self.sum()
            self.expect("r" + name[1:])
            return Node("call", (inner,), name[1:])
        if name in ("mod", "bmod", "pmod") or name not in GREEK:
            raise UnreadableError(f"command \\{name}")
        return self.letter("\\" + name)

    def root(self) -> Node:
        degree = number(2)
        if self.peek().text == "[":
            self.take()
            degree = self.list_of(lambda: self.peek().text == "]")
            self.expect("]")
        return Node("root", (self.argument(), degree))

    def call(self, name: str) -> Node:
        """A function with its power, base and argument."""
        power: Node | None = None
        base: Node | None = None
        while self.peek().text in ("^", "_"):
            if self.take().text == "^":
                power = self.exponent()
            else:
                base = self.base()
        if power is not None and power.value == -1 and name in TRIGONOMETRIC:
            name, power = "ar" + ("c" if not name.endswith("h") else "") + name, None
        arguments = self.arguments()
        if base is not None:
            if name not in ("log", "ln"):
                raise UnreadableError("index of a function")
            arguments = (*arguments, base)
        elif name == "log10":
            name, arguments = "log", (*arguments, number(10))
        node = Node("call", arguments, name)
        return node if power is None else Node("power", (node, power))

    def base(self) -> Node:
        """The base of a logarithm; of bare digits the first, unless no argument would be left."""
        if self.peek().kind == "number" and len(self.peek().text) > 1:
            after = self.peek(1)
            if (
                after.kind == "number"
                or after.text in ("(", "{")
                or after.kind in ("run", "command")
            ):
                return literal(self.take().text)
        return self.argument()

    def arguments(self) -> tuple[Node, ...]:
        token = self.peek()
        if token.text in ("(", "{") or (token.text == "[" and not self.closes(self.at)):
            inner = self.primary()
            if inner.kind == "fence" and token.text == "(":
                return inner.parts
            return (inner,)
        parts = [self.factor()]
        while self.unit is None and self.starts_factor():
            token = self.peek()
            function = token.text in FUNCTIONS or (
                token.kind == "run" and any(token.text.startswith(one) for one in TRIGONOMETRIC)
            )
            if function or token.text in ("sqrt", "(", "sum", "prod"):
                break
            parts.append(self.factor())
        return (product_of(parts),)

    def series(self, name: str) -> Node:
        """A sum or product over an index with both limits."""
        lower = upper = None
        while self.peek().text in ("^", "_"):
            if self.take().text == "_":
                self.expect("{")
                lower = self.list_of(lambda: self.peek().text == "}")
                self.expect("}")
            else:
                upper = self.exponent()
        body = self.product()
        return Node("opaque", tuple(one for one in (lower, upper, body) if one), name)

    def opaque(self, name: str) -> Node:
        """Notation that only its text compares: the rest of the side."""
        text = ""
        while self.peek().kind != "end" and is_join(self.peek(), self.peek(1)) is None:
            if self.peek().text in ("=", "<", ">"):
                break
            text += self.take().text + " "
        return Node("opaque", name=f"{name} {text}")

    def chosen(self, above: Node) -> Node:
        """^nC_r and ^nP_r."""
        letter = self.take().text
        if letter not in ("C", "P") or self.peek().text != "_":
            raise UnreadableError("raised text before nothing")
        self.take()
        below = self.group() if self.peek().text == "{" else self.argument()
        return Node("call", (above, below), "binom" if letter == "C" else "permutations")


def _letters(text: str) -> list[Node]:
    return [symbol(letter) for letter in text]
