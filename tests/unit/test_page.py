"""The page of results: its statement first, then tables, figures and the ledger's totals."""

from __future__ import annotations

from pathlib import Path

import pytest

from babelmath.page import page

LEDGER = """\
model,purpose,lang,asked,responses,failures,unanswered,prompt_tokens,completion_tokens,asked_again,budget,within_budget
m,generation,bn,4,3,1,0,300,30,0,,
m,generation,en,2,2,0,0,100,20,0,,
total,total,bn,4,3,1,0,300,30,0,20000,true
total,total,en,2,2,0,0,100,20,0,,
"""
FIGURES = {
    Path("figures/overview.png"): "The stages",
    Path("figures/mathmist/code_switch.png"): "Code-switched CoT",
    Path("figures/mmath/figure2.png"): "Languages of thinking",
}
TABLES = {"mathmist": ["### One\n\ntable one\n\n"], "mmath": ["### Two\n\ntable two\n"]}


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    path = tmp_path / "ledger.csv"
    path.write_text(LEDGER, encoding="utf-8")
    return path


@pytest.fixture
def text(ledger: Path) -> str:
    return page(" Demonstration numbers. ", TABLES, FIGURES, ledger)


def test_statement_stands_first(text: str) -> None:
    assert text.split("\n")[:3] == ["# Results", "", "**Demonstration numbers.**"]


def test_overview_stands_before_the_papers(text: str) -> None:
    assert text.index("![The stages](figures/overview.png)") < text.index("## MathMist")


def test_each_paper_has_its_tables_and_then_its_figures(text: str) -> None:
    order = [
        "## MathMist (arXiv 2510.14305)",
        "table one",
        "### Code-switched CoT",
        "![Code-switched CoT](figures/mathmist/code_switch.png)",
        "## MMATH (arXiv 2505.19126)",
        "table two",
        "### Languages of thinking",
        "![Languages of thinking](figures/mmath/figure2.png)",
        "## Requests and tokens",
    ]
    places = [text.index(part) for part in order]
    assert places == sorted(places)


def test_every_figure_is_shown_once(text: str) -> None:
    for path in FIGURES:
        assert text.count(f"({path.as_posix()})") == 1


def test_ledger_shows_the_totals_of_each_language_alone(text: str) -> None:
    lines = [line for line in text.split("\n") if line.startswith("|")]
    assert lines == [
        "| lang | asked | responses | failures | unanswered | asked again | prompt tokens | "
        "completion tokens | budget |",
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
        "| bn | 4 | 3 | 1 | 0 | 0 | 300 | 30 | 20000 |",
        "| en | 2 | 2 | 0 | 0 | 0 | 100 | 20 |  |",
    ]


def test_page_without_tables_and_figures_still_says_what_it_is(ledger: Path) -> None:
    assert "**Nothing yet.**" in page("Nothing yet.", {}, {}, ledger)


def test_page_ends_with_one_line_end(text: str) -> None:
    assert text.endswith(".\n") and not text.endswith("\n\n")


MONEY = """\
model,purpose,lang,asked,responses,failures,unanswered,unknown_fate,prompt_tokens,completion_tokens,asked_again,cost,possible_cost,most,budget,within_budget
m,generation,bn,4,3,1,0,2,300,30,0,1.25,0.5,,,
own,generation,bn,4,3,1,0,0,300,30,0,,,,,
total,total,bn,4,3,1,0,2,300,30,0,1.25,0.5,,,
all,all,all,4,3,1,0,2,300,30,0,1.25,0.5,20,,true
"""


def test_costs_are_told_where_a_model_has_a_price(tmp_path: Path) -> None:
    path = tmp_path / "ledger.csv"
    path.write_text(MONEY, encoding="utf-8")
    assert (
        "Cost: 1.25 US dollars of at most 20.00; 2 attempts of unknown fate may have cost up to "
        "0.50 more. Without a price: own." in page("s", {}, {}, path)
    )
    path.write_text(MONEY.replace("1.25,0.5", ","), encoding="utf-8")
    assert "Cost" not in page("s", {}, {}, path)
