"""A service that fails a third of the time, and a process that is killed over and over."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from babelmath.asking import Models, request
from babelmath.config import Model, Sampling
from babelmath.engines import Request, Response, identity
from babelmath.journal.store import Journal
from babelmath.ledger import ledger
from faults import FAULTS, UNKNOWN, Faults
from unit.loopback import Service, faulty
from unit.waits import install

REPOSITORY = Path(__file__).resolve().parents[2]
KEY = "sk-loopback-0123456789"
SAMPLING = Sampling(temperature=0.6, top_p=0.95, max_tokens=16)
IN_FLIGHT = 4


def questions(count: int) -> list[Request]:
    return [
        request("generation", "en", [{"role": "user", "content": f"q{n}"}], SAMPLING, 7)
        for n in range(count)
    ]


def model(service: Service, **changes: object) -> Model:
    values = {"display": "Served", "engine": "openai", "service": "served-1", "attempts": 10,
              "base_url": service.url, "concurrency": IN_FLIGHT, "timeout_s": 60}  # fmt: skip
    return Model(**(values | changes))


def ask(folder: Path, asked: Model, items: list[Request]) -> list[Response]:
    with Models({"m": asked}, folder / "journal", "job", folder / "log") as models:
        return [one.response for one in models.ask("m", items, "test")]


def total(folder: Path) -> dict[str, int]:
    found = ledger(folder / "journal", ["m"], None)
    return found.filter(model="total").row(0, named=True)


# Faults


def test_a_schedule_fails_three_in_ten_requests_and_each_kind_in_turn():
    faults = Faults([f"q{n}" for n in range(3000)], seed=1)
    kinds = Counter(one for planned in faults.of.values() for one in planned)
    assert set(kinds) == set(FAULTS)
    assert max(kinds.values()) - min(kinds.values()) <= 1
    assert 0.28 < kinds.total() / sum(map(faults.requests, faults.of)) < 0.34
    assert faults.of == Faults([f"q{n}" for n in range(3000)], seed=1).of
    assert faults.of != Faults([f"q{n}" for n in range(3000)], seed=2).of


@pytest.mark.parametrize(
    ("count", "kinds", "timeout"),
    [
        (80, [one for one in FAULTS if one != "late"], 60),
        pytest.param(300, FAULTS, 4, marks=pytest.mark.heavy),
    ],
)
def test_through_every_fault_each_request_comes_to_its_one_right_end(
    tmp_path, monkeypatch, count, kinds, timeout
):
    install(monkeypatch)
    monkeypatch.setenv("MY_KEY", KEY)
    items = questions(count)
    faults = Faults([f"q{n}" for n in range(count)], seed=5, kinds=kinds)
    assert {one for planned in faults.of.values() for one in planned} == set(kinds)
    with Service(faulty(faults)) as service:
        asked = model(service, key_variable="MY_KEY", timeout_s=timeout, concurrency=8)
        found = ask(tmp_path, asked, items)
        assert ask(tmp_path, asked, items) == found
        sent = service.sent
    for number, response in enumerate(found):
        name = f"q{number}"
        blocked = faults.finish(name) == "blocked"
        assert (response.finish, response.failure) == (faults.finish(name), None)
        assert response.text == ("" if blocked else f"answer to {name}")
        # An answer on a busy machine may come late too; nothing is sent less often.
        late = response.attempts.count("APITimeoutError") - faults.of[name].count("late")
        assert late >= 0
        assert sent[name] == faults.requests(name) + late
        assert response.unknown == faults.unknown(name) + late
        assert len(response.attempts) == len(faults.of[name]) + late - blocked
    counted = total(tmp_path)
    assert counted["responses"] == count and counted["failures"] == 0
    assert counted["asked"] == sent.total()
    assert counted["asked_again"] == counted["unanswered"] == 0
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} == {
        ".lock",
        "job.jsonl",
        "log",
    }
    for path in tmp_path.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes()


def test_the_kinds_of_unknown_fate_are_faults():
    assert set(FAULTS) >= UNKNOWN


# Kills

ASKER = """
import os, signal, sys
from pathlib import Path
sys.path[:0] = [sys.argv[3]]
from babelmath.journal.store import Journal
from babelmath.config import Model
from babelmath.engines import pace
from unit.test_faults import ask, questions
from unit.waits import Waits

pace.CLOCK = Waits()

add, left = Journal.add, int(sys.argv[4])

def dying(self, *given):
    global left
    stored = add(self, *given)
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return stored

Journal.add = dying
ask(Path(sys.argv[2]), Model.model_validate_json(sys.argv[1]), questions(300))
"""


def kept(folder: Path, asked: Model) -> dict[str, Response]:
    journal = Journal(folder / "journal" / "m", "reader")
    keys = [item.key(identity(asked)) for item in questions(300)]
    found = {key: journal.get(key) for key in keys if key in journal}
    journal.close()
    return found


@pytest.mark.heavy
@pytest.mark.parametrize("failing", [False, True], ids=["a good service", "a failing service"])
def test_a_run_that_is_killed_ten_times_ends_as_one_that_is_not(tmp_path, monkeypatch, failing):
    """Each process ends itself by SIGKILL right after so many responses in all are journalled."""
    install(monkeypatch)
    kinds = [one for one in FAULTS if one != "late"]
    faults = Faults([f"q{n}" for n in range(300)], seed=6, share=0.3 if failing else 0, kinds=kinds)
    counts = sorted(random.Random(7).sample(range(1, 300), 10))
    with Service(faulty(faults)) as service:
        asked = model(service)
        for standing in counts:
            more = standing - (len(kept(tmp_path, asked)) if (tmp_path / "journal").exists() else 0)
            command = [sys.executable, "-c", ASKER, asked.model_dump_json(), str(tmp_path),
                       str(REPOSITORY / "tests"), str(more)]  # fmt: skip
            environment = os.environ | {"PYTHONPATH": str(REPOSITORY / "scripts")}
            assert subprocess.run(command, env=environment).returncode == -signal.SIGKILL
            assert len(kept(tmp_path, asked)) == standing
        found = ask(tmp_path, asked, questions(300))
        disturbed = len(service.calls)
    with Service(faulty(faults)) as service:
        again = model(service)
        undisturbed = ask(tmp_path / "undisturbed", again, questions(300))
        assert len(service.calls) == sum(map(faults.requests, faults.of))
    assert [(one.text, one.finish) for one in found] == [
        (one.text, one.finish) for one in undisturbed
    ]
    counted, whole = total(tmp_path), total(tmp_path / "undisturbed")
    assert counted["responses"] == whole["responses"] == len(kept(tmp_path, asked)) == 300
    assert counted["asked_again"] == 0
    # What was in flight at a kill is sent again, and is in the ledger as a possible double charge.
    repeated = disturbed - whole["asked"]
    assert repeated <= len(counts) * IN_FLIGHT
    assert disturbed <= counted["asked"]
    if not failing:
        assert counted["unanswered"] == counted["asked"] - 300 <= len(counts) * IN_FLIGHT
