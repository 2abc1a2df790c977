"""People's corrections: config/review/{benchmark}/{step}/{lang}.csv.

Columns: id, field (or strategy), verdict, correction, errors (perturbations), note; others may
stand beside them. A verdict is approved, corrected or rejected; rows without one are passed over. A
correction stands after the model's own attempt, as in both papers, and is counted as what it is.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

from babelmath.errors import InputError
from babelmath.sheets import sheet_rows

VERDICTS = ("approved", "corrected", "rejected")


@dataclass(frozen=True)
class Review:
    """One person's word on one thing; `line` is where it stands in the file."""

    verdict: Literal["approved", "corrected", "rejected"]
    correction: str
    errors: list[dict[str, object]]
    line: int


def read_reviews(
    path: Path,
    part: Literal["field", "strategy"],
    parts: Sequence[str],
    ids: Collection[str] | None = None,
) -> dict[tuple[str, str], Review]:
    """Reviews by (id, part).

    Args:
        part: the column that names the part of an item.
        parts: the parts that a review may name.
        ids: the ids that it may name; None for any.

    Returns:
        An empty mapping where there is no such file: no review is fine.

    Raises:
        InputError: a missing column, an unknown id, part or verdict, an empty correction, a row
            that stands twice or has too many cells; with file, line and field.
    """
    if not path.is_file():
        return {}
    reviews: dict[tuple[str, str], Review] = {}
    for line, row in sheet_rows(path, ("id", part, "verdict", "correction")):
        verdict = row["verdict"].strip().lower()
        if not verdict:
            continue
        key = (row["id"], row[part])
        for field, value, allowed in (
            ("verdict", verdict, verdict in VERDICTS),
            ("id", row["id"], ids is None or row["id"] in ids),
            (part, row[part], row[part] in parts),
        ):
            if not allowed:
                raise InputError(
                    f"unknown {field}", file=path, line=line, field=field, value=value,
                    remedy=f"A verdict is one of {', '.join(VERDICTS)}; ids and parts are the "
                    "problems' own.",
                )  # fmt: skip
        if key in reviews:
            raise InputError(
                f"stands already in line {reviews[key].line}", file=path, line=line, field="id",
                value=key,
            )  # fmt: skip
        correction = row["correction"].strip()
        if verdict == "corrected" and not correction:
            raise InputError(
                "empty correction", file=path, line=line, field="correction",
                remedy="Write the corrected text or another verdict.",
            )  # fmt: skip
        reviews[key] = Review(
            cast(Literal["approved", "corrected", "rejected"], verdict),
            correction,
            _errors(row.get("errors", ""), path, line),
            line,
        )
    return reviews


def _errors(text: str, path: Path, line: int) -> list[dict[str, object]]:
    if not text.strip():
        return []
    try:
        errors = json.loads(text)
    except ValueError as error:
        raise InputError(
            f"not JSON: {error}", file=path, line=line, field="errors", value=text
        ) from None
    if not isinstance(errors, list) or not all(isinstance(item, dict) for item in errors):
        raise InputError("not a list of objects", file=path, line=line, field="errors", value=text)
    return errors
