"""What a figure asks of its frame: the columns, one row a key, percentages, and counts in words."""

from collections.abc import Iterable, Sequence

import polars as pl

_SLACK = 1e-6  # percent, for what sums of floating-point numbers lose


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


def check_spans(frame: pl.DataFrame, columns: Sequence[tuple[str, str, str]], figure: str) -> None:
    """Refuse intervals that cannot be drawn.

    Args:
        columns: (value, low, high), the names of columns in percent. The ends are null together
            where there is no interval, and wherever the value is.

    Raises ValueError for one end without the other, an interval without a value, one that does not
    hold its value, and an end outside 0 to 100.
    """
    for value, low, high in columns:
        for row in frame.iter_rows(named=True):
            middle, ends = row[value], (row[low], row[high])
            if ends == (None, None):
                continue
            shown = f"{value}={middle!r}, {low}={ends[0]!r}, {high}={ends[1]!r}"
            if None in (middle, *ends):
                raise ValueError(f"{figure}: {shown}: an interval has a value and two ends")
            inside = ends[0] - _SLACK <= middle <= ends[1] + _SLACK
            if not (inside and 0 <= ends[0] <= ends[1] <= 100):
                raise ValueError(f"{figure}: {shown}: no interval of percentages that holds it")


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
