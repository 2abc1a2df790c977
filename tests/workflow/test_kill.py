"""kill -9 of the whole process tree in the middle of a run, and the same command again."""

from __future__ import annotations

import random
import subprocess
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest

from workflow.finished import start
from workflow.running import command, environment, journal, records, run

pytestmark = pytest.mark.heavy


def kill_after(folder: Path, config: dict, responses: int) -> None:
    """Start the run and kill its whole tree as soon as so many responses are journalled."""
    with open(folder.parent / "killed.log", "a") as log:
        process = subprocess.Popen(
            command(folder, config), stdout=log, stderr=log, env=environment()
        )
        while answered(folder) < responses:
            assert process.poll() is None, (folder.parent / "killed.log").read_text()[-3000:]
            time.sleep(0.02)
        tree = [*psutil.Process(process.pid).children(recursive=True), psutil.Process(process.pid)]
        for one in tree:
            one.kill()
        psutil.wait_procs(tree)
        process.wait()


def answered(folder: Path) -> int:
    return sum(
        path.read_bytes().count(b'{"kind": "response"')
        for path in (folder / "journal").glob("*/*.jsonl")
    )


def test_killed_runs_finish_with_nothing_asked_twice(tmp_path, config, finished):
    folder = tmp_path / "run"
    start(folder)
    counts = random.Random(20261129)
    target, kept = 0, {}
    for _ in range(2):
        target = max(target, answered(folder)) + counts.randint(3, 11)
        kill_after(folder, config, target)
        kept = Counter(one["key"] for one in journal(folder) if one["kind"] == "response")
        assert set(kept.values()) == {1}
    asked_before = Counter(one["key"] for one in journal(folder) if one["kind"] == "asked")

    done = run(folder, config)
    assert done.returncode == 0, done.stdout[-4000:]

    lines = journal(folder)
    responses = Counter(one["key"] for one in lines if one["kind"] == "response")
    asked = Counter(one["key"] for one in lines if one["kind"] == "asked")
    assert set(responses.values()) == {1}, "no response was bought twice"
    for key in kept:
        assert asked[key] == asked_before[key], "a journalled response was asked again"
    for benchmark, one in config["benchmarks"].items():
        for name, setting in one["settings"].items():
            file = folder / f"results/{benchmark}/generations/{name}/smollm2-135m.jsonl"
            keys = Counter((r["id"], r["lang"], r["sample"]) for r in records(file))
            ids = {identity for identity, _, _ in keys}
            assert set(keys.values()) == {1}
            assert len(keys) == len(ids) * len(setting["question_languages"]) * setting["samples"]

    # A run of its own that was not disturbed: one seed gives the same tables.
    for path in sorted((finished / "results" / "tables").rglob("*.*")):
        assert (folder / path.relative_to(finished)).read_bytes() == path.read_bytes(), path.name
