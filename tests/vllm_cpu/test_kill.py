"""kill -9 of a real job in the middle, and the same job again."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import psutil

from babelmath.engines.vllm_offline import BATCHES
from vllm_cpu import job

COUNT = 300
KILLS = 10
BATCH = 8


def started(folder: Path, weights: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, job.__file__, str(folder), str(weights), str(COUNT)]
    with open(folder / "log", "ab") as log:
        return subprocess.Popen(command, stdout=log, stderr=log)


def finished(folder: Path, weights: Path) -> list[str]:
    assert started(folder, weights).wait() == 0, (folder / "log").read_text()[-3000:]
    return (folder / "out").read_text().splitlines()


def lines(folder: Path) -> list[dict]:
    path = folder / "journal" / "m" / "job.jsonl"
    return [json.loads(one) for one in path.read_bytes().split(b"\n")[:-1]] if path.exists() else []


def answered(folder: Path) -> int:
    path = folder / "journal" / "m" / "job.jsonl"
    return path.read_bytes().count(b'{"kind": "response"') if path.exists() else 0


def kill_at(folder: Path, weights: Path, responses: int) -> None:
    """kill -9 of the job alone; its engine's processes must end by themselves."""
    process = started(folder, weights)
    while answered(folder) < responses:
        assert process.poll() is None, (folder / "log").read_text()[-3000:]
        time.sleep(0.005)
    children = psutil.Process(process.pid).children(recursive=True)
    assert any("VLLM" in " ".join(one.cmdline()) for one in children)
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(children, timeout=30)
    assert not [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]


def test_a_job_killed_ten_times_ends_as_an_undisturbed_one(weights, tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    whole.mkdir()
    killed.mkdir()
    expected = finished(whole, weights)

    for count in sorted(random.Random(20251126).sample(range(1, COUNT - 10), KILLS)):
        kill_at(killed, weights, max(count, answered(killed) + 1))
    assert finished(killed, weights) == expected and len(expected) == COUNT

    found = Counter((one["kind"], one["key"]) for one in lines(killed))
    responses = {key: times for (kind, key), times in found.items() if kind == "response"}
    assert len(responses) == COUNT and set(responses.values()) == {1}
    again = sum(times - 1 for (kind, _), times in found.items() if kind == "asked")
    assert again <= KILLS * BATCHES * BATCH
    assert not [kind for kind, _ in found if kind == "failure"]
    samples = Counter(
        one["request"]["sample"] for one in lines(killed) if one["kind"] == "response"
    )
    assert samples == {number: COUNT // 4 for number in range(4)}
