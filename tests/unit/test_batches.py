"""Batches of both services, through the real clients, against their file and batch endpoints."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from babelmath.accounts import most_tokens
from babelmath.asking import Models, request
from babelmath.config import Model, Price, Sampling
from babelmath.engines import Request, Response
from babelmath.engines.base import Image
from babelmath.engines.batch_api import Limits
from babelmath.engines.batch_state import BatchState
from babelmath.engines.gemini_batch import GeminiBatches
from babelmath.engines.openai_batch import OpenAIBatches
from babelmath.errors import InputError, UnansweredError
from babelmath.files import sha256
from babelmath.journal import Journal
from babelmath.journal_verify import verify
from babelmath.ledger import Money, ledger
from babelmath.spending import VARIABLE
from unit.loopback_batches import Batch, GeminiService, OpenAIService, Service, Trouble
from unit.waits import Waits, install

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLING = Sampling(temperature=0.6, top_p=0.95, max_tokens=16)
KEY = "sk-loopback-0123456789"
ENGINES = {"openai": OpenAIService, "gemini": GeminiService}
APIS = {"openai": OpenAIBatches, "gemini": GeminiBatches}
HEAVY = pytest.mark.heavy
COST = 7 * 1.0 + 3 * 2.0  # of an answer, in millionths of a dollar


@pytest.fixture(autouse=True)
def clock(monkeypatch) -> Waits:
    """Nobody waits; nothing of the machine's user takes part."""
    for name in (*os.environ.keys() & {"GOOGLE_API_KEY", "GOOGLE_GEMINI_BASE_URL"}, VARIABLE):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("BATCH_KEY", KEY)
    return install(monkeypatch)


@pytest.fixture(params=ENGINES)
def service(request) -> Iterator[Service]:
    with ENGINES[request.param]() as running:
        yield running


@pytest.fixture
def openai() -> Iterator[OpenAIService]:
    with OpenAIService() as running:
        yield running


def served(service: Service, /, **changes: Any) -> Model:
    engine = "gemini" if isinstance(service, GeminiService) else "openai"
    values = {
        "display": "Served", "engine": engine, "service": "served-1", "base_url": service.url,
        "key_variable": "BATCH_KEY", "batch": True, "batch_poll_s": 0.01, "timeout_s": 30,
    }  # fmt: skip
    return Model(**(values | changes))


def question(text: str, **changes: Any) -> Request:
    item = request("generation", "en", [{"role": "user", "content": text}], SAMPLING, 7)
    return dataclasses.replace(item, **changes)


def questions(number: int) -> list[Request]:
    return [question(f"q{place}") for place in range(number)]


def ask(
    folder: Path, model: Model, requests: list[Request], job: str = "job", log: Path | None = None
) -> list[Response]:
    """One job that asks a model and ends."""
    with Models({"m": model}, folder, job, log) as models:
        return [one.response for one in models.ask("m", requests, "test")]


def answers(number: int) -> list[str]:
    return [f"answer to q{place}" for place in range(number)]


def lines(folder: Path, job: str = "job") -> list[dict[str, Any]]:
    text = (folder / "m" / f"{job}.jsonl").read_bytes()
    return [json.loads(line) for line in text.splitlines()]


def counted(folder: Path, **money: Any) -> dict[str, Any]:
    """The ledger's row of all."""
    return ledger(folder, ["m"], None, Money(**money)).filter(model="all").row(0, named=True)


def of(service: Service, batch: Batch, *names: str) -> list[dict[str, Any]]:
    """The lines of a batch that ask these questions."""
    return [line for line in batch.lines if service.question(line) in names]


# One batch


def test_results_are_joined_by_their_ids_in_whatever_order_they_come(tmp_path, service):
    found = ask(tmp_path, served(service), questions(5))
    assert [one.text for one in found] == answers(5)
    assert {(one.finish, one.prompt_tokens, one.completion_tokens) for one in found} == {
        ("stop", 7, 3)
    }
    (batch,) = service.batches
    assert [one["kind"] for one in lines(tmp_path)] == ["asked"] * 5 + ["response"] * 5
    for one, item in zip(found, questions(5), strict=True):
        assert one.sent["batch"] == batch.id
        assert one.sent["custom_id"] in {line["key"] for line in lines(tmp_path)}
        assert (one.sent["temperature"], one.sent["model"]) == (item.temperature, "served-1")
        assert (one.attempts, one.unknown) == ([], 0)
    assert counted(tmp_path)["unknown_fate"] == 0
    assert list(verify(tmp_path)) == []


def test_a_batch_is_looked_at_until_it_ends(tmp_path, service, clock):
    def settle(batch: Batch) -> None:
        if batch.looks == 4:
            service.complete(batch)

    service.settle = settle
    log = tmp_path / "log"
    model = served(service, batch_poll_s=60)
    assert len(ask(tmp_path, model, questions(2), log=log)) == 2
    assert clock.taken == [60] * 3
    said = log.read_text()
    assert f"m: batch {service.batches[0].id}: 2 requests are handed in" in said
    assert said.count(f"batch {service.batches[0].id}: ") == 3


def test_samples_are_lines_of_their_own(tmp_path, service):
    same = [question("q0", sample=sample, seed=sample) for sample in range(4)]
    found = ask(tmp_path, served(service), same)
    assert [one.sent["seed"] for one in found] == [0, 1, 2, 3]
    assert len({one.sent["custom_id"] for one in found}) == 4


def test_what_is_journalled_is_not_handed_in(tmp_path, service):
    ask(tmp_path, served(service), questions(3))
    found = ask(tmp_path, served(service), questions(5))
    assert [one.text for one in found] == answers(5)
    assert service.handed_in == {f"q{place}": 1 for place in range(5)}


def test_a_batch_holds_the_body_of_a_call(tmp_path, openai):
    picture = tmp_path / "page.png"
    picture.write_bytes(b"\x89PNG")
    item = question("q0", images=(Image(str(picture), "image/png", sha256(b"\x89PNG")),))
    openai.question = lambda line: "q0"  # type: ignore[method-assign]
    model = served(openai, options={"reasoning_effort": "low"}, refused=["temperature"],
                   tokens_field="max_completion_tokens")  # fmt: skip
    (found,) = ask(tmp_path, model, [item])
    (line,) = openai.batches[0].lines
    assert line["body"] == {
        "model": "served-1", "top_p": 0.95, "max_completion_tokens": 16, "seed": 7,
        "reasoning_effort": "low",
        "messages": [{"role": "user", "content": [
            {"type": "text", "text": "q0"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
        ]}],
    }  # fmt: skip
    assert "temperature" not in found.sent


# Parts that fail


@pytest.mark.parametrize("lack", ["error", "nothing"])
def test_what_failed_or_is_missing_is_handed_in_again(tmp_path, service, lack):
    def settle(batch: Batch) -> None:
        bad = of(service, batch, "q1", "q3") if len(service.batches) == 1 else []
        good = [service.answer(line) for line in batch.lines if line not in bad]
        errors = [service.failed(line, 500, "sorry") for line in bad] if lack == "error" else []
        service.end(batch, good, errors or None)

    service.settle = settle
    found = ask(tmp_path, served(service), questions(5))
    assert [one.text for one in found] == answers(5)
    assert service.handed_in == {"q0": 1, "q1": 2, "q2": 1, "q3": 2, "q4": 1}
    assert len(found[1].attempts) == 1 and found[0].attempts == []
    assert ("sorry" in found[1].attempts[0]) is (lack == "error")
    total = counted(tmp_path)
    assert (total["asked"], total["responses"], total["unknown_fate"]) == (7, 5, 0)
    assert list(verify(tmp_path)) == []


def test_a_request_is_handed_in_no_more_often_than_attempts_says(tmp_path, service):
    service.settle = lambda batch: service.end(
        batch,
        [service.answer(line) for line in batch.lines if service.question(line) != "q1"],
        [service.failed(line, 503, "sorry") for line in of(service, batch, "q1")],
    )
    with pytest.raises(UnansweredError, match=r"1 of 3 requests to m got no answer.*sorry"):
        ask(tmp_path, served(service, attempts=2), questions(3))
    assert service.handed_in == {"q0": 1, "q1": 2, "q2": 1}
    (failure,) = [line for line in lines(tmp_path) if line["kind"] == "failure"]
    assert len(failure["response"]["attempts"]) == failure["settles"] == 2
    service.settle = service.complete
    assert [one.text for one in ask(tmp_path, served(service), questions(3))] == answers(3)
    assert service.handed_in == {"q0": 1, "q1": 3, "q2": 1}


@pytest.mark.parametrize("state", ["expired", "cancelled", "failed"])
def test_what_an_unfinished_batch_has_is_kept_and_the_rest_is_handed_in_again(
    tmp_path, service, state
):
    def settle(batch: Batch) -> None:
        if len(service.batches) > 1:
            service.complete(batch)
        elif state == "failed":
            service.end(batch, None, None, state)
        else:
            done = [service.answer(line) for line in of(service, batch, "q0", "q2")]
            service.end(batch, done, None, state)

    service.settle = settle
    found = ask(tmp_path, served(service), questions(4))
    assert [one.text for one in found] == answers(4)
    twice = 2 if state == "failed" else 1
    assert service.handed_in == {"q0": twice, "q1": 2, "q2": twice, "q3": 2}
    assert state in found[1].attempts[0]


def test_lines_of_an_expired_batch_say_so(tmp_path, openai):
    def settle(batch: Batch) -> None:
        if len(openai.batches) > 1:
            openai.complete(batch)
            return
        late = {"code": "batch_expired", "message": "This request could not be executed in time."}
        openai.end(
            batch,
            None,
            [{"custom_id": line["custom_id"], "response": None, "error": late}
             for line in batch.lines],
            "expired",
        )  # fmt: skip

    openai.settle = settle
    (found,) = ask(tmp_path, served(openai), questions(1))
    assert found.attempts == ["This request could not be executed in time."]


def test_results_of_unknown_ids_are_left_out_and_repeated_ones_count_once(tmp_path, service):
    name = "key" if isinstance(service, GeminiService) else "custom_id"

    def settle(batch: Batch) -> None:
        good = [service.answer(line) for line in batch.lines]
        again = service.answer(batch.lines[0], "another text")
        service.end(batch, [{**good[0], name: "f" * 64}, {"odd": 1}, *good, again])

    service.settle = settle
    log = tmp_path / "log"
    assert [one.text for one in ask(tmp_path, served(service), questions(2), log=log)] == answers(2)
    assert "2 results of unknown ids, 1 repeated ones" in log.read_text()
    assert Counter(line["kind"] for line in lines(tmp_path))["response"] == 2


@pytest.mark.parametrize(
    ("line", "finish"),
    [
        (lambda service, line: service.answer(line, "", finish="content_filter"), "blocked"),
        (lambda service, line: service.failed(line, 400, "no", code="content_filter"), "blocked"),
        (lambda service, line: service.failed(line, 400, "exceeds the context length"), "error"),
        (lambda service, line: service.answer(line, "", finish="length"), "length"),
    ],
    ids=["filtered", "refused", "too long", "cut"],
)
def test_what_asking_again_cannot_change_is_an_answer_of_its_kind(tmp_path, openai, line, finish):
    openai.settle = lambda batch: openai.end(batch, [line(openai, one) for one in batch.lines])
    (found,) = ask(tmp_path, served(openai), questions(1))
    assert (found.finish, found.text) == (finish, "")
    assert len(openai.batches) == 1


def test_a_wrong_parameter_is_not_handed_in_again(tmp_path, openai):
    openai.settle = lambda batch: openai.end(
        batch, None, [openai.failed(one, 400, "Unsupported parameter: 'top_p'") for one in
                      batch.lines]
    )  # fmt: skip
    with pytest.raises(UnansweredError, match="Add top_p to the model's refused"):
        ask(tmp_path, served(openai), questions(1))
    assert len(openai.batches) == 1


def test_an_empty_answer_is_asked_for_again_and_a_safety_block_is_not(tmp_path):
    with GeminiService() as service:

        def settle(batch: Batch) -> None:
            texts = {"q0": None if len(service.batches) == 1 else "5"}
            found = []
            for line in batch.lines:
                name = service.question(line)
                finish = "SAFETY" if name == "q1" else "STOP"
                record = service.answer(line, texts.get(name) or "x", finish=finish)
                if name == "q1" or texts.get(name, "x") is None:
                    record["response"]["candidates"][0].pop("content")
                found.append(record)
            service.end(batch, found)

        service.settle = settle
        one, two = ask(tmp_path, served(service), questions(2))
        assert (one.text, one.attempts) == ("5", ["empty: no text (7 + 3 tokens)"])
        assert (two.finish, two.text) == ("blocked", "")
        assert service.handed_in == {"q0": 2, "q1": 1}


def test_a_request_that_no_service_can_take_is_told_before_any_leaves(tmp_path):
    with GeminiService() as service:
        opened = question("q1", messages=(("user", "q1"), ("assistant", "<think>")))
        with pytest.raises(InputError, match="cannot go on from an opened turn"):
            ask(tmp_path, served(service), [question("q0"), opened])
        assert not service.steps


# What services bound


def test_a_large_batch_is_split_by_requests_and_by_bytes(tmp_path, service, monkeypatch):
    api = APIS["gemini" if isinstance(service, GeminiService) else "openai"]
    monkeypatch.setattr(api, "limits", Limits(3, 10_000))
    found = ask(tmp_path, served(service), questions(7))
    assert [one.text for one in found] == answers(7)
    assert [len(one.lines) for one in service.batches] == [3, 3, 1]
    size = len(service.files[service.batches[0].file])
    monkeypatch.setattr(api, "limits", Limits(100, size))
    assert len(ask(tmp_path, served(service), questions(12))) == 12
    later = service.batches[3:]
    assert len(later) > 1 and all(len(service.files[one.file]) <= size for one in later)
    assert set(service.handed_in.values()) == {1}


def test_a_full_queue_is_waited_for_and_tried_with_less(tmp_path, openai, clock):
    """The service takes a batch and then fails it, since more tokens wait than it allows."""

    def settle(batch: Batch) -> None:
        if len(batch.lines) > 2:
            openai.end(batch, None, None, "failed")
            batch.why = {"code": "token_limit_exceeded", "line": None,
                         "message": "Enqueued token limit reached for served-1."}  # fmt: skip
        else:
            openai.complete(batch)

    openai.settle = settle
    found = ask(tmp_path, served(openai, batch_poll_s=60, attempts=1), questions(8))
    assert [one.text for one in found] == answers(8)
    assert [len(one.lines) for one in openai.batches] == [8, 4, 2, 2, 2, 2]
    assert clock.taken[:2] == pytest.approx([120, 240], abs=1)
    assert counted(tmp_path)["unknown_fate"] == 0


def test_a_queue_that_is_full_at_creation_is_waited_for(tmp_path, service, clock):
    def trouble(step: str, number: int) -> Trouble | None:
        full = step == "create" and number <= 3
        return Trouble(429, message="You exceeded your current quota: enqueued") if full else None

    service.trouble = trouble
    found = ask(tmp_path, served(service, batch_poll_s=60, attempts=1), questions(4))
    assert [one.text for one in found] == answers(4)
    assert sum(clock.taken) > 3 * 60
    assert Counter(line["kind"] for line in lines(tmp_path))["asked"] == 4


def test_a_queue_that_stays_full_is_given_up_and_tried_by_the_next_run(tmp_path, service):
    service.trouble = lambda step, number: Trouble(429) if step == "create" else None
    with pytest.raises(UnansweredError, match=r"2 of 2 .*HTTP 429"):
        ask(tmp_path, served(service, throttled=3), questions(2))
    assert service.steps["create"] == 3 and not service.batches
    assert counted(tmp_path)["unknown_fate"] == 0
    service.trouble = lambda step, number: None
    assert len(ask(tmp_path, served(service), questions(2))) == 2


# Errors of the service


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
        if step != "create":
            return None
        for place in range(5):
            service.batches.append(Batch(f"batches/n{place}" if isinstance(service, GeminiService)
                                         else f"n{place}", "theirs", "f", [], "made"))  # fmt: skip
        return None

    service.trouble = lambda step, number: (
        Trouble(after=True, cut=True) if step == "create" else trouble("create", 1)
        if step == "list" and number == 1 else None)  # fmt: skip
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
    total = counted(tmp_path, prices={"m": (1.0, 2.0)})
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


def test_a_server_without_batches_is_told(tmp_path, openai):
    openai.trouble = lambda step, number: Trouble(404)
    with pytest.raises(UnansweredError, match="A server without batches needs batch: false"):
        ask(tmp_path, served(openai), questions(2))


def test_results_that_are_gone_are_asked_for_again_as_a_possible_double_charge(tmp_path, service):
    service.trouble = lambda step, number: (
        Trouble(404) if step == "content" and number == 1 else None)  # fmt: skip
    found = ask(tmp_path, served(service), questions(2))
    assert [(one.text, one.unknown) for one in found] == [(text, 1) for text in answers(2)]
    assert counted(tmp_path)["unknown_fate"] == 2


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


# Kills


class KilledError(BaseException):
    """Stands for a kill: nothing that the job would do at its end is done."""


STEPS = (
    "before the intent", "after the intent", "after the upload", "before the batch is made",
    "after the batch is made", "after its id is noted", "while it runs", "in the middle",
    "before the end is noted", "after the end is noted",
)  # fmt: skip


def kill_at(step: str, kill: Any, patch: Any, api: Any) -> None:
    """Put a kill at a step of the first hand-in, whatever patches attributes."""
    note, upload, create, status = BatchState._note, api.upload, api.create, api.status
    add, count = Journal.add, iter(range(100))

    def noting(self: BatchState, event: str, tag: str, **more: Any) -> None:
        if (step, event) in (("before the intent", "intent"), ("after the batch is made", "taken"),
                             ("after the upload", "sending"),
                             ("before the end is noted", "ended")):  # fmt: skip
            kill()
        note(self, event, tag, **more)
        if (step, event) in (("after the intent", "intent"), ("after its id is noted", "taken"),
                             ("after the end is noted", "ended")):  # fmt: skip
            kill()

    async def creating(self: Any, *given: Any) -> Any:
        if step == "before the batch is made":
            kill()
        return await create(self, *given)

    async def looking(self: Any, *given: Any) -> Any:
        if step == "while it runs":
            kill()
        return await status(self, *given)

    def adding(self: Journal, *given: Any) -> Any:
        if step == "in the middle" and next(count) == 2:
            kill()
        return add(self, *given)

    assert upload is not None
    patch(BatchState, "_note", noting)
    patch(api, "create", creating)
    patch(api, "status", looking)
    patch(Journal, "add", adding)


@pytest.mark.parametrize(
    "step",
    [
        step if place % 3 == 0 else pytest.param(step, marks=HEAVY)
        for place, step in enumerate(STEPS)
    ],
)
def test_a_job_that_dies_at_any_step_hands_nothing_in_twice(tmp_path, service, step, monkeypatch):
    api = APIS["gemini" if isinstance(service, GeminiService) else "openai"]

    def kill() -> None:
        raise KilledError

    with monkeypatch.context() as patched:
        kill_at(step, kill, patched.setattr, api)
        with pytest.raises(KilledError):
            ask(tmp_path, served(service), questions(5))
    check_resumed(tmp_path, service, 5)


def check_resumed(folder: Path, service: Service, number: int) -> None:
    found = ask(folder, served(service), questions(number))
    assert [one.text for one in found] == answers(number)
    assert service.handed_in == {f"q{place}": 1 for place in range(number)}
    total = counted(folder)
    assert (total["responses"], total["unknown_fate"], total["failures"]) == (number, 0, 0)
    assert total["asked_again"] == 0
    assert list(verify(folder)) == []


KILLED = """
import os, sys
from pathlib import Path
from unit import test_batches as t
from babelmath.engines import pace
url, folder, engine, step = sys.argv[1:]
t.kill_at(step, lambda: os.kill(os.getpid(), 9), setattr, t.APIS[engine])
class Service: pass
model = t.served(Service(), base_url=url, engine=engine)
t.ask(Path(folder), model, t.questions(5))
"""


@HEAVY
@pytest.mark.parametrize("step", STEPS)
def test_a_job_that_is_killed_at_any_step_hands_nothing_in_twice(tmp_path, service, step):
    engine = "gemini" if isinstance(service, GeminiService) else "openai"
    process = run_killed(service, tmp_path, engine, step)
    assert process.wait(60) == -9
    check_resumed(tmp_path, service, 5)


def run_killed(service: Service, folder: Path, engine: str, step: str) -> Any:
    paths = os.pathsep.join(str(REPOSITORY / one) for one in ("scripts", "tests"))
    Service.url = service.url  # type: ignore[attr-defined]
    script = KILLED.replace("class Service: pass", "class Service: url = sys.argv[1]")
    return subprocess.Popen(
        [sys.executable, "-c", script, service.url, str(folder), engine, step],
        env=os.environ | {"PYTHONPATH": paths, "BATCH_KEY": KEY},
    )


@HEAVY
@pytest.mark.parametrize("stop", ["kill", "terminate"])
def test_a_job_that_is_stopped_while_the_service_makes_the_batch_finds_it(tmp_path, service, stop):
    made, release = threading.Event(), threading.Event()

    def trouble(step: str, number: int) -> Trouble | None:
        if step != "create" or number > 1:
            return None
        made.set()
        return Trouble(after=True, hold=release)

    service.trouble = trouble
    engine = "gemini" if isinstance(service, GeminiService) else "openai"
    process = run_killed(service, tmp_path, engine, "never")
    assert made.wait(60)
    while not service.batches:
        pass
    getattr(process, stop)()
    process.wait(60)
    release.set()
    check_resumed(tmp_path, service, 5)


def test_a_killed_run_leaves_a_torn_line_that_is_dropped(tmp_path, service, monkeypatch):
    service.settle = lambda batch: None
    service.trouble = lambda step, number: Trouble(500) if step == "status" else None
    with pytest.raises(UnansweredError):
        ask(tmp_path, served(service, throttled=1), questions(2))
    path = tmp_path / "m" / "job.batches"
    whole = path.read_bytes()
    for cut in (1, 20, len(whole.splitlines()[-1]) - 1):
        path.write_bytes(whole + whole.splitlines()[-1][:cut])
        with pytest.raises(UnansweredError):
            ask(tmp_path, served(service, throttled=1), questions(2))
        assert path.read_bytes() == whole
    service.trouble, service.settle = (lambda step, number: None), service.complete
    assert len(ask(tmp_path, served(service), questions(2))) == 2
    assert len(service.batches) == 1


@pytest.mark.parametrize(
    "line",
    [b"x\n", b"{}\n", b'{"event": "odd", "tag": "t"}\n', b'{"event": "intent", "tag": "t"}\n'],
)
def test_a_damaged_state_file_is_told_with_its_line(tmp_path, openai, line):
    ask(tmp_path, served(openai), questions(1))
    path = tmp_path / "m" / "job.batches"
    path.write_bytes(path.read_bytes() + line)
    with pytest.raises(InputError) as caught:
        ask(tmp_path, served(openai), questions(2))
    assert (caught.value.file, caught.value.line) == (str(path), 5)


# More than one job, and money


def test_what_another_job_has_handed_in_is_collected_and_not_handed_in(tmp_path, service):
    service.settle = lambda batch: None
    service.trouble = lambda step, number: Trouble(401) if step == "status" else None
    with pytest.raises(UnansweredError):
        ask(tmp_path, served(service), questions(3), job="a")
    service.trouble, service.settle = (lambda step, number: None), service.complete
    found = ask(tmp_path, served(service), questions(4)[1:], job="b")
    assert [one.text for one in found] == answers(4)[1:]
    assert service.handed_in == {f"q{place}": 1 for place in range(4)}
    assert [one.text for one in ask(tmp_path, served(service), questions(3), job="a")] == answers(3)
    assert set(service.handed_in.values()) == {1}
    assert list(verify(tmp_path)) == []


def test_two_jobs_at_the_same_time_share_what_both_ask(tmp_path, service):
    """The second job comes while the first one's batch runs, and both collect it."""
    found: list[list[Response]] = []

    def settle(batch: Batch) -> None:
        if batch.looks == 1:  # the first job looks, and the other begins
            service.settle = lambda batch: service.complete(batch) if batch.looks > 2 else None
            thread = threading.Thread(target=lambda: found.append(
                ask(tmp_path, served(service), questions(3), job="b")))  # fmt: skip
            threads.append(thread)
            thread.start()

    threads: list[threading.Thread] = []
    service.settle = settle
    found.append(ask(tmp_path, served(service), questions(3), job="a"))
    for thread in threads:
        thread.join()
    assert [[one.text for one in each] for each in found] == [answers(3)] * 2
    assert service.handed_in == {"q0": 1, "q1": 1, "q2": 1}
    assert counted(tmp_path)["responses"] == 3
    assert list(verify(tmp_path)) == []


def test_an_open_batch_is_collected_although_the_cap_is_reached(tmp_path, service, monkeypatch):
    model = served(service, price=Price(input=2, output=4))
    most = most_tokens(question("q0"))
    dearest = most[0] * 1.0 + most[1] * 2.0
    cap = {"most_cost": 3.5 * dearest / 1e6, "prices": {"m": [1.0, 2.0]}}
    monkeypatch.setenv(VARIABLE, json.dumps(cap))
    service.settle = lambda batch: None
    service.trouble = lambda step, number: Trouble(401) if step == "status" else None
    with pytest.raises(UnansweredError):
        ask(tmp_path, model, questions(3))
    assert [len(one.lines) for one in service.batches] == [3]
    service.trouble, service.settle = (lambda step, number: None), service.complete
    monkeypatch.setenv(VARIABLE, json.dumps(cap | {"most_cost": 0.5 * dearest / 1e6}))
    others = [question("dear"), *questions(3)]
    with pytest.raises(UnansweredError, match=r"1 of 4 requests.*most_cost"):
        ask(tmp_path, model, others)
    assert Counter(line["kind"] for line in lines(tmp_path))["response"] == 3
    assert service.handed_in == {"q0": 1, "q1": 1, "q2": 1}
    total = counted(tmp_path, prices={"m": (1.0, 2.0)})
    assert (total["cost"], total["possible_cost"]) == (pytest.approx(3 * COST / 1e6), 0)
    spent = json.loads((tmp_path / "m" / "job.spent").read_text())
    assert (spent["prompt"], spent["new"]) == (21, 9)
    assert {spent[name] for name in spent if name.startswith(("possible", "flying"))} == {0}


def test_a_batch_that_fits_under_the_cap_in_parts_goes_in_parts(tmp_path, service, monkeypatch):
    most = most_tokens(question("q0"))
    dearest = most[0] * 1.0 + most[1] * 2.0
    cap = {"most_cost": 2.1 * dearest / 1e6, "prices": {"m": [1.0, 2.0]}}
    monkeypatch.setenv(VARIABLE, json.dumps(cap))
    assert len(ask(tmp_path, served(service), questions(4))) == 4
    assert [len(one.lines) for one in service.batches] == [2, 1, 1]
    assert set(service.handed_in.values()) == {1}
