"""The page that collects a run's tables and figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import polars as pl

PAPERS = {
    "mathmist": "MathMist (arXiv 2510.14305)",
    "mmath": "MMATH (arXiv 2505.19126)",
}


def page(
    statement: str,
    tables: Mapping[str, Sequence[str]],
    figures: Mapping[Path, str],
    ledger: Path,
) -> str:
    """Markdown of results/README.md.

    Args:
        statement: the plain sentence that says what these numbers are.
        tables: Markdown tables by paper.
        figures: captions by path, relative to the page.
        ledger: the ledger's CSV file.
    """
    lines = ["# Results", "", f"**{statement.strip()}**", ""]
    lines += ["What the printed numbers of both papers say of each other, and how far records give "
              "them: [audit](audit/README.md).", ""]  # fmt: skip
    for path, caption in figures.items():
        if len(path.parts) == 2:
            lines += [f"![{caption}]({path.as_posix()})", ""]
    for paper, texts in tables.items():
        lines += [f"## {PAPERS.get(paper, paper)}", ""]
        for text in texts:
            lines += [text.rstrip("\n"), ""]
        for path, caption in figures.items():
            if path.parts[1] == paper:
                lines += [f"### {caption}", "", f"![{caption}]({path.as_posix()})", ""]
    lines += ["## Requests and tokens", "", *_totals(pl.read_csv(ledger)), ""]
    lines += [
        "All columns, by model and purpose: `run/ledger.csv`. The resolved configuration is "
        "`run/config.yaml`, the versions are `run/versions.csv`."
    ]
    return "\n".join(lines) + "\n"


def _totals(frame: pl.DataFrame) -> list[str]:
    columns = ["lang", "asked", "responses", "failures", "unanswered", "asked_again",
               "prompt_tokens", "completion_tokens", "budget"]  # fmt: skip
    totals = frame.filter(pl.col("model") == "total").select(columns)
    heads = " | ".join(columns).replace("_", " ")
    return [
        f"| {heads} |",
        "|---" + "|---:" * (len(columns) - 1) + "|",
        *(
            "| " + " | ".join("" if cell is None else str(cell) for cell in row) + " |"
            for row in totals.rows()
        ),
    ]
