"""Jobs that are killed on their way through a batch: the next run takes up where they were."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from babelmath.engines.batch_state import BatchState
from babelmath.errors import InputError, UnansweredError
from babelmath.journal.store import Journal
from babelmath.journal.verify import verify
from unit.batching import (  # noqa: F401 - fixtures among them
    APIS,
    HEAVY,
    KEY,
    REPOSITORY,
    a_clock,
    a_service,
    answers,
    ask,
    counted,
    of,
    openai_alone,
    questions,
    served,
)
from unit.loopback_batches import GeminiService, Service, Trouble


class KilledError(BaseException):
    """Stands for a kill: nothing that the job would do at its end is done."""


STEPS = (
    "before the intent", "after the intent", "after the upload", "before the batch is made",
    "after the batch is made", "after its id is noted", "while it runs", "in the middle",
    "before the end is noted", "after the end is noted",
)  # fmt: skip


def kill_at(step: str, kill: Any, patch: Any, api: Any) -> None:
    """Put a kill at a step of the first hand-in, whatever patches attributes."""
    note, create, status = BatchState._note, api.create, api.status
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

    patch(BatchState, "_note", noting)
    patch(api, "create", creating)
    patch(api, "status", looking)
    patch(Journal, "add", adding)


@pytest.mark.parametrize(
    "step",
    [
        step if place % 3 != 1 else pytest.param(step, marks=HEAVY)
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
    doubtful = step in ("before the batch is made", "after the batch is made")
    assert (service.steps["list"] > 0) is doubtful


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
from unit import batching, test_batches_killed as t
url, folder, engine, step = sys.argv[1:]
t.kill_at(step, lambda: os.kill(os.getpid(), 9), setattr, batching.APIS[engine])
class Service: url = sys.argv[1]
model = batching.served(Service(), engine=engine)
batching.ask(Path(folder), model, batching.questions(5))
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
    return subprocess.Popen(
        [sys.executable, "-c", KILLED, service.url, str(folder), engine, step],
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
