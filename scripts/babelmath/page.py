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
              "them: [audit](audit/README.md). Every table by itself, with intervals, and each "
              "number with its generations: [tables](tables/index.html). Single generations: "
              "[explorer](explorer/index.html).", ""]  # fmt: skip
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
        *_costs(frame),
    ]


def _costs(frame: pl.DataFrame) -> list[str]:
    """Sentences on the run's money, where a model has a price."""
    every = frame.filter(pl.col("model") == "all")
    if "cost" not in frame.columns or not every.height or every["cost"][0] is None:
        return []
    row = every.row(0, named=True)
    most = "" if row["most"] is None else f" of at most {row['most']:.2f}"
    text = f"Cost: {row['cost']:.2f} US dollars{most}"
    if row["unknown_fate"]:
        text += (
            f"; {row['unknown_fate']} attempts of unknown fate may have cost up to "
            f"{row['possible_cost']:.2f} more"
        )
    single = frame.filter(~pl.col("model").is_in(["total", "all"]))
    unpriced = sorted(set(single.filter(pl.col("cost").is_null())["model"]))
    without = f" Without a price: {', '.join(unpriced)}." if unpriced else ""
    return ["", f"{text}.{without}"]
