"""Reading a factor: a sign, something primary, and the powers and marks behind it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from babelmath.scoring.same.applications import derivative, head, is_argument
from babelmath.scoring.same.literals import literal
from babelmath.scoring.same.names import RUN_FUNCTIONS
from babelmath.scoring.same.quantities import Quantities
from babelmath.scoring.same.sides import is_join
from babelmath.scoring.same.tree import (
    Node,
    TooLargeError,
    Unit,
    UnreadableError,
    negative,
    number,
    symbol,
)
from babelmath.scoring.same.words import words

LONGEST_NUMERAL = 10_000  # bits


class Factors(Quantities):
    """A reader of factors; what they hold is read by the classes above this one.

    Attributes:
        bars, fences, no_ratio: whether a bar closes, `[` may close, and a colon parts a ratio.
    """

    bars = 0
    fences = 0
    no_ratio = 0

    def list_of(self, ended: Callable[[], bool]) -> Node:
        raise NotImplementedError

    def item(self) -> Node:
        raise NotImplementedError

    def sum(self) -> Node:
        raise NotImplementedError

    def product(self) -> Node:
        raise NotImplementedError

    def starts_factor(self) -> bool:
        raise NotImplementedError

    def primary(self) -> Node:
        raise NotImplementedError

    def closes(self, at: int) -> bool:
        raise NotImplementedError

    def factor(self) -> Node:
        self.deeper()
        if self.peek().text in ("-", "+") and self.peek().kind == "mark":
            sign = self.take().text
            inner = self.factor()
            node = negative(inner) if sign == "-" else inner
        else:
            node = self.powers(self.primary())
            while self.applying and self.peek().text == "(":
                name = head(node, self.functions)
                if not name or not is_argument(self.tokens, self.at):
                    break
                node = self.powers(Node("apply", (self.primary(),), name))
        self.depth -= 1
        return node

    def powers(self, node: Node) -> Node:
        while True:
            token = self.peek()
            if token.kind != "mark":
                return node
            if token.text == "!":
                self.take()
                double = self.peek().text == "!" and not self.peek().blank
                if double:
                    self.take()
                node = Node("call", (node,), "factorial2") if double else Node("factorial", (node,))
            elif token.text == "%":
                self.take()
                node = Node("percent", (node,))
            elif token.text == "°":
                self.take()
                node = self.degrees(node)
            elif token.text == "_" and node.kind == "number":
                node = self.based(node)
            elif token.text == "'" and node.kind == "symbol":
                self.take()
                node = symbol(node.name + "'")
            elif token.text == "^" and self.primes_ahead():
                if node.kind != "symbol":
                    raise UnreadableError("prime")
                node = symbol(node.name + "'")
            elif token.text == "^":
                self.take()
                if self.peek().text == "°" or (
                    self.peek().text == "{"
                    and self.peek(1).text == "°"
                    and self.peek(2).text == "}"
                ):
                    self.at += 3 if self.peek().text == "{" else 1
                    node = self.degrees(node)
                elif self.ordinal_ahead():
                    pass
                else:
                    node = Node("power", (node, self.exponent()))
            elif token.text == "'":
                raise UnreadableError("prime")
            else:
                return node

    def primes_ahead(self) -> bool:
        """Read ^{\\prime}."""
        if self.peek(1).text == "'":
            self.at += 1
            self.take()
            return True
        if self.peek(1).text == "{" and self.peek(2).text == "'" and self.peek(3).text == "}":
            self.at += 4
            return True
        return False

    def ordinal_ahead(self) -> bool:
        """Read the raised ending of an ordinal number: ^{\\text{th}}."""
        shift = 1 if self.peek().text == "{" else 0
        token = self.peek(shift)
        ending = token.kind in ("run", "word") and words().is_in(token.text, "ordinals")
        if not ending or (len(token.text) == 1 and token.kind == "run" and not token.upright):
            return False
        if shift and self.peek(2).text != "}":
            return False
        self.at += 1 + 2 * shift
        return True

    def quotient(self, above: Node, below: Node) -> Node:
        """A quotient, or a derivative: dy/dx, d/dx before what it is taken of."""
        named = derivative(above, below)
        if named is None:
            return Node("quotient", (above, below))
        name, taken = named
        if taken is None:
            if not self.starts_factor():
                raise UnreadableError("derivative of nothing")
            taken = self.product()
        return Node("apply", (taken,), name)

    def exponent(self) -> Node:
        token = self.peek()
        if token.text in ("-", "+"):
            self.take()
            inner = self.exponent()
            return negative(inner) if token.text == "-" else inner
        if token.text == "{":
            return self.group()
        if token.kind == "run" and len(token.text) > 1 and token.text not in RUN_FUNCTIONS:
            return symbol(self.first_character())
        return self.primary()

    def degrees(self, node: Node) -> Node:
        """An angle in degrees, with minutes and seconds; or a temperature."""
        for share, mark in ((60, "'"), (3600, "''")):
            seconds = self.peek(1).text == '"' or (
                self.peek(1).text == "'" and self.peek(2).text == "'"
            )
            if self.peek().kind != "number" or (mark == "''") != seconds:
                continue
            if self.peek(1).text not in ("'", '"'):
                break
            part = literal(self.take().text)
            self.at += 2 if self.peek().text == "'" and seconds else 1
            node = Node("sum", (node, Node("quotient", (part, number(share)))))
        letter = self.peek()
        last = self.peek(1).kind == "end" or is_join(self.peek(1), self.peek(2)) is not None
        if letter.kind == "run" and letter.text in ("C", "F") and (last or not letter.blank):
            self.take()
            kind = (("temperature " + letter.text, 1),)
            return Node("quantity", (node,), unit=Unit("°" + letter.text, Fraction(1), kind))
        return Node("degree", (node,))

    def based(self, node: Node) -> Node:
        """A numeral in a base: 413_5."""
        self.take()
        base = self.argument()
        if node.value is None or node.value.denominator != 1 or node.value < 0 or node.places:
            raise UnreadableError("numeral in a base")
        if node.value.numerator.bit_length() > LONGEST_NUMERAL:
            raise TooLargeError("numeral")
        if base.value is None or not 2 <= base.value <= 36:
            raise UnreadableError("base of a numeral")
        digits = [int(digit) for digit in str(node.value)]
        if max(digits) >= base.value:
            raise UnreadableError("digit of a numeral")
        value = Fraction(0)
        for digit in digits:
            value = value * base.value + digit
        return Node("based", name=str(base.value), value=value)

    def argument(self) -> Node:
        """What a command takes: a group, or one token, of a number its first digit."""
        token = self.peek()
        if token.text == "{":
            return self.group()
        if token.kind in ("number", "run"):
            character = self.first_character()
            return literal(character) if token.kind == "number" else symbol(character)
        return self.primary()

    def group(self) -> Node:
        """A LaTeX group with one thing in it."""
        self.expect("{")
        marks = (self.fences, self.bars, self.no_ratio)
        self.fences = self.bars = self.no_ratio = 0
        inner = self.list_of(lambda: self.peek().text == "}")
        self.expect("}")
        self.fences, self.bars, self.no_ratio = marks
        return inner
