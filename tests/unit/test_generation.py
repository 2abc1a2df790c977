"""Asking the evaluated models: prompts, openings, records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from babelmath.config import Setting
from babelmath.engines import Response
from babelmath.generation import generate, messages
from babelmath.questions import Question
from babelmath.records import Generation
from stand_ins import LANGUAGES, PROMPTS, SAMPLING, Replies


def setting(**fields: Any) -> Setting:
    values: dict[str, Any] = {
        "task": "solve",
        "prompt": "mathmist/zero-shot",
        "question_languages": ["bn", "en"],
        "sampling": SAMPLING,
        "models": ["m"],
        "scorers": ["rules-strict"],
    }
    return Setting.model_validate(values | fields)


def ask(
    models: Replies,
    one: Setting | None = None,
    style: str = "none",
    asked: list[Question] | None = None,
    prompts: Path = PROMPTS,
) -> list[Generation]:
    return generate(
        asked or [Question("mathmist-0001", "en", {"question": "What is $2+3$?"})],
        one or setting(),
        "mathmist",
        "m",
        style,
        "llamacpp",
        LANGUAGES,
        models,  # type: ignore[arg-type]
        prompts,
        42,
        "generate",
    )


def test_prompt_names_the_questions_language() -> None:
    one = Question("mathmist-0001", "bn", {"question": "$2+3$ কত?"})
    text = messages(setting(), one, LANGUAGES, PROMPTS, None)[-1]["content"]
    assert "Bangla" in text and "$2+3$ কত?" in text


def test_code_switching_prompt_names_the_reasoning_language() -> None:
    one = Question("mathmist-0001", "bn", {"question": "$2+3$ কত?"})
    switched = setting(prompt="mathmist/code-switching", reasoning_language="fi")
    text = " ".join(item["content"] for item in messages(switched, one, LANGUAGES, PROMPTS, None))
    assert "Finnish" in text


def test_braces_inside_a_question_are_left_alone() -> None:
    one = Question("mathmist-0001", "en", {"question": "Is {{answer}} a set?"})
    text = messages(setting(), one, LANGUAGES, PROMPTS, None)[-1]["content"]
    assert "Is {{answer}} a set?" in text


def test_opening_is_the_models_own_turn() -> None:
    one = Question("mmath-0001", "en", {"question": "q"})
    chat = messages(setting(prompt="mmath/native"), one, LANGUAGES, PROMPTS, "<think>\nOkay,")
    assert chat[-1] == {"role": "assistant", "content": "<think>\nOkay,"}


def test_opening_is_part_of_the_recorded_thinking() -> None:
    opened = setting(prompt="mmath/native", opening="mmath/qrt")
    (record,) = ask(Replies("we add.</think>5"), opened, "tags")
    assert record.thinking.endswith("we add.")
    assert "What is $2+3$?" in record.thinking
    assert record.answer == "5"
    assert record.raw == f"<think>\n{record.thinking}</think>5"


def test_record_holds_what_came_back() -> None:
    response = Response(
        text="<think>add\n</think>\n\n5",
        finish="length",
        prompt_tokens=7,
        completion_tokens=9,
        sent={"seed": 3},
        attempts=["timeout"],
    )
    (record,) = ask(Replies(response), style="tags")
    assert (record.thinking, record.answer, record.raw) == ("add", "5", "<think>add\n</think>\n\n5")
    assert (record.finish, record.prompt_tokens, record.completion_tokens) == ("length", 7, 9)
    assert (record.model, record.engine, record.sent) == ("m", "llamacpp", {"seed": 3})
    assert record.provenance == {"journal": "key1", "attempts": ["timeout"]}


def test_oddness_of_the_thinking_is_flagged() -> None:
    (record,) = ask(Replies("we add and"), style="opened")
    assert (record.answer, record.flags) == ("", ["unclosed thinking"])


def test_each_question_is_asked_as_often_as_the_setting_says() -> None:
    records = ask(Replies("1", "2", "3"), setting(samples=3))
    assert [(one.sample, one.answer) for one in records] == [(0, "1"), (1, "2"), (2, "3")]


def test_samples_have_seeds_of_their_own() -> None:
    models = Replies("1", "2", "3")
    records = ask(models, setting(samples=3))
    assert len({one.seed for one in records}) == 3
    assert [one.seed for one in records] == [request.seed for request in models.asked]


def test_seed_does_not_depend_on_the_other_questions() -> None:
    values = {"question": "q"}
    first, second = Question("mathmist-0001", "en", values), Question("mathmist-0002", "en", values)
    (alone,) = ask(Replies("1"), asked=[second])
    _, beside = ask(Replies("1", "2"), asked=[first, second])
    assert alone.seed == beside.seed


def test_seed_does_not_depend_on_the_setting() -> None:
    (plain,) = ask(Replies("1"))
    (other,) = ask(Replies("1"), setting(prompt="mathmist/cot", samples=1))
    assert plain.seed == other.seed


def test_model_is_asked_with_the_settings_sampling() -> None:
    models = Replies("1")
    warm = setting(sampling={"temperature": 0.6, "top_p": 0.95, "max_tokens": 32})
    ask(models, warm)
    (request,) = models.asked
    assert (request.temperature, request.top_p, request.max_tokens) == (0.6, 0.95, 32)


def test_thinking_handed_over_apart_stands_in_the_raw_text() -> None:
    (record,) = ask(Replies(Response(text="5", thinking="add", finish="stop")), style="separate")
    assert (record.thinking, record.answer, record.raw) == ("add", "5", "<think>add\n</think>\n\n5")
    assert record.flags == []


def test_opening_goes_before_thinking_that_is_handed_over_apart() -> None:
    opened = setting(prompt="mmath/native", opening="mmath/qrt")
    reply = Response(text="5", thinking="we add.", finish="stop")
    (record,) = ask(Replies(reply), opened, "separate")
    assert record.raw == f"<think>\n{record.thinking}\n</think>\n\n5"
    assert "What is $2+3$?" in record.thinking and record.thinking.endswith("we add.")


@pytest.mark.parametrize(
    ("finish", "answer", "flags"),
    [("stop", "It is 5.", ["parser_misroute"]), ("length", "", ["unclosed thinking"])],
)
def test_response_without_text_is_cut_by_its_finish(
    finish: str, answer: str, flags: list[str]
) -> None:
    (record,) = ask(Replies(Response(thinking="It is 5.", finish=finish)), style="separate")
    assert (record.answer, record.flags) == (answer, flags)
    assert "It is 5." in record.raw
