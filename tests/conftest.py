"""What all tests share: the places of the repository, and a tiny configuration."""

from __future__ import annotations

import copy
import errno
import fcntl
import os
from pathlib import Path
from typing import Any

import pytest
import yaml

REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session", autouse=True)
def locks_of_a_network_file_system():
    """File locks as NFS gives them: a shared one needs a file open for reading, an exclusive one a
    file open for writing (flock(2), NFS details). Local file systems do not mind."""
    real = fcntl.flock

    def flock(file, how):
        number = file if isinstance(file, int) else file.fileno()
        mode = fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE
        lacking = {fcntl.LOCK_SH: os.O_WRONLY, fcntl.LOCK_EX: os.O_RDONLY}
        if lacking.get(how & ~fcntl.LOCK_NB) == mode:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        return real(file, how)

    fcntl.flock = flock
    yield
    fcntl.flock = real


@pytest.fixture(scope="session")
def repository() -> Path:
    """The repository's root."""
    return REPOSITORY


@pytest.fixture
def tiny() -> dict[str, Any]:
    """A small, complete configuration of the embedded model: the demonstration's, cut down.

    All inputs are named by absolute paths, so that snakemake can run in any folder; results and
    journal are relative to that folder.
    """
    return tiny_config()


def tiny_config() -> dict[str, Any]:
    config = yaml.safe_load((REPOSITORY / "config" / "config.yaml").read_text(encoding="utf-8"))
    config["paths"] = {
        "prompts": str(REPOSITORY / "prompts"),
        "review": str(REPOSITORY / "config" / "review"),
        "languages": str(REPOSITORY / "resources" / "languages"),
        "claims": str(REPOSITORY / "config" / "printed" / "claims.csv"),
    }
    config["statement"] = "A test."
    config.pop("token_budget", None)
    mathmist, mmath = config["benchmarks"]["mathmist"], config["benchmarks"]["mmath"]
    for benchmark, name in ((mathmist, "mathmist"), (mmath, "mmath")):
        benchmark["source"]["folder"] = str(REPOSITORY / "resources" / name)
    mathmist.update(languages=["bn", "en", "fr"], subset={"numbers": [1]})
    mathmist["sample"] = {"numbers": [1]}
    mathmist["perturbation"]["strategies"] = [3]
    mathmist["settings"]["cross-lingual"]["question_languages"] = ["bn", "en", "fr"]
    mmath.update(languages=["en", "fr"], subset={"numbers": [1]})
    native = mmath["settings"]["native"]
    native.update(question_languages=["en", "fr"], models=["smollm2-135m"])
    mmath["settings"] = {"native": native}
    config["models"].pop("smollm2-135m-tags")
    for setting in mathmist["settings"].values():
        setting.pop("labels", None)
    # The judge's strict twin would ask once more for replies that eight tokens cut.
    twin = "smollm2-135m-strict"
    config["judges"].pop(twin)
    for setting in mathmist["settings"].values():
        setting["scorers"] = [one for one in setting["scorers"] if one != f"judge-{twin}"]
    shorten(config["benchmarks"])
    for judge in config["judges"].values():
        judge["sampling"]["max_tokens"] = 20  # a bound reply's decision is whole
    return copy.deepcopy(config)


def shorten(node: Any) -> None:
    """Replies of at most eight tokens: enough to pass through every stage."""
    if isinstance(node, dict):
        if "max_tokens" in node:
            node["max_tokens"] = 8
        for value in node.values():
            shorten(value)
    elif isinstance(node, list):
        for value in node:
            shorten(value)
