"""Finished results carried to another clone, with and without Snakemake's own records of them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from workflow.finished import GGUF
from workflow.plans import plan
from workflow.running import journal, make_clone, run

pytestmark = pytest.mark.heavy

CARRIED = ("results", "journal", GGUF)
METADATA = ".snakemake/metadata"


@pytest.fixture
def clone(tmp_path) -> Path:
    """A fresh clone: every file of the repository has the time of now."""
    make_clone(tmp_path / "clone")
    for path in (tmp_path / "clone").rglob("*"):
        path.touch()
    return tmp_path / "clone"


def carry(finished: Path, clone: Path, *what: str) -> None:
    """Copy as `cp -a` does: times stay."""
    for one in what:
        (clone / one).parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cp", "-a", finished / one, (clone / one).parent], check=True)


def test_a_moved_folder_runs_nothing_again(finished, config, tmp_path):
    shutil.copytree(finished, tmp_path / "moved", symlinks=True)
    assert plan(tmp_path / "moved", config).rules == set()


def test_results_and_records_in_a_fresh_clone_run_nothing_again(finished, config, clone):
    carry(finished, clone, *CARRIED, METADATA)
    assert plan(clone, config).rules == set()


def test_an_archive_that_keeps_seconds_alone_is_enough(finished, config, clone):
    what = ["results", "journal", METADATA]
    with subprocess.Popen(["tar", "-C", finished, "-c", *what], stdout=subprocess.PIPE) as packed:
        subprocess.run(["tar", "-C", clone, "-x"], stdin=packed.stdout, check=True)
    carry(finished, clone, GGUF)
    assert plan(clone, config).rules == set()


def test_without_the_records_all_runs_again_and_nothing_is_asked(finished, config, clone):
    carry(finished, clone, *CARRIED)
    assert plan(clone, config).rules == rules_of(finished)

    file = "results/mmath/generations/native/smollm2-135m.jsonl"
    before = len(journal(clone))
    done = run(clone, config, file)
    assert done.returncode == 0, done.stdout[-3000:]
    assert len(journal(clone)) == before
    assert (clone / file).read_bytes() == (finished / file).read_bytes()


def rules_of(folder: Path) -> set[str]:
    """The rules that a finished run ran, by Snakemake's own logs."""
    found = set()
    for log in (folder / ".snakemake/log").glob("*.log"):
        text = log.read_text(encoding="utf-8")
        found |= set(re.findall(r"^(?:local)?rule (\w+):$", text, re.MULTILINE))
    return found - {"all"}
