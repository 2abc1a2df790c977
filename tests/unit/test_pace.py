"""How many requests an engine keeps in flight, how long it waits, and the limits per minute."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from babelmath.config import Model
from babelmath.engines import pace as pacing
from babelmath.engines import rates as limits
from babelmath.engines.attempts import backoff
from babelmath.engines.pace import LONGEST_WAIT, Pace, StoppedError, told_wait
from babelmath.engines.rates import Rates
from unit.waits import Waits, install

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def clock(monkeypatch) -> Waits:
    return install(monkeypatch)


def run(work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run(work)


# Requests in flight


def widths(most: int, *rounds: str) -> list[int]:
    """The width after each round: all that may leave, then each ends as its letter says.

    a: answered, c: crowded out, o: ended otherwise. A round has as many letters as may leave.
    """

    async def work() -> list[int]:
        pace, found = Pace(most), []
        for ends in rounds:
            assert len(ends) == pace.width
            numbers = [await pace.enter(1) for _ in ends]
            for number, end in zip(numbers, ends, strict=True):
                pace.leave(number, end == "a", end == "c")
            found.append(pace.width)
        return found

    return run(work())


@pytest.mark.parametrize(
    ("most", "rounds", "found"),
    [
        (8, ["aaaaaaaa"], [8]),
        (8, ["caaaaaaa"], [5]),  # halved, and seven successes of a width of four raise it
        (8, ["cccccccc"], [4]),  # a round trip halves once
        (8, ["cccccccc", "cccc", "cc", "c", "c"], [4, 2, 1, 1, 1]),
        (8, ["cccccccc", "aaaa", "aaaa", "aaaaa"], [4, 4, 5, 6]),
        (4, ["cccc", "aa", "aa", "aaa"], [2, 2, 3, 4]),
        (8, ["oooooooo"], [8]),
        (1, ["c", "a"], [1, 1]),
    ],
)
def test_a_crowd_halves_the_requests_in_flight_and_successes_raise_them(most, rounds, found):
    assert widths(most, *rounds) == found


@given(st.integers(1, 40), st.lists(st.sampled_from("aco"), max_size=300))
def test_the_width_stays_between_one_and_the_most(most, ends):
    async def work() -> None:
        pace = Pace(most)
        for end in ends:
            pace.leave(await pace.enter(1), end == "a", end == "c")
            assert 1 <= pace.width <= most

    run(work())


def test_no_more_leave_than_may_and_all_leave_in_the_end():
    async def work() -> None:
        pace, inside, most = Pace(3), 0, 0

        async def one() -> None:
            nonlocal inside, most
            number = await pace.enter(1)
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1
            pace.leave(number, answered=True)

        await asyncio.gather(*(one() for _ in range(50)))
        assert most == 3

    run(work())


def test_a_pause_holds_all_of_them(clock):
    async def work() -> None:
        pace = Pace(8)
        pace.pause(40)
        pace.pause(7)  # a shorter one does not end it
        await asyncio.gather(*(pace.enter(1) for _ in range(3)))
        assert clock.now() >= 40

    run(work())


def test_a_pause_is_bounded(clock):
    async def work() -> None:
        pace = Pace(8)
        pace.pause(1e9)
        await pace.enter(1)
        assert clock.taken == [LONGEST_WAIT]

    run(work())


def test_a_stop_ends_all_waits_at_once(monkeypatch):
    """Those in a pause, those without room, those between two attempts; with the real clock."""
    monkeypatch.setattr(pacing, "CLOCK", pacing.Clock())

    async def work() -> list[object]:
        full, paused = Pace(1), Pace(1)
        await full.enter(1)
        paused.pause(300)
        waiting = [
            asyncio.ensure_future(one)
            for one in (full.enter(1), full.sleep(300), paused.enter(1), paused.enter(1))
        ]
        await asyncio.sleep(0)
        full.stop("no key")
        full.stop("another")
        paused.stop("no key")
        found = await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 30)
        with pytest.raises(StoppedError, match="no key"):
            await full.enter(1)
        return found

    assert [(type(one), str(one)) for one in run(work())] == [(StoppedError, "no key")] * 4


def test_a_wait_that_is_cancelled_is_cancelled(monkeypatch):
    monkeypatch.setattr(pacing, "CLOCK", pacing.Clock())

    async def work() -> None:
        waiting = asyncio.ensure_future(Pace(1).sleep(300))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    run(work())


# Waits


def in_seconds(seconds: int) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7),
        ({"retry-after": " 0.25 "}, 0.25),
        ({"retry-after": "0"}, 0),
        ({"retry-after": "-5"}, 0),
        ({"retry-after": "99999"}, 300),
        ({"retry-after": "inf"}, 300),
        ({"retry-after": "nan"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "Wed, 99 Foo 2065 07:28:00 GMT"}, None),
        ({"retry-after": "Wed, 21 Oct 2065 07:28:00 GMT"}, 300),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({}, None),
    ],
)
def test_the_wait_that_a_service_names(headers, seconds):
    assert told_wait(headers) == seconds


def test_a_date_is_as_far_as_it_is():
    found = told_wait({"retry-after": in_seconds(200)})
    assert found is not None and 100 < found <= 200


@given(st.text(st.characters(codec="latin-1")))
def test_any_word_gives_a_bounded_wait_or_none(word):
    found = told_wait({"retry-after": word})
    assert found is None or 0 <= found <= LONGEST_WAIT


@given(st.integers(1, 10_000))
def test_waits_between_attempts_are_bounded(times):
    assert 0.5 <= backoff(times) <= 45


# Limits per minute


def limited(requests: int | None = None, tokens: int | None = None) -> Model:
    return Model(display="S", engine="openai", service="s-1", requests_per_minute=requests,
                 tokens_per_minute=tokens)  # fmt: skip


@pytest.fixture
def minute(monkeypatch) -> list[float]:
    """The time of day that the limits see: its one element."""
    now = [1_800_000_000.5]
    monkeypatch.setattr(limits.time, "time", lambda: now[0])
    return now


def test_a_full_minute_holds_the_next_request(tmp_path, minute):
    rates = Rates(tmp_path, "s-1", limited(requests=3))
    assert [rates.take(10) for _ in range(3)] == [0, 0, 0]
    wait = rates.take(10)
    assert 60 <= wait <= 61
    minute[0] += wait
    assert rates.take(10) == 0


def test_tokens_are_counted_as_guessed_until_they_are_known(tmp_path, minute):
    rates = Rates(tmp_path, "s-1", limited(tokens=1000))
    assert rates.take(900) == 0
    assert rates.take(200) > 0
    rates.settle(900, 100, minute[0])
    assert rates.take(200) == 0
    rates.settle(200, 900, minute[0])
    assert rates.take(1) > 0


def test_what_a_minute_has_forgotten_is_not_given_back(tmp_path, minute):
    rates = Rates(tmp_path, "s-1", limited(tokens=1000))
    taken = minute[0]
    assert rates.take(900) == 0
    minute[0] += 90
    assert rates.take(900) == 0
    rates.settle(900, 100, taken)
    assert rates.take(900) > 0


def test_a_request_larger_than_the_limit_leaves_alone(tmp_path, minute):
    rates = Rates(tmp_path, "s-1", limited(tokens=1000))
    assert rates.take(5000) == 0
    wait = rates.take(1)
    minute[0] += wait
    assert rates.take(5000) == 0


@given(content=st.binary())
def test_a_file_of_limits_that_cannot_be_read_holds_nothing_up(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("limits")
    (folder / "s-1.json").write_bytes(content)
    assert Rates(folder, "s-1", limited(requests=1)).take(1) == 0


TAKER = """
import sys
from pathlib import Path
from babelmath.config import Model
from babelmath.engines.rates import Rates
rates = Rates(Path(sys.argv[1]), "s-1", Model(display="S", engine="openai", service="s-1",
                                              requests_per_minute=40))
print(sum(rates.take(1) == 0 for _ in range(100)))
"""


def test_processes_share_a_limit(tmp_path):
    started = time.monotonic()
    runs = [
        subprocess.Popen([sys.executable, "-c", TAKER, str(tmp_path)], stdout=subprocess.PIPE,
                         env={"PYTHONPATH": str(REPOSITORY / "scripts")})
        for _ in range(2)
    ]  # fmt: skip
    taken = [int(one.communicate()[0]) for one in runs]
    minutes = int((time.monotonic() - started) // 60)  # a busy machine may let a minute pass
    assert 40 <= sum(taken) <= 40 * (1 + minutes)
    held = json.loads((tmp_path / "s-1.json").read_text(encoding="utf-8"))
    assert sum(requests for requests, _ in held.values()) <= 40


def test_the_limit_of_a_minute_is_waited_for(tmp_path, clock, minute):
    """Through the pace: what is over the limit leaves when the minute has passed."""

    async def work() -> None:
        pace = Pace(8, Rates(tmp_path, "s-1", limited(requests=2)))
        numbers = []
        for _ in range(2):
            numbers.append(await pace.enter(1))
        waiting = asyncio.ensure_future(pace.enter(1))
        while not clock.taken:
            await asyncio.sleep(0)
        pace.leave(numbers[0], answered=True)  # those in flight end meanwhile
        minute[0] += clock.taken[0]
        await waiting

    run(work())


def test_tokens_that_a_reply_gives_back_let_the_next_request_leave_at_once(tmp_path, clock, minute):
    """Guesses are high: replies of few tokens must not make the others wait for a minute."""
    slow = asyncio.Event()
    clock.sleep = lambda seconds: slow.wait()  # no time passes

    async def work() -> None:
        rates = Rates(tmp_path, "s-1", limited(tokens=1000))
        pace = Pace(8, rates)
        number = await pace.enter(900)
        waiting = asyncio.ensure_future(pace.enter(900))
        await asyncio.sleep(0.01)
        assert not waiting.done()
        pace.leave(number, answered=True)
        rates.settle(900, 50, minute[0])
        await asyncio.wait_for(waiting, 10)

    run(work())
