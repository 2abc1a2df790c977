"""Comparing answers: same mathematics or not, under limits, in a process that is replaced."""

from __future__ import annotations

import os
import resource
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from babelmath.config import Equivalence
from babelmath.scoring.equivalence import Comparer, Comparison
from stand_ins import each_case

TOWER = "10^{10^{10}}"
EQUAL = Comparison(equal=True, gold_parsed=True, answer_parsed=True)


@pytest.fixture(scope="module")
def comparer() -> Iterator[Comparer]:
    with Comparer(Equivalence(timeout_s=60)) as one:
        yield one


def worker_of(comparer: Comparer) -> int:
    assert comparer._worker is not None
    return comparer._worker.pid


@each_case("equivalence.jsonl")
def test_same_mathematics_or_not(case: dict[str, Any], comparer: Comparer) -> None:
    comparison = comparer.compare(case["gold"], case["answer"], True)
    assert comparison.failed is None
    assert comparison.equal is case["equal"]


def test_paper_protocol_takes_tiny_numbers_as_equal(comparer: Comparer) -> None:
    gold, answer = "\\frac{1}{2^{99}}", "\\frac{1}{2^{98}}"
    assert comparer.compare(gold, answer, False).equal
    assert not comparer.compare(gold, answer, True).equal


def test_paper_protocol_depends_on_the_order_of_interval_and_inequality(comparer: Comparer) -> None:
    assert comparer.compare("1<x\\le 2", "(1,2]", False).equal
    assert not comparer.compare("(1,2]", "1<x\\le 2", False).equal


def test_gold_without_mathematics_is_told(comparer: Comparer) -> None:
    assert comparer.compare("", "5", True) == Comparison(answer_parsed=True)


def test_answer_without_mathematics_is_told(comparer: Comparer) -> None:
    assert comparer.compare("5", "", True) == Comparison(gold_parsed=True)


@pytest.mark.parametrize("text", ["\ud800", "\x00", "5\n6", "{", "\\", "$", "\u2028", "a" * 500])
def test_odd_text_spoils_neither_its_own_nor_the_next_comparison(
    text: str, comparer: Comparer
) -> None:
    assert not comparer.compare("5", text, True).equal
    assert comparer.compare("5", "5", True) == EQUAL


def test_hopeless_expression_ends_as_timeout_and_the_worker_is_replaced() -> None:
    with Comparer(Equivalence(timeout_s=2)) as comparer:
        for _ in range(2):  # the second meets a fresh worker: its start is no part of the limit
            started = time.monotonic()
            assert comparer.compare("5", TOWER, True) == Comparison(failed="timeout")
            assert time.monotonic() - started < 60
        assert comparer.compare("5", "5.0", True) == EQUAL


def test_slow_worker_is_killed() -> None:
    with Comparer(Equivalence(timeout_s=1)) as comparer:
        comparer.compare("5", "5", True)
        first = worker_of(comparer)
        comparer.compare("5", TOWER, True)
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)


def test_worker_has_the_configured_memory() -> None:
    with Comparer(Equivalence(memory_mb=700)) as comparer:
        comparer.compare("5", "5", True)
        limits = resource.prlimit(worker_of(comparer), resource.RLIMIT_AS)
    assert limits == (700 * 1024 * 1024, 700 * 1024 * 1024)


def test_worker_killed_between_comparisons_is_told_and_replaced() -> None:
    with Comparer(Equivalence(timeout_s=60)) as comparer:
        comparer.compare("5", "5", True)
        assert comparer._worker is not None
        comparer._worker.kill()
        comparer._worker.wait()
        assert comparer.compare("5", "5", True) == Comparison(failed="worker died")
        assert comparer.compare("5", "5", True) == EQUAL


def test_worker_killed_during_a_comparison_is_told_and_replaced() -> None:
    with Comparer(Equivalence(timeout_s=60)) as comparer:
        comparer.compare("5", "5", True)
        killer = threading.Timer(0.5, os.kill, (worker_of(comparer), signal.SIGKILL))
        killer.start()
        assert comparer.compare("5", TOWER, True) == Comparison(failed="worker died")
        killer.join()
        assert comparer.compare("5", "5", True) == EQUAL


def test_worker_ends_with_its_comparer() -> None:
    with Comparer(Equivalence()) as comparer:
        comparer.compare("5", "5", True)
        worker = worker_of(comparer)
    with pytest.raises(ProcessLookupError):
        os.kill(worker, 0)


def test_comparing_works_in_any_thread() -> None:
    found: list[Comparison] = []
    with Comparer(Equivalence(timeout_s=60)) as comparer:
        thread = threading.Thread(target=lambda: found.append(comparer.compare("5", "5", True)))
        thread.start()
        thread.join()
    assert found == [EQUAL]
