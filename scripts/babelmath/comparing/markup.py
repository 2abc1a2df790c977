"""Texts and numbers of a comparison as Markdown."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

LONGEST = 70  # characters of a text in a table
SIGNS = re.compile(r"([\\`*_\[\]<>|&$~#])")


def told(text: object, most: int = LONGEST) -> str:
    """Any text as one Markdown line that stays a text: no markup, no table's end, no direction."""
    joiners = "\u200c\u200d"  # they shape letters
    plain = "".join(
        " " if unicodedata.category(one)[0] == "C" and one not in joiners else one
        for one in str(text)
    )
    plain = " ".join(plain.split())
    cut = plain if len(plain) <= most else plain[: most - 1] + "…"
    return SIGNS.sub(r"\\\1", cut)


def name(row: Mapping[str, Any]) -> str:
    """The setting, model and scorer of a row of comparison.csv or flips.csv."""
    setting, model = (
        told(row[name]) if row[name] == row[f"{name}_b"] else
        f"{told(row[name])} → {told(row[f'{name}_b'])}" for name in ("setting", "model")
    )  # fmt: skip
    return f"{row['benchmark']}: {setting}, {model}, {told(row['scorer'])}"


def number(value: float | None) -> str:
    """A value in percent."""
    return "" if value is None else f"{value:.2f}"


def change(row: Mapping[str, Any]) -> str:
    """A row's difference with its interval, in points."""
    if row["difference"] is None:
        return ""
    return f"{row['difference']:+.2f} ({row['low']:+.1f} to {row['high']:+.1f})"


def chance(value: float | None) -> str:
    """A p-value."""
    if value is None:
        return ""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def line(cells: Iterable[object]) -> str:
    """A line of a Markdown table."""
    return f"| {' | '.join('' if one is None else str(one) for one in cells)} |"
