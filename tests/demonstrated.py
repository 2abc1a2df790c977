"""What holds of a finished demonstration, however it was run."""

from __future__ import annotations

import csv
from pathlib import Path

import yaml


def check_demonstration(clone: Path) -> None:
    """The page says what the numbers are; every language keeps its token budget; nothing was asked
    twice, failed, or is left without an answer."""
    page = (clone / "results" / "README.md").read_text(encoding="utf-8")
    assert "demonstration-scale numbers of a 135M-parameter model" in page[:200]
    budget = yaml.safe_load((clone / "config" / "config.yaml").read_text("utf-8"))["token_budget"]
    rows = totals(clone)
    spent = {row["lang"]: int(row["prompt_tokens"]) + int(row["completion_tokens"]) for row in rows}
    assert spent.keys() == budget.keys()
    assert {lang: used for lang, used in spent.items() if used > budget[lang]} == {}
    assert {row["within_budget"] for row in rows} == {"true"}
    for column in ("asked_again", "unanswered", "failures"):
        assert {row[column] for row in rows} == {"0"}, column


def totals(clone: Path) -> list[dict[str, str]]:
    """The ledger's rows of whole languages."""
    with open(clone / "results" / "run" / "ledger.csv", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["model"] == "total"]
