"""The tokens before the grammar: a cursor over them, what joins items, what stands at the edges."""

from __future__ import annotations

from babelmath.scoring.same.tokens import Token
from babelmath.scoring.same.tree import TooLargeError, UnreadableError
from babelmath.scoring.same.words import squeezed, words

END = Token("end", "")
COMMA = Token("mark", ",")
DEEPEST = 150  # three to a bracket
MOST_STEPS = 20_000
LEADING = frozenset(("=", "approx", "sim", ":", ",", ";", "gap", "newline", "Rightarrow"))
EDGES = ("mark", "command")
TRAILING = frozenset((",", ";", ":", "gap", "newline", "=", "?"))
RELATION_TEXTS = frozenset(("=", "<", ">", "le", "ge", "ne", "in", "approx", "equiv"))
LINES = frozenset((
    "cases", "aligned", "align", "gather", "gathered", "split", "eqnarray", "equation", "dcases"
))  # fmt: skip

State = tuple[list[Token], int, int]


class Cursor:
    """Tokens and a place among them; `deeper` bounds steps and depth."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0
        self.steps = 0

    @property
    def done(self) -> bool:
        return self.at >= len(self.tokens)

    @property
    def state(self) -> State:
        return self.tokens, self.at, self.depth

    @state.setter
    def state(self, state: State) -> None:
        self.tokens, self.at, self.depth = state

    def peek(self, ahead: int = 0) -> Token:
        return self.peek_at(self.at + ahead)

    def peek_at(self, at: int) -> Token:
        return self.tokens[at] if 0 <= at < len(self.tokens) else END

    def before(self) -> Token:
        """The token just read."""
        return self.peek_at(self.at - 1)

    def take(self) -> Token:
        token = self.peek()
        self.at += 1
        return token

    def push(self, token: Token) -> None:
        """Put what was left of the last token back."""
        self.tokens = [*self.tokens]
        self.at -= 1
        self.tokens[self.at] = token

    def expect(self, text: str) -> None:
        if self.take().text != text:
            raise UnreadableError(f"no {text}")

    def first_character(self) -> str:
        """The first character of a number or run; the rest stays to be read."""
        token = self.take()
        if len(token.text) > 1:
            self.push(Token(token.kind, token.text[1:], False, token.upright))
        return token.text[0]

    def deeper(self) -> None:
        self.depth += 1
        self.steps += 1
        if self.depth > DEEPEST or self.steps > MOST_STEPS:
            raise TooLargeError("depth")


def is_join(token: Token, after: Token) -> str | None:
    """How a token joins items ("," "and" "or"), or None; in words it stands between blanks."""
    if token.kind == "mark":
        return "," if token.text in (",", ";", "newline") else None
    if token.kind == "command":
        return token.text if token.text in ("and", "or") else None
    if token.kind not in ("run", "word"):
        return None
    name = next((name for name in ("or", "and") if words().is_in(token.text, name)), None)
    if name is None or token.kind == "word":
        return name
    apart = token.blank and (after.blank or after.text == ",")
    wordlike = len(token.text) > 1 and (token.upright or apart)
    return name if wordlike or (apart and token.upright) else None


def is_phrase(token: Token) -> bool:
    return token.kind in ("run", "word") or token.text == "'"


def strip_edges(tokens: list[Token]) -> list[Token]:
    """Tokens without what decides nothing: a leading equals sign, trailing marks, "(approx.)",
    alignment marks; lines and wide gaps become commas."""
    kept = _without_rounding(_without_lines(tokens))
    start, end = 0, len(kept)
    while start < end and kept[start].text in LEADING and kept[start].kind in EDGES:
        start += 1
    while end > start and kept[end - 1].text in TRAILING:
        end -= 1
    return _gaps(kept[start:end])


def _without_lines(tokens: list[Token]) -> list[Token]:
    if not any(token.kind == "open" or token.text == "newline" for token in tokens):
        return tokens
    kept: list[Token] = []
    inside: list[str] = []
    for at, token in enumerate(tokens):
        if token.kind == "open":
            inside.append(token.text)
        if token.kind == "close" and inside and inside.pop() != token.text:
            raise UnreadableError("environments that cross")
        matrix = any(name not in LINES for name in inside)
        if token.kind in ("open", "close") and token.text in LINES:
            continue
        if token.text == "&" and not matrix:
            around = {tokens[at - 1].text if at else "", tokens[min(at + 1, len(tokens) - 1)].text}
            if not around & RELATION_TEXTS:
                raise UnreadableError("cases")
            continue
        kept.append(COMMA if token.text == "newline" and not matrix else token)
    return kept


def _without_rounding(tokens: list[Token]) -> list[Token]:
    """Without "(approx.)", "≈" in words, "(Ans.)"."""
    if not any(token.kind in ("run", "word") for token in tokens):
        return tokens
    kept: list[Token] = []
    at = 0
    while at < len(tokens):
        if tokens[at].text in ("(", "["):
            end = at + 1
            while end < len(tokens) and tokens[end].kind in ("run", "word"):
                end += 1
            inside = tokens[at + 1 : end]
            closed = end < len(tokens) and tokens[end].text in (")", "]")
            apart = tokens[at].blank or (len(inside[:1]) and len(squeezed(inside[0].text)) > 1)
            if closed and apart and all(words().is_in(t.text, "approximately") for t in inside):
                at = end + 1
                continue
        token = tokens[at]
        rounded = token.kind in ("run", "word") and len(token.text) > 1 and token.blank
        if not (rounded and words().is_in(token.text, "approximately")):
            kept.append(token)
        at += 1
    return kept


def _gaps(tokens: list[Token]) -> list[Token]:
    """A wide gap parts two items, unless a mark or a word does."""
    if not any(token.text == "gap" for token in tokens):
        return tokens
    kept: list[Token] = []
    for at, token in enumerate(tokens):
        if token.text != "gap":
            kept.append(token)
            continue
        before, after = (kept[-1] if kept else END), tokens[at + 1]
        parted = (
            ((len(before.text) > 1 or before.kind == "mark") and is_join(before, COMMA) is not None)
            or is_join(after, COMMA) is not None
            or before.text in ("(", "{", "[", "gap", *RELATION_TEXTS)
            or after.text in (")", "}", "]", "(", "gap", *RELATION_TEXTS)
            or after.kind in ("word", "close")
            or after.upright
        )
        if not parted:
            kept.append(COMMA)
    return kept
