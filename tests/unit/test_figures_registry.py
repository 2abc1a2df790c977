"""From records to the frames that figures are drawn from: who has a panel, what is named absent."""

from typing import Any

import polars as pl
import pytest

from babelmath.catalogue import items
from babelmath.config import Config
from babelmath.figures.registry import FIGURES
from babelmath.tables.data import PROBLEMS, Data, ModelName
from babelmath.tables.label_frames import LABEL_COLUMNS
from babelmath.tables.scores import SCORES
from unit.drawn import drawn_texts, native_name

LANGUAGES = ("en", "zh", "th")
FACTS = {
    "scale": "a test",
    "languages": list(LANGUAGES),
    "native_names": {lang: native_name(lang) for lang in LANGUAGES},
    "wanted": {"native": (1, ["th", "en"]), "atp": (1, ["en"])},
}
MODELS = {"a": "Model A", "b": "Model B", "tuned": "Model A, tuned"}


def records(labels: list[tuple[str, str, str, str]], setting: str = "native", **more: Any) -> Data:
    """Records of (model, question language, thinking, answering), all answers correct."""
    ids = [f"p{place}" for place in range(len(labels))]
    about = [{"setting": setting, "model": one[0], "lang": one[1], "sample": 0} for one in labels]
    told = [
        {**where, "id": key, "thinking": one[2], "answering": one[3], "strict_thinking": one[2],
         "strict_answering": one[3]}
        for where, key, one in zip(about, ids, labels, strict=True)
    ]  # fmt: skip
    right = [
        {**where, "id": key, "status": "correct", "correct": True}
        for where, key in zip(about, ids, strict=True)
    ]
    problems = [{"id": key, "lang": lang, "subset": "MATH500"} for key in ids for lang in LANGUAGES]
    fields: dict[str, Any] = {
        "protocol": "paper",
        "models": {name: ModelName(display, None) for name, display in MODELS.items()},
        "language_names": {lang: lang for lang in LANGUAGES},
        "languages": LANGUAGES,
        "source_languages": ("en",),
        "scorers": {setting: "rules-paper"},
        "samples": {setting: 1},
        "pairs": tuple((setting, one) for one in ("a", "b")),
        "problems": pl.DataFrame(problems, schema=PROBLEMS),
        "verdicts": pl.DataFrame(right, schema=SCORES),
        "labels": pl.DataFrame(told, schema=LABEL_COLUMNS),
    }
    return Data(**{**fields, **more})


def shown(name: str, data: Data) -> list[str]:
    figure = FIGURES["mmath", name](data, FACTS)
    return [" ".join(text.split()) for text, _ in drawn_texts(figure)]


ALIKE = [("a", "en", "en", "en"), ("a", "th", "en", "th"), ("b", "en", "zh", "en")]


def test_a_matrix_has_a_row_for_each_language_asked_and_names_those_without_records():
    texts = shown("figure2", records(ALIKE))
    assert [text for text in texts if text in MODELS.values()] == ["Model A", "Model B"]
    assert texts.count("no records") == 1  # Thai of the second model
    rows = [text for text in texts if text in ("EN", "TH")]
    assert rows[:2] == ["EN", "TH"]


def test_figures_2_and_3_are_of_thinking_and_of_answering():
    thinking, answering = (shown(name, records(ALIKE)) for name in ("figure2", "figure3"))
    assert "ZH" in thinking
    assert "ZH" not in answering


def test_figure_8_is_of_its_own_setting():
    data = records([("a", "en", "zh", "en"), ("b", "en", "en", "en")], setting="atp")
    texts = shown("figure8", data)
    assert "ZH" not in texts
    assert "TH" not in texts  # not asked under ATP


def test_a_model_s_own_figure_has_thinking_left_and_answering_right():
    data = records(ALIKE[:2], pairs=(("native", "a"),))
    figure = FIGURES["mmath", "languages"](data, FACTS)
    titles = [axes.get_title() for axes in figure.axes[:2]]
    assert titles == ["Model A, thinking", "Model A, answering"]


def test_figure_10_has_two_panels_for_each_trained_model():
    data = records([("tuned", "en", "en", "en"), ("tuned", "th", "en", "th")],
                   pairs=(("native", "tuned"),), trained={"tuned": "a"})  # fmt: skip
    figure = FIGURES["mmath", "figure10"](data, FACTS)
    titles = [axes.get_title() for axes in figure.axes[:2]]
    assert titles == ["Model A, tuned, thinking", "Model A, tuned, answering"]


def test_a_run_without_a_label_draws_figures_that_say_so():
    data = records([])
    assert shown("figure3", data).count("no records") == 4
    assert shown("compliance", data).count("no records: EN, TH") == 2


def test_compliance_has_a_point_a_language_and_names_the_others():
    texts = shown("compliance", records(ALIKE))
    assert texts.count("no records: TH") == 1
    note = " ".join(texts)
    assert "Language labels: strict. Protocol: paper, scored by rules-paper. Scale: a test." in note


@pytest.mark.parametrize(
    ("count", "names"),
    [
        (1, ["figure2"]),
        (8, ["figure2"]),
        (9, ["figure2", "figure2_2"]),
        (17, ["figure2", "figure2_2", "figure2_3"]),
    ],
)
def test_models_go_on_as_many_figures_as_they_need(tiny, count, names):
    settings = tiny["benchmarks"]["mmath"]["settings"]
    first = settings["native"]["models"][0]
    models = [f"extra-{place}" for place in range(count)]
    for name in models:
        tiny["models"][name] = {**tiny["models"][first], "display": name}
    settings["native"]["models"] = models
    figures = items(Config.model_validate(tiny), "figure")
    held = [one for one in figures if one.paper == "mmath" and one.base == "figure2"]
    assert [one.name for one in held] == names
    assert [model for one in held for model in one.models] == models
    captions = [one.caption for one in held]
    parts = [f", part {i} of {len(names)}" for i in range(1, len(names) + 1)]
    assert all(
        text.endswith(part) == (len(names) > 1) for text, part in zip(captions, parts, strict=True)
    )
