"""What tests of batches share: a model that goes by batches, and jobs that ask it."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from babelmath.asking import Models, request
from babelmath.config import Model, Sampling
from babelmath.engines import Request, Response
from babelmath.engines.gemini_batch import GeminiBatches
from babelmath.engines.openai_batch import OpenAIBatches
from babelmath.ledger import Money, ledger
from babelmath.spending import VARIABLE
from unit.loopback_batches import Batch, GeminiService, OpenAIService, Service
from unit.waits import Waits, install

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLING = Sampling(temperature=0.6, top_p=0.95, max_tokens=16)
KEY = "sk-loopback-0123456789"
ENGINES = {"openai": OpenAIService, "gemini": GeminiService}
APIS = {"openai": OpenAIBatches, "gemini": GeminiBatches}
HEAVY = pytest.mark.heavy
COST = 7 * 1.0 + 3 * 2.0  # of an answer, in millionths of a dollar


@pytest.fixture(name="clock", autouse=True)
def a_clock(monkeypatch) -> Waits:
    """Nobody waits; nothing of the machine's user takes part."""
    for name in (*os.environ.keys() & {"GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"}, VARIABLE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BATCH_KEY", KEY)
    return install(monkeypatch)


@pytest.fixture(name="service", params=ENGINES)
def a_service(request) -> Iterator[Service]:
    with ENGINES[request.param]() as running:
        yield running


@pytest.fixture(name="openai")
def openai_alone() -> Iterator[OpenAIService]:
    with OpenAIService() as running:
        yield running


def served(service: Service, /, **changes: Any) -> Model:
    engine = "gemini" if isinstance(service, GeminiService) else "openai"
    values = {
        "display": "Served", "engine": engine, "service": "served-1", "base_url": service.url,
        "key_variable": "BATCH_KEY", "batch": True, "batch_poll_s": 0.01, "timeout_s": 30,
    }  # fmt: skip
    return Model(**(values | changes))


def question(text: str, **changes: Any) -> Request:
    item = request("generation", "en", [{"role": "user", "content": text}], SAMPLING, 7)
    return dataclasses.replace(item, **changes)


def questions(number: int) -> list[Request]:
    return [question(f"q{place}") for place in range(number)]


def ask(
    folder: Path, model: Model, requests: list[Request], job: str = "job", log: Path | None = None
) -> list[Response]:
    """One job that asks a model and ends."""
    with Models({"m": model}, folder, job, log) as models:
        return [one.response for one in models.ask("m", requests, "test")]


def answers(number: int) -> list[str]:
    return [f"answer to q{place}" for place in range(number)]


def lines(folder: Path, job: str = "job") -> list[dict[str, Any]]:
    text = (folder / "m" / f"{job}.jsonl").read_bytes()
    return [json.loads(line) for line in text.splitlines()]


def counted(folder: Path, **money: Any) -> dict[str, Any]:
    """The ledger's row of all."""
    return ledger(folder, ["m"], None, Money(**money)).filter(model="all").row(0, named=True)


def of(service: Service, batch: Batch, *names: str) -> list[dict[str, Any]]:
    """The lines of a batch that ask these questions."""
    return [line for line in batch.lines if service.question(line) in names]
