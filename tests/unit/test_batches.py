"""Batches of both services, through the real clients, against their file and batch endpoints."""

from __future__ import annotations

import json
import threading
from collections import Counter
from typing import Any

import pytest

from babelmath.accounts import most_tokens
from babelmath.config import Price
from babelmath.engines import Response, batch_run
from babelmath.engines.base import Image
from babelmath.engines.batch_api import Limits
from babelmath.errors import InputError, UnansweredError
from babelmath.files import sha256
from babelmath.journal.verify import verify
from babelmath.prices import Rate
from babelmath.spending import VARIABLE
from unit.batching import (  # noqa: F401 - fixtures among them
    APIS,
    COST,
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
from unit.loopback_batches import Batch, GeminiService, Trouble

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


def test_a_file_that_the_service_still_reads_is_waited_for(tmp_path):
    with GeminiService() as service:
        service.uploaded = "PROCESSING"
        assert len(ask(tmp_path, served(service), questions(1))) == 1
        assert service.steps["file"] == 1


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


def test_what_a_batch_was_charged_for_without_an_answer_is_in_the_ledger(tmp_path, openai):
    def settle(batch: Batch) -> None:
        text = "" if len(openai.batches) == 1 else "2"
        finish = "stop" if text else "error"
        openai.end(batch, [openai.answer(line, text, finish=finish) for line in batch.lines])

    openai.settle = settle
    (found,) = ask(tmp_path, served(openai), questions(1))
    assert (found.text, found.prompt_tokens, found.paid) == ("2", 7, [7, 3, 0])
    row = counted(tmp_path)
    assert (row["prompt_tokens"], row["completion_tokens"]) == (14, 6)
    assert list(verify(tmp_path / "m")) == []


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
        elif len(openai.batches) == 3:
            openai.end(batch, None, [openai.failed(line, 500, "") for line in batch.lines])
        else:
            openai.complete(batch)

    openai.settle = settle
    found = ask(tmp_path, served(openai, batch_poll_s=60, attempts=2), questions(8))
    assert [one.text for one in found] == answers(8)
    assert [len(one.lines) for one in openai.batches] == [8, 4, 2, 2, 2, 2, 2]
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


def test_what_waits_in_a_batch_is_not_sent_without_batches_either(tmp_path, service):
    """As when somebody takes `batch` out of a model in the middle of a run."""
    service.settle = lambda batch: None
    service.trouble = lambda step, number: Trouble(401) if step == "status" else None
    with pytest.raises(UnansweredError):
        ask(tmp_path, served(service), questions(3), job="a")
    service.trouble, service.settle = (lambda step, number: None), service.complete
    with pytest.raises(
        UnansweredError, match=r"2 of 2 .* not collected yet; models\.m\.batch: true"
    ):
        ask(tmp_path, served(service, batch=False), questions(3)[1:], job="b")
    asked = [one for one in lines(tmp_path, "b") if one["kind"] == "asked"]
    assert asked == []
    assert [one.text for one in ask(tmp_path, served(service), questions(3), job="a")] == answers(3)
    found = ask(tmp_path, served(service, batch=False), questions(3), job="b")
    assert [one.text for one in found] == answers(3)
    assert service.handed_in == {"q0": 1, "q1": 1, "q2": 1}


def test_a_batch_whose_requests_are_not_asked_any_more_is_told(tmp_path, service):
    """As when the service's name has changed: its requests have other keys then."""
    service.settle = lambda batch: None
    service.trouble = lambda step, number: Trouble(401) if step == "status" else None
    with pytest.raises(UnansweredError):
        ask(tmp_path, served(service), questions(3))
    service.trouble, service.settle = (lambda step, number: None), service.complete
    log = tmp_path / "log"
    ask(tmp_path, served(service, service="served-2"), questions(3), log=log)
    assert f"batch {service.batches[0].id} is open, and its 3 requests" in log.read_text()
    assert service.handed_in == {"q0": 2, "q1": 2, "q2": 2}


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


def test_what_another_job_hands_in_at_the_same_moment_is_not_handed_in(
    tmp_path, service, monkeypatch
):
    """The other job is at work from its intent to its end while this one writes its file."""
    whole = batch_run.part

    def part(*given: Any) -> Any:
        monkeypatch.setattr(batch_run, "part", whole)
        ask(tmp_path, served(service), questions(3), job="other")
        return whole(*given)

    monkeypatch.setattr(batch_run, "part", part)
    found = ask(tmp_path, served(service), questions(4))
    assert [one.text for one in found] == answers(4)
    assert service.handed_in == {f"q{place}": 1 for place in range(4)}
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
    spent = json.loads((tmp_path / "m" / "job.spent").read_text())
    assert (spent["possible_prompt"], spent["possible_new"]) == (3 * most[0], 3 * most[1])
    assert (spent["flying_prompt"], spent["flying_new"], spent["prompt"]) == (0, 0, 0)
    service.trouble, service.settle = (lambda step, number: None), service.complete
    monkeypatch.setenv(VARIABLE, json.dumps(cap | {"most_cost": 0.5 * dearest / 1e6}))
    others = [question("dear"), *questions(3)]
    with pytest.raises(UnansweredError, match=r"1 of 4 requests.*most_cost"):
        ask(tmp_path, model, others)
    assert Counter(line["kind"] for line in lines(tmp_path))["response"] == 3
    assert service.handed_in == {"q0": 1, "q1": 1, "q2": 1}
    total = counted(tmp_path, prices={"m": Rate(1.0, 2.0)})
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
