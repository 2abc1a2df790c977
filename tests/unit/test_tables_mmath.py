"""MMATH's tables of thinking languages, elicitation, training and subsets, counted by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from babelmath.catalogue import items
from babelmath.config import Config
from babelmath.tables import mmath_tables
from babelmath.tables.data import Data, ModelName
from babelmath.tables.frame import Table, written
from record_frames import Row, data, labels, subsets, verdicts
from small_run import small_run

MODELS = {
    "m": ModelName("Model", None), "o": ModelName("Other", None), "base": ModelName("Base", "3B"),
    "t": ModelName("Model-SFT", None), "u": ModelName("Base-SFT", None),
}  # fmt: skip


def cells(table: Table) -> dict[tuple[str, str, str], tuple[str, int]]:
    return {(one.block, one.row, one.column): (written(one), one.n) for one in table.cells}


def rows(table: Table) -> list[tuple[str, str]]:
    return list(dict.fromkeys((one.block, one.row) for one in table.cells))


# Target and off-target thinking


def thought() -> Data:
    """AIME2024: problems 0 to 3, two samples; French is thought in French, English and neither."""
    languages = ("en", "fr", "zh")
    problems = [row for lang in languages for row in subsets(lang, AIME2024="0123", CNMO="45")]
    found: list[Row] = []
    detected: list[Row] = []
    for sample in (0, 1):
        found += verdicts("native", "012" + "45", "3", lang="en", sample=sample)
        found += verdicts("native", "0" + "45", "123", lang="fr", sample=sample)
        found += verdicts("native", "", "012345", lang="zh", sample=sample)
        detected += labels("en", ["en"] * 6, sample=sample)
        detected += labels("fr", ["fr", "en", "und", "mixed" if sample else "fr", "fr", "en"],
                           sample=sample)  # fmt: skip
        detected += labels("zh", ["en"] * 6, sample=sample)
    return data(problems, found, detected, languages=languages, models=MODELS)


def test_target_thinking_counts_aime2024_by_the_language_of_the_thinking() -> None:
    found = cells(mmath_tables.target_thinking(thought()))
    assert found == {
        ("Model", "Target", "EN"): ("75", 8),  # 3 of 4 problems, twice
        ("Model", "Target", "FR"): ("67", 3),  # problem 0 twice right, problem 3 once wrong
        ("Model", "Target", "ZH"): ("N/A", 0),
        ("Model", "Target", "AVG"): ("71", 11),  # of EN and FR: (75 + 66.7) / 2
        ("Model", "Off-target", "EN"): ("N/A", 0),
        ("Model", "Off-target", "FR"): ("0", 5),  # English, und and mixed
        ("Model", "Off-target", "ZH"): ("0", 8),
        ("Model", "Off-target", "AVG"): ("0", 13),  # of FR and ZH
    }


def test_a_model_that_always_thinks_in_the_questions_language_has_no_off_target() -> None:
    loyal = labels("en", ["en", "en"]) + labels("fr", ["fr", "fr"])
    found = cells(mmath_tables.target_thinking(data(
        subsets(AIME2024="01") + subsets("fr", AIME2024="01"),
        verdicts("native", "0", "1") + verdicts("native", "01", lang="fr"),
        loyal, languages=("en", "fr"),
    )))  # fmt: skip
    assert {found["Model", "Off-target", head] for head in ("EN", "FR", "AVG")} == {("N/A", 0)}
    assert found["Model", "Target", "AVG"] == ("75", 4)


def test_a_number_of_target_thinking_names_its_generations() -> None:
    by_place = {(one.row, one.column): one for one in
                mmath_tables.target_thinking(thought()).cells}  # fmt: skip
    records = by_place["Off-target", "FR"].records
    assert records is not None and records.query() == (
        "benchmark=mmath&setting=native&model=m&lang=fr&subset=AIME2024&target=off"
    )
    assert by_place["Target", "ZH"].records is None


# Elicitation


def elicited() -> Data:
    """m: native, ATP, QRT; o: DIT alone; the trained t is asked in ATP too, but is no such row."""
    asked = [
        ("native", "m", "ab", "cd"),
        ("atp", "m", "abc", "d"),
        ("qrt", "m", "", "abcd"),
        ("dit", "o", "abcd", ""),
        ("native", "base", "a", "bcd"),
        ("atp", "t", "a", "bcd"),
    ]
    problems = subsets(AIME2024="a", MATH500="bcd")
    found = [row for setting, model, right, wrong in asked
             for row in verdicts(setting, right, wrong, model=model)]  # fmt: skip
    detected = [
        row
        for setting, model, _, _ in asked
        for row in labels("en", ["en", "fr"], ["en", "en"], setting=setting, model=model)
    ]
    return data(problems, found, detected, languages=("en",), models=MODELS, trained={"t": "m"})


def test_elicitation_has_the_strategies_that_each_model_was_asked_with() -> None:
    table = mmath_tables.elicitation_accuracy(elicited())
    assert rows(table) == [("Model", "Native"), ("Model", "ATP"), ("Model", "QRT"),
                           ("Other", "DIT")]  # fmt: skip
    found = cells(table)
    assert found["Model", "Native", "EN"] == ("66.67", 4)  # (1 + 1/3) / 2
    assert found["Model", "ATP", "EN"] == ("83.33", 4)
    assert found["Model", "QRT", "AVG"] == ("0.00", 4)
    assert found["Other", "DIT", "EN"] == ("100.00", 4)


def test_consistency_of_elicitation_has_the_same_rows() -> None:
    table = mmath_tables.elicitation_consistency(elicited())
    assert rows(table) == rows(mmath_tables.elicitation_accuracy(elicited()))
    assert cells(table)["Model", "ATP", "Thinking LCR"] == ("50.00", 2)
    assert cells(table)["Model", "ATP", "Answering LCR"] == ("100.00", 2)


# Training


def trained() -> Data:
    """t is trained from m, u from a model that is not asked; both are asked in native."""
    problems = subsets(AIME2024="a", MATH500="bcd")
    found = (
        verdicts("native", "ab", "cd")
        + verdicts("native", "abc", "d", model="t")
        + verdicts("native", "", "abcd", model="u")
    )
    detected = [row for model in ("m", "t", "u")
                for row in labels("en", ["en", "fr"], ["en", "en"], model=model)]  # fmt: skip
    return data(problems, found, detected, languages=("en",), models=MODELS,
                trained={"t": "m", "u": "base"})  # fmt: skip


def test_training_stands_under_the_model_that_it_began_with() -> None:
    table = mmath_tables.training_accuracy(trained())
    assert rows(table) == [("Model", "Base"), ("Model", "Model-SFT"), ("Base", "Base"),
                           ("Base", "Base-SFT")]  # fmt: skip
    found = cells(table)
    assert found["Model", "Base", "EN"] == ("66.67", 4)
    assert found["Model", "Model-SFT", "AVG"] == ("83.33", 4)
    # A base model that was not asked is named and has no records.
    assert found["Base", "Base", "EN"] == ("no records", 0)
    assert found["Base", "Base-SFT", "EN"] == ("0.00", 4)


def test_consistency_and_subsets_of_training_are_of_trained_models_alone() -> None:
    found = mmath_tables.training_consistency(trained())
    assert rows(found) == [("Model", "Model-SFT"), ("Base", "Base-SFT")]
    assert cells(found)["Model", "Model-SFT", "Thinking LCR"] == ("50.00", 2)
    by_subset = mmath_tables.training_by_subset(trained())
    assert rows(by_subset) == [
        (block, row) for block in ("AIME2024", "MATH500", "MMATH")
        for row in ("Model-SFT", "Base-SFT")
    ]  # fmt: skip
    assert cells(by_subset)["MATH500", "Model-SFT", "EN"] == ("66.67", 3)
    assert cells(by_subset)["MMATH", "Model-SFT", "AVG"] == ("83.33", 4)


@pytest.mark.parametrize(
    "make",
    [mmath_tables.main_results, mmath_tables.language_consistency, mmath_tables.subset_results,
     mmath_tables.target_thinking],
)  # fmt: skip
def test_trained_models_leave_the_tables_of_evaluated_ones(make: Any) -> None:
    names = {name for one in make(trained()).cells for name in (one.block, one.row)}
    assert "Model" in names and not names & {"Model-SFT", "Base-SFT", "Base"}


def test_trained_models_leave_the_figures_of_evaluated_ones(tmp_path: Path) -> None:
    run = small_run(tmp_path, 0)
    shown = {one.base: {model for _, model in run.facts(one)["pairs"]}
             for one in run.items("figure") if one.paper == "mmath"}  # fmt: skip
    assert shown["figure2"] == shown["figure3"] == {"m1", "m2", "rel"}
    assert shown["figure10"] == {"t1", "t2", "t3"}


def test_without_a_trained_model_there_are_no_tables_of_training(tiny: dict[str, Any]) -> None:
    def names() -> set[str]:
        found = items(Config.model_validate(tiny), "table")
        return {one.name for one in found if one.paper == "mmath"}

    training = {"table7", "table8", "table14"}
    assert not training & names()
    tiny["models"]["tuned"] = {**tiny["models"]["smollm2-135m"], "trained_from": "smollm2-135m"}
    assert not training & names()  # nobody asks it
    tiny["benchmarks"]["mmath"]["settings"]["native"]["models"].append("tuned")
    assert training <= names()
    tiny["benchmarks"]["mmath"]["settings"]["native"]["labels"] = False
    assert training & names() == {"table7", "table14"}


def test_elicitation_needs_native_and_one_strategy(tiny: dict[str, Any]) -> None:
    def names() -> set[str]:
        return {one.name for one in items(Config.model_validate(tiny), "table")
                if one.paper == "mmath"}  # fmt: skip

    settings = tiny["benchmarks"]["mmath"]["settings"]
    assert not {"table5", "table6"} & names()
    settings["dit"] = settings["native"] | {"labels": False}
    assert {"table5", "table6"} & names() == {"table5"}
    settings["qrt"] = settings["native"]
    assert {"table5", "table6"} <= names()
    del settings["native"]
    assert not {"table5", "table6"} & names()


# Subsets and comparisons


def test_results_by_subset_have_a_block_for_each_and_one_for_their_mean() -> None:
    problems = [row for lang in ("en", "zh") for row in subsets(lang, CNMO="a", MATH500="bc")]
    found = verdicts("native", "ab", "c") + verdicts("native", "", "abc", lang="zh")
    one = cells(mmath_tables.subset_results(data(problems, found, languages=("en", "zh"))))
    assert {block for block, _, _ in one} == {"CNMO", "MATH500", "MMATH"}
    assert one["CNMO", "Model", "EN"] == ("100.00", 1)
    assert one["CNMO", "Model", "AVG"] == ("50.00", 2)
    assert one["MATH500", "Model", "EN"] == ("50.00", 2)
    assert one["MATH500", "Model", "AVG"] == ("25.00", 4)
    assert one["MMATH", "Model", "EN"] == ("75.00", 3)  # not the 66.67 of all responses
    assert one["MMATH", "Model", "AVG"] == ("37.50", 6)


def test_a_language_without_records_leaves_its_subsets_and_means_missing() -> None:
    problems = [row for lang in ("en", "zh") for row in subsets(lang, CNMO="a", MATH500="bc")]
    some = verdicts("native", "ab", "c") + verdicts("native", "a", lang="zh")
    one = cells(mmath_tables.subset_results(data(problems, some, languages=("en", "zh"))))
    assert one["CNMO", "Model", "AVG"] == ("100.00", 2)
    for place in (("MATH500", "ZH"), ("MATH500", "AVG"), ("MMATH", "ZH"), ("MMATH", "AVG")):
        assert one[place[0], "Model", place[1]] == ("no records", 0)
