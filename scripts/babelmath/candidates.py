"""Candidates for distractors: slips, near misses, a model's proposal (MathMist section 3.2)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from babelmath.records import Proposal

Kind = Literal["calc", "concept", "plaus"]
PLAIN_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:/\d+)?")  # 1e999999999 would fill memory
NAMED_VALUE = re.compile(r"([A-Za-z]\w*\s*=\s*)([^=<>]+)")
PLAIN_FRACTION = re.compile(r"(-?)\\[dt]?frac\{(\d+)\}\{(\d+)\}")


@dataclass(frozen=True)
class Candidate:
    """A possible distractor: its kind and how it came about."""

    kind: Kind
    how: str
    text: str


def number_of(text: str) -> Fraction | None:
    """The value of a plain integer, decimal or fraction, else None."""
    match = PLAIN_FRACTION.fullmatch(text.strip())
    if match:
        sign, above, below = match.groups()
        return Fraction(int(above), int(below)) * (-1 if sign else 1) if int(below) else None
    try:
        return Fraction(text.strip()) if PLAIN_NUMBER.fullmatch(text.strip()) else None
    except (ValueError, ZeroDivisionError):
        return None


def slips(gold: str) -> list[Candidate]:
    """Calculation slips; of `x=5` they are made of the value."""
    if named := NAMED_VALUE.fullmatch(gold):
        return _named(named.group(1), slips(named.group(2)))
    value = number_of(gold)
    if value is not None:
        changed = {
            "A+1": value + 1,
            "A-1": value - 1,
            "-A": -value,
            "10A": value * 10,
            "A/10": value / 10,
        }
        return [Candidate("calc", name, written_like(gold, one)) for name, one in changed.items()]
    found = [
        Candidate("calc", "flipped sign", gold[: at.start()] + other + gold[at.end() :])
        for at in re.finditer(r"(?<=[\w}\)])\s*([+-])", gold)
        for other in ["-" if at.group(1) == "+" else "+"]
    ]
    return [*found, Candidate("calc", "-A", f"-({gold})"), Candidate("calc", "10A", f"10({gold})")]


def near_misses(gold: str) -> list[Candidate]:
    """Near misses; of `x=5` they are made of the value."""
    if named := NAMED_VALUE.fullmatch(gold):
        return _named(named.group(1), near_misses(named.group(2)))
    value = number_of(gold)
    if value is not None:
        changed = {"A+2": value + 2, "A-2": value - 2}
        if value.denominator != 1:
            changed["rounded"] = Fraction(round(value))
        elif abs(value) >= 20:
            changed["rounded"] = Fraction(round(value, -1))
        return [Candidate("plaus", name, written_like(gold, one)) for name, one in changed.items()]
    return [
        Candidate(
            "plaus", f"{at.group()} to {new}", gold[: at.start()] + str(new) + gold[at.end() :]
        )
        for at in re.finditer(r"\d+", gold)
        for new in [int(at.group()) + 1]
    ]


def concept(proposal: Proposal) -> Candidate:
    """The model's value reached by a wrong formula: its first mathematics, else its whole line."""
    text = proposal.text.strip()
    match = re.search(r"\$([^$]+)\$", text) or re.match(r"([^\n]*)", text)
    return Candidate("concept", "wrong formula", (match.group(1) if match else "").strip())


def written_like(gold: str, value: Fraction) -> str:
    """A value in the form of the answer: as a fraction, with a slash, or as a decimal."""
    text = written(value, "frac" in gold or "/" in gold)
    return text if "frac" in gold else PLAIN_FRACTION.sub(r"\1\2/\3", text)


def _named(name: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    return [Candidate(one.kind, one.how, name + one.text) for one in candidates]


def written(value: Fraction, as_fraction: bool) -> str:
    """A value as LaTeX: whole, as a fraction where the answer is one, else as a decimal."""
    if value.denominator == 1:
        return str(value.numerator)
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if as_fraction or rest != 1:
        sign = "-" if value < 0 else ""
        return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"
    return f"{float(value):.12f}".rstrip("0")
