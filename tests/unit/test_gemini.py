"""Asking Gemini: the real client against a service on the loopback, through the journal."""

from __future__ import annotations

import base64
import dataclasses
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath.asking import Models, request
from babelmath.config import Model, Sampling
from babelmath.engines import Request, Response, identity, open_engine, pace
from babelmath.engines.base import Image
from babelmath.engines.gemini_bodies import body_of, response_of, rest_of
from babelmath.engines.gemini_faults import fault_of
from babelmath.errors import InputError, UnansweredError
from babelmath.files import dumps, sha256
from babelmath.ledger import ledger
from unit.loopback_gemini import (
    CUT,
    Call,
    Reply,
    Service,
    blocked,
    echo,
    quota,
    refused,
    retry_info,
    said,
)
from unit.waits import Waits, install

SAMPLING = Sampling(temperature=0.6, top_p=0.95, max_tokens=16)
KEY = "AIza-loopback-0123456789"
WAIT = 30  # seconds that no test needs
ELSEWHERE = (
    "GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL",
    "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE", "GOOGLE_GENAI_API_VERSION",
    "GOOGLE_GENAI_HTTP_CLIENT", "GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION",
)  # fmt: skip


@pytest.fixture(autouse=True)
def clock(monkeypatch) -> Waits:
    """Nobody waits between attempts."""
    return install(monkeypatch)


@pytest.fixture(autouse=True)
def no_key(monkeypatch) -> None:
    """Nothing of the machine's user takes part."""
    for name in ELSEWHERE:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as running:
        yield running


def served(service: Service, /, **changes: Any) -> Model:
    values = {
        "display": "Served", "engine": "gemini", "service": "served-1", "base_url": service.url,
        "concurrency": 2, "timeout_s": WAIT,
    }  # fmt: skip
    return Model(**(values | changes))


def question(text: str, **changes: Any) -> Request:
    item = request("generation", "en", [{"role": "user", "content": text}], SAMPLING, 7)
    return dataclasses.replace(item, **changes)


def ask(folder: Path, model: Model, *requests: Request, log: Path | None = None) -> list[Response]:
    """One job that asks a model and ends."""
    with Models({"m": model}, folder, "job", log) as models:
        return [one.response for one in models.ask("m", requests, "test")]


def journal(folder: Path) -> list[dict[str, Any]]:
    """The lines of the model's journal."""
    text = (folder / "m" / "job.jsonl").read_bytes()
    return [json.loads(line) for line in text.split(b"\n")[:-1]]


def kinds(folder: Path) -> list[str]:
    return [line["kind"] for line in journal(folder)]


def in_turn(*replies: Reply) -> Callable[[Call], Reply]:
    """These replies to the first, second, ... call; the last one to all further calls."""
    return lambda call: replies[min(call.number, len(replies)) - 1]


# What is sent


def test_a_request_is_sent_as_the_protocol_wants_it(tmp_path, service):
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "১+১?"},
        {"role": "assistant", "content": "২"},
        {"role": "user", "content": "২+২?"},
    ]
    schema = '{"type": "object", "properties": {"a_b": {"type": "string"}}}'
    options = {
        "thinking_config": {"thinking_budget": 128, "include_thoughts": True},
        "safety_settings": [{"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}],
    }
    item = request("generation", "bn", messages, SAMPLING, seed=5, sample=1, schema=schema)
    (response,) = ask(tmp_path, served(service, options=options), item)
    (call,) = service.calls
    assert call.path == "/v1beta/models/served-1:generateContent"
    assert call.body == {
        "systemInstruction": {"role": "user", "parts": [{"text": "Be brief."}]},
        "contents": [
            {"role": "user", "parts": [{"text": "১+১?"}]},
            {"role": "model", "parts": [{"text": "২"}]},
            {"role": "user", "parts": [{"text": "২+২?"}]},
        ],
        "generationConfig": {
            "temperature": 0.6, "topP": 0.95, "maxOutputTokens": 16, "seed": 5,
            "responseMimeType": "application/json", "responseJsonSchema": json.loads(schema),
            "thinkingConfig": {"thinkingBudget": 128, "includeThoughts": True},
        },
        "safetySettings": options["safety_settings"],
    }  # fmt: skip
    assert response.sent == {
        "model": "served-1", "temperature": 0.6, "top_p": 0.95, "max_output_tokens": 16, "seed": 5,
        "response_mime_type": "application/json", "response_json_schema": json.loads(schema),
        **options,
    }  # fmt: skip


def test_a_picture_goes_beside_the_last_message(tmp_path, service):
    content = bytes(range(256))
    (tmp_path / "page.png").write_bytes(content)
    image = Image(str(tmp_path / "page.png"), "image/png", sha256(content))
    (response,) = ask(tmp_path, served(service), question("What is it?", images=(image,)))
    text, picture = service.calls[0].body["contents"][0]["parts"]
    assert text == {"text": "What is it?"}
    assert picture["inlineData"]["mimeType"] == "image/png"
    assert base64.b64decode(picture["inlineData"]["data"]) == content
    assert response.text == "answer to What is it?"


def test_batches_hold_the_very_json_that_the_client_sends(tmp_path, service):
    (tmp_path / "page.png").write_bytes(b"\xff\xfe")
    options = {"top_k": 5, "thinking_config": {"thinking_budget": 0}, "safety_settings": [
        {"category": "HARM_CATEGORY_HARASSMENT", "threshold": "BLOCK_NONE"}]}  # fmt: skip
    model = served(service, options=options)
    item = question(
        "q",
        schema='{"type": "object"}',
        messages=(("system", "s"), ("system", "t"), ("user", "q")),
        images=(Image(str(tmp_path / "page.png"), "image/png", "0"),),
    )  # fmt: skip
    ask(tmp_path, model, item)
    assert rest_of(body_of(item, model, "served-1")) == service.calls[0].body


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"template": {"enable_thinking": True}}, "template", "no chat template"),
        ({"options": {"temperature": 1}}, "options.temperature", "the request sets it"),
        ({"options": {"topP": 1}}, "options.topP", "the request sets it"),
        ({"options": {"candidateCount": 4}}, "options.candidateCount", "the request sets it"),
        (
            {"options": {"http_options": {"base_url": "http://x"}}},
            "options.http_options",
            "sets it",
        ),
        ({"options": {"thinkingbudget": 1}}, "options.thinkingbudget", "not a field"),
        ({"options": {"thinking_config": {"budget": 1}}}, "options.thinking_config.budget", "not"),
        ({"options": {"top_k": "many"}}, "options.top_k", "not a field"),
    ],
)
def test_what_no_request_can_carry_is_refused_before_any_is_sent(
    tmp_path, service, changes, field, words
):
    with pytest.raises(InputError, match=words) as caught:
        ask(tmp_path, served(service, **changes), question("q"))
    assert caught.value.field == f"{field} of served-1"
    assert service.calls == []


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"messages": (("user", "q"), ("assistant", "<think>\n"))}, "opened turn"),
        ({"messages": (("system", "q"),)}, "without a question"),
        ({"images": (Image("nowhere.png", "image/png", "0"),)}, "no such picture"),
    ],
)
def test_a_request_that_the_service_cannot_take_is_refused_before_any_is_sent(
    tmp_path, service, changes, words
):
    with pytest.raises(InputError, match=words):
        ask(tmp_path, served(service), question("a"), question("b", **changes))
    assert service.calls == []


def test_what_another_job_was_answered_meanwhile_is_not_asked(tmp_path, service):
    """Requests leave one by one: each looks into the journal first."""
    items = [question(f"q{number}") for number in range(8)]
    begun = threading.Event()

    def answer(call: Call) -> Reply:
        if call.question == "q0" and not begun.is_set():
            begun.set()
            with Models({"m": served(service)}, tmp_path, "other", None) as models:
                models.ask("m", items[2:], "test")
        return echo(call)

    service.answer = answer
    found = ask(tmp_path, served(service, concurrency=1), *items)
    assert [one.text for one in found] == [f"answer to q{number}" for number in range(8)]
    assert len(service.calls) == 8
    assert ledger(tmp_path, ["m"], None)["asked_again"].to_list() == [0, 0]


def test_samples_of_one_question_are_asked_each(tmp_path, service):
    ask(tmp_path, served(service), *(question("a", sample=n, seed=n) for n in range(3)))
    assert sorted(call.body["generationConfig"]["seed"] for call in service.calls) == [0, 1, 2]


# Where it is sent


def test_the_environment_cannot_turn_requests_elsewhere(tmp_path, service, monkeypatch):
    with Service() as other:
        for name in ("GOOGLE_GEMINI_BASE_URL", "GOOGLE_VERTEX_BASE_URL", "HTTP_PROXY", "http_proxy",
                     "ALL_PROXY", "all_proxy"):  # fmt: skip
            monkeypatch.setenv(name, other.url)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        for name in ("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE"):
            monkeypatch.setenv(name, "true")
        monkeypatch.setenv("GOOGLE_API_KEY", "another key")
        monkeypatch.setenv("GOOGLE_CLOUD_PROJECT", "project")
        monkeypatch.setenv("GOOGLE_GENAI_API_VERSION", "v9")
        monkeypatch.setenv("MY_KEY", f" {KEY}\n")
        ask(tmp_path, served(service, key_variable="MY_KEY"), question("q"))
        (call,) = service.calls
        assert call.path.startswith("/v1beta/models/") and "?" not in call.path
        assert call.headers["x-goog-api-key"] == KEY
        assert "authorization" not in call.headers
        assert other.calls == []


def test_without_an_address_the_service_itself_is_asked(monkeypatch, service):
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", service.url)
    engine = open_engine("m", served(service, base_url=None), Path("journal/m/job"))
    try:
        held = engine._client._client._api_client._http_options
        assert held.base_url == "https://generativelanguage.googleapis.com"
    finally:
        engine.close()


def test_an_http_client_that_is_not_installed_is_named(tmp_path, service, monkeypatch):
    monkeypatch.setenv("GOOGLE_GENAI_HTTP_CLIENT", "httpx")
    try:
        import httpx  # noqa: F401
    except ImportError:
        with pytest.raises(InputError, match="not installed") as caught:
            ask(tmp_path, served(service), question("q"))
        assert caught.value.field == "GOOGLE_GENAI_HTTP_CLIENT"
    else:
        assert ask(tmp_path, served(service), question("q"))[0].text == "answer to q"


def test_an_address_may_name_the_protocols_version(tmp_path, service):
    ask(tmp_path, served(service, base_url=f"{service.url}/v1/"), question("q"))
    assert service.calls[0].path == "/v1/models/served-1:generateContent"


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_since_the_key_would_go_along(
    tmp_path, service, monkeypatch, status
):
    monkeypatch.setenv("MY_KEY", KEY)
    with Service() as other:
        place = f"{other.url}/v1beta/models/served-1:generateContent"
        service.answer = lambda call: Reply({}, status, {"location": place})
        with pytest.raises(UnansweredError, match=f"HTTP {status}"):
            ask(tmp_path, served(service, key_variable="MY_KEY"), question("q"))
        assert other.calls == []


# What comes back


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        (said("$2$"), {"text": "$2$", "finish": "stop", "completion_tokens": 3}),
        (
            said("$2$", thoughts="One and one.", new=3, thought=40),
            {"text": "$2$", "thinking": "One and one.", "finish": "stop", "completion_tokens": 43,
             "thinking_tokens": 40},
        ),
        (said("half", "MAX_TOKENS"), {"text": "half", "finish": "length"}),
        (
            said(None, "MAX_TOKENS", new=None, thought=2999),
            {"text": "", "finish": "length", "completion_tokens": 2999, "thinking_tokens": 2999},
        ),
        (said("half", "CONTINUATION"), {"finish": "length", "attempts": ["finish CONTINUATION"]}),
        (said("", "STOP", thoughts="Hm."), {"text": "", "thinking": "Hm.", "finish": "stop"}),
        (said("one\u2028two\nthree"), {"text": "one\u2028two\nthree"}),
        (
            said("half \ud83d a pair"),
            {"text": "half \ufffd a pair", "attempts": ["half a character replaced"]},
        ),
        (
            Reply({"candidates": [{"finishReason": "STOP", "content": {"parts": [
                {"text": "in ", "thoughtSignature": "c2ln"}, {"text": "parts"},
                {"thoughtSignature": "c2ln"}, {"functionCall": {"name": "f"}}]}}]}),
            {"text": "in parts", "finish": "stop", "attempts": ["part left out: functionCall"],
             "prompt_tokens": 0, "completion_tokens": 0},
        ),
        (
            Reply({**said("2").body, "usageMetadata": {"promptTokenCount": "7", "new": None,
                   "candidatesTokenCount": True, "thoughtsTokenCount": -1}, "newField": [{}]}),
            {"text": "2", "prompt_tokens": 0, "completion_tokens": 0, "thinking_tokens": 0},
        ),
        (
            Reply(b'{"candidates": [{"finishReason": "STOP", "content": {"parts": [{"text": "2"}'
                  b']}}], "usageMetadata": {"promptTokenCount": NaN, "candidatesTokenCount": 1e999'
                  b"}}"),
            {"text": "2", "finish": "stop", "prompt_tokens": 0, "completion_tokens": 0},
        ),
        (Reply(json.dumps(said("2").body).encode(), headers={"content-type": "text/html"}),
         {"text": "2"}),
    ],
)  # fmt: skip
def test_a_reply_becomes_a_response(tmp_path, service, reply, wanted):
    service.answer = lambda call: reply
    for _ in range(2):
        (response,) = ask(tmp_path, served(service), question("q"))
        found = dataclasses.asdict(response)
        assert {name: found[name] for name in wanted} == wanted
        assert (response.failure, response.unknown) == (None, 0)
    assert len(service.calls) == 1


@pytest.mark.parametrize(
    ("word", "finish"),
    [
        ("STOP", "stop"), ("MAX_TOKENS", "length"), ("SAFETY", "blocked"),
        ("RECITATION", "blocked"), ("BLOCKLIST", "blocked"), ("PROHIBITED_CONTENT", "blocked"),
        ("SPII", "blocked"),
        ("LANGUAGE", "blocked"), ("MODEL_ARMOR", "blocked"), ("OTHER", "error"),
        ("MALFORMED_FUNCTION_CALL", "error"), ("MALFORMED_RESPONSE", "error"),
        ("FINISH_REASON_UNSPECIFIED", "error"), ("A_FUTURE_REASON", "error"), (2, "error"),
        (None, "error"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("text", ["half an ans", None])
def test_finish_reasons_are_read_by_name(word, finish, text):
    response = response_of(said(text, word).body, {}, [], 0.0)
    if word == "STOP" and text is None:
        assert response.failure == "empty"
        return
    assert (response.text, response.finish, response.failure) == (text or "", finish, None)
    noted = [] if word in ("STOP", "MAX_TOKENS") else [f"finish {str(word).upper()}"]
    assert response.attempts == noted


@pytest.mark.parametrize("reason", ["SAFETY", "OTHER", "BLOCKLIST", "PROHIBITED_CONTENT", "NEW"])
def test_a_blocked_prompt_is_an_answer_of_its_kind(tmp_path, service, reason):
    service.answer = in_turn(blocked(reason))
    for _ in range(2):
        (response,) = ask(tmp_path, served(service), question("q"))
        assert (response.text, response.finish, response.failure) == ("", "blocked", None)
        assert response.attempts == [f"prompt blocked {reason}"]
        assert response.prompt_tokens == 7
    assert len(service.calls) == 1
    assert kinds(tmp_path) == ["asked", "response"]


@pytest.mark.parametrize(
    "reply",
    [
        Reply({"candidates": []}), Reply({"candidates": None}), Reply({}), Reply([]),
        Reply(b"null"), Reply({"candidates": [None]}), Reply({"candidates": "none"}),
        said(None), said(""),
        Reply({"candidates": [{"finishReason": "STOP", "content": {}}]}),
        Reply({"candidates": [{"finishReason": "STOP", "content": {"parts": [{"text": None}]}}]}),
    ],
)  # fmt: skip
def test_a_reply_without_anything_is_a_failure_and_asked_again(tmp_path, service, reply):
    service.answer = lambda call: reply if call.question == "a" else echo(call)
    with pytest.raises(UnansweredError, match=r"1 of 2 .*empty"):
        ask(tmp_path, served(service), question("a"), question("b"))
    assert service.sent == {"a": 3, "b": 1}
    service.answer = echo
    found = ask(tmp_path, served(service), question("a"), question("b"))
    assert [one.text for one in found] == ["answer to a", "answer to b"]
    assert service.sent == {"a": 4, "b": 1}


def test_tokens_of_replies_without_text_are_not_forgotten(tmp_path, service):
    nothing = said(None, new=None, thought=100)
    service.answer = in_turn(nothing, nothing, said("2"))
    with pytest.raises(UnansweredError):
        ask(tmp_path, served(service, attempts=2), question("q"))
    (failure,) = (line["response"] for line in journal(tmp_path) if line["kind"] == "failure")
    counts = ("prompt_tokens", "completion_tokens", "thinking_tokens")
    assert [failure[name] for name in counts] == [14, 200, 200]
    assert failure["attempts"] == ["empty: no text (7 + 100 tokens)"] * 2


def test_tokens_before_an_answer_are_in_the_ledger(tmp_path, service):
    service.answer = in_turn(said(None, new=None, thought=100), said("2"))
    (response,) = ask(tmp_path, served(service), question("q"))
    assert (response.completion_tokens, response.paid) == (3, [7, 100, 100])
    row = ledger(tmp_path, ["m"], None).row(0, named=True)
    names = ("prompt_tokens", "completion_tokens", "thinking_tokens")
    assert [row[name] for name in names] == [14, 103, 100]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["candidates", "content", "parts", "text", "thought", "finishReason", "usageMetadata",
             "promptTokenCount", "promptFeedback", "blockReason", "functionCall", "error",
             "message", "details", "retryDelay", "violations", "quotaId", "status", "reason"]
        ),
        inner, max_size=4,
    ),
    max_leaves=30,
)  # fmt: skip
CANDIDATE = st.fixed_dictionaries(
    {"candidates": st.lists(JSON, max_size=2)}, optional={"promptFeedback": JSON}
)


@settings(deadline=None)
@given(JSON | CANDIDATE)
def test_any_json_becomes_a_response_that_a_file_can_hold(reply):
    response = response_of(reply, {}, [], 0.0)
    assert response.finish in ("stop", "length", "blocked", "error")
    assert json.loads(dumps(dataclasses.asdict(response)).encode()) is not None


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (400, {"message": "x", "details": [{"reason": ["API_KEY_INVALID"]}]}),
        (429, {"details": [{"violations": [{"quotaId": "PerDay\ud800"}]}]}),
        (429, {"details": [{"violations": [{"quotaId": f"PerDay {KEY}", "quotaValue": "0"}]}]}),
    ],
)
def test_strange_details_of_an_error_break_nothing(tmp_path, service, monkeypatch, status, error):
    monkeypatch.setenv("SOME_KEY", KEY)
    service.answer = in_turn(Reply({"error": error}, status))
    with pytest.raises(UnansweredError) as caught:
        ask(tmp_path, served(service, key_variable="SOME_KEY"), question("q"))
    assert KEY not in str(caught.value) and "failure" in kinds(tmp_path)


@pytest.mark.parametrize("count", [10**30, 1 << 63, -1, True, "7", None])
def test_tokens_that_are_no_counts_are_zero(tmp_path, service, count):
    used = {"promptTokenCount": count, "thoughtsTokenCount": count}
    service.answer = lambda call: Reply({**said("2").body, "usageMetadata": used})
    ask(tmp_path, served(service), question("q"))
    assert ledger(tmp_path, ["m"], None)["prompt_tokens"].to_list() == [0, 0]


@settings(deadline=None)
@given(st.sampled_from([204, 302, 400, 401, 403, 404, 413, 429, 500, 503]), JSON)
def test_any_error_becomes_a_fault_without_the_key(status, body):
    model = Model(display="m", engine="gemini", service="s")
    held = fault_of(status, {"error": {"message": f"bad {KEY}"}}, {}, model, "s", KEY)
    assert KEY not in held.note
    found = fault_of(status, body, {}, model, "s", KEY)
    assert found.note.startswith(f"HTTP {status}")
    assert found.wait is None or 0 <= found.wait <= 300
    dumps([found.note, found.remedy]).encode()


# Failures that pass


@pytest.mark.parametrize(
    ("reply", "wait"),
    [
        (refused(429, "RESOURCE_EXHAUSTED", "slow", retry_info("37s")), 37.0),
        (refused(429, "RESOURCE_EXHAUSTED", "slow", retry_info("0.5s")), 0.5),
        (refused(429, "RESOURCE_EXHAUSTED", "slow", retry_info("12.345678901s")), 12.345678901),
        (refused(429, "RESOURCE_EXHAUSTED", "slow", retry_info("99999s")), 300.0),
        (refused(429, "RESOURCE_EXHAUSTED", "slow",
                 quota("GenerateRequestsPerMinutePerProjectPerModel"), retry_info("8s")), 8.0),
        (refused(503, "UNAVAILABLE", "overloaded", retry_info("3s")), 3.0),
        (Reply({"error": {"message": "slow"}}, 429, {"retry-after": "7"}), 7.0),
        (Reply([{"error": {"code": 429, "details": [retry_info("4s")]}}], 429), 4.0),
    ],
)  # fmt: skip
def test_the_wait_that_a_service_asks_for_is_kept_by_all(
    tmp_path, service, clock, monkeypatch, reply, wait
):
    told: list[float] = []
    pause = pace.Pace.pause

    def heard(self: pace.Pace, seconds: float) -> None:
        told.append(seconds)
        pause(self, seconds)

    monkeypatch.setattr(pace.Pace, "pause", heard)
    service.answer = in_turn(reply, said("2"))
    found = ask(tmp_path, served(service, concurrency=1), question("a"), question("b"))
    assert told == [pytest.approx(wait)]
    assert [one.text for one in found] == ["2", "2"]
    assert clock.now() == pytest.approx(wait)
    assert found[0].attempts[0].startswith(f"HTTP {reply.status}")
    assert found[0].unknown == 0


@pytest.mark.parametrize(
    "reply",
    [
        refused(429, "RESOURCE_EXHAUSTED", "slow"),
        refused(429, "RESOURCE_EXHAUSTED", "slow", retry_info("soon")),
        refused(429, "RESOURCE_EXHAUSTED", "slow", retry_info("-5s")),
        refused(500, "INTERNAL", "An internal error has occurred."),
        refused(503, "UNAVAILABLE", "The model is overloaded."),
        refused(504, "DEADLINE_EXCEEDED", "late"),
        refused(499, "CANCELLED", "cancelled"),
        Reply(b"<html>Bad gateway</html>", 502, {"content-type": "text/html"}),
        Reply(b"", 503),
        Reply(b'"busy"', 500),
        Reply(b"[]", 429),
        Reply(b'{"error": null}', 500),
    ],
)
def test_an_attempt_that_failed_is_repeated_after_our_own_wait(tmp_path, service, clock, reply):
    service.answer = in_turn(reply, said("2"))
    (response,) = ask(tmp_path, served(service), question("q"))
    assert (response.text, len(response.attempts), response.unknown) == ("2", 1, 0)
    assert response.attempts[0].startswith(f"HTTP {reply.status}")
    assert [0.5 <= one <= 1.5 for one in clock.taken] == [True]
    assert kinds(tmp_path) == ["asked", "asked", "response"]


@pytest.mark.parametrize(
    ("reply", "note"),
    [
        (CUT, "ReadError"),
        (Reply(said("2").body, truncated=True), "RemoteProtocolError"),
        (Reply(b'{"candidates": ['), "no JSON"),
        (Reply(b""), "no JSON"),
        (Reply(b"<html>Sign in</html>", headers={"content-type": "text/html"}), "no JSON"),
        (Reply(b"[" * 100_000), "no JSON"),
        (Reply(b"{}", headers={"content-encoding": "gzip"}), "DecodingError"),
        (Reply({}, 202), "HTTP 202"),
    ],
)
def test_a_reply_that_is_lost_is_a_possible_charge_and_asked_again(tmp_path, service, reply, note):
    service.answer = in_turn(reply, reply, said("2"))
    (response,) = ask(tmp_path, served(service, concurrency=1), question("q"))
    assert (response.text, response.attempts, response.unknown) == ("2", [note] * 2, 2)


def test_a_service_that_is_not_there_was_sent_nothing(tmp_path):
    with Service() as gone:
        model = served(gone)
    with pytest.raises(UnansweredError, match="ConnectError"):
        ask(tmp_path, model, question("q"))
    (failure,) = (line["response"] for line in journal(tmp_path) if line["kind"] == "failure")
    assert (failure["unknown"], failure["attempts"]) == (0, ["ConnectError"] * 3)


def test_an_answer_that_does_not_come_in_time_is_repeated(tmp_path, service):
    late = threading.Event()

    def answer(call: Call) -> Reply:
        if call.number == 1:
            late.wait(WAIT)
        return said("2")

    service.answer = answer
    (response,) = ask(tmp_path, served(service, timeout_s=0.3, attempts=50), question("q"))
    late.set()
    assert response.text == "2" and set(response.attempts) == {"ReadTimeout"}
    assert response.unknown == len(response.attempts)
    assert ledger(tmp_path, ["m"], None)["asked"][0] == len(response.attempts) + 1


def test_a_body_without_an_end_is_left_in_time(tmp_path, service):
    late = threading.Event()
    endless = dataclasses.replace(said("2"), held=late)
    service.answer = lambda call: endless if call.number == 1 else said("2")
    (response,) = ask(tmp_path, served(service, timeout_s=0.3, attempts=50), question("q"))
    late.set()
    assert response.text == "2" and response.unknown == len(response.attempts)
    assert "body not ended in time" in response.attempts


@pytest.mark.parametrize(
    ("reply", "changes", "times"),
    [
        (refused(500, "INTERNAL"), {"attempts": 1}, 1),
        (refused(500, "INTERNAL"), {"attempts": 4}, 4),
        (CUT, {"attempts": 2}, 2),
        (refused(429, "RESOURCE_EXHAUSTED"), {"attempts": 1, "throttled": 5}, 5),
        (refused(503, "UNAVAILABLE"), {"attempts": 1, "throttled": 6}, 6),
        (Reply(b"<html>", 503), {"attempts": 2, "throttled": 6}, 2),
    ],
)
def test_attempts_are_bounded(tmp_path, service, reply, changes, times):
    service.answer = lambda call: reply
    with pytest.raises(UnansweredError):
        ask(tmp_path, served(service, **changes), question("q"))
    assert len(service.calls) == times
    (failure,) = (line for line in journal(tmp_path) if line["kind"] == "failure")
    assert failure["settles"] == len(failure["response"]["attempts"]) == times


# Failures that stay


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (refused(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.",
                 {"@type": "type.googleapis.com/google.rpc.ErrorInfo",
                  "reason": "API_KEY_INVALID"}), "key in MY_KEY"),
        (refused(400, "INVALID_ARGUMENT", "API key expired."), "key in MY_KEY"),
        (refused(401, "UNAUTHENTICATED", "no"), "key in MY_KEY"),
        (refused(403, "PERMISSION_DENIED", "no"), "key in MY_KEY"),
        (refused(400, "FAILED_PRECONDITION", "User location is not supported."), "billing"),
        (refused(404, "NOT_FOUND", "no such model"), "served-1 .*successor may be served-2"),
        (refused(429, "RESOURCE_EXHAUSTED", "slow", retry_info("30s"), quota("GenerateRequests"
                 "PerDayPerProjectPerModel-FreeTier")), "quota of a day is used up .*PerDay"),
        (refused(429, "RESOURCE_EXHAUSTED", "slow", retry_info("30s"),
                 quota("GenerateContentInputTokensPerModelPerMinute-FreeTier", "0")), "no quota"),
        (refused(429, "RESOURCE_EXHAUSTED", "Your prepayment credits are depleted."), "billing"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("width", [1, 3])
def test_after_a_refusal_that_holds_for_everything_nothing_more_is_sent(
    tmp_path, service, clock, monkeypatch, reply, words, width
):
    monkeypatch.setenv("MY_KEY", KEY)
    service.answer = lambda call: reply
    model = served(service, concurrency=width, key_variable="MY_KEY", substitute="served-2")
    items = [question(f"q{number}") for number in range(8)]
    with pytest.raises(UnansweredError, match=f"8 of 8 requests .*{words}"):
        ask(tmp_path, model, *items)
    assert 1 <= len(service.calls) <= width
    assert clock.taken == []
    service.answer = echo
    assert len(ask(tmp_path, model, *items)) == 8


def test_a_days_quota_leaves_what_is_in_flight_to_finish(tmp_path, service):
    first = threading.Event()

    def answer(call: Call) -> Reply:
        if call.question == "a":
            first.wait(WAIT)
            return echo(call)
        first.set()
        return refused(429, "RESOURCE_EXHAUSTED", "", quota("RequestsPerDay"))

    service.answer = answer
    items = [question(one) for one in "abcdef"]
    with pytest.raises(UnansweredError, match="5 of 6"):
        ask(tmp_path, served(service, concurrency=2), *items)
    assert service.sent.keys() >= {"a", "b"} and len(service.calls) <= 3  # a may be back first
    (kept,) = (line for line in journal(tmp_path) if line["kind"] == "response")
    assert kept["response"]["text"] == "answer to a"


@pytest.mark.parametrize(
    "words",
    [
        "The input token count (1234567) exceeds the maximum number of tokens allowed (1048576).",
        "Request payload size exceeds the limit: 20971520 bytes.",
    ],
)
def test_a_prompt_that_is_too_long_is_an_error_that_is_kept(tmp_path, service, words):
    service.answer = lambda call: refused(400, "INVALID_ARGUMENT", words)
    for _ in range(2):
        (response,) = ask(tmp_path, served(service), question("q"))
        assert (response.text, response.finish, response.failure) == ("", "error", None)
        assert response.attempts == [f"HTTP 400: {words}"]
    assert len(service.calls) == 1


def test_a_refused_request_is_not_tried_again_and_stops_no_other(tmp_path, service):
    words = "The supported range of maxOutputTokens is from 1 to 65536."
    bad = refused(400, "INVALID_ARGUMENT", words)
    service.answer = lambda call: bad if call.question == "a" else echo(call)
    with pytest.raises(UnansweredError, match=r"1 of 3 .*maxOutputTokens"):
        ask(tmp_path, served(service), *(question(one) for one in "abc"))
    assert service.sent == {"a": 1, "b": 1, "c": 1}


# Secrets


@pytest.mark.parametrize("status", [200, 302, 400, 401, 403, 404, 422, 429, 500, 503])
@pytest.mark.parametrize("form", ["json", "page", "cut"])
def test_a_key_never_leaves_by_exception_journal_or_log(
    tmp_path, service, monkeypatch, caplog, capsys, status, form
):
    caplog.set_level("DEBUG")
    monkeypatch.setenv("MY_KEY", KEY)

    def answer(call: Call) -> Reply:
        words = f"API key {call.headers['x-goog-api-key']} is wrong" + 300 * "."
        if status == 200:
            return said("2")
        if form == "json":
            return refused(status, "STATUS", words)
        return Reply(f"<html>{words}</html>".encode(), status, truncated=form == "cut")

    service.answer = answer
    model = served(service, key_variable="MY_KEY", throttled=2)
    error: BaseException | None = None
    try:
        found = ask(tmp_path, model, question("q"), log=tmp_path / "log.txt")
        assert KEY not in repr(found)
    except UnansweredError as raised:
        error = raised
    assert service.calls[0].headers["x-goog-api-key"] == KEY
    assert all(KEY not in call.path for call in service.calls)
    while error is not None:
        assert KEY not in f"{error!r} {error}"
        error = error.__cause__ or error.__context__
    written = b"".join(one.read_bytes() for one in tmp_path.rglob("*") if one.is_file())
    assert KEY.encode() not in written
    assert KEY not in caplog.text
    assert KEY not in "".join(capsys.readouterr())


# Many at once


@pytest.mark.parametrize("bound", [1, 3, 8])
def test_as_many_requests_as_allowed_are_in_flight_and_no_more(tmp_path, service, bound):
    together = threading.Barrier(bound)

    def answer(call: Call) -> Reply:
        together.wait(WAIT)  # breaks unless so many are open at once
        return echo(call)

    service.answer = answer
    items = [question(f"q{number}") for number in range(bound * 3)]
    found = ask(tmp_path, served(service, concurrency=bound), *items)
    assert [one.text for one in found] == [f"answer to q{number}" for number in range(bound * 3)]
    assert service.most == bound and len(service.calls) == bound * 3


def test_the_minutes_limit_counts_what_was_really_used(tmp_path, service):
    service.answer = lambda call: said("2", new=3, thought=5)
    model = served(service, tokens_per_minute=10_000)
    ask(tmp_path, model, question("a"), question("b"))
    (held,) = (tmp_path / "limits").glob("*.json")
    assert sum(tokens for _, tokens in json.loads(held.read_text()).values()) == 2 * (7 + 8)


def test_a_request_sent_too_often_without_an_answer_is_not_paid_for_again(tmp_path, service):
    model = served(service, attempts=2)
    key = question("a").key(identity(model))
    line = dumps({"kind": "asked", "key": key, "purpose": "p", "lang": "en", "time": 1.0}) + "\n"
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "job.jsonl").write_text(line * 2, encoding="utf-8")
    with pytest.raises(UnansweredError, match="sent 2 times without an answer"):
        ask(tmp_path, model, question("a"), question("b"))
    assert service.sent == {"b": 1}
