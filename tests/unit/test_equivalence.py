"""Comparing answers: same mathematics or not, under limits, in processes that are replaced."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from babelmath.config import Equivalence
from babelmath.scoring.equivalence import Comparer, Comparison, in_process
from babelmath.scoring.same.reading import spelt
from stand_ins import REPOSITORY, UNTIMED, each_case

TOWER = "10^{10^{10}}"
TRIGONOMETRIC = ("1", "\\sin^2 x+\\cos^2 x")  # needs a worker
SLOW = ("\\int_0^12\\sin x=\\cos(2x)", "\\int_0^13\\sin x=\\cos(3x)")  # sympy does not end on it
EQUAL = {"equal": True, "gold_parsed": True, "answer_parsed": True, "failed": None}


@pytest.fixture(scope="module")
def comparer() -> Iterator[Comparer]:
    with Comparer(Equivalence(timeout_s=60)) as one:
        yield one


def facts(comparison: Comparison) -> dict[str, Any]:
    return {name: getattr(comparison, name) for name in EQUAL}


def until(condition: Callable[[], bool], seconds: float = 30) -> bool:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    return condition()


def runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


@each_case("equivalence.jsonl")
def test_same_mathematics_or_not_in_either_order(case: dict[str, Any], comparer: Comparer) -> None:
    for gold, answer in [(case["gold"], case["answer"]), (case["answer"], case["gold"])]:
        comparison = comparer.compare(gold, answer, True)
        assert comparison.failed == ("undecided" if case.get("undecided") else None)
        assert comparison.equal is case["equal"]


@pytest.mark.parametrize(
    ("gold", "answer", "aside"),
    [
        ("5", "5\\text{ cm}", ("unit cm",)),
        ("12", "12 \\text{ students}", ("unit students",)),
        ("90", "90^\\circ", ("degree sign",)),
        ("5", "x=5", ("name x",)),
        ("50", "50\\%", ("percent sign",)),
        ("0.5", "50\\%", ()),
        ("6", "5\\text{ cm}", ()),
    ],
)
def test_what_one_side_lacks_is_told(
    gold: str, answer: str, aside: tuple[str, ...], comparer: Comparer
) -> None:
    assert comparer.compare(gold, answer, True).set_aside == aside
    assert comparer.compare(answer, gold, True).set_aside == aside


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("10^{10^{10}}", "10^{10^{10}}+1"),
        ("5", "x^{10^{10^{10}}}"),
        ("5", "(" * 200 + "5" + ")" * 200),
        ("5", "5" * 5000),
        ("10^{10^{10^{10}}}", "11^{10^{10^{10}}}"),
    ],
)
def test_what_size_cannot_tell_apart_is_no_wrong_answer(
    gold: str, answer: str, comparer: Comparer
) -> None:
    for first, second in [(gold, answer), (answer, gold)]:
        comparison = comparer.compare(first, second, True)
        assert (comparison.equal, comparison.failed) == (False, "too large")


def test_huge_number_equals_its_own_spelling(comparer: Comparer) -> None:
    assert comparer.compare(TOWER, "10^{(10^{10})}", True).equal


def test_paper_protocol_takes_tiny_numbers_as_equal(comparer: Comparer) -> None:
    gold, answer = "\\frac{1}{2^{99}}", "\\frac{1}{2^{98}}"
    assert comparer.compare(gold, answer, False).equal
    assert not comparer.compare(gold, answer, True).equal


def test_paper_protocol_takes_letters_for_units(comparer: Comparer) -> None:
    assert comparer.compare("5t", "5", False).equal
    assert not comparer.compare("5t", "5", True).equal


def test_paper_protocol_depends_on_the_order_of_interval_and_inequality(comparer: Comparer) -> None:
    assert comparer.compare("1<x\\le 2", "(1,2]", False).equal
    assert not comparer.compare("(1,2]", "1<x\\le 2", False).equal


def test_paper_protocol_gives_no_hopeless_number_to_math_verify(comparer: Comparer) -> None:
    for text in [TOWER, "(100!)!", "1000000!", "\\operatorname{foo} 10^{10^{10}}"]:
        assert comparer.compare("5", text, False).failed == "timeout"
        assert comparer.compare(text, "5", False).failed == "timeout"


def test_gold_without_mathematics_is_told(comparer: Comparer) -> None:
    assert facts(comparer.compare("", "5", True)) == {**EQUAL, "equal": False, "gold_parsed": False}


def test_answer_without_mathematics_is_told(comparer: Comparer) -> None:
    found = facts(comparer.compare("5", "", True))
    assert found == {**EQUAL, "equal": False, "answer_parsed": False}


def test_nothing_does_not_equal_nothing(comparer: Comparer) -> None:
    assert not comparer.compare("", "", True).equal
    assert not comparer.compare(" ", "", True).equal


def test_same_words_are_equal_though_no_mathematics(comparer: Comparer) -> None:
    found = comparer.compare("\\text{Evelyn}", "evelyn.", True)
    assert (found.equal, found.gold_parsed) == (True, False)


@pytest.mark.parametrize(
    "text",
    ["\ud800", "\x00", "5\n6", "{", "}", "\\", "$", "\u2028", "a" * 60, "\\text{", "\\begin{",
     "\\frac", "^", "_", "|", "[", "]", "\\left(", "&", "\\\\", "'", "x''^{\\prime}"],
)  # fmt: skip
@pytest.mark.parametrize("precise", [True, False])
def test_odd_text_spoils_neither_its_own_nor_the_next_comparison(
    text: str, precise: bool, comparer: Comparer
) -> None:
    assert not comparer.compare("5", text, precise).equal
    assert facts(comparer.compare("5", "5.0", precise)) == EQUAL


PIECES = st.sampled_from([
    "1", "2", "3", "0.5", "x", "y", "n", "\\frac{x}{2}", "\\sqrt{x}", "(x+1)", "\\pi", "\\sin",
    "\\cos(2x)", "\\ln", "\\log_2", "+", "-", "^2", "^{x}", "!", "|x|", "\\sqrt[3]{y}", "e", "i",
    "=", "<", "\\ge", ",", ";", "\\cdot", "/", "(", ")", "[", "]", "\\{", "\\}", "\\cup", "\\in",
    "\\pm", "\\infty", "%", "^\\circ", "\\text{cm}", "\\text{or}", "\\mathbb{R}",
    "\\begin{pmatrix}", "\\end{pmatrix}", "&", "\\\\", ":", "\\ldots", "'", "_2", "{", "}",
    "হ্যাঁ", "yes", "$", "10^{10^{10}}", "1000!", "\\sum_{k=1}^{3}k", "\\vec{AB}",
    "0.\\overline{3}", "\\dot{3}"
])  # fmt: skip
TEXTS = st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=30)


@UNTIMED
@given(TEXTS, TEXTS)
def test_no_text_makes_the_comparison_in_process_raise(one: str, other: str) -> None:
    first, second = in_process(one, other), in_process(other, one)
    assert (first is None) == (second is None)
    if first is not None and second is not None:
        assert (first.equal, first.failed) == (second.equal, second.failed)
        assert (first.gold_parsed, first.answer_parsed) == (
            second.answer_parsed,
            second.gold_parsed,
        )


@settings(UNTIMED, max_examples=40)
@given(one=TEXTS, other=TEXTS)
def test_no_pair_changes_another_pairs_verdict(one: str, other: str, comparer: Comparer) -> None:
    found = comparer.compare(one, other, True)
    again = comparer.compare(other, one, True)
    assert (found.equal, found.failed) == (again.equal, again.failed)
    assert facts(comparer.compare(*TRIGONOMETRIC, True)) == EQUAL
    assert not comparer.compare("1", "\\sin^2 x-\\cos^2 x", True).equal


@UNTIMED
@given(st.text(alphabet="x1 +-=()/", max_size=12))
def test_needless_blanks_mean_nothing_to_the_spelling(text: str) -> None:
    assert spelt(spelt(text)) == spelt(text)


def test_verdicts_are_the_same_in_any_order_of_work() -> None:
    pairs = [TRIGONOMETRIC, ("2", "\\sin x"), ("\\tan x", "\\frac{\\sin x}{\\cos x}"), SLOW]
    limits = Equivalence(timeout_s=60, most_calls=20_000)
    found = []
    for order in (pairs, pairs[::-1]):
        with Comparer(limits) as comparer:
            found.append({pair: comparer.compare(*pair, True) for pair in order})
    assert found[0] == found[1]


# Limits


def test_effort_is_limited_by_counted_calls() -> None:
    with Comparer(Equivalence(timeout_s=60, most_calls=20_000)) as comparer:
        found = comparer.compare(*SLOW, True)
        assert (found.failed, found.how) == ("timeout", "effort limit")
        assert found.gold_parsed
        assert facts(comparer.compare(*TRIGONOMETRIC, True)) == EQUAL


def test_worker_has_the_configured_memory() -> None:
    with Comparer(Equivalence(memory_mb=700)) as comparer:
        comparer.compare(*TRIGONOMETRIC, True)
        limits = resource.prlimit(comparer.pids[0], resource.RLIMIT_AS)
    assert limits == (700 * 1024 * 1024, 700 * 1024 * 1024)


def test_gmpy_changes_nothing_in_a_worker(comparer: Comparer) -> None:
    comparer.compare(*TRIGONOMETRIC, True)
    environment = Path(f"/proc/{comparer.pids[0]}/environ").read_bytes().split(b"\0")
    assert {b"SYMPY_GROUND_TYPES=python", b"MPMATH_NOGMPY=1"} <= set(environment)


def test_exact_arithmetic_needs_no_worker() -> None:
    with Comparer(Equivalence()) as comparer:
        for gold, answer in [("5", "5.0"), ("\\sqrt8", "2\\sqrt2"), ("x+1", "1+x"), ("5", TOWER)]:
            comparer.compare(gold, answer, True)
        assert comparer.pids == []


def test_worker_killed_between_comparisons_is_replaced() -> None:
    with Comparer(Equivalence(timeout_s=60)) as comparer:
        comparer.compare(*TRIGONOMETRIC, True)
        (first,) = comparer.pids
        os.kill(first, signal.SIGKILL)
        assert until(lambda: not runs(first))
        assert facts(comparer.compare("1", "\\sin^2 y+\\cos^2 y", True)) == EQUAL


def test_worker_killed_in_the_middle_of_its_work_changes_no_verdict() -> None:
    pairs = [(str(at), f"{at}(\\sin^2 x+\\cos^2 x)") for at in range(6)]
    with Comparer(Equivalence(timeout_s=60)) as comparer:
        found = []
        tasks = ((gold, (gold,), answer) for gold, answer in pairs)
        for at, (_, one) in enumerate(comparer.stream(tasks, True)):
            found.append(facts(one))
            if at % 2 == 0 and comparer.pids:
                os.kill(comparer.pids[0], signal.SIGKILL)
    assert found == [EQUAL] * 6


def test_worker_that_is_stopped_ends_by_the_time_limit() -> None:
    with Comparer(Equivalence(timeout_s=3)) as comparer:
        comparer.compare(*TRIGONOMETRIC, True)
        os.kill(comparer.pids[0], signal.SIGSTOP)
        assert facts(comparer.compare("1", "\\sin^2 y+\\cos^2 y", True)) == EQUAL


def test_worker_ends_with_its_comparer() -> None:
    with Comparer(Equivalence()) as comparer:
        comparer.compare(*TRIGONOMETRIC, True)
        (worker,) = comparer.pids
    assert not runs(worker)


def test_worker_ends_when_its_parent_is_killed() -> None:
    script = (
        "import time\n"
        "from babelmath.config import Equivalence\n"
        "from babelmath.scoring.equivalence import Comparer\n"
        "comparer = Comparer(Equivalence())\n"
        f"comparer.compare(*{TRIGONOMETRIC!r}, True)\n"
        "print(comparer.pids[0], flush=True)\n"
        "time.sleep(600)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY / "scripts")}
    parent = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    assert runs(worker)
    parent.kill()
    parent.communicate()
    assert until(lambda: not runs(worker))


# Several at a time


def test_comparing_works_in_several_threads_at_once(comparer: Comparer) -> None:
    pairs = [(str(at), f"{at}(\\sin^2 x+\\cos^2 x)") for at in range(12)]
    found: dict[tuple[str, str], Comparison] = {}

    def ask(mine: list[tuple[str, str]]) -> None:
        for pair in mine:
            found[pair] = comparer.compare(*pair, True)

    threads = [threading.Thread(target=ask, args=(pairs[at::3],)) for at in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [facts(found[pair]) for pair in pairs] == [EQUAL] * 12


def tasks(count: int) -> Iterator[tuple[int, tuple[str, ...], str]]:
    for at in range(count):
        answer = f"{at}\\sin^2 x+{at}\\cos^2 x" if at % 3 == 0 else str(at + at % 2)
        yield at, (str(at),), answer


def test_stream_keeps_the_order_of_its_tasks() -> None:
    with Comparer(Equivalence(timeout_s=60), workers=2) as comparer:
        found = list(comparer.stream(tasks(60), True))
    assert [key for key, _ in found] == list(range(60))
    assert [one.equal for _, one in found] == [at % 3 == 0 or at % 2 == 0 for at in range(60)]


def test_stream_takes_a_gold_that_is_equal_in_any_reading(comparer: Comparer) -> None:
    (found,) = comparer.stream([("key", ("34641", "34.641"), "34.641")], True)
    assert found[0] == "key"
    assert found[1].equal


def test_stream_tells_a_failure_when_no_reading_is_equal(comparer: Comparer) -> None:
    ((_, found),) = comparer.stream([(0, ("5", "x^{10^{10^{10}}}"), "6")], True)
    assert found.failed == "too large"


def test_stream_reads_no_further_ahead_than_its_backlog(comparer: Comparer) -> None:
    taken: list[int] = []

    def counted() -> Iterator[tuple[int, tuple[str, ...], str]]:
        for at in range(10_000):
            taken.append(at)
            yield at, ("1",), f"\\sin^2 x+\\cos^2 x+{at}-{at}"

    assert len(list(islice(comparer.stream(counted(), True), 3))) == 3
    assert len(taken) < 200


def test_stream_that_is_left_early_leaves_no_work_behind(comparer: Comparer) -> None:
    next(comparer.stream(tasks(500), True))
    assert facts(comparer.compare(*TRIGONOMETRIC, True)) == EQUAL
