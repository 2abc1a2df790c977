"""One Slurm for all tests of this folder, and the shipped profile as a user edits it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.local_slurm import LocalSlurm, MissingError, check, new_folder, said
from cluster.submitting import SNAKEMAKE, STARTED, queued, wait_for
from conftest import REPOSITORY


@pytest.fixture(scope="session")
def daemons() -> Iterator[LocalSlurm]:
    """The running Slurm; without one the tests are skipped, but not in CI."""
    try:
        check()
        if not SNAKEMAKE.exists():
            raise MissingError(f"{SNAKEMAKE} is missing: make setup-slurm")
    except MissingError as missing:
        if os.environ.get("CI") == "true":
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    started = LocalSlurm(new_folder())
    try:
        started.start()
        yield started
    finally:
        started.stop()
    shutil.rmtree(started.folder)


@pytest.fixture
def slurm(daemons: LocalSlurm) -> Iterator[LocalSlurm]:
    """The Slurm for one test: what a test has running, its failure included, ends with it.

    Only a test that has the tests' own Slurm comes to this: jobs of another are not theirs to
    cancel.
    """
    yield daemons
    while STARTED:
        if STARTED[-1].poll() is None:
            STARTED[-1].kill()
        STARTED.pop().wait()
    if left := queued():
        said("scancel", *left)
        wait_for(lambda: not queued())


@pytest.fixture(scope="session")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of profiles/slurm with its marked lines edited for this Slurm.

    It has no accounts and no accounting, and answers at once.
    """
    text = (REPOSITORY / "profiles" / "slurm" / "config.yaml").read_text(encoding="utf-8")
    edits = {
        r"^  slurm_account: .*\n": "",
        r'^  slurm_partition: "cpu"': '  slurm_partition: "cpu"',
        r'^  gpu_partition: "gpu"': '  gpu_partition: "gpu"',
        r'^  api_partition: "cpu"': '  api_partition: "api"',
        r"^slurm-init-seconds-before-status-checks: \d+": (
            "slurm-init-seconds-before-status-checks: 2\nslurm-status-command: squeue"
        ),
        r"^latency-wait: \d+": "latency-wait: 10",
    }
    for line, new in edits.items():
        text, count = re.subn(line, new, text, flags=re.MULTILINE)
        assert count == 1, f"the profile has no line like {line}"
    folder = tmp_path_factory.mktemp("profile")
    (folder / "config.yaml").write_text(text, encoding="utf-8")
    return folder
