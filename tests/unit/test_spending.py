"""The cap: no paid request leaves that could pass it, whoever else spends from it."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from babelmath.accounts import most_tokens
from babelmath.asking import Models, request
from babelmath.config import Config, Model, Price, Sampling
from babelmath.confload import load_config
from babelmath.engines import Request, Response
from babelmath.errors import InputError, UnansweredError
from babelmath.journal.files import alone
from babelmath.journal.packed import pack_folder
from babelmath.journal.store import Journal
from babelmath.ledger import Money, ledger
from babelmath.prices import Rate, prices
from babelmath.spending import VARIABLE, Cap, Purse, announce
from unit.loopback import Call, Reply, Service, echo, refused, said
from unit.waits import install

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLING = Sampling(temperature=0.6, top_p=0.95, max_tokens=16)
COST = 7 * 1.0 + 3 * 2.0  # of a reply, in millionths of a dollar
MOST = most_tokens(request("p", "en", [{"role": "user", "content": "q0"}], SAMPLING, 7))
DEAREST = MOST[0] * 1.0 + MOST[1] * 2.0  # the most that one attempt can cost


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Nobody waits between attempts, and no cap or key of the machine's user takes part."""
    install(monkeypatch)
    for name in (VARIABLE, "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def service() -> Iterator[Service]:
    with Service() as running:
        yield running


def priced(url: str, **changes: Any) -> Model:
    values = {
        "display": "Served", "engine": "openai", "service": "served-1", "base_url": url,
        "concurrency": 2, "timeout_s": 30, "attempts": 2, "price": Price(input=1, output=2),
    }  # fmt: skip
    return Model(**(values | changes))


def question(text: str) -> Request:
    return request("generation", "en", [{"role": "user", "content": text}], SAMPLING, 7)


def capped(monkeypatch: pytest.MonkeyPatch, millionths: float, *names: str) -> None:
    prices = {name: [1, 2] for name in names or ("m",)}
    held = {"most_cost": millionths / 1e6, "prices": prices}
    monkeypatch.setenv(VARIABLE, json.dumps(held))


def ask(folder: Path, model: Model, count: int, job: str = "job") -> list[Response]:
    items = [question(f"q{number}") for number in range(count)]
    with Models({"m": model}, folder, job, None) as models:
        return [one.response for one in models.ask("m", items, "test")]


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]


def test_a_run_within_its_cap_is_asked_in_full(tmp_path, service, monkeypatch):
    capped(monkeypatch, 10 * COST + 4 * DEAREST)
    assert len(ask(tmp_path, priced(service.url), 10)) == 10
    assert len(service.calls) == 10


@pytest.mark.parametrize("room", [0, 1, 3, 7])
def test_no_request_leaves_that_could_pass_the_cap(tmp_path, service, monkeypatch, room):
    capped(monkeypatch, room * COST + 2 * DEAREST)  # two attempts may be charged
    with pytest.raises(UnansweredError, match=r"the cap of 0\.0\d+ US dollars .*most_cost.*spent"):
        ask(tmp_path, priced(service.url), 30)
    assert len(service.calls) == room + 1
    held = lines(tmp_path / "m" / "job.jsonl")
    assert sum(one["kind"] == "response" for one in held) == room + 1


def test_samples_that_a_call_leaves_out_keep_the_cap_too(tmp_path, service, monkeypatch):
    """Empty replies are charged: to the call of both, and to those of the one that it left out."""
    used = {"prompt_tokens": 7, "completion_tokens": 16}

    def answer(call: Call) -> Reply:
        body: Any = (said("2") if call.number == 2 else said("", "error")).body
        return Reply({**body, "usage": used})

    service.answer = answer
    items = [dataclasses.replace(question("q0"), sample=place, seed=place) for place in range(2)]
    capped(monkeypatch, 3 * 2 * DEAREST)  # room for one and a half of them
    model = priced(service.url, samples_by="n", attempts=3)
    with (
        pytest.raises(UnansweredError, match="most_cost"),
        Models({"m": model}, tmp_path, "job", None) as models,
    ):
        models.ask("m", items, "test")
    assert len(service.calls) * (7 + 2 * 16) <= 3 * 2 * DEAREST


@pytest.mark.parametrize("cap", [None, 1e9])
def test_what_a_killed_run_may_have_cost_is_told_with_and_without_a_cap(
    tmp_path, service, monkeypatch, cap
):
    if cap is not None:
        capped(monkeypatch, cap)

    def dies(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Journal, "add", dies)  # the job dies before anything is stored
    with pytest.raises(KeyboardInterrupt):
        ask(tmp_path, priced(service.url, concurrency=1), 1)
    row = ledger(tmp_path, ["m"], None, Money({"m": Rate(1, 2)}, ["m"])).row(0, named=True)
    assert row["unknown_fate"] == 1
    assert row["possible_cost"] == pytest.approx(DEAREST / 1e6)


def test_after_the_cap_is_raised_nothing_is_asked_twice(tmp_path, service, monkeypatch):
    for room in (2, 5, 100):
        capped(monkeypatch, room * COST + 2 * DEAREST)
        if room == 100:
            assert len(ask(tmp_path, priced(service.url), 9)) == 9
        else:
            with pytest.raises(UnansweredError, match=f"{9 - room - 1} requests are left"):
                ask(tmp_path, priced(service.url), 9)
        assert set(service.sent.values()) == {1}
    assert len(service.calls) == 9


def test_what_is_in_flight_at_most_is_counted(tmp_path, service, monkeypatch):
    capped(monkeypatch, 3 * 2 * DEAREST)
    together = threading.Barrier(3)

    def answer(call: Call) -> Reply:
        if call.number <= 3:
            together.wait(30)
        return echo(call)

    service.answer = answer
    ask(tmp_path, priced(service.url, concurrency=8), 9)
    assert service.most == 3


def test_attempts_of_unknown_fate_are_counted_at_their_most(tmp_path, service, monkeypatch):
    folder = tmp_path / "m"
    journal = Journal(folder, "killed")
    for number in range(3):
        journal.asked(f"{number:064x}", question("q0"), MOST)
    late = Response("2", "", "stop", 7, 3, unknown=2)
    journal.add("f" * 64, question("q0"), late)
    journal.close()
    capped(monkeypatch, 5 * DEAREST + 2 * DEAREST + 3 * COST)
    with pytest.raises(UnansweredError, match=r"at most 0\.0\d+ more by attempts of unknown fate"):
        ask(tmp_path, priced(service.url), 9)
    assert len(service.calls) == 3


def test_answers_of_which_nobody_counts_the_tokens_are_taken_at_their_most(
    tmp_path, service, monkeypatch
):
    """As of servers that tell no usage: they would never reach a cap otherwise."""
    service.answer = lambda call: Reply({**said("2").body, "usage": None})  # type: ignore[dict-item]
    model = priced(service.url, attempts=1, concurrency=1)
    capped(monkeypatch, 3.5 * DEAREST)
    with pytest.raises(UnansweredError, match=r"5 of 8 .*0\.0000 spent, at most 0\.0\d+ more"):
        ask(tmp_path, model, 8)
    assert len(service.calls) == 3
    row = ledger(tmp_path, ["m"], None, Money({"m": Rate(1, 2)}, ["m"])).row(0, named=True)
    assert (row["cost"], row["possible_cost"]) == (0, pytest.approx(3 * DEAREST / 1e6))
    assert row["unknown_fate"] == 0


def test_tokens_of_batches_keep_their_price_when_the_model_leaves_batches(tmp_path, service):
    """And those of calls theirs when it goes over to them."""
    journal = Journal(tmp_path / "m", "job")
    for number, sent in enumerate(({}, {"batch": "b1", "custom_id": "1"})):
        item = question(f"q{number}")
        journal.asked(f"{number:064x}", item, MOST)
        journal.add(f"{number:064x}", item, Response("2", "", "stop", 1000, 500, sent=sent))
    journal.close()
    full = (1000 * 1 + 500 * 2) / 1e6
    for batch in (False, True):
        model = priced(service.url, batch=batch, price=Price(input=1, output=2, batch=0.5))
        rates = prices(config(models={"m": model.model_dump(exclude_defaults=True)}))
        row = ledger(tmp_path, ["m"], None, Money(rates, ["m"])).row(0, named=True)
        assert row["cost"] == pytest.approx(1.5 * full)
        purse = Purse(Cap(1.0, rates), tmp_path, "m", "new", model)
        assert purse.sums() == (pytest.approx(1.5 * full), 0, 0)


def test_other_models_and_jobs_spend_from_the_same_cap(tmp_path, service, monkeypatch):
    capped(monkeypatch, 6 * COST + 2 * DEAREST, "m", "n")
    one = priced(service.url)
    both = {"m": one, "n": one.model_copy(update={"service": "served-2"})}
    items = [question(f"q{number}") for number in range(4)]
    with Models(both, tmp_path, "job", None) as models:
        models.ask("n", items, "test")
    with pytest.raises(UnansweredError), Models(both, tmp_path, "other", None) as models:
        models.ask("m", items, "test")
    assert len(service.calls) == 7


def test_a_model_without_a_price_is_not_held_up(tmp_path, service, monkeypatch):
    capped(monkeypatch, 1, "other")
    assert len(ask(tmp_path, priced(service.url, price=None), 3)) == 3


def test_a_refused_request_gives_back_what_was_set_aside(tmp_path, service, monkeypatch):
    capped(monkeypatch, 2 * DEAREST + 3 * COST)
    service.answer = lambda call: refused(400) if call.number <= 5 else said("2")
    with pytest.raises(UnansweredError, match=r"6 of 10 .*most_cost"):
        ask(tmp_path, priced(service.url, concurrency=1), 9 + 1)
    assert len(service.calls) == 5 + 4


def test_totals_that_are_not_there_or_broken_are_made_from_the_journal(
    tmp_path, service, monkeypatch
):
    capped(monkeypatch, 1e9)
    ask(tmp_path, priced(service.url), 4)
    path = tmp_path / "m" / "job.spent"
    right = json.loads(path.read_bytes())
    assert (right["prompt"], right["new"], right["flying_new"]) == (28, 12, 0)
    for content in (None, b"", b"{}", b"[1]", b'{"prompt": "x"}'):
        path.unlink(missing_ok=True)
        if content is not None:
            path.write_bytes(content)
        journal = Journal(tmp_path / "m", "new")
        purse = Purse(Cap(1.0, {"m": Rate(1.0, 2.0)}), tmp_path, "m", "new", priced(service.url))
        assert purse.sums() == (pytest.approx(4 * COST / 1e6), 0, 0)
        journal.close()
        purse.close()
        assert json.loads(path.read_bytes()) == right


SPENDER = """
import sys
from pathlib import Path
from babelmath.asking import Models, request
from babelmath.config import Model, Price, Sampling
from babelmath.errors import UnansweredError
url, folder, job = sys.argv[1:]
model = Model(display="Served", engine="openai", service="served-1", base_url=url, concurrency=3,
              attempts=2, price=Price(input=1, output=2))
sampling = Sampling(temperature=0.6, top_p=0.95, max_tokens=16)
items = [request("generation", "en", [{"role": "user", "content": f"{job} q{n}"}], sampling, 7)
         for n in range(60)]
try:
    with Models({"m": model}, Path(folder), job, None) as models:
        models.ask("m", items, "test")
except UnansweredError as error:
    print(error)
"""


def spender(url: str, folder: Path, job: str, cap: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SPENDER, url, str(folder), job], text=True, stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(REPOSITORY / "scripts"), VARIABLE: cap},
    )  # fmt: skip


@pytest.mark.heavy
def test_jobs_at_the_same_time_keep_the_cap_together(tmp_path, service):
    dear = 2 * (DEAREST + 2)
    cap = 20 * COST + 3 * dear
    held = json.dumps({"most_cost": cap / 1e6, "prices": {"m": [1, 2]}})
    both = [spender(service.url, tmp_path, job, held) for job in "ab"]
    said = [one.communicate()[0] for one in both]
    assert all("most_cost" in one for one in said)
    assert len(service.calls) * COST <= cap
    assert len(service.calls) * COST + dear > cap - dear


def test_of_many_jobs_one_takes_the_last_room(tmp_path):
    """With room for one request there is never a second in flight, however the jobs collide."""
    asked, model = question("q0"), priced("http://127.0.0.1:9")
    cap = Cap(2 * DEAREST * 1.5 / 1e6, {"m": Rate(1.0, 2.0)})
    (tmp_path / "m").mkdir()
    purses = [Purse(cap, tmp_path, "m", f"job{number}", model) for number in range(4)]
    flying: list[Purse] = []
    most: list[int] = []

    def spend(purse: Purse) -> None:
        for _ in range(100):
            if purse.take(asked, 0):
                flying.append(purse)
                time.sleep(0.001)
                most.append(len(flying))
                flying.remove(purse)
                purse.settle(asked, Response(failure="refused"), 0)

    jobs = [threading.Thread(target=spend, args=(purse,)) for purse in purses]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert set(most) == {1}
    assert purses[0].sums() == (0, 0, 0)


@pytest.mark.heavy
@pytest.mark.parametrize("answered", [2, 7, 15])
def test_a_killed_job_stays_counted(tmp_path, service, answered):
    reached, release = threading.Event(), threading.Event()

    def answer(call: Call) -> Reply:
        if call.number > answered:
            reached.set()
            release.wait(30)
        return echo(call)

    service.answer = answer
    cap = json.dumps({"most_cost": 1.0, "prices": {"m": [1, 2]}})
    process = spender(service.url, tmp_path, "a", cap)
    assert reached.wait(30)
    process.kill()
    process.communicate()
    release.set()
    held = lines(tmp_path / "m" / "a.jsonl")
    came = sum(one["kind"] == "response" for one in held)
    sent = sum(one["kind"] == "asked" for one in held)
    journal = Journal(tmp_path / "m", "new")
    purse = Purse(Cap(1.0, {"m": Rate(1.0, 2.0)}), tmp_path, "m", "new", priced(service.url))
    known, possible, flying = purse.sums()
    assert known == pytest.approx(came * COST / 1e6)
    assert (sent - came) * (DEAREST + 2) <= possible * 1e6 <= (sent - came) * (DEAREST + 3) + 1e-6
    assert flying == 0
    journal.close()
    purse.close()


# Batches


def test_a_part_of_an_open_batch_is_fetched_whatever_the_cap_is(tmp_path):
    model = priced("http://127.0.0.1:1/v1", batch=True)
    item = question("q0")
    killed = Journal(tmp_path / "m", "job")
    killed.asked("a" * 64, item, MOST)
    killed.close()
    journal = Journal(tmp_path / "m", "job")
    purse = Purse(Cap(DEAREST / 2e6, {"m": Rate(1.0, 2.0)}), tmp_path, "m", "job", model)
    assert not purse.take(item, unknown=0)
    assert purse.take(item, unknown=1)
    response = Response(text="2", finish="stop", prompt_tokens=7, completion_tokens=3)
    assert journal.add("a" * 64, item, response, batch=True) == 1
    purse.settle(item, response, unknown=1, earlier=1)
    assert purse.sums() == (pytest.approx(COST / 1e6), 0, 0)
    journal.close()
    purse.close()


# The environment


def config(**changes: Any) -> Config:
    raw = {
        "scale": "demonstration", "statement": "s", "seed": 1, "protocol": "paper",
        "models": {
            "paid": {"display": "P", "engine": "openai", "service": "s",
                     "price": {"input": 1.5, "output": 6.0}},
            "batched": {"display": "B", "engine": "gemini", "service": "s", "batch": True,
                        "price": {"input": 1.0, "output": 4.0, "batch": 0.25}},
            "own": {"display": "O", "engine": "openai", "service": "s", "base_url": "http://h/v1"},
        },
        "benchmarks": {"mmath": {"source": {"format": "bundled", "folder": "resources/mmath"},
                                 "source_languages": ["en"], "languages": ["en"]}},
    }  # fmt: skip
    return load_config(raw | changes, [])


def test_the_cap_and_all_prices_reach_a_job_by_the_environment(monkeypatch):
    monkeypatch.setenv(VARIABLE, "from before")
    announce(config(most_cost=12.5))
    assert Cap.from_environment() == Cap(
        12.5, {"paid": Rate(1.5, 6.0, 0.5, 1.0), "batched": Rate(1.0, 4.0, 0.25, 0.25)}
    )
    announce(config())
    assert Cap.from_environment() is None
    assert prices(config()) == {
        "paid": Rate(1.5, 6.0, 0.5, 1.0),
        "batched": Rate(1.0, 4.0, 0.25, 0.25),
    }


@pytest.mark.parametrize("text", ["x", "[]", "{}", '{"most_cost": "x", "prices": {}}', "1"])
def test_a_cap_that_the_workflow_did_not_write_is_refused(monkeypatch, text):
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(InputError, match=VARIABLE):
        Cap.from_environment()


def test_a_cap_needs_the_price_of_every_service():
    models = {"free": {"display": "F", "engine": "openai", "service": "s"}}
    config(models=models)
    with pytest.raises(InputError, match="price of every service") as caught:
        config(models=models, most_cost=5)
    assert caught.value.field == "models.free.price"


def test_totals_are_not_counted_while_a_journal_is_being_packed(tmp_path, service, monkeypatch):
    """Another job's file vanishes when it is packed; whoever counts it waits."""
    capped(monkeypatch, 1e9, "m", "other")
    ask(tmp_path, priced(service.url), 5)
    (tmp_path / "m" / "job.spent").unlink()
    Journal(tmp_path / "other", "job").close()
    cap = Cap.from_environment()
    assert cap is not None
    found: list[float] = []

    def count() -> None:
        purse = Purse(cap, tmp_path, "other", "job", priced(service.url))
        found.append(sum(purse.sums()) * 1e6)

    lock = alone(tmp_path / "m")
    assert lock is not None
    with lock:
        (tmp_path / "m" / "job.jsonl").rename(tmp_path / "m" / "job+1.jsonl")
        thread = threading.Thread(target=count)
        thread.start()
        thread.join(0.3)
        assert found == []
        pack_folder(tmp_path / "m", 0)
    thread.join(30)
    assert found == [pytest.approx(5 * COST)]
