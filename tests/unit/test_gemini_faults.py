"""Gemini under faults and kills: every request has one right end, and nothing is bought twice."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from babelmath.asking import Models, request
from babelmath.config import Model, Sampling
from babelmath.engines import Request, Response
from babelmath.ledger import ledger
from faults import FAULTS, UNKNOWN, Faults
from unit.loopback_gemini import CUT, Call, Reply, Service, blocked, echo, refused, retry_info, said
from unit.test_gemini import clock, no_key  # noqa: F401 - fixtures

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLING = Sampling(temperature=0.6, top_p=0.95, max_tokens=16)
KEY = "AIza-loopback-0123456789"
WAIT = 60  # seconds that no test needs
IN_FLIGHT = 8


def model(service: Service, **changes: Any) -> Model:
    values = {
        "display": "Served", "engine": "gemini", "service": "served-1", "base_url": service.url,
        "concurrency": IN_FLIGHT, "timeout_s": WAIT, "key_variable": "MY_KEY",
    }  # fmt: skip
    return Model(**(values | changes))


def questions(count: int) -> list[Request]:
    return [
        request("generation", "en", [{"role": "user", "content": f"q{n}"}], SAMPLING, 7)
        for n in range(count)
    ]


def lines(folder: Path) -> list[dict[str, Any]]:
    """The whole lines of the job's journal."""
    held = (folder / "m" / "job.jsonl").read_bytes()
    return [json.loads(line) for line in held.split(b"\n")[:-1]]


def replies(late: threading.Event) -> dict[str, Callable[[Call], Reply]]:
    """Each fault in the protocol's form."""

    def too_late(call: Call) -> Reply:
        late.wait(WAIT)
        return echo(call)

    return {
        "throttled": lambda call: refused(429, "RESOURCE_EXHAUSTED", "slow"),
        "throttled with a delay": lambda call: refused(
            429, "RESOURCE_EXHAUSTED", "slow", retry_info("1.5s")
        ),
        "broken": lambda call: refused(500, "INTERNAL", call.headers["x-goog-api-key"]),
        "overloaded": lambda call: refused(503, "UNAVAILABLE", "overloaded"),
        "reset": lambda call: CUT,
        "late": too_late,
        "truncated": lambda call: Reply(echo(call).body, truncated=True),
        "garbage": lambda call: Reply(b'{"candidates": [{"content"'),
        "empty": lambda call: Reply({"candidates": [], "usageMetadata": {"promptTokenCount": 7}}),
        "blocked": lambda call: blocked() if call.number % 2 else said(None, "SAFETY"),
    }


@pytest.mark.parametrize(
    ("count", "kinds", "timeout"),
    [
        pytest.param(100, [one for one in FAULTS if one != "late"], WAIT, id="quick"),
        pytest.param(300, FAULTS, 4, id="whole", marks=pytest.mark.heavy),
    ],
)
def test_every_request_ends_in_its_one_right_status(tmp_path, monkeypatch, count, kinds, timeout):
    monkeypatch.setenv("MY_KEY", KEY)
    asked = questions(count)
    names = [one.messages[-1][1] for one in asked]
    plan = Faults(names, seed=11, kinds=kinds)
    assert {kind for planned in plan.of.values() for kind in planned} == set(kinds)
    late = threading.Event()
    made = replies(late)

    def answer(call: Call) -> Reply:
        fault = plan.fault(call.question, call.turn)
        return made[fault](call) if fault is not None else echo(call)

    with Service(answer) as service:
        log = tmp_path / "log.txt"
        asked_as = model(service, timeout_s=timeout, attempts=8)
        with Models({"m": asked_as}, tmp_path / "journal", "job", log) as models:
            found = [one.response for one in models.ask("m", asked, "test")]
        late.set()
    for name, response in zip(names, found, strict=True):
        check(plan, name, response)
        assert (
            service.sent[name]
            == plan.requests(name)
            == len(response.attempts) + (response.finish == "stop")
        )
    held = lines(tmp_path / "journal")
    kept = Counter(one["key"] for one in held if one["kind"] == "response")
    assert len(kept) == count and set(kept.values()) == {1}
    assert not [one for one in held if one["kind"] == "failure"]
    total = ledger(tmp_path / "journal", ["m"], None).filter(model="total").row(0, named=True)
    assert (total["asked"], total["responses"]) == (len(service.calls), count)
    assert (total["unanswered"], total["asked_again"]) == (0, 0)
    written = b"".join(one.read_bytes() for one in tmp_path.rglob("*") if one.is_file())
    assert written and KEY.encode() not in written


def check(plan: Faults, name: str, response: Response) -> None:
    """A response is that of its question's last request, and tells of all before."""
    assert response.failure is None
    assert response.finish == plan.finish(name)
    assert response.text == (f"answer to {name}" if response.finish == "stop" else "")
    assert response.unknown == sum(one in UNKNOWN for one in plan.of[name])


ASKER = """
import sys
from pathlib import Path
from babelmath.asking import Models
from unit.test_gemini_faults import model, questions
class Told:
    url = sys.argv[1]
with Models({"m": model(Told, attempts=12)}, Path(sys.argv[2]), "job", None) as models:
    models.ask("m", questions(300), "test")
"""


def asker(service: Service, folder: Path) -> subprocess.Popen[bytes]:
    """A process of its own that asks everything."""
    places = os.pathsep.join(str(REPOSITORY / one) for one in ("scripts", "tests"))
    return subprocess.Popen(
        [sys.executable, "-c", ASKER, service.url, str(folder)],
        env=os.environ | {"PYTHONPATH": places, "MY_KEY": KEY},
    )


def journalled(folder: Path) -> int:
    path = folder / "m" / "job.jsonl"
    return path.read_bytes().count(b'{"kind": "response"') if path.exists() else 0


@pytest.mark.heavy
def test_after_ten_kills_the_result_is_that_of_an_undisturbed_run(tmp_path):
    """A process is killed as the journal reaches each of ten seeded counts, and started again."""
    counts = sorted(random.Random(5).sample(range(10, 290), 10))

    def answer(call: Call) -> Reply:
        time.sleep(0.02)  # some are in flight at every kill
        return echo(call)

    killed, calm = tmp_path / "killed", tmp_path / "calm"
    with Service(answer) as service:
        for count in counts:
            process = asker(service, killed)
            while journalled(killed) < count:
                assert process.poll() is None, "ended before it could be killed"
                time.sleep(0.002)
            process.kill()
            process.wait(WAIT)
        assert asker(service, killed).wait(10 * WAIT) == 0
        sent = service.sent
        service.calls.clear()
        assert asker(service, calm).wait(10 * WAIT) == 0
        assert set(service.sent.values()) == {1}
    answers = [
        {one["key"]: one["response"]["text"] for one in lines(folder) if one["kind"] == "response"}
        for folder in (killed, calm)
    ]
    assert answers[0] == answers[1] and len(answers[0]) == 300
    kept = Counter(one["key"] for one in lines(killed) if one["kind"] == "response")
    assert set(kept.values()) == {1}
    repeated = sum(sent.values()) - 300
    assert 1 <= repeated <= len(counts) * IN_FLIGHT
    total = ledger(killed, ["m"], None).filter(model="total").row(0, named=True)
    assert (total["responses"], total["failures"], total["asked_again"]) == (300, 0, 0)
    # Noted before they leave: each that was sent in vain is in the ledger as a possible charge.
    assert repeated <= total["unanswered"] <= len(counts) * IN_FLIGHT
    assert total["asked"] == 300 + total["unanswered"]
    assert KEY.encode() not in b"".join(one.read_bytes() for one in tmp_path.rglob("*.jsonl"))
