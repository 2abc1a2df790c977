r"""Reading items of their own kinds: dates, answers in words, names in words, moduli."""

from __future__ import annotations

from babelmath.scoring.same.names import CLOSERS
from babelmath.scoring.same.primaries import Primaries
from babelmath.scoring.same.sides import END, is_join, is_phrase
from babelmath.scoring.same.tokens import Token
from babelmath.scoring.same.tree import Node, UnreadableError, symbol
from babelmath.scoring.same.words import squeezed, words


class Items(Primaries):
    """A reader of what is an item as a whole."""

    def date(self) -> Node | None:
        """A date in digits, as it is written: 2024-01-02, 1/2/2024; it stands alone."""
        texts = [self.peek(at).text for at in range(5)]
        if (
            texts[1] not in ("-", "/") or texts[1] != texts[3] or any(
                self.peek(at).kind != "number" or not text.isdigit() or len(text) not in (1, 2, 4)
                for at, text in zip((0, 2, 4), texts[::2], strict=True)
            ) or any(self.peek(at).blank for at in range(1, 5))
        ):  # fmt: skip
            return None
        years = [1500 <= int(text) < 2200 for text in texts[::2]]
        others = [1 <= int(text) <= 31 for text in texts[::2]]
        apart = self.at == 0 or is_join(self.before(), END) is not None
        ended = self.peek(5).kind == "end" or is_join(self.peek(5), END) is not None
        if years.count(True) != 1 or years[1] or others.count(True) != 2 or not (apart and ended):
            return None
        self.at += 5
        return Node("word", name="date " + " ".join(str(int(text)) for text in texts[::2]))

    def congruence(self, node: Node) -> Node:
        r"""A relation or value with the modulus behind it: x \equiv 3 \pmod{5}, 7 (mod 9)."""
        last = node.parts[-1] if node.kind == "relation" else node
        if "equiv" in node.name and (last.kind, last.name) == ("call", "bmod"):
            node = Node("relation", (*node.parts[:-1], last.parts[0]), node.name)
            return Node("congruence", (node, last.parts[1]))  # x \equiv 3 \bmod 5
        opened = self.peek().text == "("
        name = self.peek(int(opened))
        if name.text not in ("pmod", "mod") and not (opened and name.text == "bmod"):
            return node
        self.at += 1 + opened
        modulus = self.argument() if self.peek().kind != "number" else self.factor()
        if opened:
            self.expect(")")
        return Node("congruence", (node, modulus))

    def phrase(self) -> Node | None:
        """An answer in words of the closed lists, up to the end of the item."""
        end = self.at
        while is_phrase(self.peek_at(end)):
            end += 1
        after = self.peek_at(end)
        if end == self.at or not (after.kind == "end" or after.text in (*CLOSERS, ",", ";")):
            return None
        text = " ".join(token.text for token in self.tokens[self.at : end])
        meaning = words().answers.get(squeezed(text))
        alone = self.at == 0 and after.kind == "end"
        if meaning is None or not (
            alone or end > self.at + 1 or len(text) > 3 or not text.isascii()
        ):
            return None
        self.at = end
        return Node("word", name=meaning)

    def label(self) -> Node:
        """Words before an equals sign: `Domain f = ...`, `\\text{সমান্তরাল} = ...`."""
        taken: list[Token] = []
        while not self.done and is_join(self.peek(), self.peek(1)) is None:
            token = self.take()
            if token.text in ("=", ":") and taken:
                self.at -= 1
                self.tokens = [*self.tokens]
                self.tokens[self.at] = Token("mark", "=")
                return symbol("label " + " ".join(squeezed(one.text) for one in taken))
            if token.kind == "mark" and token.text not in "()'-:_{}^":
                break
            taken.append(token)
        raise UnreadableError("words")
