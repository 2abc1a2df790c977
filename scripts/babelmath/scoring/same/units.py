"""Reading the words after a number: a unit, a scale (million), both, or words of no measure."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from babelmath.scoring.same.tree import Unit
from babelmath.scoring.same.words import Words, squeezed, words

SUPERSCRIPTS = {"²": 2, "³": 3}
MOST_WORDS = 8


def unit_of(pieces: Sequence[str]) -> tuple[Fraction, Unit | None] | None:
    """Scale and unit of words as they stand, or None where they cannot be a unit.

    Args:
        pieces: words and the marks `/`, `^`, `*`, digits; `["square", "m"]`, `["km", "/", "h"]`.

    Returns:
        The scale that multiplies the number (1 without one), and the unit: with dimensions where
        all words are known, without where one is not ("students").
    """
    known = words()
    rest = [piece for piece in pieces if piece not in "()[]"]
    scale = Fraction(1)
    while rest and squeezed(rest[0]) in known.scales:
        scale *= known.scales[squeezed(rest.pop(0))]
    if not rest:
        return scale, None
    written = " ".join(rest)
    if len(rest) > MOST_WORDS or not any(piece[0].isalpha() or known.unit(piece) for piece in rest):
        return None
    measured = _measure(rest, known)
    if measured is None:
        return (scale, Unit(written, known=False)) if _plain_words(rest, known) else None
    return scale, Unit(written, *measured)


def in_lengths(unit: Unit) -> Unit:
    """A unit with areas and volumes as powers of a length: 1 L is 1000 cm^3."""
    size, powers = unit.factor, dict[str, int]()
    for name, power in unit.dimensions or ():
        kind, times = {"area": ("length", 2), "volume": ("length", 3)}.get(name, (name, 1))
        powers[kind] = powers.get(kind, 0) + times * power
        size *= Fraction(1, 1000) ** power if name == "volume" else 1
    dimensions = tuple(sorted((name, power) for name, power in powers.items() if power))
    return Unit(unit.words, size, dimensions, unit.known)


def _measure(
    pieces: list[str], known: Words
) -> tuple[Fraction, tuple[tuple[str, int], ...] | None] | None:
    """Size and dimensions, or None where a word is unknown; ["unit"] alone measures nothing."""
    if all(known.is_in(piece, "nothing") or squeezed(piece) in known.before for piece in pieces):
        return Fraction(1), None
    size, powers, sign, pending = Fraction(1), dict[str, int](), 1, 1
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        at += 1
        if piece == "*":
            continue
        if known.is_in(piece, "per"):
            sign = -1
            continue
        ahead = known.before.get(squeezed(piece))
        unit = known.unit(piece)
        if ahead and not unit and at < len(pieces):
            pending = ahead
            continue
        for more in (2, 1) if unit is None else ():  # ki lô mét
            joined = known.units.get(squeezed("".join([piece, *pieces[at : at + more]])))
            if joined is not None and at + more <= len(pieces):
                unit, at = joined, at + more
                break
        power = pending
        if unit is None:
            power, unit = _composed(piece, known)
        if unit is None:
            return None
        if at < len(pieces) and squeezed(pieces[at]) in known.after:
            power *= known.after[squeezed(pieces[at])]
            at += 1
        elif at + 1 < len(pieces) and pieces[at] == "^" and pieces[at + 1].lstrip("-").isdigit():
            power *= int(pieces[at + 1][:3])
            at += 2
        name, one = unit
        powers[name] = powers.get(name, 0) + sign * power
        size *= one ** (sign * power) if abs(power) < 10 else 1
        sign, pending = 1, 1
    return size, tuple(sorted((name, power) for name, power in powers.items() if power))


def _composed(piece: str, known: Words) -> tuple[int, tuple[str, Fraction] | None]:
    """A unit written in one word with its square or cube: বর্গমিটার, metrekare, m²."""
    word = squeezed(piece)
    if piece[-1] in SUPERSCRIPTS:
        return SUPERSCRIPTS[piece[-1]], known.unit(piece[:-1])
    for table, cut in ((known.before, True), (known.after, False)):
        for mark, power in table.items():
            rest = word.removeprefix(mark) if cut else word.removesuffix(mark)
            if rest != word and (rest in known.units or rest in known.short):
                return power, known.units.get(rest) or known.short[rest]
    return 1, None


def _plain_words(pieces: list[str], known: Words) -> bool:
    """Whether these are words that name what was counted: no marks, negations or joined answers."""
    if len(pieces) > 2 and pieces[-2] == "^":  # birim²
        pieces = pieces[:-2]
    return all(piece.isalpha() or not piece.isascii() for piece in pieces) and not any(
        known.is_in(piece, "and") or known.is_in(piece, "or") or squeezed(piece) in known.answers
        or squeezed(piece) in known.scales or known.is_in(piece, "percent")
        or known.is_in(piece, "degree") or known.changes(piece)
        or squeezed(piece) in known.after
        for piece in pieces
    )  # fmt: skip
