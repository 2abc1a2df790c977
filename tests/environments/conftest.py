"""The runs that the tests look at, each made once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from environments.made import built, on_vllm, release, released
from environments.separately import CONDA, run
from unit.loopback import Service
from unit.loopback_gemini import Service as Gemini
from workflow.running import REPOSITORY


@pytest.fixture(scope="session")
def services() -> Iterator[tuple[str, str]]:
    """Addresses of a service of OpenAI's protocol and one of Gemini's."""
    with Service() as openai, Gemini() as gemini:
        yield openai.url, gemini.url


@pytest.fixture(scope="session")
def of_release(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Folders of a run of released data: all in one environment, and each rule in its own."""
    folder = tmp_path_factory.mktemp("released")
    config = released(*release(folder / "repository"))
    run(folder / "one", config)
    run(folder / "own", config, *CONDA)
    return folder / "one", folder / "own"


@pytest.fixture(scope="session")
def of_building(
    services: tuple[str, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """The same of a run that makes its data and asks three engines."""
    folder = tmp_path_factory.mktemp("built")
    config = built(*services)
    run(folder / "one", config)
    run(folder / "own", config, *CONDA)
    return folder / "one", folder / "own"


@pytest.fixture(scope="session")
def of_vllm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a model on vLLM, which the environment that Snakemake runs in lacks."""
    folder = tmp_path_factory.mktemp("vllm")
    run(folder, on_vllm(REPOSITORY / ".venv-vllm" / "smollm2"), *CONDA)
    return folder
