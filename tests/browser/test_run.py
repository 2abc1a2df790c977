"""A real run's pages in Chromium: tables whose numbers lead into the explorer, and the report."""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import tiny_config
from selection_counts import expected_counts
from workflow.running import command, environment, run

Tab = Callable[..., Any]


@pytest.fixture(scope="session")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the tiny configuration has run to its end, with its report."""
    folder = tmp_path_factory.mktemp("run")
    config = tiny_config()
    done = run(folder, config)
    assert done.returncode == 0, done.stdout[-5000:]
    report = subprocess.run(
        command(folder, config, "--report", "results/report.html"),
        cwd=folder, env=environment(), capture_output=True, text=True,
    )  # fmt: skip
    assert report.returncode == 0, report.stderr[-3000:]
    return folder / "results"


def test_every_number_of_the_tables_leads_to_its_generations(tab: Tab, finished: Path) -> None:
    wanted = expected_counts(finished)
    one = tab(f"file://{finished}")
    page, followed = one.page, 0
    for path in sorted((finished / "tables").glob("*/*.html")):
        page.goto(f"file://{path}")
        links = page.locator("td a").evaluate_all("all => all.map(link => link.href)")
        with open(path.with_suffix(".csv"), encoding="utf-8", newline="") as stream:
            queries = [row["records"] for row in csv.DictReader(stream) if row["records"]]
        assert sorted(url.partition("#")[2] for url in links) == sorted(queries)
        if not links:
            continue
        page.locator("td a").first.click()
        page.wait_for_selector("body[data-ready]")
        for query in dict.fromkeys(queries):
            page.evaluate("hash => { location.hash = hash }", query)
            told = f"{wanted[query]} of {wanted['']} generations"
            one.until(f"document.querySelector('#count').innerText === {told!r}")
            followed += 1
        assert page.locator("#notices p").count() == 0
    assert followed > 50


def test_the_list_of_tables_leads_to_each_and_to_the_explorer(tab: Tab, finished: Path) -> None:
    one = tab(f"file://{finished}")
    page = one.page
    page.goto(f"file://{finished}/tables/index.html")
    links = page.locator("a").evaluate_all("all => all.map(link => link.href)")
    held = {path for path in (finished / "tables").glob("*/*") if path.suffix != ".yaml"}
    assert {Path(url.removeprefix("file://")) for url in links} >= held
    assert all(Path(url.removeprefix("file://")).is_file() for url in links)
    page.click("text=Explorer of single generations")
    page.wait_for_selector("body[data-ready]")


def test_the_report_shows_every_table_and_figure_under_paper_and_section_offline(
    tab: Tab, finished: Path
) -> None:
    one = tab(f"file://{finished}")
    page = one.page
    page.goto(f"file://{finished}/report.html")
    page.wait_for_selector("text=Workflow")
    results = page.evaluate("results")
    for kind, ending in (("tables", "html"), ("figures", "png")):
        made = {f"results/{kind}/{path.parent.name}/{path.name}"
                for path in (finished / kind).glob(f"*/*.{ending}")}  # fmt: skip
        assert made and made <= results.keys()
    assert {f"results/run/{name}" for name in ("config.yaml", "versions.csv", "ledger.csv")} <= (
        results.keys()
    )
    categories = page.evaluate("categories")
    assert "Section 5.1" in str(categories["MathMist (arXiv 2510.14305)"])
    assert "Section 3.2" in str(categories["MMATH (arXiv 2505.19126)"])
    shown = results["results/tables/mathmist/zero_cot.html"]
    assert shown["labels"] == {"as": "table", "what": "Zero-shot against CoT"}
    page.goto(shown["data_uri"])
    assert page.locator("h1").inner_text() == "Zero-shot against CoT"
    assert page.locator("td").count() > 3
    assert page.locator("a").count() == 0, "what a table links to is not in the report"
    # Snakemake's own page warns of how its style sheet is made; nothing is loaded.
    one.complaints[:] = [told for told in one.complaints if "tailwindcss.com" not in told]
