"""Checks of the ledger of claims: their grammar, their trees, and their text.

    check      = "k/n" | sum | sum comparison sum | "one_of" "(" arguments ")"
    comparison = "<" | "<=" | ">" | ">=" | "=="
    sum        = product { ("+" | "-") product }
    product    = factor { ("*" | "/") factor }
    factor     = "-" factor | "(" sum ")" | number | id | function "(" arguments ")"
    function   = "mean" | "sum" | "min" | "max" | "abs"
    arguments  = argument { "," argument },  argument = sum | id with brace lists

An id with brace lists, `t13.{aime2024,cnmo}.qwq_32b.en`, stands for one argument an alternative
(several lists: their product). Numbers are decimal and exact. A text is read into a tree by this
module's own parser; nothing of it is ever run as code.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn

from babelmath.errors import InputError

ID = re.compile(r"[a-z0-9_]+(\.[a-z0-9_]+)+")
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
TOKEN = re.compile(
    r"[ \t\n]*(?:(?P<word>(?:[a-z0-9_.]|\{[^{}]*\})+)|(?P<sign><=|>=|==|[-+*/(),<>]))"
)
MOST_CHARACTERS = 20_000  # in one check
MOST_DIGITS = 30  # in one number
MOST_ARGUMENTS = 1_000  # that the brace lists of one check may stand for
DEEPEST = 50  # parentheses, calls and minus signs inside each other
FUNCTIONS = ("mean", "sum", "min", "max", "abs")
COMPARISONS = ("<", "<=", ">", ">=", "==")


@dataclass(frozen=True, slots=True)
class Number:
    """A literal, exact number; not negative."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Reference:
    """The printed number of another claim."""

    id: str


@dataclass(frozen=True, slots=True)
class Negation:
    """A unary minus."""

    operand: Node


@dataclass(frozen=True, slots=True)
class Chain:
    """Operations of one rank from left to right: all of `+ -`, or all of `* /`."""

    first: Node
    rest: tuple[tuple[str, Node], ...]


@dataclass(frozen=True, slots=True)
class Call:
    """A function of its arguments."""

    function: str
    arguments: tuple[Node, ...]


Node = Number | Reference | Negation | Chain | Call


@dataclass(frozen=True, slots=True)
class Attainable:
    """`k/n`: the printed share is that of some whole k of the n items."""


@dataclass(frozen=True, slots=True)
class Equation:
    """What the printed number should equal."""

    expression: Node


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the paper's words say of two expressions."""

    left: Node
    sign: str
    right: Node


@dataclass(frozen=True, slots=True)
class OneOf:
    """Candidates, at least one of which the printed number should equal."""

    candidates: tuple[Node, ...]


Check = Attainable | Equation | Comparison | OneOf


@lru_cache(maxsize=16_384)
def parse_check(text: str) -> Check:
    """One check of the ledger as a tree, brace lists expanded.

    Raises:
        InputError: not of the grammar, deeper than 50, brace lists of more than 1,000 arguments,
            or numbers of more than 30 digits; with the check as value, and a remedy.
    """
    if len(text) > MOST_CHARACTERS:
        raise InputError(
            f"a check of {len(text):,} characters", field="checks", value=text,
            remedy=f"Keep it under {MOST_CHARACTERS:,}; use brace lists.",
        )  # fmt: skip
    return Attainable() if text.strip() == "k/n" else _Parser(text).check()


def split_checks(text: str) -> tuple[str, ...]:
    """The checks of a ledger's cell, separated by semicolons; an empty cell has none.

    Raises:
        InputError: nothing between two semicolons, or after the last.
    """
    if not text.strip():
        return ()
    checks = tuple(part.strip() for part in text.split(";"))
    if not all(checks):
        raise InputError(
            "an empty check", field="checks", value=text,
            remedy="Put `; ` between two checks only.",
        )  # fmt: skip
    return checks


def expanded(pattern: str) -> Iterator[str]:
    """The ids that an id with brace lists stands for, the last list turning fastest."""
    parts = re.split(r"\{([^{}]*)\}", pattern)
    lists = [
        [one.strip() for one in part.split(",")] if place % 2 else [part]
        for place, part in enumerate(parts)
    ]
    return ("".join(choice) for choice in itertools.product(*lists))


def references(check: Check) -> tuple[str, ...]:
    """The ids that a check names, in reading order, each once."""
    return tuple(dict.fromkeys(node.id for node in _nodes(check) if isinstance(node, Reference)))


def labels(candidates: Sequence[Node]) -> tuple[str, ...]:
    """Short names of candidates: of ids alike but for some parts, those parts (`aime2024`)."""
    texts = tuple(format_node(node) for node in candidates)
    if len(set(texts)) < 2 or not all(isinstance(node, Reference) for node in candidates):
        return texts
    ids = [text.split(".") for text in texts]
    if len({len(parts) for parts in ids}) > 1:
        return texts
    unlike = [place for place, column in enumerate(zip(*ids, strict=True)) if len(set(column)) > 1]
    return tuple(".".join(parts[place] for place in unlike) for parts in ids)


def format_check(check: Check) -> str:
    """A check as text that parses into the same tree; ids stand one by one."""
    match check:
        case Attainable():
            return "k/n"
        case Equation(expression):
            return format_node(expression)
        case Comparison(left, sign, right):
            return f"{format_node(left)} {sign} {format_node(right)}"
        case OneOf(candidates):
            return f"one_of({', '.join(map(format_node, candidates))})"


def format_node(node: Node) -> str:
    """An expression as text, with no parentheses but those it needs."""
    match node:
        case Number(value):
            return _decimal(value)
        case Reference(id):
            return id
        case Negation(operand):
            return f"-{_bracketed(operand, '+-*/')}"
        case Call(function, arguments):
            return f"{function}({', '.join(map(format_node, arguments))})"
        case Chain(first, rest) if rest[0][0] in "+-":
            terms = [f" {sign} {_bracketed(term, '+-')}" for sign, term in rest]
            return _bracketed(first, "+-") + "".join(terms)
        case Chain(first, rest):
            factors = [f" {sign} {_bracketed(factor, '+-*/')}" for sign, factor in rest]
            return _bracketed(first, "+-*/") + "".join(factors)


class _Parser:
    """Recursive descent over the tokens of one check; `depth` bounds the recursion."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._tokens()
        self.place = 0
        self.arguments = 0

    def check(self) -> Check:
        check: Check
        if self._sees("one_of") and self.tokens[1:2] == ["("]:
            self.place = 1
            check = OneOf(self._arguments(1))
        else:
            left = self._sum(0)
            if self._peek() in COMPARISONS:
                sign = self._next()
                check = Comparison(left, sign, self._sum(0))
            else:
                check = Equation(left)
        if self._peek():
            self._fail(f"does not go on with {self._peek()!r}")
        return check

    def _sum(self, depth: int) -> Node:
        return self._chain("+-", lambda: self._chain("*/", lambda: self._factor(depth)))

    def _chain(self, signs: str, part: Callable[[], Node]) -> Node:
        first = part()
        rest: list[tuple[str, Node]] = []
        while self._peek() and self._peek() in signs:
            sign = self._next()
            rest.append((sign, part()))
        return Chain(first, tuple(rest)) if rest else first

    def _factor(self, depth: int) -> Node:
        if depth >= DEEPEST:
            self._fail(f"is nested deeper than {DEEPEST}", "Write it flatter.")
        if not self._peek():
            self._fail("ends too early")
        token = self._next()
        if token == "-":
            return Negation(self._factor(depth + 1))
        if token == "(":
            inner = self._sum(depth + 1)
            self._expect(")")
            return inner
        if self._sees("("):
            return self._call(token, depth)
        if NUMBER.fullmatch(token):
            if len(token) > MOST_DIGITS:
                self._fail("holds a number of too many digits", f"At most {MOST_DIGITS}.")
            return Number(Fraction(token))
        if "{" in token:
            self._fail(
                f"has a brace list where one number is needed: {token}",
                "Brace lists stand alone as arguments of mean, sum, min, max or one_of.",
            )
        return self._reference(token)

    def _call(self, name: str, depth: int) -> Call:
        if name not in FUNCTIONS:
            self._fail(
                f"has no function {name!r} here",
                f"Functions are {', '.join(FUNCTIONS)}; one_of only as a whole check.",
            )
        arguments = self._arguments(depth + 1)
        if name == "abs" and len(arguments) != 1:
            self._fail("gives abs more than one argument")
        return Call(name, arguments)

    def _arguments(self, depth: int) -> tuple[Node, ...]:
        self._expect("(")
        arguments: list[Node] = []
        while True:
            token, after = self._peek(), self.tokens[self.place + 1 : self.place + 2]
            if "{" in token and after in ([","], [")"]):
                arguments += self._listed(self._next())
            else:
                arguments.append(self._sum(depth))
            if not self._sees(","):
                break
            self._next()
        self._expect(")")
        return tuple(arguments)

    def _listed(self, pattern: str) -> list[Node]:
        size = 1
        for part in re.findall(r"\{[^{}]*\}", pattern):
            size *= part.count(",") + 1
            if self.arguments + size > MOST_ARGUMENTS:
                self._fail(
                    f"has brace lists of more than {MOST_ARGUMENTS:,} arguments",
                    "Check fewer numbers at once.",
                )
        self.arguments += size
        return [self._reference(id) for id in expanded(pattern)]

    def _reference(self, token: str) -> Reference:
        if not ID.fullmatch(token) or NUMBER.fullmatch(token):
            self._fail(
                f"has neither a number nor an id in {token!r}",
                "An id is lower-case words joined by dots.",
            )
        return Reference(token)

    def _tokens(self) -> list[str]:
        tokens = []
        place, end = 0, len(self.text.rstrip())
        while place < end:
            token = TOKEN.match(self.text, place)
            if token is None:
                sign = self.text[place:].strip()[0]
                self._fail(
                    "has braces that do not match" if sign in "{}" else f"cannot have {sign!r}",
                    "Write numbers, ids, + - * /, parentheses and the functions of the grammar.",
                )
            tokens.append(token["word"] or token["sign"])
            place = token.end()
        return tokens

    def _peek(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def _sees(self, token: str) -> bool:
        return self._peek() == token

    def _next(self) -> str:
        self.place += 1
        return self.tokens[self.place - 1]

    def _expect(self, token: str) -> None:
        if not self._sees(token):
            self._fail(f"lacks {token!r} before {self._peek() or 'its end'!r}")
        self.place += 1

    def _fail(self, problem: str, remedy: str = "See the grammar of checks.") -> NoReturn:
        raise InputError(f"the check {problem}", field="checks", value=self.text, remedy=remedy)


def _nodes(check: Check) -> Iterator[Node]:
    match check:
        case Attainable():
            waiting: list[Node] = []
        case Equation(expression):
            waiting = [expression]
        case Comparison(left, _, right):
            waiting = [right, left]
        case OneOf(candidates):
            waiting = [*reversed(candidates)]
    while waiting:
        node = waiting.pop()
        yield node
        match node:
            case Negation(operand):
                waiting.append(operand)
            case Chain(first, rest):
                waiting += [*(part for _, part in reversed(rest)), first]
            case Call(_, arguments):
                waiting += reversed(arguments)


def _bracketed(node: Node, signs: str) -> str:
    """An operand, in parentheses where it is itself a chain of one of these signs."""
    text = format_node(node)
    return f"({text})" if isinstance(node, Chain) and node.rest[0][0] in signs else text


def _decimal(value: Fraction) -> str:
    """A literal's shortest decimal form; what has none stays a fraction."""
    for places in range(MOST_DIGITS):
        scaled = value * 10**places
        if scaled.denominator == 1:
            digits = str(scaled.numerator).rjust(places + 1, "0")
            return f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return str(value)
