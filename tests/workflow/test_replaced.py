"""What a rerun replaces is kept, and a rerun that ends badly leaves no stale file behind."""

from __future__ import annotations

import gzip
import subprocess
import time
from collections import Counter
from pathlib import Path

import psutil
import pytest

from workflow.plans import append, edit, plan
from workflow.running import command, environment, journal, run

pytestmark = pytest.mark.heavy

MODEL = "smollm2-135m"
FILE = f"results/mathmist/generations/identify/{MODEL}.jsonl"
KEPT = f"journal/{MODEL}/kept/results/mathmist.generations.identify.{MODEL}.jsonl"
SAVED = "    save_records(snakemake.output[0], records)"


def replaced(folder: Path) -> list[bytes]:
    """The contents of the files that reruns have replaced."""
    place = folder / "journal" / MODEL / "replaced"
    found = place.glob(f"mathmist.generations.identify.{MODEL}.*.jsonl.gz")
    return [gzip.decompress(path.read_bytes()) for path in sorted(found)]


def asked(folder: Path) -> Counter[str]:
    return Counter(one["key"] for one in journal(folder) if one["kind"] == "asked")


def kill_when_removed(folder: Path, config: dict) -> None:
    """Start the rerun of a file and kill its whole tree as soon as the old one is gone."""
    with open(folder / "killed.log", "w") as log:
        process = subprocess.Popen(
            command(folder, config, FILE), stdout=log, stderr=log, env=environment()
        )
        while (folder / FILE).exists():
            assert process.poll() is None, (folder / "killed.log").read_text()[-3000:]
            time.sleep(0.005)
        parent = psutil.Process(process.pid)
        tree = [parent, *parent.children(recursive=True)]
        for one in tree:
            one.kill()
        psutil.wait_procs(tree)
        process.wait()


def test_a_rerun_that_is_killed_leaves_the_old_file_in_the_journal_alone(copy_of, config):
    old = (copy_of / FILE).read_bytes()
    append(copy_of / "prompts/mathmist/identify.txt", "\nBe brief.\n")
    kill_when_removed(copy_of, config)
    left = copy_of / f"results/mathmist/generations/identify/.{MODEL}.jsonl.ab12cd_e"
    left.write_text("half")

    found = plan(copy_of, config)
    assert FILE in found.outputs, "nothing stands for the killed job"
    assert (copy_of / KEPT).read_bytes() == old

    done = run(copy_of, config, FILE)
    assert done.returncode == 0, done.stdout[-3000:]
    new = (copy_of / FILE).read_bytes()
    assert new != old and b"Be brief." in b"".join(
        path.read_bytes() for path in (copy_of / "journal" / MODEL).glob("*.jsonl")
    )
    assert replaced(copy_of) == [old] and (copy_of / KEPT).read_bytes() == new
    assert "the old file is journal/" in done.stdout
    assert not left.exists(), "what a kill left is swept"


def test_a_rerun_that_fails_leaves_the_old_file_in_the_journal_alone(copy_of, config):
    old = (copy_of / FILE).read_bytes()
    before = asked(copy_of)
    script = copy_of / "scripts" / "generate.py"
    edit(script, SAVED, "    raise RuntimeError('broken')")
    done = run(copy_of, config, FILE)
    assert done.returncode == 1 and "broken" in done.stdout
    assert not (copy_of / FILE).exists()
    assert (copy_of / KEPT).read_bytes() == old and replaced(copy_of) == []
    assert FILE in plan(copy_of, config).outputs

    edit(script, "    raise RuntimeError('broken')", SAVED)
    assert run(copy_of, config, FILE).returncode == 0
    assert (copy_of / FILE).read_bytes() == old and replaced(copy_of) == []
    assert asked(copy_of) == before, "all is in the journal"
