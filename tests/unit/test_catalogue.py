"""The catalogue: which tables and figures there are, and which a configuration gets."""

from __future__ import annotations

from typing import Any

import pytest

from babelmath.catalogue import CATALOGUE, items, scorer_of
from babelmath.config import Config
from babelmath.figures.registry import FIGURES
from babelmath.tables.registry import TABLES


def names(raw: dict[str, Any], kind: Any) -> list[tuple[str, str]]:
    return [(item.paper, item.name) for item in items(Config.model_validate(raw), kind)]


def catalogued(kind: str) -> list[tuple[str, str]]:
    return [(item.paper, item.name) for item in CATALOGUE if item.kind == kind]


def test_each_item_stands_once() -> None:
    for kind in ("table", "figure"):
        assert len(set(catalogued(kind))) == len(catalogued(kind))


def test_table_functions_are_exactly_the_catalogues_tables() -> None:
    assert list(TABLES) == catalogued("table")


def test_figure_functions_are_exactly_the_catalogues_figures() -> None:
    assert list(FIGURES) == catalogued("figure")


def test_demonstration_gets_every_item(tiny: dict[str, Any]) -> None:
    assert names(tiny, "table") == catalogued("table")
    assert names(tiny, "figure") == catalogued("figure")


@pytest.mark.parametrize(
    "item", [one for one in CATALOGUE if one.settings], ids=lambda one: one.name
)
def test_item_appears_only_with_all_its_settings(item: Any, tiny: dict[str, Any]) -> None:
    for setting in item.settings:
        raw = {**tiny, "benchmarks": {**tiny["benchmarks"]}}
        benchmark = {**raw["benchmarks"][item.paper]}
        benchmark["settings"] = {k: v for k, v in benchmark["settings"].items() if k != setting}
        raw["benchmarks"][item.paper] = benchmark
        assert (item.paper, item.name) not in names(raw, item.kind)


def test_items_of_a_benchmark_that_is_not_configured_are_left_out(tiny: dict[str, Any]) -> None:
    del tiny["benchmarks"]["mmath"]
    assert {paper for paper, _ in names(tiny, "table") + names(tiny, "figure")} == {"mathmist"}


def test_items_of_language_labels_need_labels(tiny: dict[str, Any]) -> None:
    tiny["benchmarks"]["mmath"]["settings"]["native"]["labels"] = False
    assert ("mmath", "table2") in names(tiny, "table")
    assert ("mmath", "table3") not in names(tiny, "table")
    assert ("mmath", "figure2") not in names(tiny, "figure")


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
