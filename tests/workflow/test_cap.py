"""The cap on a run's money, through the whole workflow: it stops cleanly and can be raised."""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from conftest import tiny_config
from workflow.running import journal, planned, run


@pytest.mark.heavy
def test_a_run_that_reaches_its_cap_goes_on_when_it_is_raised(tmp_path):
    folder, config = tmp_path / "run", tiny_config()
    for model in config["models"].values():
        model["price"] = {"input": 1.0, "output": 1.0}
    config["most_cost"] = 0.01
    done = run(folder, config)
    assert done.returncode != 0 and "(most_cost) is reached" in done.stdout, done.stdout[-4000:]
    first = Counter(one["key"] for one in journal(folder) if one["kind"] == "response")
    used = sum(
        one["response"]["prompt_tokens"] + one["response"]["completion_tokens"]
        for one in journal(folder)
        if one["kind"] == "response"
    )
    assert first and used <= 10_000

    config["most_cost"] = 5.0
    done = run(folder, config)
    assert done.returncode == 0, done.stdout[-4000:]
    responses = Counter(one["key"] for one in journal(folder) if one["kind"] == "response")
    asked = Counter(one["key"] for one in journal(folder) if one["kind"] == "asked")
    assert len(responses) > len(first) and first.keys() <= responses.keys()
    assert set(responses.values()) == set(asked.values()) == {1}
    with open(folder / "results" / "run" / "ledger.csv", encoding="utf-8") as file:
        (total,) = (row for row in csv.DictReader(file) if row["model"] == "all")
    assert 0.01 < float(total["cost"]) < 5 and float(total["most"]) == 5
    assert "Cost: 0.0" in (folder / "results" / "README.md").read_text(encoding="utf-8")

    config["most_cost"] = 7.0
    for model in config["models"].values():
        model["price"]["output"] = 2.0
    assert set(planned(folder, config)) == {"write_ledger", "results_page", "record_run"}
