"""Thinking control (MMATH section 3.3): openings of the thinking, who can go on from them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from babelmath.alphabets import scripts_of
from babelmath.conffaults import faults
from babelmath.config import Config, Model, Setting
from babelmath.engines import Request, Response, identity
from babelmath.engines.openai_bodies import body_of
from babelmath.engines.openai_compatible import OpenAICompatible
from babelmath.generation import generate
from babelmath.openings import BEGINS, PLACE, continues, drawn, lines_of, opening
from babelmath.questions import Question
from babelmath.records import Generation
from babelmath.response_parts import parts
from stand_ins import LANGUAGES, PROMPTS, SAMPLING, Replies
from unit.loopback import Call, Service, said

MMATH = ("en", "zh", "ar", "es", "fr", "ja", "ko", "pt", "th", "vi")
SCRIPTS = {"zh": {"HAN"}, "ar": {"ARABIC"}, "ja": {"HAN", "HIRAGANA", "KATAKANA"},
           "ko": {"HANGUL"}, "th": {"THAI"}}  # fmt: skip
QUESTION = "Find $x$ in $x+1=2$."


def ask(replies: Replies, style: str, opened: str | None = "mmath/dit", lang: str = "fr",
        samples: int = 1, prompt: str = "mmath/native") -> list[Generation]:  # fmt: skip
    setting = Setting.model_validate(
        {"task": "solve", "prompt": prompt, "opening": opened, "question_languages": [lang],
         "sampling": SAMPLING, "models": ["m"], "scorers": ["rules-strict"], "samples": samples}
    )  # fmt: skip
    asked = [Question("mmath-0001", lang, {"question": QUESTION})]
    return generate(asked, setting, "mmath", "m", style, "vllm", LANGUAGES,
                    replies, PROMPTS, 42, "generate")  # type: ignore[arg-type]  # fmt: skip


@pytest.mark.parametrize("lang", MMATH)
@pytest.mark.parametrize("name", ["mmath/dit", "mmath/qrt"])
def test_every_language_has_several_openings_in_its_own_script(name: str, lang: str) -> None:
    lines = lines_of(PROMPTS, name, lang)
    assert len(lines) >= 3 and len(set(lines)) == len(lines)
    for line in lines:
        assert line.count(PLACE) == (name == "mmath/qrt")
        assert set(scripts_of(line.replace(PLACE, ""))) <= SCRIPTS.get(lang, {"LATIN"})
        assert scripts_of(line.replace(PLACE, ""))


@pytest.mark.parametrize("name", ["mmath/dit", "mmath/qrt"])
def test_no_opening_of_one_language_stands_in_another(name: str) -> None:
    counted = Counter(line for lang in MMATH for line in lines_of(PROMPTS, name, lang))
    assert {line for line, times in counted.items() if times > 1} == set()


@pytest.mark.parametrize(("style", "begins"), [
    ("tags", "<think>\n"), ("opened", "<think>\n"),
    ("channels", "<|channel|>analysis<|message|>"),
])  # fmt: skip
def test_a_marker_opens_the_thinking_as_the_style_does_and_is_left_open(style, begins) -> None:
    made = opening(PROMPTS, "mmath/dit", "en", QUESTION, style, 0)
    assert made.text == f"{begins}Okay,"
    assert made.recorded() == {"index": 0, "text": "Okay,"}


@pytest.mark.parametrize("lang", MMATH)
def test_a_restatement_holds_the_question_and_ends_its_line(lang: str) -> None:
    question = "Find {{question}} $x$."
    for draw in range(4):
        made = opening(PROMPTS, "mmath/qrt", lang, question, "tags", draw)
        assert made.text == "<think>\n" + made.line.replace(PLACE, question) + "\n"
        assert made.text.count("Find {{question}} $x$.") == 1


def test_blank_lines_of_a_file_open_nothing(tmp_path: Path) -> None:
    (tmp_path / "dit.txt").write_text("Okay,\n\n  \nWell,\n", encoding="utf-8")
    assert lines_of(tmp_path, "dit", "en") == ["Okay,", "Well,"]


def test_openings_are_drawn_evenly_over_the_items() -> None:
    for lang in MMATH:
        count = len(lines_of(PROMPTS, "mmath/dit", lang))
        drawn_lines = Counter(drawn(42, "mmath", f"mmath-{number:04d}", lang, sample) % count
                              for number in range(374) for sample in range(4))  # fmt: skip
        expected = 374 * 4 / count
        spread = sum((drawn_lines[one] - expected) ** 2 / expected for one in range(count))
        assert spread < 18.5  # chi-square of 4 degrees of freedom: 1 in 1,000


def test_a_draw_depends_on_run_benchmark_item_language_and_sample_alone() -> None:
    place: tuple[Any, ...] = (42, "mmath", "mmath-0001", "fr", 0)
    changes = (43, "mathmist", "mmath-0002", "es", 1)
    others = [(*place[:at], new, *place[at + 1 :]) for at, new in enumerate(changes)]
    assert drawn(*place) == drawn(*place)
    assert len({drawn(*place), *(drawn(*one) for one in others)}) == 6


def test_settings_and_models_draw_the_same_number_for_an_item() -> None:
    for style in BEGINS:
        (first,) = ask(Replies("a"), style)
        (second,) = ask(Replies("b"), style)
        assert first.provenance["opening"] == second.provenance["opening"]


@pytest.mark.parametrize("opened", ["mmath/dit", "mmath/qrt"])
def test_the_drawn_opening_is_recorded_sent_and_part_of_the_thinking(opened: str) -> None:
    replies = Replies(*[" on cherche.</think>2"] * 12)
    records = ask(replies, "tags", opened, samples=12)
    lines = lines_of(PROMPTS, opened, "fr")
    for record, request in zip(records, replies.asked, strict=True):
        chosen = record.provenance["opening"]
        assert chosen["text"] == lines[chosen["index"]]
        said_first = chosen["text"].replace(PLACE, QUESTION)
        assert request.messages[-1][0] == "assistant" and said_first in request.messages[-1][1]
        assert record.thinking.startswith(said_first) and record.thinking.endswith("on cherche.")
        assert record.answer == "2" and record.flags == []
    assert len({record.provenance["opening"]["index"] for record in records}) > 1


def test_a_setting_without_an_opening_opens_nothing_and_records_none() -> None:
    replies = Replies("<think>a</think>2")
    (record,) = ask(replies, "tags", None)
    assert replies.asked[0].messages[-1][0] == "user"
    assert "opening" not in record.provenance


@pytest.mark.parametrize("handed", ["in channels", "apart", "apart with its opening"])
def test_an_opened_channel_is_recorded_however_the_server_hands_it_back(handed: str) -> None:
    lines = lines_of(PROMPTS, "mmath/dit", "en")
    marker = lines[drawn(42, "mmath", "mmath-0001", "en", 0) % len(lines)]
    final = "<|end|><|start|>assistant<|channel|>final<|message|>2<|return|>"
    reply = {
        "in channels": Response(text=f" we add.{final}", finish="stop"),
        "apart": Response(text="2", thinking=" we add.", finish="stop"),
        "apart with its opening": Response(text="2", thinking=f"{marker} we add.", finish="stop"),
    }[handed]
    (record,) = ask(Replies(reply), "channels", lang="en")
    assert record.thinking == f"{marker} we add."
    assert record.answer == "2"


def test_atp_counts_the_whole_response_of_a_model_without_thinking_as_thinking() -> None:
    (record,) = ask(Replies("We add and get 2."), "none", None, prompt="mmath/atp")
    assert record.thinking == "" and record.flags == []
    assert parts(record) == (("We add and get 2.", None), ("We add and get 2.", None))


CHAT = (("user", QUESTION), ("assistant", "<think>\nOkay,"))


def requested(messages: tuple[tuple[str, str], ...] = CHAT) -> Request:
    return Request("generation", "en", messages, 0.0, 1.0, 8, 0, 1)


@pytest.mark.parametrize(("fields", "content"), [
    ({"thinking": "tags"}, "<think>\nOkay,"),
    ({"thinking": "opened"}, "Okay,"),
    ({"thinking": "opened", "options": {"continue_final_message": True}}, "<think>\nOkay,"),
    ({"thinking": "channels"}, "<think>\nOkay,"),
])  # fmt: skip
def test_the_tag_that_a_template_writes_itself_is_not_sent(fields, content) -> None:
    model = Model(display="M", engine="openai", service="m", base_url="http://x/v1", **fields)
    assert body_of(requested(), model, "m")["messages"][-1]["content"] == content
    plain = body_of(requested((("user", "<think>\nwhat?"),)), model, "m")["messages"]
    assert plain == [{"role": "user", "content": "<think>\nwhat?"}]


def test_an_opening_without_its_tag_is_another_request() -> None:
    """What was answered to a tag that stood twice is not taken for the right prompt's answer."""
    tags, opened = (
        Model(display="M", engine="openai", service="m", base_url="http://x/v1", thinking=style,
              continues=True)
        for style in ("tags", "opened")
    )  # fmt: skip
    assert body_of(requested(), tags, "m") != body_of(requested(), opened, "m")
    assert requested().key(identity(tags)) != requested().key(identity(opened))


@pytest.mark.parametrize("style", ["tags", "opened"])
@pytest.mark.parametrize("echoed", ["", "Okay,", "<think>\nOkay,"])
def test_a_reply_never_repeats_its_opening(style: str, echoed: str) -> None:
    def answer(call: Call) -> Any:
        return said(f"{echoed} we add.</think>2")

    model = Model(display="M", engine="openai", service="m", thinking=style, continues=True)
    with Service(answer) as service:
        client = OpenAICompatible(model, service.url, "none", "m")
        ((_, response),) = client.stream([requested()], lambda sent: None)
        client.close()
    assert response.text == " we add.</think>2"


def configured(**model: Any) -> Config:
    values = {"display": "M", "engine": "vllm", "weights": "w", "thinking": "opened"} | model
    return Config.model_validate({
        "scale": "demonstration", "statement": "A test.", "seed": 1, "protocol": "paper",
        "models": {"m": values},
        "benchmarks": {"mmath": {
            "source": {"format": "bundled", "folder": "resources/mmath"},
            "source_languages": ["en"], "languages": ["en"],
            "settings": {"dit": {
                "task": "solve", "prompt": "mmath/native", "opening": "mmath/dit",
                "question_languages": ["en"], "sampling": {"temperature": 0, "max_tokens": 8},
                "models": ["m"], "scorers": ["rules-paper", "rules-strict"]}}}},
    })  # fmt: skip


SERVED = {"engine": "openai", "service": "m", "weights": None}
GEMINI = {"engine": "gemini", "service": "m", "weights": None}
AT = ("benchmarks", "mmath", "settings", "dit", "models", 0)


@pytest.mark.parametrize(("model", "place", "reason"), [
    (SERVED, AT, "cannot go on from an opened turn (engine openai)"),
    (SERVED | {"base_url": "http://x/v1"}, AT, "cannot go on from an opened turn"),
    (GEMINI, AT, "cannot go on from an opened turn (engine gemini)"),
    ({"continues": False}, AT, "cannot go on from an opened turn (engine vllm)"),
    (SERVED | {"continues": True}, ("models", "m", "continues"), "continues none"),
    (GEMINI | {"continues": True}, ("models", "m", "continues"), "continues none"),
    ({"thinking": "none"}, AT, "shows no thinking part (thinking: none)"),
    ({"thinking": "separate"}, AT, "(thinking: separate)"),
    (GEMINI | {"template": {"enable_thinking": False}}, ("models", "m", "template"),
     "takes no template arguments"),
    (SERVED | {"template": {"reasoning_effort": "low"}}, ("models", "m", "template"),
     "takes no template arguments"),
])  # fmt: skip
def test_what_cannot_be_opened_or_templated_is_refused_with_its_reason(model, place, reason):
    found = {at: (problem, remedy) for at, problem, _, remedy in faults(configured(**model))}
    problem, remedy = found[place]
    assert reason in problem and remedy


@pytest.mark.parametrize("model", [
    {}, {"thinking": "tags"}, {"thinking": "channels", "template": {"reasoning_effort": "low"}},
    {"engine": "llamacpp", "template": {"enable_thinking": True}},
    SERVED | {"base_url": "http://x/v1", "continues": True, "template": {"enable_thinking": True}},
])  # fmt: skip
def test_a_model_that_continues_and_thinks_may_be_opened(model: dict[str, Any]) -> None:
    assert faults(configured(**model)) == []


@pytest.mark.parametrize(("fields", "expected"), [
    ({"engine": "llamacpp", "weights": "w"}, True), ({"engine": "vllm", "weights": "w"}, True),
    ({"engine": "vllm", "weights": "w", "continues": False}, False),
    ({"engine": "openai", "service": "m"}, False), ({"engine": "gemini", "service": "m"}, False),
    ({"engine": "openai", "service": "m", "continues": True}, True),
])  # fmt: skip
def test_who_continues_an_opened_turn(fields: dict[str, Any], expected: bool) -> None:
    assert continues(Model(display="M", **fields)) is expected


def test_chat_template_arguments_reach_a_compatible_server() -> None:
    model = Model(display="Q", engine="openai", service="qwen3-8b", base_url="http://x/v1",
                  template={"enable_thinking": False})  # fmt: skip
    assert body_of(requested(), model, "m")["extra_body"] == {
        "chat_template_kwargs": {"enable_thinking": False}
    }


def test_an_opened_channel_reaches_a_compatible_server_as_it_is() -> None:
    begun = "<|channel|>analysis<|message|>Okay,"
    model = Model(display="G", engine="openai", service="gpt-oss-20b", thinking="channels",
                  base_url="http://x/v1", continues=True,
                  template={"reasoning_effort": "low"})  # fmt: skip
    with Service(lambda call: said(" so<|end|><|channel|>final<|message|>2")) as service:
        client = OpenAICompatible(model, service.url, "none", "m")
        chat = (("user", QUESTION), ("assistant", begun))
        ((_, response),) = client.stream([requested(chat)], lambda sent: None)
        client.close()
    (call,) = service.calls
    assert call.body["messages"][-1] == {"role": "assistant", "content": begun}
    assert call.body["chat_template_kwargs"] == {"reasoning_effort": "low"}
    assert response.text == " so<|end|><|channel|>final<|message|>2"


@pytest.mark.parametrize(("model", "place", "reason"), [
    (SERVED | {"options": {"n": 4}}, ("options", "n"), "the request sets it"),
    (SERVED | {"options": {"model": "other"}}, ("options", "model"), "the request sets it"),
    (SERVED | {"options": {"api_key": "sk-1"}}, ("options", "api_key"), "into the environment"),
    (SERVED | {"options": {"Authorization": "x"}}, ("options", "Authorization"), "environment"),
    (GEMINI | {"options": {"maxOutputTokens": 9}}, ("options", "maxOutputTokens"), "sets it"),
    (GEMINI | {"options": {"temperature": 1.5}}, ("options", "temperature"), "sets it"),
    ({"options": {"hf_token": "x"}}, ("options", "hf_token"), "into the environment"),
    (SERVED | {"base_url": "h/v1"}, ("base_url",), "not an address"),
    (SERVED | {"base_url": "ftp://h/v1"}, ("base_url",), "not an address"),
    (SERVED | {"base_url": "http://u:p@h/v1"}, ("base_url",), "name or password"),
    (SERVED | {"key_variable": "sk-abc 123"}, ("key_variable",), "environment variable"),
    (SERVED | {"key_variable": ""}, ("key_variable",), "environment variable"),
])  # fmt: skip
def test_what_would_pass_by_the_records_or_hold_a_secret_is_refused(model, place, reason):
    found = [(at, problem, value) for at, problem, value, _ in faults(configured(**model))]
    held = [(problem, value) for at, problem, value in found if at == ("models", "m", *place)]
    assert held and reason in held[0][0]
    assert "p@" not in str(held) and "sk-" not in str(held)


@pytest.mark.parametrize("options", [
    {"reasoning_effort": "low"}, {"continue_final_message": True}, {"max_tool_calls": 1},
])  # fmt: skip
def test_other_options_are_taken(options):
    found = faults(configured(**SERVED, base_url="http://x/v1", options=options))
    assert [at for at, *_ in found if "options" in at] == []
