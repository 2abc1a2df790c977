"""The estimate as a table: for the terminal, as Markdown, and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence

from babelmath.config import Config
from babelmath.estimates.estimate import COLUMNS, SHOWN, Estimate, cells, csv_rows, totals
from babelmath.estimates.work import Row

NUMBERS = frozenset(SHOWN[3:])
HEADS = {"prompt_tokens": "prompt tokens", "new_tokens": "new tokens",
         "most_new_tokens": "at most", "usd": "US $", "most_usd": "at most $",
         "gpu_hours": "GPU-hours"}  # fmt: skip


def terminal(found: Estimate, config: Config) -> str:
    """A table of aligned columns, the totals below it, and what it rests on."""
    rows, sums = _shown(found)
    wide = {one: max(len(_head(one)), *(len(row[one]) for row in [*rows, *sums])) for one in SHOWN}

    def line(values: dict[str, str]) -> str:
        aligned = (values[one].rjust(wide[one]) if one in NUMBERS else values[one].ljust(wide[one])
                   for one in SHOWN)  # fmt: skip
        return "  ".join(aligned).rstrip()

    head = line({one: _head(one) for one in SHOWN})
    return "\n".join(
        [head, *map(line, rows), "-" * len(head), *map(line, sums), "", *notes(found, config)]
    )


def markdown(found: Estimate, config: Config) -> str:
    """A page with the same table."""
    rows, sums = _shown(found)

    def line(values: Sequence[str]) -> str:
        return f"| {' | '.join(values)} |"

    table = [
        line([_head(one) for one in SHOWN]),
        line(["--:" if one in NUMBERS else "---" for one in SHOWN]),
        *(line([row[one] for one in SHOWN]) for row in rows),
        *(line([f"**{row[one]}**" if row[one] else "" for one in SHOWN]) for row in sums),
    ]
    said = [f"- {one}" for one in notes(found, config)]
    return "\n".join(["# Estimate before the run", "", *table, "", *said]) + "\n"


def csv_text(found: Estimate) -> str:
    """All columns, one line a row, totals at the end."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(csv_rows(found))
    return stream.getvalue()


def notes(found: Estimate, config: Config) -> list[str]:
    """What the numbers rest on, and what is missing, in sentences."""
    rows = found.rows
    said = [f"MISSING: {one}." for one in found.missing]
    for counted in dict.fromkeys(row.tokens_by for row in rows):
        names = dict.fromkeys(row.load.model for row in rows if row.tokens_by == counted)
        said.append(f"Prompt tokens by {counted}: {', '.join(names)}.")
    assumed = sum(row.load.new_by == "assumed" for row in rows)
    said.append(
        f"New tokens are assumed in {assumed} of {len(rows)} rows (estimate.new_tokens "
        f"{config.estimate.new_tokens}, estimate.thinking_tokens {config.estimate.thinking_tokens} "
        "where a model thinks, a translation as long as its source's ratio; never above "
        "max_tokens) and measured in the journal in the others."
    )
    stood_in = [row for row in rows if row.load.questions.startswith("assumed")]
    if stood_in:
        said.append(
            f"In {len(stood_in)} rows some questions are not built yet: English ones stand in, as "
            "long as a measured ratio says; the column `questions` of the CSV names the languages, "
            "and nothing journalled is subtracted for them."
        )
    said.append(
        "Journalled generations are told by their keys; those of judging and building by their "
        "number. `requests` are without them; `at most` takes every round and max_tokens."
    )
    unpriced = _names(found, lambda row: row.paid and row.price is None)
    if unpriced:
        said.append(f"Price unknown, none configured (models.NAME.price): {unpriced}.")
    unrated = _names(found, lambda row: row.gpus > 0 and row.gpu_hours is None)
    if unrated:
        said.append(
            f"GPU-hours unknown, no rate configured (models.NAME.tokens_per_second): {unrated}."
        )
    return [*said, *_lengths(rows, config)]


def _lengths(rows: Sequence[Row], config: Config) -> list[str]:
    """How long a job of a split setting takes, and jobs that take longer than they may."""
    said = []
    for row in rows:
        load, hours, model = row.load, row.job_hours, config.models[row.load.model]
        place = f"{load.step} {load.benchmark} {load.setting} {load.model}".replace("  ", " ")
        told = "unknown" if hours is None else f"{hours:.3g}"
        if load.shards > 1:
            said.append(f"{place}: {load.shards} shards, hours of each job: {told}.")
        if hours is not None and hours * 60 > model.runtime_min:
            said.append(
                f"{place}: {told} hours are more than models.{load.model}.runtime_min allows, "
                f"{model.runtime_min} minutes. Split a setting by shards, or raise it."
            )
    return said


def _names(found: Estimate, which: Callable[[Row], bool]) -> str:
    return ", ".join(dict.fromkeys(row.load.model for row in found.rows if which(row)))


def _shown(found: Estimate) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Cells of rows and totals, numbers in groups of three."""
    blank = dict.fromkeys(SHOWN, "")
    rows = [blank | {k: v for k, v in cells(row).items() if k in SHOWN} for row in found.rows]
    for values, row in zip(rows, found.rows, strict=True):
        of = f" of {row.load.of}" if row.load.of else ""
        values["setting"] = f"{row.load.benchmark} {row.load.setting}".strip() + of
    sums = [blank | {k: v for k, v in one.items() if k in SHOWN} for one in totals(found.rows)]
    for values in [*rows, *sums]:
        for name in NUMBERS:
            if values[name].isdigit():
                values[name] = f"{int(values[name]):,}"
    return rows, sums


def _head(column: str) -> str:
    return HEADS.get(column, column)
