"""The table of docs/rerunning.md: what a change makes a finished run do again, a row a test.

Each row changes one thing of a finished run, looks at what a dry run plans, and puts it back.
"""

from __future__ import annotations

import copy
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from conftest import REPOSITORY
from workflow.finished import GGUF
from workflow.plans import ASKING, append, edit, plan, put_back

pytestmark = pytest.mark.heavy

SMALL = "smollm2-135m"
MIST = "mathmist"
TRANSLATING = {"translate_mathmist", "translate_mmath"}
# Judges come after generations.
ASKED_FIRST = ASKING - {"judge"}
RECORD = {"record_run"}  # the resolved configuration holds every change of it
LEDGER = {"record_run", "write_ledger"}
EVERY = {"every setting"}

Edit = Callable[[Path], object]
Change = Callable[[dict[str, Any]], object]


@dataclass(frozen=True)
class Row:
    """A change, and what follows: the rules that it begins with, and those that ask models."""

    name: str
    first: set[str]
    asking: set[str] = field(default_factory=set)
    generations: set[str] = field(default_factory=set)
    file: str = ""
    edit: Edit | None = None
    change: Change | None = None
    flags: tuple[str, ...] = ()


def settings(config: dict[str, Any]) -> dict[str, Any]:
    return config["benchmarks"][MIST]["settings"]


def model(**values: object) -> Change:
    return lambda config: config["models"][SMALL].update(values)


def whole(values: dict[str, object]) -> Change:
    return lambda config: config.update(values)


def adding(text: str) -> Edit:
    return lambda path: append(path, text)


def older(path: Path) -> None:
    """Another file with another content, older than every result."""
    path.unlink()
    path.write_bytes(b"GGUF" + bytes(2_000_000))
    os.utime(path, (1_000_000_000, 1_000_000_000))


def add_setting(config: dict[str, Any]) -> None:
    settings(config)["again"] = copy.deepcopy(settings(config)["zero-shot"])


def add_model(config: dict[str, Any]) -> None:
    settings(config)["identify"]["models"].append("smollm2-135m-warm")


def add_language(config: dict[str, Any]) -> None:
    config["benchmarks"]["mmath"]["languages"].append("es")
    config["benchmarks"]["mmath"]["settings"]["native"]["question_languages"].append("es")


def add_scorer(config: dict[str, Any]) -> None:
    settings(config)["cot"]["scorers"].append("rules-paper")


def add_judge(config: dict[str, Any]) -> None:
    config["judges"]["other"] = copy.deepcopy(config["judges"][SMALL])
    settings(config)["cot"]["scorers"].append("judge-other")


def strictly(config: dict[str, Any]) -> None:
    """By the strict protocol, with the judge that it takes: another reading of the same replies."""
    config["protocol"] = "strict"
    config["judges"][f"{SMALL}-strict"] = {**config["judges"][SMALL], "reading": "strict"}
    for setting in settings(config).values():
        if f"judge-{SMALL}" in setting["scorers"] and "rules-strict" not in setting["scorers"]:
            setting["scorers"].append(f"judge-{SMALL}-strict")


def sample_more(config: dict[str, Any]) -> None:
    settings(config)["identify"]["sampling"]["max_tokens"] = 9


DOWN = {"generate", "judge"}
ROWS = [
    # prompts and data
    Row("a prompt of one setting", {"generate"}, DOWN, {"mathmist/identify"},
        file="prompts/mathmist/identify.txt", edit=adding("\nBe brief.\n")),
    Row("a judge's prompt", {"judge"}, {"judge"},
        file="prompts/mathmist/judge-answer.txt", edit=adding("\nBe brief.\n")),
    Row("the prompt of flawed solutions", {"perturb"}, {"perturb", *DOWN},
        {"mathmist/detect", "mathmist/identify"},
        file="prompts/mathmist/perturb-3.txt", edit=adding("\nBe brief.\n")),
    Row("a translation prompt", {"translate_mathmist"}, {"translate_mathmist", *DOWN},
        {"mathmist/cross-lingual"},
        file="prompts/mathmist/translate-question.txt", edit=adding("\nBe brief.\n")),
    Row("a language data file", TRANSLATING, {*TRANSLATING, *DOWN},
        {"mathmist/cross-lingual", "mmath/native"},
        file="resources/languages/fr.yaml", edit=adding("# A note.\n")),
    Row("a correction of a review", {"review_mathmist"}, DOWN, {"mathmist/cross-lingual"},
        file="config/review/bundled/mathmist/translation/fr.csv",
        edit=lambda path: edit(path, "Résoudre", "Résolvez")),
    Row("a raw problem", {"import_mmath", "record_inputs"}, {"translate_mmath", "generate"},
        {"mmath/native"}, file="resources/mmath/en.jsonl", edit=adding("\n")),
    Row("a printed number", {"audit_arithmetic", "audit_records", "table"},
        file="config/printed/claims.csv", edit=adding("\n")),
    # code
    Row("library code of scoring", {"score_rules"},
        file="scripts/babelmath/scoring/by_rules.py", edit=adding("CHANGED = 1\n")),
    Row("library code of tables", {"table", "tables_index"},
        file="scripts/babelmath/tables/html.py", edit=adding("CHANGED = 1\n")),
    Row("library code of figures", {"audit_page", "figure", "overview"},
        file="scripts/babelmath/figures/style.py", edit=adding("CHANGED = 1\n")),
    Row("library code of an engine", ASKED_FIRST, ASKING, EVERY,
        file="scripts/babelmath/engines/llamacpp.py", edit=adding("CHANGED = 1\n")),
    Row("a comment and a docstring of the library", set(),
        file="scripts/babelmath/records.py", edit=lambda path: (
            append(path, "\n\n# A comment.\n"),
            edit(path, "refuses repeated keys.", "refuses keys that are there."))),
    Row("a script", {"score_rules"},
        file="scripts/score_rules.py",
        edit=lambda path: edit(path, "def main() -> None:\n", "def main() -> None:\n    pass\n")),
    Row("a script's time", set(), file="scripts/score_rules.py", edit=lambda path: path.touch()),
    # what is asked
    Row("the sampling of a setting", {"generate", *RECORD}, DOWN,
        {"mathmist/identify"}, change=sample_more),
    Row("the seed", {"import_mathmist", "import_mmath", *RECORD}, ASKING, EVERY,
        change=whole({"seed": 43})),
    Row("a setting added",
        {"generate", "judge", "score_rules", "table", "figure", "audit_records", "explorer",
         *RECORD}, DOWN,
        {"mathmist/again"}, change=add_setting),
    Row("a model added to a setting",
        {"generate", "judge", "table", "audit_records", "explorer", *RECORD}, DOWN,
        {"mathmist/identify"}, change=add_model),
    Row("a language added",
        {"translate_mmath", "review_mmath", "check_golds", "generate", "measure_identifier",
         "table", *RECORD}, {"translate_mmath", "generate"}, {"mmath/native"},
        change=add_language),
    Row("a scorer added", {"score_rules", "table", "audit_records", "explorer", *RECORD},
        change=add_scorer),
    Row("a judge added", {"judge", "table", "explorer", *RECORD}, {"judge"}, change=add_judge),
    Row("the protocol",
        {"judge", "table", "figure", "audit_records", "explorer", *RECORD}, {"judge"},
        change=strictly),
    # models
    Row("a model's revision", {*ASKED_FIRST, *RECORD}, ASKING, EVERY,
        change=model(revision="a" * 40)),
    Row("a model's context", {*ASKED_FIRST, *RECORD}, ASKING, EVERY, change=model(context=2000)),
    Row("a model's display name", {"table", "figure", "audit_records", "explorer", *RECORD},
        change=model(display="Another name")),
    Row("a model's price", LEDGER, change=model(price={"input": 1.0, "output": 2.0})),
    Row("a model's resources", RECORD, change=model(
        gpus=1, gpu_model="h200", cpus=2, memory_mb=9000, runtime_min=9, concurrency=2, attempts=5,
        throttled=5, timeout_s=60.0, requests_per_minute=60, tokens_per_minute=6000)),
    Row("a GGUF file replaced by an older one", {"translate_mmath"},
        {"translate_mmath", "generate"}, {"mmath/native"}, file=GGUF, edit=older),
    # the run
    Row("the token budget", LEDGER, change=whole({"token_budget": {"en": 5}})),
    Row("the cap on the money", LEDGER, change=whole({"most_cost": 5.0})),
    Row("the explorer's most", {"explorer", *RECORD}, change=whole({"explorer": {"most": 900}})),
    Row("the statement", {"audit_page", "explorer", "tables_index", *RECORD},
        change=whole({"statement": "Another."})),
    Row("cores and resources of the call", set(),
        flags=("--cores", "1", "--resources", "llamacpp=2", "--default-resources", "mem_mb=99")),
    Row("an entry of a profile", set(), file="profiles/default/config.yaml",
        edit=adding("latency-wait: 9\n")),
    Row("an environment file without --sdm conda", set(), file="envs/figures.yaml",
        edit=adding("# A note.\n")),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(finished, tmp_path_factory) -> Path:
    """A copy of the finished run for all rows: each puts back what it changes."""
    place = tmp_path_factory.mktemp("reruns") / "run"
    shutil.copytree(finished, place, symlinks=True)
    return place


def test_without_a_change_nothing_runs_again(folder, config):
    assert plan(folder, config).rules == set()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_a_change_reruns_what_depends_on_it_and_nothing_else(folder, config, row):
    changed = copy.deepcopy(config)
    if row.change is not None:
        row.change(changed)
    if row.edit is None:
        found = plan(folder, changed, *row.flags)
    else:
        with put_back(folder / row.file) as path:
            row.edit(path)
            found = plan(folder, changed, *row.flags)
    assert found.first == row.first
    assert found.asking == row.asking
    every = {
        f"{name}/{setting}"
        for name, benchmark in config["benchmarks"].items()
        for setting in benchmark["settings"]
    }
    assert found.generations == (every if row.generations == EVERY else row.generations)


def test_each_row_stands_in_the_documentation():
    page = (REPOSITORY / "docs" / "rerunning.md").read_text(encoding="utf-8")
    told = {line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ")}
    assert {row.name for row in ROWS} <= told
    # The tests of environments and of released records hold these.
    elsewhere = {"an environment file under --sdm conda", "a released record file replaced"}
    assert told - {row.name for row in ROWS} - {"what is changed"} == elsewhere
