"""What tests of the workflow share."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from workflow.finished import finished_config, finished_run


@pytest.fixture
def config() -> dict[str, Any]:
    """The configuration of the finished run."""
    return finished_config()


@pytest.fixture(scope="session")
def finished() -> Path:
    """A folder in which the tiny configuration has run to its end; not to be changed."""
    return finished_run()


@pytest.fixture
def copy_of(finished, tmp_path) -> Path:
    """A copy of the finished run that a test may change."""
    folder = tmp_path / "run"
    shutil.copytree(finished, folder, symlinks=True)
    return folder
