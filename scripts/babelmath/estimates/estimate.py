"""The estimate before a run: requests, tokens, price and GPU-hours by model and setting.

Nothing is asked and nothing is fetched. What is not known is said to be unknown, never 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from babelmath.config import Config, benchmarks
from babelmath.errors import InputError
from babelmath.estimates.building import building
from babelmath.estimates.questions import Stock
from babelmath.estimates.settings import settings
from babelmath.estimates.work import Ground, Load, Row

UNKNOWN, NONE = "unknown", ""
COLUMNS = ("step", "benchmark", "setting", "of", "model", "requests", "most_requests", "journalled",
           "prompt_tokens", "new_tokens", "most_new_tokens", "tokens_by", "new_tokens_by",
           "questions", "usd", "most_usd", "gpu_hours", "shards", "job_hours")  # fmt: skip
SHOWN = ("step", "setting", "model", "requests", "journalled", "prompt_tokens", "new_tokens",
         "most_new_tokens", "usd", "most_usd", "gpu_hours")  # fmt: skip


@dataclass(frozen=True)
class Estimate:
    """The rows of a configuration, and what is `missing` for a whole one, in sentences."""

    rows: list[Row]
    missing: list[str]


def estimate(config: Config) -> Estimate:
    """The estimate of all that a configuration's run would still ask.

    Raises:
        InputError: no benchmark has questions here, or a source, record or journal is damaged.
    """
    rows: list[Row] = []
    missing: list[str] = []
    with Ground(config) as ground:
        for name, benchmark in benchmarks(config).items():
            stock = Stock(name, benchmark, config)
            if stock.origin is None:
                missing.append(stock.missing())
                continue
            loads: list[Load] = [*building(stock, ground), *settings(stock, ground)]
            rows += [ground.priced(load) for load in loads]
    if missing and len(missing) == len(benchmarks(config)):
        raise InputError("; ".join(missing))
    return Estimate(rows, missing)


def cells(row: Row) -> dict[str, str]:
    """A row's cells as text, by the names of COLUMNS."""
    load = row.load
    return {
        "step": load.step,
        "benchmark": load.benchmark,
        "setting": load.setting,
        "of": load.of,
        "model": load.model,
        "requests": str(load.requests),
        "most_requests": str(load.most),
        "journalled": str(load.journalled),
        "prompt_tokens": str(row.prompt_tokens),
        "new_tokens": str(row.new_tokens),
        "most_new_tokens": str(row.most_new_tokens),
        "tokens_by": row.tokens_by,
        "new_tokens_by": load.new_by,
        "questions": load.questions,
        "usd": _known(row.price, row.paid, 2),
        "most_usd": _known(row.most_price, row.paid, 2),
        "gpu_hours": _known(row.gpu_hours, row.gpus > 0, 1),
        "shards": str(load.shards),
        "job_hours": _known(row.job_hours, row.gpus > 0, 1),
    }


def totals(rows: Sequence[Row]) -> list[dict[str, str]]:
    """Sums by model, then of all; "at least" where a part of a sum is unknown."""
    names = list(dict.fromkeys(row.load.model for row in rows))
    return [
        *(_sum([row for row in rows if row.load.model == name], name) for name in names),
        _sum(rows, "all models"),
    ]


def csv_rows(found: Estimate) -> list[dict[str, str]]:
    """Rows and totals with all columns, for a file."""
    sums = [dict.fromkeys(COLUMNS, "") | one for one in totals(found.rows)]
    return [*(cells(row) for row in found.rows), *sums]


def _sum(rows: Sequence[Row], name: str) -> dict[str, str]:
    def add(of: Callable[[Row], int]) -> str:
        return str(sum(of(row) for row in rows))

    return {
        "step": "total",
        "model": name,
        "requests": add(lambda row: row.load.requests),
        "most_requests": add(lambda row: row.load.most),
        "journalled": add(lambda row: row.load.journalled),
        "prompt_tokens": add(lambda row: row.prompt_tokens),
        "new_tokens": add(lambda row: row.new_tokens),
        "most_new_tokens": add(lambda row: row.most_new_tokens),
        "usd": _known_sum([(row.price, row.paid) for row in rows], 2),
        "most_usd": _known_sum([(row.most_price, row.paid) for row in rows], 2),
        "gpu_hours": _known_sum([(row.gpu_hours, row.gpus > 0) for row in rows], 1),
    }


def _known(value: float | None, applies: bool, decimals: int) -> str:
    if not applies:
        return NONE
    return UNKNOWN if value is None else _number(value, decimals)


def _known_sum(values: Sequence[tuple[float | None, bool]], decimals: int) -> str:
    held = [value for value, applies in values if applies]
    known = [value for value in held if value is not None]
    if not held:
        return NONE
    if not known:
        return UNKNOWN
    text = _number(sum(known), decimals)
    return text if len(known) == len(held) else f"at least {text}"


def _number(value: float, decimals: int) -> str:
    """A number with so many decimals; a small one with two digits that tell."""
    if 0 < value < 1:
        decimals = max(decimals, 1 - math.floor(math.log10(value)))
    return f"{value:.{decimals}f}"
