"""The shares behind a language matrix: which columns it has, what is folded, what must add up."""

from collections.abc import Sequence
from math import floor
from typing import NamedTuple

import polars as pl

from babelmath.language_codes import MIXED, UNDETERMINED

OTHER = "other"
FOLD_BELOW = 1.0  # percent: a foreign label below it in every row goes to `other`
NO_LANGUAGE = (UNDETERMINED, MIXED)  # labels with a column of their own wherever they occur

_SUM_TOLERANCE = 0.5  # percent, for shares that were rounded before

Shares = dict[tuple[str, str, str], float]
"""Percent by panel, question language and label."""


def shares_of(frame: pl.DataFrame) -> Shares:
    """The frame's shares that are not null."""
    known = frame.filter(pl.col("share").is_not_null())
    return {
        (panel, row, label): share
        for panel, row, label, share in known.select(
            "panel", "question_lang", "label", "share"
        ).iter_rows()
    }


def counts_of(frame: pl.DataFrame) -> dict[tuple[str, str], int]:
    """Records of each panel and question language that has shares.

    Raises ValueError when the rows of one question language name different numbers.
    """
    known = frame.filter(pl.col("share").is_not_null())
    counts: dict[tuple[str, str], int] = {}
    for panel, row, count in known.select("panel", "question_lang", "n").iter_rows():
        if counts.setdefault((panel, row), count) != count:
            raise ValueError(
                f"language matrices: n is both {counts[panel, row]} and {count} "
                f"for panel={panel!r}, question_lang={row!r}"
            )
    return counts


class Columns(NamedTuple):
    """A matrix's columns, and the percentage that no label without one reaches in any row."""

    labels: list[str]
    below: float


def columns_of(shares: Shares, rows: Sequence[str], most: int) -> Columns:
    """The question languages, then undetermined and mixed where they occur, other labels by their
    total share, and `other` for those below 1 % everywhere and those beyond `most` columns."""
    totals: dict[str, float] = {}
    highest: dict[str, float] = {}
    for (_, _, label), share in shares.items():
        totals[label] = totals.get(label, 0.0) + share
        highest[label] = max(highest.get(label, 0.0), share)
    fixed = [label for label in NO_LANGUAGE if totals.get(label, 0.0) > 0 and label not in rows]
    apart = {*rows, *fixed, OTHER}
    foreign = sorted(
        (label for label in totals if label not in apart and totals[label] > 0),
        key=lambda label: (-totals[label], label),
    )
    kept = [label for label in foreign if highest[label] >= FOLD_BELOW]
    kept = kept[: max(most - len(rows) - len(fixed) - 1, 0)]
    folded = [label for label in foreign if label not in kept]
    last = [OTHER] if folded or totals.get(OTHER, 0.0) > 0 else []
    below = max([FOLD_BELOW, *(floor(highest[label]) + 1.0 for label in folded)])
    return Columns([*rows, *fixed, *kept, *last], below)


def fold(shares: Shares, columns: Sequence[str]) -> Shares:
    """The shares with every label that has no column of its own added to `other`."""
    folded: Shares = {}
    for (panel, row, label), share in shares.items():
        key = (panel, row, label if label in columns else OTHER)
        folded[key] = folded.get(key, 0.0) + share
    return folded


def check_sums(shares: Shares) -> None:
    """Raise ValueError for a question language whose shares do not add up to 100."""
    sums: dict[tuple[str, str], float] = {}
    for (panel, row, _), share in shares.items():
        sums[panel, row] = sums.get((panel, row), 0.0) + share
    for (panel, row), total in sums.items():
        if abs(total - 100) > _SUM_TOLERANCE:
            raise ValueError(
                f"language matrices: the shares of panel={panel!r}, question_lang={row!r} "
                f"add up to {total:.2f}, not 100"
            )
