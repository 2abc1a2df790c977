"""What goes wrong at a service's file and batch endpoints: nothing is lost or handed in twice."""

from __future__ import annotations

import dataclasses
import random
from typing import Any

import pytest

from babelmath.accounts import most_tokens
from babelmath.engines.batch_api import Limits
from babelmath.engines.batch_desk import LOOKS
from babelmath.engines.openai_batch import OpenAIBatches
from babelmath.errors import UnansweredError
from babelmath.journal.verify import verify
from babelmath.prices import Rate
from unit.batching import (  # noqa: F401 - fixtures among them
    APIS,
    HEAVY,
    KEY,
    a_clock,
    a_service,
    answers,
    ask,
    counted,
    lines,
    of,
    openai_alone,
    question,
    questions,
    served,
)
from unit.loopback_batches import Batch, GeminiService, OpenAIService, Trouble


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(Trouble(503), id="503"),
        pytest.param(Trouble(429), id="429", marks=HEAVY),
        pytest.param(Trouble(500), id="500", marks=HEAVY),
        pytest.param(Trouble(cut=True), id="reset", marks=HEAVY),
        pytest.param(Trouble(429, headers={"retry-after": "2"}), id="delay", marks=HEAVY),
    ],
)
@pytest.mark.parametrize("step", ["start", "upload", "create", "status", "content"])
def test_a_step_that_fails_once_is_taken_again(tmp_path, service, step, trouble, monkeypatch):
    if step == "start" and isinstance(service, OpenAIService):
        step = "list"
    slow = isinstance(service, GeminiService) and step == "upload" and not trouble.cut
    if slow:  # the client itself repeats a chunk that was refused, with waits of its own
        monkeypatch.setattr("google.genai._api_client.INITIAL_RETRY_DELAY", 0)

    def choose(at: str, number: int) -> Trouble | None:
        if step == "list" and at == "create" and number == 1:
            return Trouble(cut=True, after=True)
        return trouble if at == step and number == 1 else None

    service.trouble = choose
    found = ask(tmp_path, served(service), questions(2))
    assert [one.text for one in found] == answers(2)
    assert service.handed_in == {"q0": 1, "q1": 1}
    assert counted(tmp_path)["unknown_fate"] == 0


@pytest.mark.parametrize(
    "trouble",
    [
        pytest.param(Trouble(after=True, cut=True), id="reset"),
        pytest.param(Trouble(after=True), id="500", marks=HEAVY),
        pytest.param(Trouble(503, after=True), id="503", marks=HEAVY),
        pytest.param(Trouble(after=True, cut=True, half=True), id="half", marks=HEAVY),
    ],
)
def test_a_batch_that_was_made_although_its_reply_was_lost_is_found(tmp_path, service, trouble):
    before = ask(tmp_path, served(service), [question(f"before {n}") for n in range(2)])
    assert len(before) == 2
    service.trouble = lambda step, number: trouble if step == "create" and number == 2 else None
    assert [one.text for one in ask(tmp_path, served(service), questions(3))] == answers(3)
    assert set(service.handed_in.values()) == {1} and len(service.batches) == 2
    assert service.steps["list"] >= 1


def test_a_batch_is_found_behind_many_newer_ones(tmp_path, service):
    def trouble(step: str, number: int) -> Trouble | None:
        if (step, number) == ("list", 1):
            before = "batches/" if isinstance(service, GeminiService) else ""
            service.batches += [
                Batch(f"{before}n{place}", "theirs", "f", [], "BATCH_STATE_PENDING")
                for place in range(5)
            ]
        return Trouble(after=True, cut=True) if step == "create" else None

    service.trouble = trouble
    assert len(ask(tmp_path, served(service), questions(2))) == 2
    assert service.steps["list"] == 3
    assert service.handed_in == {"q0": 1, "q1": 1}


def test_of_two_batches_of_the_same_requests_one_is_cancelled(tmp_path, service):
    def trouble(step: str, number: int) -> Trouble | None:
        if step == "list" and number == 1:
            first = service.batches[0]
            service.batches.append(dataclasses.replace(first, id=first.id + "x"))
        return Trouble(after=True, cut=True) if step == "create" else None

    service.trouble = trouble
    assert len(ask(tmp_path, served(service), questions(2))) == 2
    assert service.steps["cancel"] == 1
    assert [one.state for one in service.batches].count(service.words["cancelled"]) == 1


def test_a_batch_of_which_nobody_can_tell_is_a_possible_double_charge(tmp_path, service):
    """A server that makes batches, and lists none."""

    def trouble(step: str, number: int) -> Trouble | None:
        if step == "create" and number == 1:
            return Trouble(after=True, cut=True)
        return Trouble(404) if step == "list" else None

    service.trouble = trouble
    found = ask(tmp_path, served(service), questions(2))
    assert [(one.text, one.unknown) for one in found] == [(text, 1) for text in answers(2)]
    total = counted(tmp_path, prices={"m": Rate(1.0, 2.0)})
    assert (total["unknown_fate"], total["asked"]) == (2, 4)
    most = most_tokens(question("q0"))
    assert total["possible_cost"] == pytest.approx(2 * (most[0] + 2 * most[1]) / 1e6)


def test_a_request_of_unknown_fate_is_handed_in_a_bounded_number_of_times(tmp_path, openai):
    openai.trouble = lambda step, number: (
        Trouble(after=True, cut=True) if step == "create" else
        Trouble(404) if step == "list" else None)  # fmt: skip
    for _ in range(3):
        with pytest.raises(UnansweredError):
            ask(tmp_path, served(openai, attempts=2), questions(1))
    assert openai.handed_in == {"q0": 2}
    openai.trouble = lambda step, number: None
    with pytest.raises(UnansweredError, match="attempts: 3 lets it be handed in"):
        ask(tmp_path, served(openai, attempts=2), questions(1))
    assert len(ask(tmp_path, served(openai, attempts=3), questions(1))) == 1


def test_a_service_that_cannot_be_reached_leaves_the_batch_where_it_is(tmp_path, service):
    service.settle = lambda batch: None
    service.trouble = lambda step, number: Trouble(500) if step == "status" else None
    with pytest.raises(UnansweredError, match=r"HTTP 500.*stays in batch .*run again"):
        ask(tmp_path, served(service, throttled=2), questions(3))
    assert [line["kind"] for line in lines(tmp_path)] == ["asked"] * 3
    service.trouble, service.settle = (lambda step, number: None), service.complete
    assert [one.text for one in ask(tmp_path, served(service), questions(3))] == answers(3)
    assert set(service.handed_in.values()) == {1}
    assert counted(tmp_path)["unknown_fate"] == 0


@pytest.mark.parametrize("status", [401, 403])
def test_a_rejected_key_stops_all_and_loses_nothing(tmp_path, service, status):
    service.trouble = lambda step, number: Trouble(status) if step == "create" else None
    with pytest.raises(UnansweredError, match="Check the key in BATCH_KEY"):
        ask(tmp_path, served(service), questions(2))
    assert service.steps["create"] == 1
    service.trouble = lambda step, number: Trouble(status) if step == "status" else None
    with pytest.raises(UnansweredError, match="stays in batch"):
        ask(tmp_path, served(service), questions(2))
    service.trouble = lambda step, number: None
    assert len(ask(tmp_path, served(service), questions(2))) == 2
    assert set(service.handed_in.values()) == {1}


def test_what_was_announced_and_refused_is_no_unknown_fate(tmp_path, openai, monkeypatch):
    """The queue is full for the second batch when the first one tells that the account is spent."""
    monkeypatch.setattr(OpenAIBatches, "limits", Limits(2, 100_000))
    openai.trouble = lambda step, number: (
        Trouble(429, message="enqueued") if step == "create" and number > 1 else None)  # fmt: skip
    openai.settle = lambda batch: openai.end(
        batch, None,
        [openai.failed(line, 429, "spent", code="insufficient_quota") for line in batch.lines],
    ) if batch.looks > 1 else None  # fmt: skip
    with pytest.raises(UnansweredError, match="4 of 4"):
        ask(tmp_path, served(openai), questions(4))
    total = counted(tmp_path)
    assert (total["asked"], total["failures"], total["unknown_fate"]) == (4, 4, 0)


def test_a_server_without_batches_is_told(tmp_path, openai):
    openai.trouble = lambda step, number: Trouble(404)
    with pytest.raises(UnansweredError, match="A server without batches needs batch: false"):
        ask(tmp_path, served(openai), questions(2))


def test_results_that_are_gone_are_asked_for_again_as_a_possible_double_charge(tmp_path, service):
    service.trouble = lambda step, number: (
        Trouble(404) if step == "content" and number <= LOOKS else None)  # fmt: skip
    found = ask(tmp_path, served(service), questions(2))
    assert [(one.text, one.unknown) for one in found] == [(text, 1) for text in answers(2)]
    assert counted(tmp_path)["unknown_fate"] == 2


@pytest.mark.parametrize("where", ["status", "content"])
def test_a_gateway_that_finds_nothing_once_loses_no_batch(tmp_path, service, where):
    service.trouble = lambda step, number: (
        Trouble(404) if step == where and number < LOOKS else None)  # fmt: skip
    found = ask(tmp_path, served(service), questions(2))
    assert [(one.text, one.unknown) for one in found] == [(text, 0) for text in answers(2)]
    assert set(service.handed_in.values()) == {1}


@pytest.mark.parametrize("half", [True, False])
def test_a_file_of_results_that_breaks_off_is_read_again(tmp_path, service, half):
    service.trouble = lambda step, number: (
        Trouble(after=True, cut=True, half=half) if step == "content" and number <= 2 else None
    )
    assert [one.text for one in ask(tmp_path, served(service), questions(3))] == answers(3)
    assert service.steps["content"] == 3 and len(service.batches) == 1


def test_a_line_that_is_no_json_makes_no_request_fail(tmp_path, service, monkeypatch):
    whole = service.do

    def broken(step: str, *rest: Any) -> Any:
        status, data, headers = whole(step, *rest)
        return status, data[:-9] if step == "content" else data, headers

    monkeypatch.setattr(service, "do", broken)
    with pytest.raises(UnansweredError, match="not whole; it stays in batch"):
        ask(tmp_path, served(service), questions(3))
    monkeypatch.setattr(service, "do", whole)
    assert len(ask(tmp_path, served(service), questions(3))) == 3
    assert set(service.handed_in.values()) == {1}


def test_secrets_reach_no_file(tmp_path, service):
    said = f"your key {KEY} is odd"
    service.settle = lambda batch: service.end(
        batch,
        [service.answer(line) for line in batch.lines[1:]],
        [service.failed(batch.lines[0], 500, said)],
    )
    service.trouble = lambda step, number: (
        Trouble(500, message=said) if number == 1 and step != "upload" else None)  # fmt: skip
    log = tmp_path / "log"
    with pytest.raises(UnansweredError) as error:
        ask(tmp_path, served(service), questions(3), log=log)
    assert "[key]" in str(error.value) and KEY not in str(error.value)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} >= {".jsonl", ".batches"} and log in files
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
    assert any(KEY in str(one) for one in service.headers)
    assert not any(KEY.encode() in one for one in service.files.values() if b"odd" not in one)


@HEAVY
@pytest.mark.parametrize("seed", range(5))
def test_a_third_of_all_calls_fails_and_every_request_ends_once(
    tmp_path, service, seed, monkeypatch
):
    monkeypatch.setattr("google.genai._api_client.INITIAL_RETRY_DELAY", 0)
    kinds = [
        Trouble(429), Trouble(429, headers={"retry-after": "3"}), Trouble(500), Trouble(503),
        Trouble(cut=True), Trouble(500, after=True), Trouble(after=True, cut=True),
        Trouble(after=True, cut=True, half=True),
    ]  # fmt: skip
    chance = random.Random(seed)
    service.trouble = lambda step, number: (
        chance.choice(kinds) if chance.random() < 0.3 else None)  # fmt: skip
    api = APIS["gemini" if isinstance(service, GeminiService) else "openai"]
    monkeypatch.setattr(api, "limits", Limits(7, 100_000))

    def settle(batch: Batch) -> None:
        if chance.random() < 0.5:
            bad = [line for line in batch.lines if chance.random() < 0.2]
            good = [service.answer(line) for line in batch.lines if line not in bad]
            chance.shuffle(good)
            service.end(batch, good, [service.failed(line, 500, "sorry") for line in bad])

    service.settle = settle
    model = served(service, attempts=12, throttled=100)
    found = ask(tmp_path, model, questions(60))
    assert [one.text for one in found] == answers(60)
    for place, one in enumerate(found):
        assert service.handed_in[f"q{place}"] == 1 + one.attempts.count("HTTP 500: sorry")
    total = counted(tmp_path)
    assert (total["responses"], total["failures"], total["unknown_fate"]) == (60, 0, 0)
    assert list(verify(tmp_path)) == []
