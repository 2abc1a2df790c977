"""Two runs against each other, from folders to files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from babelmath.comparing import leftovers
from babelmath.comparing.cells import cells, corrected, names_of
from babelmath.comparing.flips import COLUMNS, flips
from babelmath.comparing.matching import Questions
from babelmath.comparing.page import MOST, page
from babelmath.comparing.pairing import paired
from babelmath.comparing.runs import Run, open_runs
from babelmath.errors import InputError
from babelmath.files import replacing, write_text

FILES = ("comparison.csv", "flips.csv", "left_out.csv", "README.md")
FOLDER = "comparison"


def compare(
    a: Path,
    b: Path,
    to: Path | None = None,
    models: Mapping[str, str] | None = None,
    settings: Mapping[str, str] | None = None,
) -> Path:
    """Write comparison.csv, flips.csv, left_out.csv and README.md; returns their folder.

    One pair of files of verdicts is in memory at a time.

    Args:
        a: results of the run that is held against; nothing of it is changed.
        b: results of the run that is looked at.
        to: where to write; none: the folder `comparison` of B. It belongs to the run that is looked
            at, and a run that others are held against may be one that cannot be written to.
        models: names of B by names of A, where they differ.
        settings: likewise.

    Raises:
        InputError: no run, the same one twice, nothing in common, a damaged file, or a folder that
            holds something else.
    """
    run_a, run_b = open_runs(a, b)
    folder = to or b / FOLDER
    _check_folder(folder, run_a, run_b)
    renamed = {"models": models or {}, "settings": settings or {}}
    pairs, alone = paired(run_a, run_b, renamed["models"], renamed["settings"])
    questions = Questions(run_a, run_b)
    rows: list[dict[str, Any]] = []
    left = leftovers.of_files(alone)
    became: dict[tuple[str, ...], Counter[str]] = {}
    examples: list[dict[str, Any]] = []
    with replacing(folder / "flips.csv") as stream:
        stream.write(pl.DataFrame(schema=dict.fromkeys(COLUMNS, pl.String)).write_csv())
        for pair in pairs:
            matched = questions.matched(pair)
            rows += cells(matched)
            left += leftovers.of_pair(matched)
            found = flips(run_a, run_b, matched)
            stream.write(found.write_csv(include_header=False))
            if found.height:
                became[tuple(names_of(pair).values())] = Counter(found["response"].to_list())
                if len(examples) < MOST:
                    examples.append(found.row(0, named=True))
        if not any(row["common"] for row in rows):
            raise InputError(
                "the runs have no response in common: no problem, language and sample is in both",
                file=run_b.root,
                remedy="Compare runs of the same benchmark's problems.",
            )
    table = corrected(rows)
    left += leftovers.of_problems(questions.other_text)
    left_out = leftovers.frame(left)
    write_text(folder / "comparison.csv", table.write_csv())
    write_text(folder / "left_out.csv", left_out.write_csv())
    text = page(run_a, run_b, renamed, table, became, examples, left_out)
    write_text(folder / "README.md", text)
    return folder


def _check_folder(folder: Path, a: Run, b: Run) -> None:
    """A comparison overwrites nothing but a comparison."""
    place = folder.resolve()
    for run in (a, b):
        root = run.root.resolve()
        other = (b if run is a else a).root.resolve()
        inside = place.is_relative_to(root)
        deeper = inside and place.is_relative_to(other) and other.is_relative_to(root)
        if inside and not (deeper and other != root):
            parts = place.relative_to(root).parts
            if not parts or parts[0] != FOLDER:
                raise InputError(
                    f"lies among run {run.name}'s own results", file=folder,
                    remedy=f"Choose a folder outside, or {run.root / FOLDER}.",
                )  # fmt: skip
    strange = folder / "README.md"
    if folder.is_file() or (strange.exists() and not (folder / "comparison.csv").exists()):
        raise InputError(
            "holds something else than a comparison", file=folder,
            remedy="Choose another folder: --to FOLDER (make compare TO=FOLDER).",
        )  # fmt: skip
