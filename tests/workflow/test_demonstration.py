"""The demonstration itself, as a fresh clone runs it, and its budget."""

from __future__ import annotations

import csv
import os
import subprocess
from pathlib import Path

import pytest
import yaml

from workflow.running import REPOSITORY

pytestmark = pytest.mark.heavy


@pytest.fixture(scope="module")
def clone(tmp_path_factory) -> Path:
    """A fresh clone of the committed state without an environment, after `make reproduce`."""
    folder = tmp_path_factory.mktemp("fresh") / "clone"
    subprocess.run(["git", "clone", "--quiet", str(REPOSITORY), str(folder)], check=True)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("BABELMATH_")}
    done = subprocess.run(
        ["make", "reproduce"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=kept,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    return folder


def totals(clone: Path) -> list[dict[str, str]]:
    with open(clone / "results" / "run" / "ledger.csv", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["model"] == "total"]


def test_the_page_opens_with_what_the_numbers_are(clone):
    page = (clone / "results" / "README.md").read_text(encoding="utf-8")
    assert "demonstration-scale numbers of a 135M-parameter model" in page[:200]


def test_every_language_keeps_its_token_budget(clone):
    budget = yaml.safe_load((clone / "config" / "config.yaml").read_text("utf-8"))["token_budget"]
    spent = {
        row["lang"]: int(row["prompt_tokens"]) + int(row["completion_tokens"])
        for row in totals(clone)
    }
    assert spent.keys() == budget.keys()
    assert {lang: used for lang, used in spent.items() if used > budget[lang]} == {}
    assert {row["within_budget"] for row in totals(clone)} == {"true"}


def test_nothing_was_asked_twice_or_left_without_an_answer(clone):
    assert {row["asked_again"] for row in totals(clone)} == {"0"}
    assert {row["unanswered"] for row in totals(clone)} == {"0"}
    assert {row["failures"] for row in totals(clone)} == {"0"}


def test_a_second_call_does_nothing(clone):
    done = subprocess.run(
        ["make", "reproduce"], cwd=clone, capture_output=True, text=True, check=True
    )
    assert "Nothing to be done" in done.stdout + done.stderr


def test_the_clone_stays_clean(clone):
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=clone, capture_output=True, text=True, check=True
    )
    assert status.stdout == ""
