"""The shares behind a language matrix: which columns it has, what is folded, what must add up."""

from collections.abc import Sequence

import polars as pl

OTHER = "other"
FOLD_BELOW = 1.0  # percent: a foreign label below it in every row goes to `other`

_SUM_TOLERANCE = 0.5  # percent, for shares that were rounded before

Shares = dict[tuple[str, str, str], float]
"""Percent by model, question language and label."""


def shares_of(frame: pl.DataFrame) -> Shares:
    """The frame's shares that are not null."""
    known = frame.filter(pl.col("share").is_not_null())
    return {
        (model, row, label): share
        for model, row, label, share in known.select(
            "model", "question_lang", "label", "share"
        ).iter_rows()
    }


def counts_of(frame: pl.DataFrame) -> dict[tuple[str, str], int]:
    """Records of each model and question language that has shares.

    Raises ValueError when the rows of one question language name different numbers.
    """
    known = frame.filter(pl.col("share").is_not_null())
    counts: dict[tuple[str, str], int] = {}
    for model, row, count in known.select("model", "question_lang", "n").iter_rows():
        if counts.setdefault((model, row), count) != count:
            raise ValueError(
                f"language matrices: n is both {counts[model, row]} and {count} "
                f"for model={model!r}, question_lang={row!r}"
            )
    return counts


def columns_of(shares: Shares, rows: Sequence[str]) -> list[str]:
    """The matrix's columns: the question languages, other labels by total share, `other` last."""
    totals: dict[str, float] = {}
    highest: dict[str, float] = {}
    for (_, _, label), share in shares.items():
        totals[label] = totals.get(label, 0.0) + share
        highest[label] = max(highest.get(label, 0.0), share)
    foreign = [label for label in totals if label not in rows and label != OTHER]
    kept = [label for label in foreign if highest[label] >= FOLD_BELOW]
    folded = any(totals[label] > 0 for label in foreign if label not in kept)
    last = [OTHER] if folded or totals.get(OTHER, 0.0) > 0 else []
    return [*rows, *sorted(kept, key=lambda label: (-totals[label], label)), *last]


def fold(shares: Shares, columns: Sequence[str]) -> Shares:
    """The shares with every label that has no column of its own added to `other`."""
    folded: Shares = {}
    for (model, row, label), share in shares.items():
        key = (model, row, label if label in columns else OTHER)
        folded[key] = folded.get(key, 0.0) + share
    return folded


def check_sums(shares: Shares) -> None:
    """Raise ValueError for a question language whose shares do not add up to 100."""
    sums: dict[tuple[str, str], float] = {}
    for (model, row, _), share in shares.items():
        sums[model, row] = sums.get((model, row), 0.0) + share
    for (model, row), total in sums.items():
        if abs(total - 100) > _SUM_TOLERANCE:
            raise ValueError(
                f"language matrices: the shares of model={model!r}, question_lang={row!r} "
                f"add up to {total:.2f}, not 100"
            )
