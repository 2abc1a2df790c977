"""A setting split into shards, with the real model: the same results, and nothing asked twice."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest

from conftest import tiny_config
from workflow.running import command, environment, journal, planned, run

MODEL = "smollm2-135m"
TARGET = f"results/mathmist/generations/zero-shot/{MODEL}.jsonl"
TABLES = ("--until", "table")


def split(shards: int) -> dict[str, Any]:
    """One setting of MathMist that asks four problems in English, twice each."""
    config = tiny_config()
    del config["benchmarks"]["mmath"]
    mathmist = config["benchmarks"]["mathmist"]
    for name in ("translation", "choices", "perturbation", "sample"):
        del mathmist[name]
    mathmist.update(languages=["bn", "en"], subset={"numbers": [1, 2, 3, 4]})
    setting = mathmist["settings"]["zero-shot"]
    setting.update(samples=2, scorers=["rules-paper"], question_languages=["en"])
    setting["sampling"] = {"temperature": 0.6, "top_p": 0.95, "max_tokens": 8}
    mathmist["settings"] = {"zero-shot": setting}
    config["models"] = {MODEL: config["models"][MODEL] | ({"shards": shards} if shards > 1 else {})}
    config["judges"] = {}
    return config


def sent(folder: Path) -> Counter[str]:
    return Counter(one["key"] for one in journal(folder) if one["kind"] == "asked")


def written(folder: Path) -> dict[str, bytes]:
    """Every file that scores and tables are made of, and every table."""
    found = [
        path
        for place in ("generations", "verdicts")
        for path in (folder / "results" / "mathmist" / place).rglob("*.jsonl")
    ]
    found += (folder / "results" / "tables").rglob("*.*")
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(found)}


@pytest.fixture(scope="module")
def one(tmp_path_factory) -> Path:
    """The setting asked by one job."""
    folder = tmp_path_factory.mktemp("one")
    done = run(folder, split(1), *TABLES)
    assert done.returncode == 0, done.stdout[-4000:]
    return folder


@pytest.fixture(scope="module")
def five(tmp_path_factory) -> Path:
    """The setting asked by five jobs, the last of which has nothing to ask."""
    folder = tmp_path_factory.mktemp("five")
    done = run(folder, split(5), *TABLES)
    assert done.returncode == 0, done.stdout[-4000:]
    return folder


def test_a_split_setting_is_planned_in_jobs_of_its_models_resources(tmp_path):
    """Names that begin alike are told apart, and what is not split stays one job."""
    config = split(1)
    settings = config["benchmarks"]["mathmist"]["settings"]
    one = config["models"][MODEL] | {"memory_mb": 4321, "runtime_min": 77}
    config["models"] = {"m": one | {"shards": 3}, "m.b": one | {"display": "B"}}
    settings["zero-shot"] |= {"models": ["m", "m.b"], "shards": {"m.b": 2}}
    settings["cot"] = settings["zero-shot"] | {"shards": {"m": 1}}
    done = run(tmp_path, config, "-n", *TABLES)
    assert done.returncode == 0, done.stdout[-3000:]
    made: dict[str, list[str]] = {"generate": [], "generate_shard": [], "merge_shards": []}
    given: dict[str, set[str]] = {name: set() for name in made}
    for job in re.split(r"\n(?=(?:local)?rule )", done.stdout):
        name = re.match(r"(?:local)?rule (\w+):", job)
        if name is not None and name.group(1) in made:
            made[name.group(1)] += re.findall(r"output: results/mathmist/(\S+)", job)
            given[name.group(1)] |= set(re.findall(r"resources: (.*)", job))
    assert {name: sorted(paths) for name, paths in made.items()} == {
        "generate": ["generations/cot/m.b.jsonl", "generations/cot/m.jsonl"],
        "generate_shard": [
            *(f"shards/zero-shot/m.b/{part}-of-2.jsonl" for part in (1, 2)),
            *(f"shards/zero-shot/m/{part}-of-3.jsonl" for part in (1, 2, 3)),
        ],
        "merge_shards": ["generations/zero-shot/m.b.jsonl", "generations/zero-shot/m.jsonl"],
    }
    assert given["generate"] == given["generate_shard"]
    assert all("mem_mb=4321" in text and "runtime=77" in text for text in given["generate"])


@pytest.mark.heavy
def test_five_jobs_give_what_one_gives_byte_for_byte(one, five):
    assert written(five) == written(one)
    tables = [name for name in written(one) if name.endswith(".csv")]
    assert len(tables) > 4 and TARGET in written(one)
    parts = sorted((five / "results/mathmist/shards").rglob("*.jsonl"))
    sizes = [len(path.read_bytes().splitlines()) for path in parts]
    assert sizes == [2, 2, 2, 2, 0], "four questions, each sampled twice"
    assert sent(five) == sent(one) and set(sent(five).values()) == {1}
    jobs = [path.name for path in sorted((five / "journal" / MODEL).glob("*.jsonl"))]
    assert jobs == [f"mathmist.zero-shot_{number}-of-5.jsonl" for number in range(1, 6)]
    log = five / f"logs/generate_shard/mathmist.zero-shot.{MODEL}.1-of-5.log"
    assert f"mathmist zero-shot 1-of-5 {MODEL}: 2/2 requests" in log.read_text("utf-8")


@pytest.mark.heavy
def test_another_number_of_shards_asks_nothing_again(five, tmp_path):
    """All is in the journal; what lies about of another number of shards is read by none."""
    folder = tmp_path / "run"
    shutil.copytree(five, folder, symlinks=True)
    assert planned(folder, split(5), *TABLES) == {}
    before, lines = written(folder), journal(folder)
    for path in (folder / "results/mathmist/shards").rglob("*-of-5.jsonl"):
        path.write_text("not a record\n", encoding="utf-8")
    for shards, rules in ((2, {"generate_shard": 2, "merge_shards": 1}), (1, {"generate": 1})):
        jobs = planned(folder, split(shards), TARGET)
        assert jobs == rules
        done = run(folder, split(shards), TARGET)
        assert done.returncode == 0, done.stdout[-4000:]
        assert written(folder) == before
        assert journal(folder) == lines


def answered(folder: Path) -> int:
    files = (folder / "journal" / MODEL).glob("*.jsonl")
    return sum(path.read_bytes().count(b'{"kind": "response"') for path in files)


def killed(folder: Path, config: dict[str, Any], responses: int) -> str:
    """Run, and kill -9 the shard's job that is at work once there are so many responses.

    Only one job of the embedded server is at work at a time. Gives what snakemake said.
    """
    with open(folder.parent / "killed.log", "w+") as log:
        process = subprocess.Popen(
            command(folder, config, TARGET), stdout=log, stderr=log, env=environment()
        )
        while answered(folder) < responses:
            assert process.poll() is None, (folder.parent / "killed.log").read_text()[-3000:]
            time.sleep(0.005)
        (job,) = [
            one
            for one in psutil.Process(process.pid).children(recursive=True)
            if any(part.endswith(".generate.py") for part in one.cmdline())
        ]
        job.kill()
        assert process.wait() != 0
        log.seek(0)
        return log.read()


@pytest.mark.heavy
def test_killed_shards_lose_nothing_to_the_same_or_another_number_of_shards(one, tmp_path):
    folder = tmp_path / "run"
    kept: dict[str, int] = {}
    for _ in range(2):
        said = killed(folder, split(2), len(kept) + 1)
        assert "Error in rule generate_shard" in said
        assert not (folder / TARGET).exists()
        asked = sent(folder)
        assert {key: asked[key] for key in kept} == kept, "a journalled response was asked again"
        answers = Counter(line["key"] for line in journal(folder) if line["kind"] == "response")
        assert set(answers.values()) == {1} and len(answers) > len(kept)
        kept = {key: asked[key] for key in answers}
    assert len(kept) < 8
    # The last is killed with a part of its answers, which three other jobs take over.
    done = run(folder, split(3), TARGET)
    assert done.returncode == 0, done.stdout[-4000:]
    assert (folder / TARGET).read_bytes() == (one / TARGET).read_bytes()
    asked = sent(folder)
    assert {key: asked[key] for key in kept} == kept
    answers = Counter(line["key"] for line in journal(folder) if line["kind"] == "response")
    assert len(answers) == 8 and set(answers.values()) == {1}, "no response was bought twice"
