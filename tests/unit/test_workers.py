"""Processes that compare: what they fail at is tried once more in a fresh one, then told."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from babelmath.config import Equivalence
from babelmath.fingerprint import code_of
from babelmath.scoring.effort import Stopped, counted, for_a_moment
from babelmath.scoring.worker import Limits, respond
from babelmath.scoring.workers import Workers
from stand_ins import REPOSITORY

DIE = "os._exit(1)"
STALL = "time.sleep(600)"
MEMORY = "print(json.dumps({'failed': 'memory', 'tired': True}), flush=True)"
SLOW = "print(json.dumps({'failed': 'slow', 'tired': True}), flush=True)"
ANSWER = "print(json.dumps({'equal': True, 'fresh': task['fresh']}), flush=True)"
TASK = {"gold": "1", "answer": "2", "precise": True}
PLENTY = Limits(memory=2**50, seconds=60, calls=10**9)

Make = Callable[..., Workers]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Workers whose n-th process treats its tasks as told; the last word holds for all further."""
    made: list[Workers] = []

    def workers(*doings: tuple[str, ...], timeout_s: float = 60) -> Workers:
        script = (
            "import json, os, sys, time\n"
            f"folder = {str(tmp_path)!r}\n"
            "number = len(os.listdir(folder))\n"
            "open(os.path.join(folder, str(os.getpid())), 'w').close()\n"
            f"doings = {doings!r}\n"
            "mine = doings[min(number, len(doings) - 1)]\n"
            "print('ready', flush=True)\n"
            "for at, line in enumerate(sys.stdin):\n"
            "    task = json.loads(line)\n"
            "    exec(mine[min(at, len(mine) - 1)])\n"
        )
        made.append(Workers(Equivalence(timeout_s=timeout_s), 1, [sys.executable, "-c", script]))
        return made[-1]

    yield workers
    for one in made:
        one.close()


def ask(workers: Workers) -> dict[str, Any]:
    return workers.wait(workers.submit(TASK))


def test_one_process_answers_one_task_after_the_other(make: Make) -> None:
    workers = make((ANSWER,))
    ask(workers)
    (first,) = workers.pids
    assert ask(workers) == {"equal": True, "fresh": False}
    assert workers.pids == [first]


def test_death_is_tried_again_in_a_fresh_process(make: Make) -> None:
    assert ask(make((DIE,), (ANSWER,))) == {"equal": True, "fresh": True}


def test_second_death_is_told(make: Make) -> None:
    workers = make((DIE,), (DIE,), (ANSWER,))
    assert ask(workers) == {"failed": "worker died"}
    assert ask(workers)["equal"]


def test_stalling_of_a_used_process_is_tried_again(make: Make) -> None:
    workers = make((ANSWER, STALL), (ANSWER,), timeout_s=2)
    ask(workers)
    assert ask(workers) == {"equal": True, "fresh": True}


def test_stalling_of_a_fresh_process_is_told(make: Make) -> None:
    assert ask(make((STALL,), (ANSWER,), timeout_s=0.2)) == {"failed": "timeout"}


def test_memory_of_a_used_process_is_tried_again(make: Make) -> None:
    workers = make((ANSWER, MEMORY), (ANSWER,))
    ask(workers)
    assert ask(workers) == {"equal": True, "fresh": True}


def test_memory_of_a_fresh_process_is_told(make: Make) -> None:
    assert ask(make((MEMORY,), (ANSWER,))) == {"failed": "memory"}


def test_slow_task_goes_on_in_a_fresh_process(make: Make) -> None:
    workers = make((SLOW,), (ANSWER,))
    assert ask(workers) == {"equal": True, "fresh": True}


def test_warming_up_is_not_the_comparisons_time(make: Make) -> None:
    warming = (
        "print(json.dumps({'warming': True}), flush=True)\n"
        "    time.sleep(1)\n"
        "    print(json.dumps({'warming': False}), flush=True)\n"
        "    " + ANSWER
    ).replace("\n    ", "\n")
    assert ask(make((warming,), (ANSWER,), timeout_s=0.9))["fresh"] is False


def test_process_that_ends_while_it_starts_is_replaced(tmp_path: Path) -> None:
    script = (
        "import json, os, sys\n"
        f"folder = {str(tmp_path)!r}\n"
        "open(os.path.join(folder, str(os.getpid())), 'w').close()\n"
        "if len(os.listdir(folder)) < 3: raise SystemExit\n"
        "print('ready', flush=True)\n"
        f"for line in sys.stdin:\n    task = json.loads(line)\n    {ANSWER}\n"
    )
    workers = Workers(Equivalence(), 1, [sys.executable, "-c", script])
    try:
        assert ask(workers)["equal"]
    finally:
        workers.close()


def test_process_that_does_not_start_is_an_error(tmp_path: Path) -> None:
    workers = Workers(Equivalence(), 1, [sys.executable, "-c", "raise SystemExit"])
    with pytest.raises(RuntimeError, match=r"does not start \(3 tries\)"):
        ask(workers)


def test_cancelled_jobs_are_not_worked_on(make: Make) -> None:
    workers = make((ANSWER,))
    left = workers.submit(TASK)
    workers.cancel([left])
    assert ask(workers)["equal"]
    assert not left.done


def raising(error: type[Exception]) -> Callable[..., dict[str, Any]]:
    def compare(**task: Any) -> dict[str, Any]:
        raise error

    return compare


def test_worker_tells_memory_and_asks_to_be_replaced() -> None:
    assert respond(TASK, PLENTY, raising(MemoryError)) == {"failed": "memory", "tired": True}


def test_worker_tells_depth() -> None:
    assert respond(TASK, PLENTY, raising(RecursionError)) == {"failed": "too large"}


def test_worker_near_its_memory_has_no_verdict_to_trust() -> None:
    limits = Limits(memory=1, seconds=60, calls=1)
    found = respond(TASK, limits, lambda **task: {"equal": False})
    assert found == {"failed": "memory", "tired": True}


def count_to_the_end(most: int) -> int:
    done = 0

    def step() -> None:
        nonlocal done
        done += 1

    try:
        with counted(most):
            while True:
                step()
    except Stopped:
        return done


def test_effort_stops_at_the_same_call_every_time() -> None:
    assert count_to_the_end(1000) == count_to_the_end(1000)
    assert count_to_the_end(1000) < count_to_the_end(2000) < 2000


def test_effort_lets_through_what_takes_less() -> None:
    with counted(1000):
        assert sum(map(int, "123")) == 6


def test_a_moment_ends_what_goes_on() -> None:
    with pytest.raises(Stopped), for_a_moment(0.01):
        while True:
            pass


def test_nothing_swallows_a_stop() -> None:
    with pytest.raises(Stopped), for_a_moment(0.01):
        while True:
            try:
                while True:
                    pass
            except Exception:
                pass


@pytest.mark.parametrize("file", ["worker.py", "same/numeric.py", "same/words.yaml"])
def test_edit_of_what_a_worker_runs_changes_the_code_of_scoring(file: str, tmp_path: Path) -> None:
    scripts = tmp_path / "scripts"
    shutil.copytree(REPOSITORY / "scripts", scripts, ignore=shutil.ignore_patterns("__pycache__"))
    library = scripts / "babelmath"
    before = code_of(scripts / "score_rules.py", library)
    with (library / "scoring" / file).open("a", encoding="utf-8") as edited:
        edited.write("\nAN_EDIT: int\n")
    assert code_of(scripts / "score_rules.py", library) != before
