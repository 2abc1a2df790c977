"""Models and requests of the vLLM tests."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from babelmath.asking import request
from babelmath.config import Model, Sampling
from babelmath.engines import Request, Response
from babelmath.engines.vllm_offline import VllmOffline

# Small and quick to load: little memory for the cache, no compiling.
OPTIONS = {"kv_cache_memory_bytes": 1 << 29, "enforce_eager": True}


def model(weights: Path, **changes: Any) -> Model:
    values = {"display": "SmolLM2", "engine": "vllm", "weights": str(weights), "context": 256,
              "concurrency": 8, "options": OPTIONS}  # fmt: skip
    return Model(**(values | changes))


def question(
    text: str,
    seed: int = 1,
    tokens: int = 12,
    temperature: float = 0.6,
    sample: int = 0,
    schema: str | None = None,
    begun: str | None = None,
) -> Request:
    """One request; `begun` opens the model's turn."""
    messages = [{"role": "user", "content": text}]
    if begun is not None:
        messages.append({"role": "assistant", "content": begun})
    sampling = Sampling(temperature=temperature, top_p=0.95, max_tokens=tokens)
    return request("test", "en", messages, sampling, seed, sample, schema)


def answers(engine: VllmOffline, requests: Sequence[Request]) -> list[Response]:
    """Responses in the order of the requests."""
    found = dict(engine.stream(requests, lambda sent: None))
    assert len(found) == len(requests)
    return [found[one] for one in requests]


def identical_share(first: Sequence[str], second: Sequence[str]) -> float:
    """Share of texts that two runs of the same requests have in common, place by place."""
    pairs = list(zip(first, second, strict=True))
    return sum(one == other for one, other in pairs) / len(pairs)
