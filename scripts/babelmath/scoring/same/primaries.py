"""Reading what a factor starts with: numbers, mixed numbers, letters, brackets, bars."""

from __future__ import annotations

from babelmath.scoring.same.brackets import Brackets
from babelmath.scoring.same.literals import literal, repeating
from babelmath.scoring.same.tokens import Token
from babelmath.scoring.same.tree import DOTS, Node, UnreadableError, number
from babelmath.scoring.same.words import words


class Primaries(Brackets):
    """A reader of primaries."""

    def primary(self) -> Node:
        token = self.take()
        if token.kind == "number":
            return self.mixed(token)
        if token.kind == "repeating":
            return repeating(token.text)
        if token.kind == "run":
            return self.run(token)
        if token.kind == "command":
            return self.command(token)
        if token.kind == "open":
            return self.environment(token.text)
        if token.text in ("(", "["):
            return self.fence(token.text)
        if token.text == "]":
            return self.fence("]")
        if token.text in ("\\{", "{"):
            return self.braces(token.text)
        if token.text == "|":
            self.bars += 1
            inner = self.sum()
            self.bars -= 1
            self.expect("|")
            return Node("call", (inner,), "abs")
        if token.text == "‖":
            inner = self.sum()
            self.expect("‖")
            return Node("call", (inner,), "norm")
        if token.text == "%" and self.peek().kind == "number":
            return Node("percent", (literal(self.take().text),))
        if token.text == "dots":
            while self.peek().text == "dots":
                self.take()
            return DOTS
        if token.text == "^" and self.peek().text == "{":
            return self.chosen(self.group())
        raise UnreadableError(f"unexpected {token.text}")

    def mixed(self, token: Token) -> Node:
        node = literal(token.text)
        whole = node.value is not None and node.value.denominator == 1 and node.places is None
        after = self.peek()
        if whole and after.kind == "command" and after.text == "frac" and self.digits_ahead():
            self.take()
            above, below = self.argument(), self.argument()
            if not below.value:
                raise UnreadableError("division by zero")
            assert node.value is not None and above.value is not None
            return number(node.value + above.value / below.value)
        if whole and after.kind == "number" and after.blank and self.peek(1).text == "/":
            above, below = literal(after.text), literal("0")
            if self.peek(2).kind == "number":
                below = literal(self.peek(2).text)
            assert node.value is not None and above.value is not None and below.value is not None
            if above.value < below.value and above.places is below.places is None:
                self.at += 3
                return number(node.value + above.value / below.value)
        elif after.text in ("th", "st", "nd", "rd") and not after.blank:
            self.take()
        elif after.text == "-" and not after.blank and self.ending(self.peek(1)):  # 12-asis
            self.at += 2
        return node

    def ending(self, token: Token) -> bool:
        """Whether a token is the ending of an ordinal number behind its hyphen."""
        wordlike = token.kind == "word" or (token.kind == "run" and len(token.text) > 1)
        return wordlike and not token.blank and words().is_in(token.text, "ordinals")

    def digits_ahead(self) -> bool:
        """Whether a fraction of two whole numbers follows: \\frac{1}{2}, \\frac12, \\frac1{2}."""
        at = self.at + 1
        for _ in range(2):
            grouped = self.peek_at(at).text == "{"
            token = self.peek_at(at + grouped)
            if token.kind != "number" or not token.text.isdigit():
                return False
            if grouped and self.peek_at(at + 2).text != "}":
                return False
            if not grouped and len(token.text) == 2:
                return True
            if not grouped and len(token.text) > 2:
                return False
            at += 3 if grouped else 1
        return True
