"""Reading what stands around a number: a currency before it, a unit or a percent word behind it."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from babelmath.scoring.same.applications import called
from babelmath.scoring.same.names import (
    CLOSERS,
    CURRENCIES,
    LONGEST_PRODUCT,
    RELATIONS,
    RUN_FUNCTIONS,
)
from babelmath.scoring.same.sides import Cursor, is_join
from babelmath.scoring.same.tokens import Token
from babelmath.scoring.same.tree import Unit
from babelmath.scoring.same.units import unit_of
from babelmath.scoring.same.words import squeezed, words

SHORT = 3  # letters of a unit that might be variables


@dataclass
class _Run:
    """Tokens that may be a unit: up to where, their texts, letters of short ones, unknown ones."""

    end: int
    pieces: list[str] = field(default_factory=list)
    letters: set[str] = field(default_factory=set)
    unknown: list[Token] = field(default_factory=list)

    def add(self, token: Token) -> bool:
        """Take a word in; a bare letter with no blank before it is a variable, unless in km/h."""
        known = words().unit(token.text) is not None
        if token.kind == "run" and known and len(token.text) <= SHORT:
            alone = len(token.text) == 1 and not (token.upright or token.blank)
            if alone and self.pieces[-1:] not in (["/"], ["*"]):
                return False
            self.letters |= set(token.text)
        elif not known:
            self.unknown.append(token)
        self.pieces.append(token.text)
        return True


class Quantities(Cursor):
    """A reader of units.

    Attributes:
        bare: letters that were read as part of a unit and might be variables.
        applying: whether letters before brackets may be functions.
        functions: letters that are, beside the usual names.
        unit: the scale, unit and special kind (percent, degree) that was read ahead; the value that
            is being read takes it.
    """

    def __init__(self, tokens: list[Token], with_units: bool, applying: bool) -> None:
        super().__init__(tokens)
        self.with_units = with_units
        self.applying = applying
        self.functions = called(tokens) if applying else frozenset()
        self.bare: set[str] = set()
        self.unit: tuple[Fraction, Unit | None, str] | None = None  # read, not yet attached

    def money(self) -> Unit | None:
        """A currency before its amount: \\$5, Tk. 2000, US$ 5."""
        token, after = self.peek(), self.peek(1)
        if token.kind == "run" and token.text.lower() in ("us", "a", "r") and after.text == "$":
            self.take()
            token, after = self.peek(), self.peek(1)
        if after.kind != "number" or not (
            token.text in CURRENCIES or (token.kind in ("run", "word") and len(token.text) > 1)
        ):
            return None
        found = words().unit(token.text)
        if found is None:
            return None
        self.take()
        return Unit(token.text, found[1], ((found[0], 1),))

    def unit_ahead(self) -> bool:
        """Read a unit up to the end of the value, where one stands; `unit` then holds it."""
        run = self._unit_run()
        if run is None or not run.pieces:
            return False
        stop = self.peek_at(run.end)
        if not (
            stop.kind in ("end", "close", "number")
            or stop.text in (*CLOSERS, "=", "<", ">", ":", "&")
            or (stop.kind == "command" and stop.text in (*RELATIONS, "cup", "cap"))
            or is_join(stop, self.peek_at(run.end + 1)) is not None
        ):
            return False
        for special in ("percent", "degree"):
            if words().is_in("".join(run.pieces), special):
                self.unit, self.at = (Fraction(1), None, special), run.end
                return True
        if not all(self._may_be_counted(token, run.letters) for token in run.unknown):
            return False
        found = unit_of(run.pieces)
        if found is None or (stop.kind == "number" and not (found[1] and found[1].dimensions)):
            return False
        if run.letters:
            self.bare |= run.letters
            if not self.with_units:
                return False
        self.unit, self.at = (*found, ""), run.end
        return True

    def _unit_run(self) -> _Run | None:
        """The tokens from here on that can be parts of a unit, None where one cannot be."""
        run = _Run(self.at)
        opened = 0
        while True:
            token = self.peek_at(run.end)
            if token.kind in ("run", "word") or token.text in CURRENCIES:
                if is_join(token, self.peek_at(run.end + 1)) is not None:
                    return run
                if not run.add(token):
                    return None
            elif token.text in ("/", "*", "×") and run.pieces:
                run.pieces.append(token.text.replace("×", "*"))
            elif token.text == "^" and run.pieces:
                power, run.end = self._power_at(run.end + 1)
                if not power:
                    return None
                run.pieces += ["^", power]
            elif token.text in ("[", "(") and (run.end == self.at or run.pieces[-1:] == ["/"]):
                opened += 1
            elif token.text in ("]", ")") and opened:
                opened -= 1
            else:
                return run
            run.end += 1

    def _power_at(self, at: int) -> tuple[str, int]:
        """The whole exponent that starts at a token, and where it ends; empty without one."""
        group = self.peek_at(at).text == "{"
        at += group
        sign = "-" if self.peek_at(at).text == "-" else ""
        at += len(sign)
        if self.peek_at(at).kind != "number":
            return "", at
        return sign + self.peek_at(at).text, at + group

    def _may_be_counted(self, token: Token, letters: set[str]) -> bool:
        """Whether an unknown word can name what is counted; short bare ones may be variables."""
        squeezed_text = squeezed(token.text)
        if words().is_in(token.text, "per") or squeezed_text in words().scales:
            return True
        if token.kind == "word" or squeezed_text in words().before | words().after:
            return True
        if token.upright:
            return len(token.text) > 1
        if token.text in RUN_FUNCTIONS or token.text in ("pi", "infinity"):
            return False
        if len(token.text) <= LONGEST_PRODUCT:
            letters |= set(token.text)
            return len(token.text) > 2 and token.blank
        return True
