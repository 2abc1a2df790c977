"""Weights and options that vLLM cannot load, each with what to change."""

from __future__ import annotations

import json
from pathlib import Path

import psutil
import pytest

from babelmath.config import Model
from babelmath.engines import open_engine
from babelmath.engines.vllm_offline import VllmOffline
from babelmath.errors import InputError
from vllm_cpu.asked import OPTIONS, model


def copied(weights: Path, folder: Path, **changes: object) -> Path:
    """The weights' folder with other values in config.json."""
    folder.mkdir()
    for path in weights.iterdir():
        if path.name != "config.json":
            (folder / path.name).symlink_to(path)
    config = json.loads((weights / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | changes))
    return folder


def refused(asked: Model) -> str:
    """The error of a model that cannot be loaded; nothing of it is left running."""
    before = psutil.Process().children(recursive=True)
    with pytest.raises(InputError) as caught:
        VllmOffline(asked, "models.m")
    left = [one for one in psutil.Process().children(recursive=True) if one not in before
            and one.status() != psutil.STATUS_ZOMBIE
            and "resource_tracker" not in " ".join(one.cmdline())]  # fmt: skip
    assert not left
    return str(caught.value)


def test_gpus_on_a_cpu_build_are_refused(weights):
    assert "field models.m.gpus" in refused(model(weights, gpus=1))


def test_a_folder_without_weights_is_refused_before_vllm_is_loaded(tmp_path):
    with pytest.raises(InputError, match=r"models\.m\.weights: folder holds no config\.json"):
        open_engine("m", model(tmp_path), tmp_path / "state" / "job")


def test_an_unknown_architecture_is_named(weights, tmp_path):
    said = refused(model(copied(weights, tmp_path / "w", architectures=["NobodyForCausalLM"])))
    assert "model cannot be loaded" in said and "architecture" in said and "newer vllm" in said


def test_a_repository_that_cannot_be_had_is_told(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    said = refused(model(Path("nobody/nothing"), revision="0" * 40))
    assert "model cannot be loaded" in said and ("network" in said or "revision" in said)


def test_an_unknown_option_is_told(weights):
    said = refused(model(weights, options={"no_such_option": 1}))
    assert "no_such_option" in said and "arguments of vllm.LLM" in said


def test_a_context_beyond_the_weights_is_told(weights):
    assert "Lower context" in refused(model(weights, context=100_000))


def test_damaged_weights_are_told_by_the_workers_own_words(weights, tmp_path):
    folder = copied(weights, tmp_path / "w")
    (folder / "model.safetensors").unlink()
    with open(weights / "model.safetensors", "rb") as whole:
        (folder / "model.safetensors").write_bytes(whole.read(1 << 20))
    said = refused(model(folder))
    assert "afetensor" in said and "fetch them again" in said


def test_too_little_memory_says_what_to_lower(weights):
    said = refused(model(weights, options={**OPTIONS, "kv_cache_memory_bytes": 1 << 20}))
    assert "lower context or concurrency" in said.lower() and "kv_cache_memory_bytes" in said
