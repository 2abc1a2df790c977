"""The catalogue: which tables and figures there are, and which a configuration gets."""

from __future__ import annotations

from typing import Any

import pytest

from babelmath.catalogue import CATALOGUE, items
from babelmath.config import Config
from babelmath.figures.registry import FIGURES
from babelmath.scorers import (
    compared_scorers,
    deciding_judge,
    protocol_scorers,
    scorer_of,
)
from babelmath.tables.registry import TABLES


def names(raw: dict[str, Any], kind: Any) -> list[tuple[str, str]]:
    return [(item.paper, item.name) for item in items(Config.model_validate(raw), kind)]


def catalogued(kind: str) -> list[tuple[str, str]]:
    return [(item.paper, item.name) for item in CATALOGUE if item.kind == kind]


def several(raw: dict[str, Any], *settings: str) -> None:
    """Ask questions of MathMist settings three times, and let a rule read the answers too."""
    for name in settings or ("zero-shot",):
        setting = raw["benchmarks"]["mathmist"]["settings"][name]
        setting.update(samples=3, scorers=[*dict.fromkeys([*setting["scorers"], "rules-strict"])])


def test_each_item_stands_once() -> None:
    for kind in ("table", "figure"):
        assert len(set(catalogued(kind))) == len(catalogued(kind))


def test_table_functions_are_exactly_the_catalogues_tables() -> None:
    assert len(TABLES) == len(set(TABLES)) and set(TABLES) == set(catalogued("table"))


def test_figure_functions_are_exactly_the_catalogues_figures() -> None:
    assert list(FIGURES) == catalogued("figure")


def everything(raw: dict[str, Any]) -> None:
    """Configure what every item needs: samples, a judge and a rule, elicitation, training."""
    several(raw)
    settings = raw["benchmarks"]["mmath"]["settings"]
    settings["native"]["scorers"].append("judge-smollm2-135m")
    settings["native"].update(models=["smollm2-135m", "trained"])
    settings["atp"] = {**settings["native"], "prompt": "mmath/atp", "models": ["smollm2-135m"]}
    raw["models"]["trained"] = {**raw["models"]["smollm2-135m"], "trained_from": "smollm2-135m"}
    for name in ("cot", "cross-lingual"):
        raw["benchmarks"]["mathmist"]["settings"][name].update(labels=True)


def test_a_configuration_of_everything_gets_every_item(tiny: dict[str, Any]) -> None:
    everything(tiny)
    config = Config.model_validate(tiny)
    for kind in ("table", "figure"):
        found = [(one.paper, one.base) for one in items(config, kind)]
        assert list(dict.fromkeys(found)) == catalogued(kind)
        assert len(set(names(tiny, kind))) == len(found)


@pytest.mark.parametrize(
    "item", [one for one in CATALOGUE if one.settings], ids=lambda one: one.name
)
def test_item_appears_only_with_all_its_settings(item: Any, tiny: dict[str, Any]) -> None:
    everything(tiny)
    for setting in item.settings:
        raw = {**tiny, "benchmarks": {**tiny["benchmarks"]}}
        benchmark = {**raw["benchmarks"][item.paper]}
        benchmark["settings"] = {k: v for k, v in benchmark["settings"].items() if k != setting}
        raw["benchmarks"][item.paper] = benchmark
        config = Config.model_validate(raw)
        assert (item.paper, item.name) not in {
            (one.paper, one.base) for one in items(config, item.kind)
        }


def test_items_of_a_benchmark_that_is_not_configured_are_left_out(tiny: dict[str, Any]) -> None:
    del tiny["benchmarks"]["mmath"]
    assert {paper for paper, _ in names(tiny, "table") + names(tiny, "figure")} == {"mathmist"}


def test_items_of_language_labels_need_labels(tiny: dict[str, Any]) -> None:
    tiny["benchmarks"]["mmath"]["settings"]["native"]["labels"] = False
    assert ("mmath", "table2") in names(tiny, "table")
    assert ("mmath", "table3") not in names(tiny, "table")
    assert ("mmath", "figure2") not in names(tiny, "figure")


def test_samples_are_of_settings_that_ask_more_than_once(tiny: dict[str, Any]) -> None:
    assert ("mathmist", "samples") not in names(tiny, "table")
    several(tiny, "zero-shot", "cot")
    tiny["benchmarks"]["mathmist"]["cot_columns"] = {"bn": "cs-bn-en", "en": "cs-en-en"}
    assert settings_of(tiny, "samples") == ("zero-shot", "cot")


def test_protocols_and_agreement_are_of_settings_with_scorers_to_compare(
    tiny: dict[str, Any],
) -> None:
    mathmist = tiny["benchmarks"]["mathmist"]["settings"]
    assert "mcq" in settings_of(tiny, "protocols") and "mcq" not in settings_of(
        tiny, "judge_agreement"
    )
    assert ("mmath", "protocols") in names(tiny, "table")
    assert ("mmath", "judge_agreement") not in names(tiny, "table")
    for setting in mathmist.values():
        setting["scorers"] = setting["scorers"][:1]
    assert {"protocols", "judge_agreement"} & {
        name for paper, name in names(tiny, "table") if paper == "mathmist"
    } == set()


@pytest.mark.parametrize(
    ("scorers", "both"),
    [
        (["rules-paper", "rules-strict"], ("rules-paper", "rules-strict")),
        (["judge-a", "judge-a-strict"], ("judge-a", "judge-a-strict")),
        (["judge-a", "judge-a-strict", "rules-strict"], ("judge-a", "rules-strict")),
        (["judge-a", "judge-b"], None),
        (["rules-strict"], None),
        (["judge-a"], None),
    ],
)
def test_scorers_of_both_protocols(scorers: list[str], both: tuple[str, str] | None) -> None:
    assert protocol_scorers(scorers) == both


def test_judges_are_compared_with_the_strict_rule_and_with_each_other() -> None:
    assert compared_scorers(["judge-a", "rules-paper", "judge-b", "rules-strict"]) == [
        ("judge-a", "rules-strict"),
        ("judge-b", "rules-strict"),
        ("judge-a", "judge-b"),
    ]
    assert compared_scorers(["judge-a", "rules-paper"]) == []


def test_golds_are_of_benchmarks_with_a_rule_scorer(tiny: dict[str, Any]) -> None:
    several(tiny)
    assert {("mathmist", "golds"), ("mmath", "golds")} <= set(names(tiny, "table"))
    for benchmark in tiny["benchmarks"].values():
        for setting in benchmark["settings"].values():
            setting["scorers"] = ["judge-smollm2-135m"]
    assert "golds" not in {name for _, name in names(tiny, "table")}


def test_outcomes_of_building_need_something_built(tiny: dict[str, Any]) -> None:
    mmath = tiny["benchmarks"]["mmath"]
    mmath["languages"] = mmath["source_languages"]
    assert ("mmath", "construction_outcomes") not in names(tiny, "table")
    assert ("mathmist", "construction_outcomes") in names(tiny, "table")


def settings_of(raw: dict[str, Any], name: str) -> tuple[str, ...]:
    """The settings that an item reads."""
    return next(one.settings for one in items(Config.model_validate(raw), "table")
                if one.name == name)  # fmt: skip


@pytest.mark.parametrize("name", ["zero_cot", "zero_cot_en_bn_category_wise"])
def test_cot_columns_name_the_settings_that_are_read(name: str, tiny: dict[str, Any]) -> None:
    assert settings_of(tiny, name) == ("zero-shot", "cot")
    columns = {"bn": "cs-bn-en", "en": "cs-en-en"}
    tiny["benchmarks"]["mathmist"]["cot_columns"] = columns
    assert settings_of(tiny, name) == ("zero-shot", "cs-bn-en", "cs-en-en")
    tiny["benchmarks"]["mathmist"]["cot_columns"] = dict.fromkeys(columns, "cs-en-en")
    assert settings_of(tiny, name) == ("zero-shot", "cs-en-en")


def test_cot_columns_of_other_settings_need_no_cot(tiny: dict[str, Any]) -> None:
    mathmist = tiny["benchmarks"]["mathmist"]
    mathmist["cot_columns"] = {"bn": "cs-bn-en", "en": "cs-en-en"}
    del mathmist["settings"]["cot"]
    assert ("mathmist", "zero_cot") in names(tiny, "table")
    del mathmist["settings"]["cs-en-en"]
    assert ("mathmist", "zero_cot") not in names(tiny, "table")


@pytest.mark.parametrize(
    ("scorers", "protocol", "scorer"),
    [
        (["rules-paper", "rules-strict"], "paper", "rules-paper"),
        (["rules-paper", "rules-strict"], "strict", "rules-strict"),
        (["letter-strict", "letter-paper"], "paper", "letter-paper"),
        (["letter-paper", "letter-strict"], "strict", "letter-strict"),
        (["judge-a", "judge-b"], "paper", "judge-a"),
        (["judge-a", "judge-b"], "strict", "judge-a"),
        (["judge-a", "rules-strict"], "strict", "rules-strict"),
        (["judge-a", "rules-strict"], "paper", "judge-a"),
        (["judge-of-paper", "rules-paper"], "paper", "rules-paper"),
        (["judge-of-paper", "rules-strict"], "paper", "judge-of-paper"),
        (["rules-strict"], "paper", "rules-strict"),
        (["judge-a", "judge-a-strict"], "paper", "judge-a"),
        (["judge-a-strict", "judge-a"], "paper", "judge-a"),
        (["judge-a", "judge-a-strict"], "strict", "judge-a-strict"),
        (["judge-a-strict", "judge-a", "rules-strict"], "strict", "rules-strict"),
        (["judge-a-strict"], "paper", "judge-a-strict"),
        (["rules-paper", "judge-a-strict"], "paper", "rules-paper"),
        (["rules-paper", "judge-a-strict"], "strict", "judge-a-strict"),
    ],
)
def test_scorer_that_a_table_takes(scorers: list[str], protocol: str, scorer: str) -> None:
    assert scorer_of(scorers, protocol) == scorer


@pytest.mark.parametrize(
    ("scorers", "judge"),
    [
        (["rules-strict"], None),
        (["rules-strict", "judge-a"], "judge-a"),
        (["judge-a", "judge-b", "rules-strict"], "judge-a"),
        (["judge-a", "rules-strict", "judge-a-strict"], "judge-a-strict"),
        (["judge-a-strict", "judge-a"], "judge-a-strict"),
        (["judge-a", "judge-b-strict"], "judge-a"),
    ],
)
def test_judge_that_decides_where_rules_cannot(scorers: list[str], judge: str | None) -> None:
    assert deciding_judge(scorers) == judge


def test_a_run_of_trained_models_alone_has_the_training_tables_alone(tiny: dict[str, Any]) -> None:
    small = tiny["models"]["smollm2-135m"]
    tiny["models"]["trained"] = {**small, "display": "Trained", "trained_from": "smollm2-135m"}
    tiny["benchmarks"]["mmath"]["settings"]["native"]["models"] = ["trained"]
    names = {one.name for one in items(Config.model_validate(tiny), "table")
             if one.paper == "mmath"}  # fmt: skip
    assert {"table7", "table8", "table14", "outcomes"} <= names
    assert not {"table2", "table3", "table4", "table13"} & names
