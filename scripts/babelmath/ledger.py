"""The ledger: what the journal's requests cost, by model, purpose and language."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from babelmath.accounts import Account, Books
from babelmath.journal.files import journal_files, reading
from babelmath.prices import Rate

COUNTS = ("asked", "responses", "failures", "unanswered", "unknown_fate", "prompt_tokens",
          "completion_tokens", "thinking_tokens", "asked_again")  # fmt: skip


@dataclass(frozen=True)
class Money:
    """What is needed to tell costs.

    `prices` holds the models' rates, `services` the models that may charge, `most` the cap.
    """

    prices: Mapping[str, Rate] = field(default_factory=dict)
    services: Collection[str] | None = None
    most: float | None = None


def ledger(
    journal: Path,
    models: Iterable[str],
    budget: Mapping[str, int] | None,
    money: Money | None = None,
) -> pl.DataFrame:
    """One row for each model, purpose and language, one `total` row for each language, and with
    `money` a row `all`.

    Columns: model, purpose, lang, asked (times sent), responses, failures, unanswered (sent, but
    neither a response nor a failure came back), unknown_fate (of services: unanswered, and
    attempts of which nobody knows whether they were answered: possible double charges),
    asked_again (sent although a response was journalled), prompt_tokens, completion_tokens,
    thinking_tokens (a part of completion_tokens), cost and possible_cost (the
    most that attempts of unknown fate may have cost), in US dollars where the model has a price;
    budget and within_budget (total rows, where the configuration sets one; row `all`: the cost
    against the cap), most (row `all`: the cap).

    Raises:
        InputError: a damaged line, with file and line.
    """
    known = money or Money()
    rows: list[dict[str, object]] = []
    sums: dict[str, Account] = {}
    costs: dict[str, tuple[float, float]] = {}
    for model in sorted(set(models)):
        for (purpose, lang), account in sorted(_books(journal / model).items()):
            if known.services is not None and model not in known.services:
                account.unknown_fate = 0
            cost = _cost(account, known.prices.get(model))
            rows.append(_row(model, purpose, lang, account, cost))
            for name in (lang, ""):
                sums.setdefault(name, Account()).add(vars(account))
                if cost is not None:
                    one, two = costs.get(name, (0.0, 0.0))
                    costs[name] = one + cost[0], two + cost[1]
    for lang in sorted(sums.keys() - {""}):
        row = _row("total", "total", lang, sums[lang], costs.get(lang))
        limit = (budget or {}).get(lang)
        used = sums[lang].prompt_tokens + sums[lang].completion_tokens
        rows.append(
            row | {"budget": limit, "within_budget": None if limit is None else used <= limit}
        )
    if money is not None and sums:
        row = _row("all", "all", "all", sums[""], costs.get(""))
        spent = costs.get("", (0.0, 0.0))[0]
        kept = None if money.most is None else spent <= money.most
        rows.append(row | {"most": money.most, "within_budget": kept})
    schema: dict[str, type[pl.DataType]] = {
        **dict.fromkeys(("model", "purpose", "lang"), pl.String),
        **dict.fromkeys(COUNTS, pl.Int64),
        "cost": pl.Float64, "possible_cost": pl.Float64, "most": pl.Float64,
        "budget": pl.Int64, "within_budget": pl.Boolean,
    }  # fmt: skip
    return pl.DataFrame(rows, schema=schema)


def _books(folder: Path) -> dict[tuple[str, str], Account]:
    books = Books()
    with reading(folder):
        for path in journal_files(folder):
            books.file(path)
    return books.balance()


def _cost(account: Account, rate: Rate | None) -> tuple[float, float] | None:
    """US dollars of known tokens, and the most of those of unknown fate."""
    if rate is None:
        return None
    known = rate.known(
        account.prompt_tokens, account.completion_tokens, account.batch_prompt, account.batch_new
    )
    return known, rate.most(account.possible_prompt, account.possible_new)


def _row(
    model: str, purpose: str, lang: str, account: Account, cost: tuple[float, float] | None
) -> dict[str, object]:
    counts = {name: getattr(account, name) for name in COUNTS}
    known, possible = cost or (None, None)
    named = {"model": model, "purpose": purpose, "lang": lang}
    costs = {
        "cost": None if known is None else round(known, 8),
        "possible_cost": None if possible is None else round(possible, 8),
        "most": None,
    }
    return {**named, **counts, **costs, "budget": None, "within_budget": None}
