"""The ledger: what the journal's requests cost, by model, purpose and language."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from babelmath.files import parse_line


@dataclass
class Account:
    """Sums of one row."""

    asked: int = 0
    responses: int = 0
    failures: int = 0
    unanswered: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0


def ledger(journal: Path, models: Iterable[str], budget: Mapping[str, int] | None) -> pl.DataFrame:
    """One row for each model, purpose and language, and one `total` row for each language.

    Columns: model, purpose, lang, asked (times sent), responses, failures, unanswered (sent, but
    neither a response nor a failure came back: with a paid service a possible double charge),
    asked_again (sent although a response was journalled: always 0), prompt_tokens,
    completion_tokens, budget and within_budget (total rows, where the configuration sets one).
    """
    accounts: dict[tuple[str, str, str], Account] = defaultdict(Account)
    again: Counter[tuple[str, str, str]] = Counter()
    for model in models:
        answered: dict[str, float] = {}
        sent: list[tuple[str, float, tuple[str, str, str]]] = []
        for path in sorted((journal / model).glob("*.jsonl")):
            pending: Counter[str] = Counter()
            row_of: dict[str, tuple[str, str, str]] = {}
            for line in _lines(path):
                key, when = line["key"], line["time"]
                row = row_of[key] = (model, line["purpose"], line["lang"])
                account = accounts[row]
                if line["kind"] == "asked":
                    account.asked += 1
                    pending[key] += 1
                    sent.append((key, when, row))
                    continue
                pending[key] -= line["settles"]
                if line["kind"] == "response":
                    account.responses += 1
                    account.prompt_tokens += line["response"]["prompt_tokens"]
                    account.completion_tokens += line["response"]["completion_tokens"]
                    answered[key] = min(when, answered.get(key, when))
                else:
                    account.failures += 1
            for key, left in pending.items():
                accounts[row_of[key]].unanswered += max(left, 0)
        for key, when, row in sent:
            again[row] += when > answered.get(key, when)
    rows = [_row(*key, account, again[key]) for key, account in sorted(accounts.items())]
    for lang in sorted({key[2] for key in accounts}):
        total, repeated = Account(), 0
        for key, account in accounts.items():
            if key[2] == lang:
                repeated += again[key]
                for name, value in vars(account).items():
                    setattr(total, name, getattr(total, name) + value)
        sums = _row("total", "total", lang, total, repeated)
        limit = (budget or {}).get(lang)
        used = total.prompt_tokens + total.completion_tokens
        rows.append(
            sums | {"budget": limit, "within_budget": None if limit is None else used <= limit}
        )
    schema = {"model": pl.String, "purpose": pl.String, "lang": pl.String, "asked": pl.Int64,
              "responses": pl.Int64, "failures": pl.Int64, "unanswered": pl.Int64,
              "prompt_tokens": pl.Int64, "completion_tokens": pl.Int64, "asked_again": pl.Int64,
              "budget": pl.Int64, "within_budget": pl.Boolean}  # fmt: skip
    return pl.DataFrame(rows, schema=schema)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """A journal file's lines; one without an end is being written, or was cut short by a kill."""
    with open(path, "rb") as handle:
        for number, line in enumerate(handle, start=1):
            if line.endswith(b"\n"):
                yield parse_line(line, path, number)


def _row(model: str, purpose: str, lang: str, account: Account, again: int) -> dict[str, object]:
    return {"model": model, "purpose": purpose, "lang": lang, **vars(account), "asked_again": again,
            "budget": None, "within_budget": None}  # fmt: skip
