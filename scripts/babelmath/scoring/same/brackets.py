"""Reading what stands in brackets: tuples and intervals, sets, matrices."""

from __future__ import annotations

from babelmath.scoring.same.functions import Functions
from babelmath.scoring.same.names import CLOSERS, MATRICES
from babelmath.scoring.same.sides import is_join
from babelmath.scoring.same.tokens import Token
from babelmath.scoring.same.tree import Node, UnreadableError


class Brackets(Functions):
    """A reader of brackets."""

    def fence(self, opening: str) -> Node:
        self.fences += 1
        bars, self.bars = self.bars, 0
        ratio, self.no_ratio = self.no_ratio, 0
        inner = self.list_of(lambda: self.closes(self.at))
        closing = self.take().text
        self.fences -= 1
        self.bars, self.no_ratio = bars, ratio
        if closing not in (")", "]", "["):
            raise UnreadableError("bracket that is not closed")
        if inner.kind == "list":
            return Node("fence", inner.parts, opening + closing)
        if opening + closing not in ("()", "[]"):
            raise UnreadableError("brackets that do not match")
        return inner

    def closes(self, at: int) -> bool:
        """Whether a token closes the fence that is being read; `[` does in ]0,1[."""
        token = self.peek_at(at)
        if token.text in (")", "]") or token.kind == "end":
            return True
        if token.text != "[" or not self.fences:
            return False
        after = self.peek_at(at + 1)
        return (
            after.kind == "end"
            or after.text in (",", ";", *CLOSERS, "cup", "cap", "setminus", "and", "or", "=")
            or is_join(after, Token("end", "")) is not None
        )

    def braces(self, opening: str) -> Node:
        """A set, also in bare braces when it has several elements; else a group."""
        closing = "\\}" if opening == "\\{" else "}"
        state = self.state
        if self.peek().text == closing:
            self.take()
            return Node("set")
        fences, self.fences = self.fences, 0
        bars, self.bars = self.bars, 0
        built = self.builder(closing)
        if built is None:
            self.state, self.unit = state, None
            ratio, self.no_ratio = self.no_ratio, 0
            inner = self.list_of(lambda: self.peek().text == closing)
            self.no_ratio = ratio
            self.expect(closing)
            without = self.peek_at(state[1] - 2).text == "-"  # R-{4} in bare braces
            without &= self.peek_at(state[1] - 3).text in ("R", "mathbbR")
            without |= self.peek_at(state[1] - 2).text in (",", "{", "\\{") and (
                self.peek().text in (",", "}", "\\}")  # an element that is a set of one
            )
            if inner.kind == "list" or opening == "\\{" or without:
                parts = inner.parts if inner.kind == "list" else (inner,)
                built = Node("set", parts)
            else:
                built = inner
        self.fences, self.bars = fences, bars
        return built

    def builder(self, closing: str) -> Node | None:
        r"""{x \in D : condition}, {x : condition}, {x | condition}."""
        depth, at = 0, self.at
        while True:
            token = self.peek_at(at)
            if token.kind == "end" or (depth == 0 and token.text == closing):
                return None
            if token.text in ("(", "{", "\\{", "["):
                depth += 1
            elif token.text in CLOSERS:
                depth -= 1
            elif depth == 0 and token.text in (":", "|", ",", ";"):
                break
            at += 1
        if token.text not in (":", "|") or at == self.at:
            return None
        ratio = self.no_ratio
        self.no_ratio = ratio + 1
        try:
            bound = self.item()
        except UnreadableError:
            return None
        finally:
            self.no_ratio = ratio
        if self.peek().text not in (":", "|"):
            return None
        self.take()
        condition = self.list_of(lambda: self.peek().text == closing)
        self.expect(closing)
        return Node("builder", (bound, condition))

    def environment(self, name: str) -> Node:
        """A matrix, or lines of relations."""
        rows: list[list[Node]] = [[]]
        if name not in MATRICES:
            raise UnreadableError(f"environment {name}")

        def ended() -> bool:
            return self.peek().kind in ("close", "end") or self.peek().text in ("&", "newline")

        fences, self.fences = self.fences, 0
        while self.peek().kind != "close":
            if self.peek().kind == "end":
                raise UnreadableError("environment that is not closed")
            if self.peek().text == "newline":
                self.take()
                rows.append([])
            elif self.peek().text == "&":
                self.take()
            else:
                rows[-1].append(self.list_of(ended))
        self.take()
        self.fences = fences
        rows = [row for row in rows if row]
        if not rows:
            raise UnreadableError("empty environment")
        if len({len(row) for row in rows}) > 1:
            raise UnreadableError("rows of different lengths")
        return Node("matrix", tuple(Node("row", tuple(row)) for row in rows))
