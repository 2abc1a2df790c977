"""What the vLLM tests share: the weights that `make test-vllm` converts, and one loaded engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from babelmath.config import Model
from babelmath.engines.vllm_offline import VllmOffline
from vllm_cpu.asked import model


@pytest.fixture(scope="session")
def weights() -> Path:
    """SmolLM2-135M-Instruct as safetensors."""
    return Path(__file__).resolve().parents[2] / ".venv-vllm" / "smollm2"


@pytest.fixture(scope="session")
def smollm(weights: Path) -> Model:
    return model(weights)


@pytest.fixture(scope="session")
def engine(smollm: Model) -> Iterator[VllmOffline]:
    loaded = VllmOffline(smollm, "models.smollm2")
    yield loaded
    loaded.close()
