"""The runs that the tests look at, each made once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from environments.made import built, on_vllm, release, released
from environments.separately import CHECK, CONDA, KEPT, called, run
from unit.loopback import Service
from unit.loopback_gemini import Service as Gemini
from workflow.running import REPOSITORY


@pytest.fixture(scope="session")
def checked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the check of each environment told that can be made here as it is: of all but vLLM's.

    It makes those that are not kept from before, two at a time; the runs find them made.
    """
    folder = tmp_path_factory.mktemp("checked")

    def check(name: str) -> str:
        call = [sys.executable, str(CHECK), "--folder", str(folder / name), "--prefix", str(KEPT),
                "--only", name]  # fmt: skip
        done = subprocess.run(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              env=called(folder))  # fmt: skip
        return done.stdout

    # What takes longest first.
    names = [
        "figures",
        "engine-llamacpp",
        "engine-api",
        "languages",
        "explorer",
        "scoring",
        "tables",
    ]
    with ThreadPoolExecutor(2) as pool:
        return dict(zip(names, pool.map(check, names), strict=True))


@pytest.fixture(scope="session")
def services() -> Iterator[tuple[str, str]]:
    """Addresses of a service of OpenAI's protocol and one of Gemini's."""
    with Service() as openai, Gemini() as gemini:
        yield openai.url, gemini.url


@pytest.fixture(scope="session")
def of_release(
    checked: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """Folders of a run of released data: all in one environment, and each rule in its own."""
    folder = tmp_path_factory.mktemp("released")
    config = released(*release(folder / "repository"))
    run(folder / "one", config)
    run(folder / "own", config, *CONDA)
    return folder / "one", folder / "own"


@pytest.fixture(scope="session")
def of_building(
    checked: dict[str, str],
    services: tuple[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, Path]:
    """The same of a run that makes its data and asks three engines."""
    folder = tmp_path_factory.mktemp("built")
    config = built(*services)
    run(folder / "one", config)
    run(folder / "own", config, *CONDA)
    return folder / "one", folder / "own"


@pytest.fixture(scope="session")
def of_vllm(checked: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a model on vLLM, which the environment that Snakemake runs in lacks."""
    folder = tmp_path_factory.mktemp("vllm")
    run(folder, on_vllm(REPOSITORY / ".venv-vllm" / "smollm2"), *CONDA)
    return folder
