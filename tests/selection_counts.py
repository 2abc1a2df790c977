"""How many generations each link of a run's tables must take, counted from the records."""

from __future__ import annotations

from pathlib import Path

import yaml

from links import generations, linked, selects


def expected_counts(results: Path) -> dict[str, str]:
    """By query the number of generations, written as the explorer writes it; of "" all."""
    config = yaml.safe_load((results / "run" / "config.yaml").read_text(encoding="utf-8"))
    rows = generations(results, config)
    counts = {"": f"{len(rows):,}"}
    for _, line, records in linked(results):
        if line["records"] not in counts:
            counts[line["records"]] = f"{sum(selects(records, row) for row in rows):,}"
    return counts
