"""The cap on a run's money, through the workflow: it holds, can be raised, and reruns nothing."""

from __future__ import annotations

from collections import Counter

import pytest

from conftest import tiny_config
from workflow.running import journal, planned, run

TARGET = "results/mathmist/generations/zero-shot/smollm2-135m.jsonl"


@pytest.mark.heavy
def test_the_cap_reaches_the_jobs_and_its_change_reruns_none(tmp_path):
    folder, config = tmp_path / "run", tiny_config()
    for model in config["models"].values():
        model["price"] = {"input": 1.0, "output": 1.0}
    config["most_cost"] = 1e-5
    done = run(folder, config, TARGET)
    assert done.returncode != 0 and "(most_cost) is reached" in done.stdout, done.stdout[-4000:]
    assert not [one for one in journal(folder) if one["kind"] == "asked"]

    config["most_cost"] = 5.0
    done = run(folder, config, TARGET)
    assert done.returncode == 0, done.stdout[-4000:]
    asked = Counter(one["key"] for one in journal(folder) if one["kind"] == "asked")
    assert asked and set(asked.values()) == {1}

    config["most_cost"] = 7.0
    for model in config["models"].values():
        model["price"]["output"] = 2.0
        model["tokens_per_second"] = 50.0
    assert planned(folder, config, TARGET) == {}
