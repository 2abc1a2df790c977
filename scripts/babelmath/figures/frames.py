"""What a figure asks of its frame: the columns, one row a key, percentages, and counts in words."""

from collections.abc import Iterable, Sequence

import polars as pl


def check(
    frame: pl.DataFrame, columns: Sequence[str], key: Sequence[str], percent: str, figure: str
) -> None:
    """Refuse a frame that `figure` cannot draw.

    Raises ValueError for a missing column, an empty frame, a null or repeated `key`, and a value of
    column `percent` that is neither null nor between 0 and 100.
    """
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise ValueError(
            f"{figure}: the frame lacks the column(s) {', '.join(missing)}; "
            f"it has {', '.join(frame.columns) or 'none'}"
        )
    if frame.is_empty():
        raise ValueError(f"{figure}: the frame is empty; there is nothing to draw")
    seen: set[tuple[object, ...]] = set()
    for row in frame.iter_rows(named=True):
        name = tuple(row[column] for column in key)
        shown = ", ".join(f"{column}={row[column]!r}" for column in key)
        if None in name:
            raise ValueError(f"{figure}: a key column is null ({shown})")
        if name in seen:
            raise ValueError(f"{figure}: two rows for {shown}")
        seen.add(name)
        value = row[percent]
        if value is not None and not 0 <= value <= 100:
            raise ValueError(f"{figure}: {percent} is {value!r}, not a percentage ({shown})")


def in_order(frame: pl.DataFrame, column: str) -> list[str]:
    """The values of a text column in the order of their first appearance."""
    return [str(value) for value in frame[column].unique(maintain_order=True)]


def count_text(counts: Iterable[int | None]) -> str:
    """`n = 150`, or `n = 150–1,445` where counts differ; empty without any count above 0."""
    known = sorted({count for count in counts if count})
    if not known:
        return ""
    low, high = f"{known[0]:,}", f"{known[-1]:,}"
    return f"n = {low}" if low == high else f"n = {low}–{high}"


def joined(*sentences: str) -> str:
    """Sentences in one line of text, the empty ones left out."""
    return " ".join(sentence.strip() for sentence in sentences if sentence.strip())
