"""The whole workflow on a tiny configuration, with the real model."""

from __future__ import annotations

import copy
from collections import Counter

import pytest
import yaml

from links import generations, linked, selects
from workflow.running import journal, planned, records, run


def test_every_table_and_figure_is_there(finished):
    results = finished / "results"
    for paper, names in {
        "mathmist": [
            "data_comparison", "corpus_stat", "construction_outcomes", "zero_cot",
            "zero_cot_en_bn_category_wise", "zero_shot_mcq", "perturbation_eval",
            "code_switch_breakdown", "cross_ling_accuracy", "lang_stats_bn_bn",
            "lang_stats_en_bn", "outcomes", "tests_settings", "tests_languages",
        ],
        "mmath": ["table1", "problems", "construction_outcomes", "table2", "table3", "table4",
                  "table13", "outcomes", "tests_languages"],
    }.items():  # fmt: skip
        for name in names:
            for ending in ("csv", "md", "tex", "html"):
                assert (results / "tables" / paper / f"{name}.{ending}").stat().st_size > 50
    made = {path.relative_to(results / "tables").with_suffix("").as_posix()
            for path in (results / "tables").glob("*/*.csv")}  # fmt: skip
    index = (results / "tables" / "index.html").read_text(encoding="utf-8")
    collected = (results / "tables" / "tables.tex").read_text(encoding="utf-8")
    for name in made:
        assert index.count(f'href="{name}.html"') == 1
        assert collected.count(rf"\input{{{name}.tex}}") == 1
    for name in ("mathmist/cross_ling_accuracy", "mathmist/code_switch", "mmath/figure2",
                 "mmath/figure3", "overview"):  # fmt: skip
        assert (results / "figures" / f"{name}.pdf").read_bytes().startswith(b"%PDF")
        assert (results / "figures" / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    page = (results / "README.md").read_text(encoding="utf-8")
    assert page.startswith("# Results\n\n**A test.**")
    assert "protocol: paper" in page and "(n=" in page


def test_a_numbers_link_takes_as_many_generations_as_its_n(finished):
    results = finished / "results"
    resolved = yaml.safe_load((results / "run" / "config.yaml").read_text(encoding="utf-8"))
    rows = generations(results, resolved)
    counted = 0
    for table, line, link in linked(results):
        taken = sum(selects(link, row) for row in rows)
        own = line["unit"] == "count" and table.split("/")[1] in ("outcomes", "protocols")
        if line["unit"] in ("percent", "points") or own:
            paper, name = table.split("/")
            settings = resolved["benchmarks"][paper]["settings"]
            # The n of this table counts questions, each with all its responses.
            times = settings[link.setting[0]]["samples"] if name == "samples" else 1
            n = int(float(line["value"] if own else line["n"]))
            assert taken == n * times, (table, line)
            counted += 1
        else:
            assert taken >= int(line["n"]), "a difference links to both its sides"
    assert counted > 100


def test_printed_arithmetic_is_audited_without_any_released_record(finished):
    audit = finished / "results" / "audit"
    checks = (audit / "arithmetic.csv").read_text(encoding="utf-8")
    assert checks.count(",unattainable,") == 2 and ",contradicts," in checks
    page = (audit / "README.md").read_text(encoding="utf-8")
    assert "No released records were read here" in page
    assert "## Numbers that the records give differently" not in page
    for paper in ("mathmist", "mmath"):
        report = (audit / f"{paper}.csv").read_text(encoding="utf-8")
        assert ",no records," in report
        assert ",equal," not in report and ",differs," not in report
    assert (audit / "printed_against_recomputed.png").read_bytes().startswith(b"\x89PNG")


def test_the_run_records_configuration_versions_and_ledger(finished):
    run_folder = finished / "results" / "run"
    resolved = yaml.safe_load((run_folder / "config.yaml").read_text(encoding="utf-8"))
    assert resolved["models"]["smollm2-135m"]["attempts"] == 3, "defaults are written out"
    assert "\nmain,openai," in (run_folder / "versions.csv").read_text(encoding="utf-8")
    heads, *rows = (run_folder / "ledger.csv").read_text(encoding="utf-8").splitlines()
    columns = heads.split(",")
    responses = sum(one["kind"] == "response" for one in journal(finished))
    by_row = [dict(zip(columns, row.split(","), strict=True)) for row in rows]
    single = [row for row in by_row if row["model"] not in ("total", "all")]
    assert sum(int(row["responses"]) for row in single) == responses
    assert {row["asked_again"] for row in by_row} == {"0"}


def test_another_package_renews_the_record_of_versions_alone(
    finished, config, tmp_path, monkeypatch
):
    (tmp_path / "newer-2.0.dist-info").mkdir()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert planned(finished, config) == {"record_run": 1}


def test_no_id_lang_sample_is_missing_or_twice(finished, config):
    for benchmark, one in config["benchmarks"].items():
        for name, setting in one["settings"].items():
            file = finished / f"results/{benchmark}/generations/{name}/smollm2-135m.jsonl"
            keys = Counter((r["id"], r["lang"], r["sample"]) for r in records(file))
            assert set(keys.values()) == {1}
            ids = {identity for identity, _, _ in keys}
            wanted = len(ids) * len(setting["question_languages"]) * setting["samples"]
            assert len(keys) == wanted
            for scorer in setting["scorers"]:
                verdicts = (
                    finished / f"results/{benchmark}/verdicts/{name}/smollm2-135m/{scorer}.jsonl"
                )
                assert Counter((r["id"], r["lang"], r["sample"]) for r in records(verdicts)) == keys


def test_failed_attempts_stay_visible_and_corrections_are_counted(finished):
    made = records(finished / "results/mathmist/construction/translation/fr.jsonl")
    assert {one["field"] for one in made} == {"question", "solution", "answer"}
    assert all(one["reason"] for one in made if one["outcome"] == "unresolved")
    (problem,) = records(finished / "results/mathmist/problems/fr.jsonl")
    assert "question: review" in problem["provenance"]["checks"]
    table = (finished / "results/tables/mathmist/construction_outcomes.md").read_text("utf-8")
    assert "Replaced by a correction" in table


def test_a_second_call_does_nothing(finished, config):
    before = {path: path.stat().st_mtime_ns for path in (finished / "results").rglob("*.*")}
    done = run(finished, config)
    assert done.returncode == 0 and "Nothing to be done" in done.stdout
    assert before == {path: path.stat().st_mtime_ns for path in (finished / "results").rglob("*.*")}


@pytest.mark.heavy
def test_a_changed_prompt_reruns_exactly_what_depends_on_it(copy_of, config):
    before = len(journal(copy_of))
    file = copy_of / "prompts" / "mathmist" / "identify.txt"
    file.write_text(file.read_text("utf-8") + "\nBe brief.\n", encoding="utf-8")
    jobs = planned(copy_of, config)
    assert jobs["generate"] == 1 and jobs["judge"] == 1
    assert not {"translate_mathmist", "translate_mmath", "perturb", "make_choices",
                "identify_languages", "score_rules", "score_letters"} & jobs.keys()  # fmt: skip
    assert run(copy_of, config).returncode == 0
    asked = [one for one in journal(copy_of)[0:] if one["kind"] == "asked"]
    added = len(journal(copy_of)) - before
    assert 0 < added <= 2 * 4, "two identifications and their judging, asked and answered"
    assert len({one["key"] for one in asked}) == len(asked)


@pytest.mark.heavy
def test_a_renamed_model_reruns_what_shows_its_name_alone(copy_of, config):
    renamed = copy.deepcopy(config)
    for model in renamed["models"].values():
        model |= {"display": f"{model['display']}, renamed", "parameters": "9B"}
    jobs = planned(copy_of, renamed)
    assert {"table", "figure", "explorer"} <= jobs.keys()
    assert not {"generate", "judge", "translate_mathmist", "perturb", "propose_distractors",
                "identify_languages", "score_rules"} & jobs.keys()  # fmt: skip


@pytest.mark.heavy
def test_another_language_reuses_every_journalled_response(copy_of, config):
    before = {one["key"] for one in journal(copy_of) if one["kind"] == "response"}
    wider = copy.deepcopy(config)
    wider["benchmarks"]["mmath"]["languages"].append("es")
    wider["benchmarks"]["mmath"]["settings"]["native"]["question_languages"].append("es")
    done = run(copy_of, wider)
    assert done.returncode == 0, done.stdout[-3000:]
    asked = Counter(one["key"] for one in journal(copy_of) if one["kind"] == "asked")
    assert set(asked.values()) == {1}
    new = [
        one for one in journal(copy_of) if one["kind"] == "response" and one["key"] not in before
    ]
    assert new and {one["lang"] for one in new} == {"es"}
    table = (copy_of / "results/tables/mmath/table2.csv").read_text("utf-8")
    assert ",ES," in table


def test_progress_stands_in_the_logs_as_plain_lines(finished):
    log = (finished / "logs/generate/mmath.native.smollm2-135m.log").read_text("utf-8")
    assert "4/4 requests (0 from the journal)" in log and "new tokens/s" in log
