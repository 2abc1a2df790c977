"""What the image holds of the repository is enough to plan all configurations."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from rule_environments import ROOT
from workflow.running import environment


@pytest.mark.parametrize("scale", ["config", "paper"])
def test_what_the_image_takes_of_the_repository_plans_a_run(scale, tmp_path):
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for name in (line.removeprefix("!") for line in lines if line.startswith("!")):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "-n", "--quiet", "all", "--configfile",
         f"config/{scale}.yaml"],
        cwd=tmp_path, env=environment(), capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
