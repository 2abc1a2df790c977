r"""Reading tokens into a tree: a descent from lists over relations, sets, sums and products.

Conventions where notation leaves a choice: juxtaposition binds closer than a slash without a blank
(1/2x is 1/(2x)), a function without brackets takes the juxtaposed factors up to the next function
(\sin 2x\cos x), a whole number before a fraction is a mixed number, a power applies to the last
letter of a run.
"""

from __future__ import annotations

from collections.abc import Callable

from babelmath.scoring.same.applications import CROSS, crosses
from babelmath.scoring.same.items import Items
from babelmath.scoring.same.names import BETWEEN, CURRENCIES, RELATIONS
from babelmath.scoring.same.sides import is_join, strip_edges
from babelmath.scoring.same.tokens import Token, tokens_of
from babelmath.scoring.same.tree import (
    STRUCTURES,
    Node,
    UnreadableError,
    holds,
    letters,
    negative,
    number,
    product_of,
    sum_of,
    symbol,
)


def tree_of(
    text: str, with_units: bool = True, applying: bool = True
) -> tuple[Node, frozenset[str]]:
    """The tree of an answer, and the letters that are part of a unit in it but might be variables.

    Args:
        with_units: whether such letters (`5 m`, `5\\mathrm{cm}`) are units; otherwise variables.
        applying: whether letters before brackets may be functions; otherwise they are factors.

    Raises:
        UnreadableError: the text is not mathematics or a known word.
        TooLargeError: it is nested or longer than any answer.
    """
    reader = _Reader(strip_edges(tokens_of(text)), with_units, applying)
    node = reader.list_of(lambda: reader.done)
    if not reader.done:
        raise UnreadableError(f"unexpected {reader.peek().text}")
    if reader.peek_at(0).text == "[" and _is_bracketed(node, reader.tokens):
        node = Node("bracket", (node,))
    return node, frozenset(reader.bare)


def _is_bracketed(node: Node, tokens: list[Token]) -> bool:
    """Whether an answer is one expression in square brackets, that may mean its whole part; one
    of three terms or factors is only bracketed."""
    if node.kind in ("sum", "product") and len(node.parts) > 2:
        return False
    depth = 0
    for at, token in enumerate(tokens):
        depth += {"[": 1, "]": -1}.get(token.text, 0)
        if depth == 0:
            return (
                at == len(tokens) - 1
                and not holds(node, STRUCTURES | {"matrix", "pm"})
                and not (node.value is not None and node.value.denominator == 1)
            )
    return False


class _Reader(Items):
    """A reader of whole answers."""

    def list_of(self, ended: Callable[[], bool]) -> Node:
        """Items parted by commas, semicolons, lines, "and", "or", up to where `ended` says."""
        groups: list[list[Node]] = [[]]
        joins: set[str] = set()
        while not ended():
            groups[-1].append(self.item())
            joined: set[str] = set()
            while not ended() and (join := is_join(self.peek(), self.peek(1))) is not None:
                self.take()
                joined.add(join)
            if ended():
                break
            if not joined:
                raise UnreadableError(f"unexpected {self.peek().text}")
            if "or" in joined:
                joins.add("or")
                groups.append([])
            else:
                joins.add("and" if "and" in joined else ",")
        if joins == {"or"} or len(groups) == 1:
            parts = [part for group in groups for part in group]
            if not parts:
                raise UnreadableError("nothing")
            if len(parts) == 1:
                return parts[0]
            name = "or" if "or" in joins else "and" if joins == {"and"} else ","
            return Node("list", tuple(parts), name)
        if "and" not in joins:  # 2, 3 or 4
            return Node("list", tuple(part for group in groups for part in group), "or")
        inner = [
            group[0] if len(group) == 1 else Node("list", tuple(group), "and")
            for group in groups
            if group
        ]
        return inner[0] if len(inner) == 1 else Node("list", tuple(inner), "or")

    def item(self) -> Node:
        """A relation chain or a single side; an answer in words; a value with a label in words."""
        self.deeper()
        phrase = self.date() or self.phrase()
        if phrase is None:
            state, marks = self.state, (self.fences, self.bars, self.no_ratio)
            try:
                nothing = self.peek().text in ("<", ">", "le", "ge")  # "at most 42": \le 42
                sides = [symbol("")] if nothing else [self.side()]
            except UnreadableError:
                self.state, self.unit = state, None
                self.fences, self.bars, self.no_ratio = marks
                sides = [self.label()]
            operators = []
            while (operator := self.relation()) is not None:
                operators.append(operator)
                sides.append(self.phrase() or self.side())
            phrase = Node("relation", tuple(sides), " ".join(operators)) if operators else sides[0]
            phrase = self.congruence(phrase)
        self.depth -= 1
        return phrase

    def relation(self) -> str | None:
        token = self.peek()
        if token.kind == "command" and token.text == "not":
            self.take()
            inner = self.relation()
            if inner is None:
                raise UnreadableError("\\not")
            return {"=": "ne", "in": "notin"}.get(inner, "not" + inner)
        if token.kind == "mark" and token.text in ("=", "<", ">"):
            self.take()
            return {"<": "lt", ">": "gt"}.get(token.text, token.text)
        if token.kind == "mark" and token.text == ":" and self.peek(1).text == "=":
            self.at += 2
            return "="
        if token.kind == "command" and token.text in RELATIONS:
            return self.take().text
        return None

    def side(self) -> Node:
        """A value with its unit, a ratio, or an expression of sets."""
        money = self.money()
        first = self.value()
        if money is not None:
            if first.kind == "quantity":
                raise UnreadableError("two units")
            first = Node("quantity", (first,), unit=money)
        parts, clock = [first], False
        while not self.no_ratio and self.peek().text == ":" and self.peek(1).text != "=":
            self.take()
            clock |= self.peek().kind == "number" and self.peek().text[0] == "0" != self.peek().text
            parts.append(self.value())
        return Node("ratio", tuple(parts), "clock" * clock) if len(parts) > 1 else first

    def value(self) -> Node:
        node = self.sets()
        if self.unit is None:
            return node
        scale, unit, special = self.unit
        self.unit = None
        if special:
            return Node(special, (node,))
        if scale != 1:
            node = Node("product", (node, number(scale)))
        if unit is None:
            return node
        if not unit.known and letters(node):  # a, b, c are in proportion
            raise UnreadableError("words")
        while unit.dimensions and self.peek().kind == "number":  # 3 hours 30 minutes
            further = self.value()
            if further.unit is None or further.unit.dimensions != unit.dimensions:
                raise UnreadableError("a number after a unit")
            share = number(further.unit.factor / unit.factor)
            node = Node("sum", (node, Node("product", (further.parts[0], share))))
        return Node("quantity", (node,), unit=unit)

    def sets(self) -> Node:
        node = self.sum()
        names = {"cup": "union", "cap": "intersection", "setminus": "difference"}
        while self.peek().kind == "command" and self.peek().text in names and self.unit is None:
            kind = names[self.take().text]
            right = self.sum()
            if node.kind == kind and kind != "difference":
                node = Node(kind, (*node.parts, right))
            else:
                node = Node(kind, (node, right))
        return node

    def sum(self) -> Node:
        self.deeper()
        parts: list[Node] = []
        while True:
            token = self.peek()
            sign = token.text if token.text in ("+", "-", "pm", "mp") else ""
            if sign and token.kind in ("mark", "command"):
                self.take()
            elif parts:
                break
            term = self.product()
            if sign in ("pm", "mp"):
                left = sum_of(parts) if parts else None
                parts = [Node("pm", (left, term) if left else (term,), sign)]
            else:
                parts.append(negative(term) if sign == "-" else term)
            if self.unit is not None:
                break
        self.depth -= 1
        return sum_of(parts)

    def product(self) -> Node:
        above: list[Node] = [self.factor()]
        while self.unit is None:
            token = self.peek()
            if token.text in ("*", "×") and token.kind == "mark":
                crossed = self.take().text == "×" and self.applying
                right = self.factor()
                if crossed and crosses(above[-1], right):
                    above[-1] = Node("apply", (above[-1], right), CROSS)
                else:
                    above.append(right)
            elif token.text == "bmod" and token.kind == "command":
                self.take()
                above = [Node("call", (product_of(above), self.factor()), "bmod")]
            elif token.text == "/" and token.kind == "mark":
                self.take()
                below = [self.factor()]
                while self.unit is None and not self.peek().blank and self.starts_factor():
                    below.append(self.factor())
                above = [self.quotient(product_of(above), product_of(below))]
            elif self.starts_factor():
                above.append(self.factor())
            else:
                break
        return product_of(above)

    def starts_factor(self) -> bool:
        """Whether a juxtaposed factor follows; sets `unit` where a unit follows instead."""
        token, before = self.peek(), self.before()
        if is_join(token, self.peek(1)) is not None:
            return False
        wordlike = token.kind in ("run", "word") or token.text in ("[", "(", *CURRENCIES)
        if wordlike and self.unit_ahead():
            return False
        if token.kind in ("number", "repeating"):
            if before.kind in ("number", "repeating"):
                raise UnreadableError("two numbers side by side")
            return True
        if token.kind == "word":
            raise UnreadableError("words")
        if token.kind == "command":
            return token.text not in RELATIONS | BETWEEN
        if token.text == "(" and self.peek(1).text in ("mod", "bmod", "pmod"):
            return False
        if token.text == "[":
            return not self.closes(self.at) and before.text not in (")", "]")
        if token.text == "|":
            return self.bars == 0 and self.no_ratio == 0
        return token.kind in ("run", "open") or token.text in ("(", "{", "dots")
