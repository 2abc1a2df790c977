"""The demonstration itself, as a fresh clone runs it. The checks of a change run it through Slurm
(tests/cluster): `make test-reproduce` is for a machine without one."""

from __future__ import annotations

import os
import subprocess

from demonstrated import check_demonstration
from workflow.running import REPOSITORY


def test_a_fresh_clone_reproduces_once_and_stays_clean(tmp_path):
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", str(REPOSITORY), str(clone)], check=True)
    kept = {key: value for key, value in os.environ.items() if not key.startswith("BABELMATH_")}

    def reproduce() -> str:
        done = subprocess.run(
            ["make", "reproduce"], cwd=clone, text=True, env=kept,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout[-5000:]
        return done.stdout

    reproduce()
    check_demonstration(clone)
    assert "Nothing to be done" in reproduce()
    status = subprocess.run(
        ["git", "status", "--porcelain"], cwd=clone, capture_output=True, text=True, check=True
    )
    assert status.stdout == ""
