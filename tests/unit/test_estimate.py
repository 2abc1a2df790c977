"""The estimate before a run: what is asked, what it costs, and what is not known."""

from __future__ import annotations

import csv
import io
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from babelmath.asking import Models, request
from babelmath.config import Asked, Config
from babelmath.confload import read_config
from babelmath.errors import InputError
from babelmath.estimates.estimate import Estimate, _number, cells, estimate, totals
from babelmath.estimates.pages import csv_text, markdown, terminal
from babelmath.estimates.questions import Stock, expected
from babelmath.estimates.token_rates import Rates
from babelmath.estimates.work import Row
from babelmath.generation import generate
from babelmath.journal.store import Journal
from babelmath.questions import Question
from babelmath.records import save_records
from stand_ins import LANGUAGES, PROMPTS, REPOSITORY
from unit.loopback import Service

PRICE = {"input": 2.0, "output": 10.0}
SERVED: dict[str, Any] = {"display": "S", "engine": "openai", "service": "served-1",
                          "base_url": "http://127.0.0.1:9/v1", "price": PRICE}  # fmt: skip


def configured(tiny: dict[str, Any], folder: Path, **model: Any) -> Config:
    """The tiny configuration, all of it asked of one model."""
    values = SERVED | model
    tiny["models"] = {"smollm2-135m": values, "smollm2-135m-warm": values}
    tiny["paths"] |= {"results": str(folder / "results"), "journal": str(folder / "journal")}
    return Config.model_validate(tiny)


def at_home(config: Config, folder: Path) -> Config:
    """A configuration of the repository whose results and journal are in a folder of their own."""
    own = {"results": str(folder / "results"), "journal": str(folder / "journal")}
    read = {"prompts": str(PROMPTS), "languages": str(REPOSITORY / "resources" / "languages")}
    return config.model_copy(update={"paths": config.paths.model_copy(update=own | read)})


def rows(found: Estimate, step: str = "generation", setting: str = "") -> list[Row]:
    of_step = [one for one in found.rows if one.load.step == step]
    return [one for one in of_step if setting in ("", one.load.setting)]


def the(found: Estimate, step: str, setting: str) -> Row:
    (row,) = rows(found, step, setting)
    return row


def test_every_setting_and_building_step_has_its_rows(tiny, tmp_path) -> None:
    config = configured(tiny, tmp_path)
    found = estimate(config)
    mathmist = config.benchmarks.mathmist
    assert mathmist is not None
    assert {one.load.setting for one in rows(found)} == {*mathmist.settings, "native"}
    steps = [(one.load.benchmark, one.load.step) for one in found.rows if not one.load.setting]
    assert steps == [
        ("mathmist", "translation"), ("mathmist", "verification"), ("mathmist", "distractors"),
        ("mathmist", "flawed solutions"), ("mathmist", "checks of these"),
        ("mmath", "translation"), ("mmath", "verification"), ("mmath", "verification"),
    ]  # fmt: skip


def test_price_is_that_of_the_tokens(tiny, tmp_path) -> None:
    row = the(estimate(configured(tiny, tmp_path)), "generation", "zero-shot")
    assert row.load.requests == 2 and row.new_tokens == 16  # two languages of at most 8 tokens
    assert row.price == pytest.approx((row.prompt_tokens * 2 + 16 * 10) / 1e6, rel=1e-2)
    batched = the(estimate(configured(tiny, tmp_path, batch=True)), "generation", "zero-shot")
    assert batched.price == pytest.approx(row.price / 2)


def test_what_has_no_price_is_unknown_and_never_nothing(tiny, tmp_path) -> None:
    config = configured(tiny, tmp_path, price=None, base_url=None)
    found = estimate(config)
    assert {cells(one)["usd"] for one in found.rows} == {"unknown"}
    assert totals(found.rows)[-1]["usd"] == "unknown"
    assert "Price unknown, none configured" in terminal(found, config)


def test_a_sum_with_unknown_parts_is_at_least_the_rest(tiny, tmp_path) -> None:
    config = configured(tiny, tmp_path)
    models = config.models | {
        "smollm2-135m-warm": config.models["smollm2-135m"].model_copy(
            update={"price": None, "base_url": None}
        )
    }
    found = estimate(config.model_copy(update={"models": models}))
    assert totals(found.rows)[-1]["usd"].startswith("at least ")


@pytest.mark.parametrize(("fields", "expected_hours"), [
    ({"gpus": 2, "tokens_per_second": 100.0}, 16 / 100 * 2 / 3600),
    ({"gpus": 2}, None), ({"gpus": 0, "tokens_per_second": 100.0}, None),
])  # fmt: skip
def test_gpu_hours_need_a_rate_and_gpus(tiny, tmp_path, fields, expected_hours) -> None:
    config = configured(tiny, tmp_path, engine="vllm", weights="some/model", service=None,
                        price=None, **fields)  # fmt: skip
    row = the(estimate(config), "generation", "zero-shot")
    assert row.gpu_hours == pytest.approx(expected_hours)
    shown = cells(row)["gpu_hours"]
    assert shown == (
        "" if not fields["gpus"] else "unknown" if expected_hours is None else "0.000089"
    )


@pytest.mark.parametrize(("fields", "most", "new_each"), [
    ({}, 8, 8), ({}, 5000, 800), ({"thinking": "tags"}, 5000, 5000),
    ({"thinking": "tags"}, 32768, 6000), ({"service": "o3-mini"}, 32768, 6000),
])  # fmt: skip
def test_new_tokens_are_assumed_by_whether_a_model_thinks(
    tiny, tmp_path, fields, most, new_each
) -> None:
    tiny["benchmarks"]["mathmist"]["settings"]["cot"]["sampling"]["max_tokens"] = most
    row = the(estimate(configured(tiny, tmp_path, **fields)), "generation", "cot")
    assert (row.load.new_each, row.load.new_by) == (new_each, "assumed")
    assert row.most_new_tokens == most * row.load.most


def test_languages_that_are_not_built_are_stood_in_for_and_named(tiny, tmp_path) -> None:
    config = configured(tiny, tmp_path)
    row = the(estimate(config), "generation", "native")
    assert row.load.questions == "assumed: fr"
    assert the(estimate(config), "generation", "zero-shot").load.questions == "read"
    stock = Stock("mmath", config.benchmarks.mmath, config)  # type: ignore[arg-type]
    setting = config.benchmarks.mmath.settings["native"]  # type: ignore[union-attr]
    french = [one for one in expected(stock, setting) if one.lang == "fr"]
    assert {(one.text_lang, one.real) for one in french} == {("en", False)}


def test_problems_built_of_another_selection_are_built_anew_and_counted_so(tiny, tmp_path) -> None:
    """A run that is configured for more problems than are built builds and asks them all."""
    mmath = configured(tiny, tmp_path).benchmarks.mmath
    assert mmath is not None
    (english,) = Stock("mmath", mmath, configured(tiny, tmp_path)).problems["en"]
    for lang in ("en", "fr"):
        path = tmp_path / "results" / "mmath" / "problems" / f"{lang}.jsonl"
        save_records(path, [english.model_copy(update={"lang": lang})])
    built = the(estimate(configured(tiny, tmp_path)), "generation", "native")
    assert (built.load.requests, built.load.questions) == (4, "read")
    tiny["benchmarks"]["mmath"]["subset"] = {"numbers": [1, 2, 4]}
    more = estimate(configured(tiny, tmp_path))
    native = the(more, "generation", "native")
    assert (native.load.requests, native.load.questions) == (12, "assumed: fr")
    translation = [one for one in rows(more, "translation") if one.load.benchmark == "mmath"]
    assert [one.load.requests for one in translation] == [3]


def test_a_text_to_come_is_as_long_as_the_measured_ratio_says(tiny, tmp_path) -> None:
    config = configured(tiny, tmp_path)
    _, translated = rows(estimate(config), "translation")
    stock = Stock("mmath", config.benchmarks.mmath, config)  # type: ignore[arg-type]
    rates = Rates("o200k", True)
    length = rates.count(stock.problems["en"][0].question, "en") * rates.ratio("fr")
    assert translated.load.new_each == min(length, translated.load.max_tokens)


def test_rounds_and_second_tries_are_the_most_and_not_the_expected(tiny, tmp_path) -> None:
    found = estimate(configured(tiny, tmp_path))
    verified = [one for one in found.rows if one.load.step == "verification"]
    for row in verified:
        rounds = 2 if row.load.benchmark == "mathmist" else 1  # a correction more; one round
        assert row.load.most == row.load.requests * rounds
    judged = the(found, "judging", "zero-shot")
    assert (judged.load.requests, judged.load.most, judged.load.of) == (2, 4, "smollm2-135m")


def test_settings_that_ask_the_same_ask_it_once(tiny, tmp_path) -> None:
    settings = tiny["benchmarks"]["mathmist"]["settings"]
    settings["again"] = settings["zero-shot"] | {"samples": 3}
    found = estimate(configured(tiny, tmp_path))
    assert the(found, "generation", "zero-shot").load.requests == 2
    assert the(found, "generation", "cross-lingual").load.requests == 1  # French alone is new
    assert the(found, "generation", "again").load.requests == 4  # two of three samples
    assert the(found, "judging", "again").load.requests == 4


def test_judges_that_differ_in_reading_alone_cost_once(tiny, tmp_path) -> None:
    judges = tiny["judges"]
    judges["smollm2-135m-strict"] = judges["smollm2-135m"] | {"reading": "strict"}
    tiny["benchmarks"]["mathmist"]["settings"]["cot"]["scorers"].append("judge-smollm2-135m-strict")
    assert len(rows(estimate(configured(tiny, tmp_path)), "judging", "cot")) == 1


def test_samples_of_one_call_share_their_prompt_tokens(tiny, tmp_path) -> None:
    tiny["benchmarks"]["mmath"]["settings"]["native"]["samples"] = 4
    by_calls = the(estimate(configured(tiny, tmp_path)), "generation", "native")
    at_once = the(estimate(configured(tiny, tmp_path, samples_by="n")), "generation", "native")
    assert by_calls.load.requests == at_once.load.requests == 8
    assert at_once.prompt_tokens == pytest.approx(by_calls.prompt_tokens / 4, abs=1)


def test_released_records_ask_nothing(tiny, tmp_path) -> None:
    config = configured(tiny, tmp_path)
    released = config.models["smollm2-135m"].model_copy(update={"engine": "released"})
    found = estimate(config.model_copy(update={"models": config.models | {
        "smollm2-135m": released}}))  # fmt: skip
    assert rows(found) == [] and rows(found, "judging") == []


def test_what_is_journalled_is_not_asked_again_and_measures_the_rest(tiny, tmp_path) -> None:
    """Real responses, received over HTTP and journalled, under the keys of a run."""
    native = tiny["benchmarks"]["mmath"]["settings"]["native"]
    native |= {"question_languages": ["en"], "samples": 2}
    with Service() as service:
        config = configured(tiny, tmp_path, base_url=service.url)
        before = the(estimate(config), "generation", "native")
        setting = Asked.model_validate(
            config.benchmarks.mmath.settings["native"].model_dump(  # type: ignore[union-attr]
                include=set(Asked.model_fields)
            ) | {"samples": 1}
        )  # fmt: skip
        stock = Stock("mmath", config.benchmarks.mmath, config)  # type: ignore[arg-type]
        asked = [Question(one.id, one.lang, one.values) for one in expected(stock, setting)]
        journal = tmp_path / "journal"
        with Models(dict(config.models), journal, "mmath.native", None) as models:
            generate(asked, setting, "mmath", "smollm2-135m", "none", "openai", LANGUAGES, models,
                     PROMPTS, config.seed, "test")  # fmt: skip
        after = the(estimate(config), "generation", "native")
        Journal(journal / "smollm2-135m", "mmath.native", packed_from=1).close()
        assert [one.name for one in (journal / "smollm2-135m").glob("*.gz")]
        assert the(estimate(config), "generation", "native") == after
    assert (before.load.requests, before.load.journalled) == (2, 0)
    assert (after.load.requests, after.load.journalled) == (1, 1)
    assert after.prompt_tokens == pytest.approx(before.prompt_tokens / 2, abs=1)
    assert (after.load.new_each, after.load.new_by) == (3, "measured (1)")
    reworded = config.model_copy(update={"seed": config.seed + 1})
    assert the(estimate(reworded), "generation", "native").load.journalled == 0


def test_what_shards_were_answered_measures_their_setting(tiny, tmp_path) -> None:
    native = tiny["benchmarks"]["mmath"]["settings"]["native"]
    native |= {"question_languages": ["en"], "samples": 1}
    with Service() as service:
        config = configured(tiny, tmp_path, base_url=service.url)
        how = config.benchmarks.mmath.settings["native"].sampling  # type: ignore[union-attr]
        for number, job in enumerate(["mmath.native", "mmath.native_2-of-3", "mmath.native_1-of-2",
                                      "mmath.natives_1-of-2"]):  # fmt: skip
            chat = [{"role": "user", "content": job}]
            with Models(dict(config.models), tmp_path / "journal", job, None) as models:
                asked = [request("generation", "en", chat, how, number)]
                models.ask("smollm2-135m", asked, "test")
    load = the(estimate(config), "generation", "native").load
    assert (load.new_each, load.new_by) == (3, "measured (3)")


def test_a_split_setting_tells_the_hours_of_a_job(tiny, tmp_path) -> None:
    """16 tokens in two hours on two GPUs."""
    tiny["benchmarks"]["mathmist"]["settings"]["cot"]["shards"] = {"smollm2-135m": 1}
    config = configured(tiny, tmp_path, engine="vllm", weights="some/model", service=None,
                        price=None, gpus=2, tokens_per_second=16 / 7200, shards=4,
                        runtime_min=60)  # fmt: skip
    found = estimate(config)
    split, whole = (the(found, "generation", one) for one in ("zero-shot", "cot"))
    assert split.gpu_hours == whole.gpu_hours == pytest.approx(4)
    assert [cells(one)["shards"] for one in (split, whole)] == ["4", "1"]
    assert [cells(one)["job_hours"] for one in (split, whole)] == ["0.50", "2.0"]
    told = terminal(found, config)
    assert "generation mathmist zero-shot smollm2-135m: 4 shards, hours of each job: 0.5." in told
    assert "cot smollm2-135m: 2 hours are more than models.smollm2-135m.runtime_min allows" in told
    assert "zero-shot smollm2-135m: 0.5 hours" not in told
    unrated = configured(tiny, tmp_path, engine="vllm", weights="some/model", service=None,
                         price=None, gpus=2, shards=4)  # fmt: skip
    assert "zero-shot smollm2-135m: 4 shards, hours of each job: unknown." in terminal(
        estimate(unrated), unrated
    )


def test_replies_about_other_answers_do_not_count_as_journalled(tiny, tmp_path) -> None:
    """A changed setting is answered anew, and every new answer is judged."""
    with Service() as service:
        config = configured(tiny, tmp_path, base_url=service.url)
        how = config.judges["smollm2-135m"].sampling
        old = [request("judging", "en", [{"role": "user", "content": text}], how, 1)
               for text in ("one", "two")]  # fmt: skip
        job = "judge.mathmist.zero-shot.smollm2-135m"
        with Models(dict(config.models), tmp_path / "journal", job, None) as models:
            models.ask("smollm2-135m", old, "test")
    found = estimate(config)
    assert the(found, "generation", "zero-shot").load.journalled == 0
    judged = the(found, "judging", "zero-shot").load
    assert (judged.requests, judged.most, judged.journalled) == (2, 4, 0)


def test_the_table_says_what_it_rests_on(tiny, tmp_path) -> None:
    config = configured(tiny, tmp_path)
    found = estimate(config)
    for page in (terminal(found, config), markdown(found, config)):
        assert "o200k rates (error unknown: another's vocabulary)" in page
        assert "New tokens are assumed in" in page and "not built yet" in page
    lines = list(csv.DictReader(io.StringIO(csv_text(found))))
    body = [one for one in lines if one["step"] != "total"]
    assert len(body) == len(found.rows)
    assert int(lines[-1]["requests"]) == sum(int(one["requests"]) for one in body)
    assert lines[-1]["model"] == "all models"


@pytest.mark.parametrize("name", ["paper.yaml", "published.yaml"])
def test_without_any_question_it_says_how_to_get_them(name, tmp_path, monkeypatch) -> None:
    for variable in ("BABELMATH_RECORDS", "BABELMATH_BENCHMARKS"):
        monkeypatch.delenv(variable, raising=False)
    config = at_home(read_config(REPOSITORY / "config" / name), tmp_path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as caught:
        estimate(config)
    assert "no questions here" in str(caught.value)
    assert "BABELMATH_RECORDS" in str(caught.value) and "fetched-mathmist.json" in str(caught.value)


def test_a_benchmark_without_questions_is_missing_beside_one_with(tiny, tmp_path, monkeypatch):
    for variable in ("BABELMATH_RECORDS", "BABELMATH_BENCHMARKS"):
        monkeypatch.delenv(variable, raising=False)
    tiny["benchmarks"]["mmath"]["source"] = {
        "format": "released", "repository": "https://example.org/r", "commit": "0" * 40
    }  # fmt: skip
    monkeypatch.chdir(tmp_path)
    config = configured(tiny, tmp_path)
    found = estimate(config)
    assert {one.load.benchmark for one in found.rows} == {"mathmist"}
    assert "MISSING: mmath: no questions here" in terminal(found, config)


COPIES = ("BABELMATH_RECORDS", "BABELMATH_BENCHMARKS")


@pytest.mark.heavy
@pytest.mark.skipif(
    not all(one in os.environ for one in COPIES), reason=f"{' or '.join(COPIES)} names no copy"
)
def test_the_papers_plan_is_estimated_in_a_minute_without_network(tmp_path, monkeypatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("an estimate opens no connection")

    config = at_home(read_config(REPOSITORY / "config" / "paper.yaml"), tmp_path)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    begun = time.process_time()
    found = estimate(config)
    assert time.process_time() - begun < 60
    assert not found.missing
    counts = {(one.load.setting, one.load.model): one.load.requests for one in rows(found)}
    assert counts["zero-shot", "qwen3-8b"] == 1445 * 2 * 3
    assert counts["mcq", "phi-4"] == (843 + 290) * 2 * 3
    assert counts["native", "deepseek-r1"] == 374 * 10 * 4
    assert counts["cross-lingual", "qwen3-8b"] == 150 * 5 * 3  # bn and en are zero-shot's
    assert {cells(one)["gpu_hours"] for one in rows(found) if one.gpus} == {"unknown"}
    assert {cells(one)["usd"] for one in found.rows if one.paid} == {"unknown"}


def said_by(script: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(REPOSITORY / "scripts" / "estimate.py"), *script]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def test_the_command_prints_the_table_and_writes_both_files(tiny, tmp_path) -> None:
    configured(tiny, tmp_path)
    (tmp_path / "all.yaml").write_text(yaml.safe_dump(tiny), encoding="utf-8")
    (tmp_path / "more.yaml").write_text("estimate: {new_tokens: 5}\n", encoding="utf-8")
    done = said_by(["all.yaml", "more.yaml"], tmp_path)
    assert done.returncode == 0, done.stderr
    assert "all models" in done.stdout and "estimate.new_tokens 5" in done.stdout
    written = tmp_path / "results" / "run"
    assert (written / "estimate.csv").is_file()
    assert (written / "estimate.md").read_text(encoding="utf-8").startswith("# Estimate")


def test_the_command_tells_a_mistake_in_a_sentence(tmp_path) -> None:
    done = said_by(["none.yaml"], tmp_path)
    assert done.returncode == 1
    assert done.stderr == "error: none.yaml: no such configuration file\n"


@pytest.mark.parametrize(("value", "shown"), [
    (0, "0.00"), (1234.5, "1234.50"), (0.994, "0.99"), (0.05, "0.050"), (0.0042, "0.0042"),
    (0.000012345, "0.000012"),
])  # fmt: skip
def test_small_sums_of_money_are_no_zeros(value, shown):
    assert _number(value, 2) == shown
