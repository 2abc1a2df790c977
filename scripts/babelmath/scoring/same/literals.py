r"""Numbers as they are written: decimals with the places they show, repeating decimals.

`0.1\dot{8}\dot{5}`, `0.\overline{3}`, `0.(3)` and `0.333...` are exact.
"""

from __future__ import annotations

import re
from fractions import Fraction

from babelmath.scoring.same.tree import Node, TooLargeError, UnreadableError, number

LARGEST_EXPONENT = 10_000
MOST_DIGITS = 4000
ENDING = r"(?:\.{2,}|…+|\\(?:l|c)?dots(?![A-Za-z]))"
REPEATING = re.compile(
    r"\d*\.(?:\d|\\(?:dot|overline|bar)\s*(?:\{\s*\d+\s*\}|\d))*\\(?:dot|overline|bar)\s*"
    r"(?:\{\s*\d+\s*\}|\d)(?:\d|\\dot\s*(?:\{\s*\d+\s*\}|\d))*"
    rf"|\d+\.\d*\(\d+\)|\d*\.\d+{ENDING}",
    re.ASCII,
)
PIECE = re.compile(r"\\(dot|overline|bar)\s*\{?\s*(\d+)\s*\}?|(\d)", re.ASCII)


def literal(text: str) -> Node:
    """The number of `12`, `3.50` or `1.5e-3`; a decimal keeps how many places it shows.

    Raises:
        TooLargeError: an exponent or length that no written number has.
    """
    mantissa, _, exponent = text.lower().partition("e")
    power = int(exponent or 0)
    if abs(power) > LARGEST_EXPONENT or len(mantissa) > MOST_DIGITS:
        raise TooLargeError("digits")
    whole, point, decimals = mantissa.partition(".")
    value = Fraction(int((whole + decimals) or 0)) * Fraction(10) ** (power - len(decimals))
    return number(value, len(decimals) - power if point else None)


def repeating(text: str) -> Node:
    """The exact number of a repeating decimal; what only trails off (3.14...) stays a decimal.

    Raises:
        UnreadableError: marks that mean no repetition (`0.\\dot{3}4`).
    """
    whole, _, rest = text.partition(".")
    if match := re.fullmatch(r"(\d*)\((\d+)\)", rest):
        return number(_value(whole, *match.groups()))
    if match := re.fullmatch(rf"(\d+?){ENDING}", rest):
        digits = match.group(1)
        period = _period(digits)
        if period is None:
            return literal(f"{whole}.{digits}")
        return number(_value(whole, digits[: len(digits) - period], digits[-period:]))
    digits, marked, bars = "", list[int](), False
    for piece in PIECE.finditer(rest):
        name, inside, plain = piece.groups()
        if name:
            marked += range(len(digits), len(digits) + len(inside))
            bars |= name != "dot" or len(inside) > 1
        digits += inside or plain
    start, end = marked[0], marked[-1] + 1
    if end != len(digits) or (bars and len(marked) != end - start):
        raise UnreadableError("repeating decimal")
    return number(_value(whole, digits[:start], digits[start:]))


def _value(whole: str, once: str, again: str) -> Fraction:
    """The value of whole.once(again)."""
    if len(whole) + len(once) + len(again) > MOST_DIGITS:
        raise TooLargeError("digits")
    nines = 10 ** len(again) - 1
    return Fraction(int((whole + once) or 0) * nines + int(again), nines * 10 ** len(once))


def _period(digits: str) -> int | None:
    """Length of the block that the digits end in: three times one digit, or twice a longer one."""
    for length in range(1, len(digits) // 2 + 1):
        times = 3 if length == 1 else 2
        block = digits[-length:]
        if len(digits) >= length * times and digits.endswith(block * times):
            return length
    return None
