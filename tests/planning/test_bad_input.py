"""Bad input ends with a clear error before any model is loaded."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from conftest import tiny_config
from workflow.running import REPOSITORY, journal, run


@pytest.fixture
def config(tmp_path) -> dict[str, Any]:
    """The tiny configuration with raw sources of its own to spoil."""
    config = tiny_config()
    for name in ("mathmist", "mmath"):
        shutil.copytree(REPOSITORY / "resources" / name, tmp_path / name)
        config["benchmarks"][name]["source"]["folder"] = str(tmp_path / name)
    return config


def refused(folder: Path, config: dict[str, Any], *words: str) -> None:
    """The run fails, says all words, and no model was asked."""
    done = run(folder / "run", config)
    assert done.returncode != 0
    text = done.stdout
    for word in words:
        assert word in text, f"{word!r} is not in:\n{text[-3000:]}"
    assert "Traceback" not in text, text[-3000:]
    assert journal(folder / "run") == []


def spoil(path: Path, line: int, **fields: Any) -> None:
    """Change fields of one line (1-based) of a JSONL file."""
    lines = path.read_text("utf-8").splitlines()
    record = json.loads(lines[line - 1]) | fields
    lines[line - 1] = json.dumps(record, ensure_ascii=False)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_unknown_key(tmp_path, config):
    config["benchmarks"]["mmath"]["settings"]["native"]["temperature"] = 1
    refused(tmp_path, config, "config.yaml, line ", "settings.native.temperature", "unknown key")


def test_unknown_language(tmp_path, config):
    config["benchmarks"]["mmath"]["languages"].append("xx")
    refused(tmp_path, config, "xx.yaml", "unknown language", "Known are ar, bn")


def test_a_model_without_an_engine(tmp_path, config):
    del config["models"]["smollm2-135m"]["engine"]
    refused(tmp_path, config, "models.smollm2-135m.engine", "Field required")


def test_a_prompt_with_a_missing_placeholder(tmp_path, config):
    shutil.copytree(REPOSITORY / "prompts", tmp_path / "prompts")
    config["paths"]["prompts"] = str(tmp_path / "prompts")
    (tmp_path / "prompts/mathmist/cot.txt").write_text("Solve it.\n", encoding="utf-8")
    refused(tmp_path, config, "mathmist/cot.txt", "placeholder {{question}} is missing")


def test_a_problem_file_with_a_bad_line(tmp_path, config):
    file = tmp_path / "mathmist" / "en.jsonl"
    lines = file.read_text("utf-8").splitlines()
    lines[4] = lines[4][:40]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    refused(tmp_path, config, "en.jsonl, line 5", "not a line of strict JSON")


def test_duplicate_ids(tmp_path, config):
    spoil(tmp_path / "mmath" / "en.jsonl", 3, number=2)
    refused(tmp_path, config, "en.jsonl, line 3", "duplicate id mmath-0002, already in line 2")


def test_an_empty_gold(tmp_path, config):
    spoil(tmp_path / "mmath" / "en.jsonl", 2, answer=" ")
    refused(tmp_path, config, "en.jsonl, line 2", "empty answer")


def test_english_and_bangla_that_do_not_align(tmp_path, config):
    spoil(tmp_path / "mathmist" / "en.jsonl", 2, kind="numerical", subdomain="Series")
    refused(tmp_path, config, "does not align", "kind", "en.jsonl", "bn.jsonl")


def test_a_gguf_path_that_does_not_exist(tmp_path, config):
    config["models"]["smollm2-135m"]["weights"] = str(tmp_path / "none.gguf")
    refused(tmp_path, config, "models.smollm2-135m.weights", "no such GGUF file")


def test_a_correction_of_an_unknown_problem(tmp_path, config):
    shutil.copytree(REPOSITORY / "config" / "review", tmp_path / "review")
    config["paths"]["review"] = str(tmp_path / "review")
    file = tmp_path / "review/bundled/mmath/translation/fr.csv"
    file.write_text(file.read_text("utf-8").replace("mmath-0002", "mmath-0099"), encoding="utf-8")
    refused(tmp_path, config, "fr.csv, line 3", "unknown id", "mmath-0099")


def test_an_engine_that_cannot_be_started(tmp_path, config):
    config["models"]["big"] = {
        "display": "Big",
        "engine": "vllm",
        "weights": "a/b",
        "revision": "c" * 40,
    }
    config["benchmarks"]["mmath"]["settings"]["native"]["models"].append("big")
    refused(tmp_path, config, "models.big.engine", "cannot be started")


def test_a_missing_key(tmp_path, config, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    config["models"]["paid"] = {"display": "Paid", "engine": "openai", "service": "gpt-x"}
    config["benchmarks"]["mmath"]["settings"]["native"]["models"].append("paid")
    refused(tmp_path, config, "OPENAI_API_KEY is not set", "models.paid")
