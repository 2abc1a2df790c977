"""The engine of OpenAI-compatible services: the real client against a service on the loopback."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath.config import Config, Model, asked_as
from babelmath.engines import Request, identity, openai_client
from babelmath.engines.openai_bodies import tokens_of
from babelmath.engines.openai_replies import answers_of
from babelmath.errors import UnansweredError
from babelmath.files import dumps
from babelmath.journal.verify import verify
from babelmath.ledger import ledger
from unit.loopback import CUT, LATE, Call, Reply, Service, echo, refused, said
from unit.test_asking import KEY, all_of, ask, in_turn, journal, question, served
from unit.waits import install

LONG = "The same long text, word for word, whatever the seed is."


@pytest.fixture(autouse=True)
def pauses(monkeypatch) -> list[float]:
    """Seconds that the engine would have waited; here nobody waits."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return install(monkeypatch).taken


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as running:
        yield running


def failed(folder: Any, model: Model, *requests: Request) -> tuple[str, list[dict[str, Any]]]:
    """What a job says that cannot be finished, and the failures that it keeps."""
    with pytest.raises(UnansweredError) as caught:
        ask(folder, model, *requests)
    kept = [line["response"] for line in journal(folder) if line["kind"] == "failure"]
    return str(caught.value), kept


def said_with(usage: Any, *choices: dict[str, Any]) -> Reply:
    reply: Any = said("").body
    return Reply({**reply, "usage": usage, "choices": list(choices)})


def choice(text: Any, index: int = 0, finish: Any = "stop", **message: Any) -> dict[str, Any]:
    held = {"role": "assistant", "content": text, **message}
    return {"index": index, "finish_reason": finish, "message": held}


def error(status: int, message: str = "", **fields: Any) -> Reply:
    return Reply({"error": {"message": message, **fields}}, status)


# Attempts


@pytest.mark.parametrize(
    ("reply", "attempts", "throttled", "sent"),
    [
        (refused(500), 2, 5, 2),
        (refused(503), 2, 5, 2),
        (refused(408), 2, 5, 2),
        (refused(429), 2, 5, 5),
        (refused(503, retry_after="1"), 2, 5, 5),
        (refused(503, "The engine is currently overloaded"), 2, 5, 5),
        (refused(529), 2, 5, 5),
        (CUT, 2, 5, 2),
        (Reply(b"{"), 2, 5, 2),
        (said_with(None), 2, 5, 2),
        (error(400, "no such field"), 2, 5, 1),
        (error(422, "no such field"), 2, 5, 1),
    ],
)
def test_each_kind_of_failure_is_tried_so_often(
    tmp_path, service, reply, attempts, throttled, sent
):
    service.answer = lambda call: reply
    model = served(service, attempts=attempts, throttled=throttled)
    _, (kept,) = failed(tmp_path, model, question("q"))
    assert len(service.calls) == len(kept["attempts"]) == sent


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (429, "Too many tokens, please wait before trying again."),
        (429, "too many tokens per minute for long context window requests"),
        (408, "Request took too long"),
        (500, "Inference took too long"),
        (503, "The request waited too long"),
        (504, "The upstream took too long to respond"),
    ],
)
def test_a_throttled_or_slow_service_is_not_taken_for_a_prompt_too_long(
    tmp_path, service, status, message
):
    service.answer = in_turn(error(status, message), said("2"))
    (response,) = ask(tmp_path, served(service), question("q"))
    assert (response.text, response.finish) == ("2", "stop")


@pytest.mark.parametrize("status", [400, 413, 422, 500])
def test_a_prompt_beyond_the_context_is_an_answer_of_its_kind(tmp_path, service, status):
    service.answer = lambda call: error(status, "the request exceeds the available context size")
    (response,) = ask(tmp_path, served(service), question("q"))
    assert (response.finish, len(service.calls)) == ("error", 1)


def test_failures_and_delays_are_counted_apart(tmp_path, service):
    service.answer = in_turn(*[refused(429)] * 4, refused(500), *[refused(429)] * 4, said("2"))
    (response,) = ask(tmp_path, served(service, attempts=2, throttled=9), question("q"))
    assert response.text == "2" and len(response.attempts) == 9


def test_a_delay_that_one_request_is_told_holds_all(tmp_path, service, pauses):
    """The other request waits too: its own failure asked for a second or so."""
    both = threading.Barrier(2)

    def answer(call: Call) -> Reply:
        if call.turn == 1:
            both.wait(30)
            return refused(429, retry_after="100") if call.question == "a" else refused(500)
        return echo(call)

    service.answer = answer
    found = ask(tmp_path, served(service), question("a"), question("b"))
    assert [one.text for one in found] == ["answer to a", "answer to b"]
    assert sum(pauses) >= 100


def test_a_crowded_service_is_asked_less_and_then_more_again(tmp_path, service):
    """Sixteen at once are too many for it, four are not."""
    lock, standing, wide = threading.Lock(), [0], threading.Event()

    def answer(call: Call) -> Reply:
        with lock:
            standing[0] += 1
            crowded = standing[0] > 4
            if crowded:
                wide.set()
        wide.wait(5)  # the first ones stay until it is crowded
        with lock:
            standing[0] -= 1
        return refused(429) if crowded else echo(call)

    service.answer = answer
    items = [question(f"q{n}") for n in range(60)]
    found = ask(tmp_path, served(service, concurrency=16), *items)
    assert [one.text for one in found] == [f"answer to q{n}" for n in range(60)]
    assert sum(len(one.attempts) for one in found) > 0


# What stops a job


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (error(401, "Incorrect API key"), "HTTP 401: Incorrect API key. Check the key in MY_KEY"),
        (error(403, "no access"), "Check the key in MY_KEY and what it may use"),
        (error(402, "no credit"), "quota is used up"),
        (error(429, "You exceeded it", code="insufficient_quota"), "quota is used up"),
        (error(429, "You exceeded it", type="insufficient_quota"), "quota is used up"),
        (error(404, "no such model"), r"service \(its successor may be next-1\) and base_url"),
        (Reply(b"", 307, {"location": "http://127.0.0.1:9/v1"}), "redirects are not followed"),
    ],
)
def test_a_refusal_that_holds_for_all_stops_the_job(tmp_path, service, monkeypatch, reply, words):
    """Only what was in flight has been sent; the rest fails unsent, with the same words."""
    monkeypatch.setenv("MY_KEY", KEY)
    service.answer = lambda call: reply
    model = served(service, key_variable="MY_KEY", substitute="next-1", concurrency=3)
    items = [question(f"q{n}") for n in range(50)]
    message, kept = failed(tmp_path, model, *items)
    assert message.startswith("50 of 50 requests")
    with pytest.raises(UnansweredError, match=words):
        ask(tmp_path, model, question("again"))
    assert len(kept) <= 3
    assert 1 <= len(service.calls) <= 4
    assert max(service.sent.values()) == 1


def test_a_job_that_was_stopped_goes_on_when_the_cause_is_mended(tmp_path, service):
    service.answer = lambda call: error(401, "key")
    items = [question(f"q{n}") for n in range(20)]
    failed(tmp_path, served(service), *items)
    service.answer = echo
    found = ask(tmp_path, served(service), *items)
    assert [one.text for one in found] == [f"answer to q{n}" for n in range(20)]


def test_a_stop_ends_what_waits_for_another_attempt(tmp_path, service):
    """The one that was put off is not sent again."""
    both = threading.Barrier(2)

    def answer(call: Call) -> Reply:
        if call.turn == 1:
            both.wait(30)
        return error(401, "key") if call.question == "b" else refused(429, retry_after="200")

    service.answer = answer
    message, _ = failed(tmp_path, served(service, throttled=1000), question("a"), question("b"))
    assert message.startswith("2 of 2") and "HTTP 401" in message
    assert service.sent["b"] == 1 and service.sent["a"] < 1000


# What is sent


def test_parameters_are_those_that_the_rules_give(tmp_path, service, tiny):
    """A reasoning model's name gets another field for the tokens and no temperature."""
    model = served(service).model_dump()
    tiny["models"] |= {
        "plain": model | {"service": "gpt-4o-mini"},
        "reasoning": model | {"service": "o3-mini"},
        "chat": model | {"service": "gpt-5-chat-latest"},
        "own": model | {"service": "o3-mini", "tokens_field": "max_tokens", "refused": ["seed"]},
    }
    config = Config.model_validate(tiny)
    for name in ("plain", "reasoning", "chat", "own"):
        ask(tmp_path / name, asked_as(config, name), question("q"))
    plain, reasoning, chat, own = (
        {key: value for key, value in call.body.items() if key not in ("model", "messages")}
        for call in service.calls
    )
    assert plain == {"temperature": 0.6, "top_p": 0.95, "max_tokens": 16, "seed": 7}
    assert reasoning == {"max_completion_tokens": 16, "seed": 7}
    assert chat == reasoning | {"temperature": 0.6, "top_p": 0.95}
    assert own == {"temperature": 0.6, "top_p": 0.95, "max_tokens": 16}
    (kept,) = (line for line in journal(tmp_path / "reasoning") if line["kind"] == "response")
    assert kept["response"]["sent"] == {"model": "o3-mini", **reasoning}


@pytest.mark.parametrize(
    ("reply", "remedy"),
    [
        (
            error(400, "Unsupported parameter: 'max_tokens' is not supported with this model. "
                  "Use 'max_completion_tokens' instead.", code="unsupported_parameter"),
            "tokens_field to max_completion_tokens",
        ),
        (error(400, "Unsupported value: 'temperature' does not support 0.6"),
         "Add temperature to the model's refused"),
        (error(400, "Not here.", code="unsupported_parameter", param="top_p"),
         "Add top_p to the model's refused"),
    ],
)  # fmt: skip
def test_a_refused_parameter_is_named_with_the_remedy(tmp_path, service, reply, remedy):
    service.answer = lambda call: reply
    message, _ = failed(tmp_path, served(service), question("q"))
    assert remedy in message


@pytest.mark.parametrize("param", ["\ud800", KEY])
def test_a_strange_name_of_a_refused_parameter_breaks_nothing(
    tmp_path, service, monkeypatch, param
):
    monkeypatch.setenv("SOME_KEY", KEY)
    service.answer = lambda call: error(400, "x", code="unsupported_parameter", param=param)
    message, _ = failed(tmp_path, served(service, key_variable="SOME_KEY"), question("q"))
    assert KEY not in message


def test_arguments_of_the_template_and_further_fields_are_sent_and_recorded(tmp_path, service):
    model = served(service, template={"enable_thinking": False}, options={"top_k": 20})
    (response,) = ask(tmp_path, model, question("q"))
    more = {"chat_template_kwargs": {"enable_thinking": False}, "top_k": 20}
    assert more.items() <= service.calls[0].body.items()
    assert response.sent["extra_body"] == more
    assert identity(model) != identity(served(service))


@pytest.mark.parametrize("samples", [1, 4])
def test_a_guess_at_tokens_is_rather_too_many(samples):
    item = question("What is 12 plus 30? " * 20)
    assert 100 < tokens_of(item, samples) - 16 * samples < 200


# What comes back


@pytest.mark.parametrize(
    ("reply", "finish", "text"),
    [
        (said_with({"completion_tokens": 1}, choice("")), "stop", ""),
        (said_with({"completion_tokens": 16}, choice(None, finish="length")), "length", ""),
        (said_with(None, choice("", finish="length")), "length", ""),
        (said_with(None, choice(None, finish="content_filter")), "blocked", ""),
        (said_with(None, {"index": 0, "finish_reason": "content_filter"}), "blocked", ""),
        (said_with(None, choice(None, refusal="I will not.")), "blocked", ""),
        (said_with(None, choice(None, reasoning="Hm.")), "stop", ""),
        (said_with({"completion_tokens": 9}, choice(None, finish="tool_calls")), "error", ""),
        (error(400, "filtered", code="content_filter"), "blocked", ""),
        (said_with(None, choice("a\ud800b")), "stop", "a\ufffdb"),
        (Reply(json.dumps(said("5").body).encode(), headers={"content-type": "text/html"}),
         "stop", "5"),
    ],
)  # fmt: skip
def test_every_end_has_its_word_and_is_kept(tmp_path, service, reply, finish, text):
    service.answer = lambda call: reply
    for _ in range(2):
        (response,) = ask(tmp_path, served(service), question("q"))
        assert (response.finish, response.text, response.failure) == (finish, text, None)
    assert len(service.calls) == 1


def test_what_a_refusal_says_is_kept_apart_from_answers(tmp_path, service):
    service.answer = lambda call: said(None, refusal="I will not.")
    (response,) = ask(tmp_path, served(service), question("q"))
    assert response.attempts == ["refusal: I will not."]


@pytest.mark.parametrize(
    ("reply", "unknown", "note"),
    [
        (said_with(None, choice("")), 0, "empty: no text, no tokens"),
        (said_with({"completion_tokens": 0}, choice(None)), 0, "empty: no text, no tokens"),
        (said_with(None), 0, "empty: no choices"),
        (said_with(None, choice("half", finish="error")), 0, "finish error"),
        (Reply({"choices": None}), 0, "empty: no choices"),
        (Reply({"choices": [None, 5]}), 0, "empty: no choices"),
        (Reply({"choices": [{}]}), 0, "empty: no text, no tokens"),
        (Reply({"choices": {"0": "a"}}), 0, "empty: no choices"),
        (Reply(b"[]"), 0, "empty: no choices"),
        (Reply(b"<html>Sign in</html>", headers={"content-type": "text/html; charset=x"}), 1,
         "no JSON (text/html)"),
        (Reply(b"", headers={"content-type": ""}), 1, "no JSON (untyped)"),
        (Reply(b"[" * 100_000), 1, "no JSON (application/json)"),
        (CUT, 1, None),
        (dataclasses.replace(said("half of it"), short=20), 1,
         "APIConnectionError (RemoteProtocolError)"),
        (Reply({"error": {"message": "no room", "code": 502}}), 0, "HTTP 502: no room"),
        (Reply({"error": "what"}), 0, "HTTP 500"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_tried_again(tmp_path, service, reply, unknown, note):
    """`unknown` counts what the service may have computed all the same."""
    service.answer = in_turn(reply, said("2"))
    (response,) = ask(tmp_path, served(service), question("q"))
    assert (response.text, response.unknown) == ("2", unknown)
    (first,) = response.attempts
    assert first.startswith("APIConnectionError (") if note is None else first == note


def test_what_was_charged_without_an_answer_is_counted_with_the_failure(tmp_path, service):
    service.answer = lambda call: said_with({"prompt_tokens": 7, "completion_tokens": 2})
    _, (kept,) = failed(tmp_path, served(service, attempts=3), question("q"))
    assert (kept["prompt_tokens"], kept["completion_tokens"]) == (21, 6)


@pytest.mark.parametrize(("by", "samples"), [("calls", 1), ("n", 3)])
@pytest.mark.parametrize("answered", [False, True])
def test_the_ledger_holds_each_charged_token_once(tmp_path, service, by, samples, answered):
    """Replies without an answer are charged too, whatever comes of the request in the end."""
    nothing = choice("", finish="error")
    bad = said_with({"prompt_tokens": 100, "completion_tokens": 1000}, nothing)
    texts = [choice(f"text {place}", place) for place in range(samples)]
    good = said_with({"prompt_tokens": 7, "completion_tokens": 9}, *texts)
    service.answer = in_turn(bad, bad, good if answered else bad)
    items = [question("q", sample=place, seed=place) for place in range(samples)]
    model = served(service, attempts=3, samples_by=by)
    if answered:
        found = ask(tmp_path, model, *items)
        assert sum(one.completion_tokens for one in found) == 9
    else:
        failed(tmp_path, model, *items)
    row = ledger(tmp_path, ["m"], None).row(0, named=True)
    billed = (207, 2009) if answered else (300, 3000)
    assert (row["prompt_tokens"], row["completion_tokens"]) == billed
    assert list(verify(tmp_path / "m")) == []


def test_a_service_that_is_not_there_leaves_no_doubt(tmp_path):
    with Service() as gone:
        model = served(gone)
    message, (kept,) = failed(tmp_path, model, question("q"))
    assert kept["unknown"] == 0
    assert kept["attempts"] == ["APIConnectionError (ConnectError)"] * 3
    assert "ConnectError" in message


def test_an_answer_that_comes_too_late_is_of_unknown_fate(tmp_path, service):
    service.answer = in_turn(LATE, said("2"))
    (response,) = ask(tmp_path, served(service, timeout_s=0.5, attempts=50), question("q"))
    assert response.text == "2"
    assert response.unknown == len(response.attempts) >= 1
    assert set(response.attempts) == {"APITimeoutError"}


def test_a_body_that_never_ends_is_given_up(tmp_path, service, monkeypatch):
    monkeypatch.setattr(openai_client, "MOST_BYTES", 1 << 20)
    service.answer = in_turn(Reply(b" " * 65536, endless=True), said("2"))
    (response,) = ask(tmp_path, served(service), question("q"))
    assert response.attempts == ["APIConnectionError (DecodingError)"]
    assert (response.text, response.unknown) == ("2", 1)


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": float("nan"), "completion_tokens": float("inf")},
        {"prompt_tokens": -4, "completion_tokens": "many"},
        {"prompt_tokens": True, "completion_tokens": 10**30},
        "much", 7, [1],
    ],
)  # fmt: skip
def test_tokens_that_are_no_counts_are_zero(tmp_path, service, usage):
    service.answer = lambda call: said_with(usage, choice("2"))
    (response,) = ask(tmp_path, served(service), question("q"))
    counts = response.prompt_tokens, response.completion_tokens, response.thinking_tokens
    assert (response.text, counts) == ("2", (0, 0, 0))


def test_tokens_of_thinking_are_those_that_the_service_says(tmp_path, service):
    details = {"completion_tokens_details": {"reasoning_tokens": 5}, "completion_tokens": 6.0}
    service.answer = lambda call: said_with(details, choice("2"))
    (response,) = ask(tmp_path, served(service), question("q"))
    assert (response.completion_tokens, response.thinking_tokens) == (6, 5)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["content", "index", "message", "finish_reason", "text", "x"]), inner
        )
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(
    choices=anything | st.lists(st.fixed_dictionaries({"message": anything, "index": anything})),
    usage=anything,
    count=st.integers(1, 3),
)
def test_whatever_json_comes_it_is_an_answer_or_a_failure(choices, usage, count):
    fault, found, used = answers_of(samples(count=count), {"choices": choices, "usage": usage},
                                    {}, [], 0.0)  # fmt: skip
    assert (fault is None) == any(found) and min(used) >= 0
    for response in filter(None, found):
        dumps(dataclasses.asdict(response)).encode()  # any file can hold it
        assert response.finish in ("stop", "length", "blocked", "error")
    if fault is None and count > 1:
        assert sum(one.completion_tokens for one in found if one) == used[1]


# Samples


def samples(text: str = "q", count: int = 4, temperature: float = 0.6) -> list[Request]:
    return [question(text, sample=n, seed=100 + n, temperature=temperature) for n in range(count)]


def several(call: Call) -> Reply:
    """As many choices as n says, out of order, of 3 new tokens each."""
    count = call.body.get("n", 1)
    made = [choice(f"{call.question} {call.body['seed']} {n}", n) for n in range(count)]
    return said_with({"prompt_tokens": 7, "completion_tokens": 3 * count}, *reversed(made))


def test_samples_by_calls_have_a_call_and_a_seed_each(tmp_path, service):
    service.answer = several
    found = ask(tmp_path, served(service), *samples())
    assert [call.body.get("n") for call in service.calls] == [None] * 4
    assert [one.text for one in found] == [f"q {100 + n} 0" for n in range(4)]


def test_samples_by_n_are_one_call_and_each_is_stored(tmp_path, service):
    service.answer = several
    model = served(service, samples_by="n")
    found = ask(tmp_path, model, *samples(), *samples("r", 2), question("s"))
    assert sorted((call.question, call.body.get("n")) for call in service.calls) == [
        ("q", 4), ("r", 2), ("s", None),
    ]  # fmt: skip
    assert [one.text for one in found[:4]] == [f"q 100 {n}" for n in range(4)]
    assert [one.prompt_tokens for one in found[:4]] == [7, 0, 0, 0]
    assert sum(one.completion_tokens for one in found[:4]) == 12
    assert [one.sent["choice"] for one in found[:4]] == [0, 1, 2, 3]
    assert {one.sent["n"] for one in found[:4]} == {4}
    kept = [line["request"] for line in journal(tmp_path) if line["kind"] == "response"]
    of_q = [one for one in kept if one["messages"][-1][1] == "q"]
    assert sorted((one["sample"], one["seed"]) for one in of_q) == [(n, 100 + n) for n in range(4)]
    counted = ledger(tmp_path, ["m"], None).filter(model="total").row(0, named=True)
    assert (counted["asked"], counted["responses"]) == (7, 7)
    assert (counted["prompt_tokens"], counted["completion_tokens"]) == (21, 21)


@pytest.mark.parametrize("by", ["calls", "n"])
def test_four_samples_are_stored_also_after_a_resume(tmp_path, service, by):
    """The service fails after two samples; the next run asks the other two."""
    service.answer = several
    model = served(service, samples_by=by, attempts=1)
    ask(tmp_path, model, *samples(count=2))
    found = ask(tmp_path, model, *samples())
    assert len({one.text for one in found}) == 4
    kept = [line["request"] for line in journal(tmp_path) if line["kind"] == "response"]
    assert sorted((one["sample"], one["seed"]) for one in kept) == [(n, 100 + n) for n in range(4)]
    assert len(service.calls) == (4 if by == "calls" else 2)


def test_samples_that_a_server_leaves_out_are_asked_by_calls(tmp_path, service):
    """It ignores n, as some do; one choice of another call is empty."""

    def answer(call: Call) -> Reply:
        if call.question == "q" and call.body.get("n"):
            return said_with({"prompt_tokens": 7, "completion_tokens": 3}, choice("first"))
        if call.body.get("n"):
            made = [choice("blocked", 0, "content_filter"), choice("", 1, "error"), choice("c", 2)]
            return said_with(None, *made)
        return echo(call)

    service.answer = answer
    model = served(service, samples_by="n")
    found = ask(tmp_path, model, *samples())
    assert [one.text for one in found] == ["first"] + ["answer to q"] * 3
    assert [call.body["seed"] for call in service.calls] == [100, 101, 102, 103]
    mixed = ask(tmp_path, model, *samples("r", 3))
    assert [(one.text, one.finish) for one in mixed] == [
        ("blocked", "blocked"), ("answer to r", "stop"), ("c", "stop"),
    ]  # fmt: skip


def test_a_call_of_several_samples_fails_for_all_of_them(tmp_path, service):
    service.answer = lambda call: refused(500)
    message, kept = failed(tmp_path, served(service, samples_by="n", attempts=2), *samples())
    assert message.startswith("4 of 4") and len(service.calls) == 2
    assert [one["attempts"] for one in kept] == [["HTTP 500"] * 2] * 4


@pytest.mark.parametrize(
    ("text", "temperature", "noted"),
    [(LONG, 0.6, True), (LONG, 0.0, False), ("B", 0.6, False)],
)
def test_samples_of_one_text_are_noted_in_the_log(tmp_path, service, text, temperature, noted):
    service.answer = lambda call: said(text)
    log = tmp_path / "log"
    for _ in range(2):
        ask(tmp_path / "j", served(service), *samples(temperature=temperature), log=log)
    words = "test m: 1 questions have one text in all their samples"
    assert log.read_text(encoding="utf-8").count(words) == (2 if noted else 0)


# Keys


@pytest.mark.parametrize(
    "make",
    [
        lambda words: refused(401, words),
        lambda words: error(429, words, code="insufficient_quota"),
        lambda words: error(404, words),
        lambda words: refused(500, words),
        lambda words: Reply({"error": {"message": words, "code": 502}}),
        lambda words: Reply({"error": words}, 400),
        lambda words: Reply(words.encode(), 403, {"content-type": "text/plain"}),
        lambda words: Reply(b"<p>" + words.encode(), headers={"content-type": words}),
        lambda words: Reply(b"{", headers={"retry-after": words}),
        lambda words: Reply(b"", 302, {"location": f"http://127.0.0.1:9/{words}"}),
        lambda words: CUT,
    ],
)
def test_a_key_never_leaves_whatever_goes_wrong(
    tmp_path, service, monkeypatch, caplog, capsys, make
):
    caplog.set_level("INFO")
    monkeypatch.setenv("MY_KEY", KEY)
    service.answer = lambda call: make(f"Wrong: {call.headers['authorization']}")
    model = served(service, key_variable="MY_KEY", requests_per_minute=1000, tokens_per_minute=9999)
    with pytest.raises(UnansweredError) as caught:
        ask(tmp_path / "journal", model, question("q"), log=tmp_path / "log")
    assert service.calls[0].headers["authorization"] == f"Bearer {KEY}"
    raised: BaseException | None = caught.value
    while raised is not None:
        assert KEY not in f"{raised!r} {raised}"
        raised = raised.__cause__ or raised.__context__
    assert KEY.encode() not in all_of(tmp_path)
    assert (tmp_path / "journal" / "limits" / "served-1.json").is_file()
    assert KEY not in caplog.text + "".join(capsys.readouterr())


def test_a_redirect_is_not_followed(tmp_path, service, monkeypatch):
    """Neither the key nor the prompt reaches another server."""
    monkeypatch.setenv("MY_KEY", KEY)
    with Service() as other:
        service.answer = lambda call: Reply(b"", 307, {"location": f"{other.url}/chat/completions"})
        with pytest.raises(UnansweredError, match="base_url"):
            ask(tmp_path, served(service, key_variable="MY_KEY"), question("q"))
        assert other.calls == []


# Limits per minute


def test_the_limit_of_tokens_is_settled_with_what_was_used(tmp_path, service):
    model = served(service, tokens_per_minute=100_000)
    ask(tmp_path / "journal", model, *(question(f"q{n}") for n in range(5)))
    held = json.loads(
        (tmp_path / "journal" / "limits" / "served-1.json").read_text(encoding="utf-8")
    )
    assert [sum(column) for column in zip(*held.values(), strict=True)] == [5, 50]
