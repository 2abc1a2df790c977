"""The process that compares what exact arithmetic cannot; `workers` starts, limits and kills it.

Says `ready` when its imports are done, then reads one JSON object a line on standard input (gold,
answer, precise, fresh) and answers each with one (the fields of a comparison; `tired` asks to be
replaced), before which it may say that it is `warming` up and when it is done with that. Run as
`python -m babelmath.scoring.worker MEMORY_MB SECONDS CALLS`.
"""

from __future__ import annotations

import functools
import json
import logging
import resource
import signal
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from babelmath.scoring.effort import Stopped, counted, for_a_moment
from babelmath.scoring.same.guard import is_too_large
from babelmath.scoring.same.numeric import judging_by_evaluation
from babelmath.scoring.same.reading import judge, read
from babelmath.scoring.same.tree import UndecidedError

SLOW = "slow"
MOST_BITS = 1000  # of a number inside what only math-verify can compare


@dataclass(frozen=True)
class Limits:
    """Address space in bytes, seconds after which the process ends itself, calls of math-verify."""

    memory: int
    seconds: int
    calls: int


def compare(
    gold: str, answer: str, precise: bool, fresh: bool, most_calls: int, seconds: int
) -> dict[str, Any]:
    """Compare two answers by evaluation and, where that cannot tell, with math-verify.

    Args:
        precise: the strict protocol; otherwise math-verify's own defaults in its own order
            (paper protocol).
        fresh: whether this process has done nothing yet. Then math-verify's calls are counted;
            otherwise it gets a moment, and `failed` is "slow" when that was not enough.
        seconds: after which the process ends itself.
    """
    if precise:
        try:
            return asdict(judge(gold, answer, judging_by_evaluation()))
        except UndecidedError:
            if not (gold.isascii() and answer.isascii()):  # math-verify would drop the rest
                return _answer(False, *_read(gold, answer)) | {"how": "not decided"}
            if is_too_large(gold, MOST_BITS) or is_too_large(answer, MOST_BITS):
                return {"failed": "too large", "how": "size guard"}
    _warm_up(seconds)
    try:
        with counted(most_calls) if fresh else for_a_moment():
            return (_both_orders if precise else _paper)(gold, answer)
    except Stopped:
        if not fresh:
            return {"failed": SLOW, "tired": True}
        return {"failed": "timeout", "how": "effort limit", "tired": True}


@functools.cache
def _warm_up(seconds: int) -> None:
    """Import math-verify and let it build its tables. That is not the comparison's time, so it is
    announced; and an import that is stopped halfway would leave it broken."""
    signal.alarm(0)
    print(json.dumps({"warming": True}), flush=True)
    _paper("\\frac{1}{2}", "0.5")
    print(json.dumps({"warming": False}), flush=True)
    signal.alarm(seconds)


def _paper(gold: str, answer: str) -> dict[str, Any]:
    from math_verify import parse, verify

    parsed = [parse(f"${text}$", parsing_timeout=None) for text in (gold, answer)]
    equal = all(parsed) and verify(*parsed, timeout_seconds=None)
    return _answer(equal, bool(parsed[0]), bool(parsed[1]))


def _both_orders(gold: str, answer: str) -> dict[str, Any]:
    """math-verify in both orders, without its taking letters for units."""
    from latex2sympy2_extended import NormalizationConfig
    from math_verify import LatexExtractionConfig, parse, verify

    plain = NormalizationConfig(
        basic_latex=True, units=False, malformed_operators=True, nits=True, boxed="none"
    )
    config = [LatexExtractionConfig(normalization_config=plain)]
    first, second = (
        parse(f"${text}$", config, fallback_mode="no_fallback", parsing_timeout=None)
        for text in (gold, answer)
    )
    options: dict[str, Any] = {
        "numeric_precision": 50, "allow_set_relation_comp": True, "timeout_seconds": None
    }  # fmt: skip
    equal = (
        bool(first and second)
        and verify(first, second, **options)
        and verify(second, first, **options)
    )
    return _answer(equal, *_read(gold, answer))


def _read(gold: str, answer: str) -> tuple[bool, bool]:
    return read(gold).form is not None, read(answer).form is not None


def _answer(equal: bool, gold_parsed: bool, answer_parsed: bool) -> dict[str, Any]:
    return {
        "equal": bool(equal),
        "gold_parsed": gold_parsed,
        "answer_parsed": answer_parsed,
        "how": "math-verify",
    }


def respond(
    task: dict[str, Any], limits: Limits, compare: Callable[..., dict[str, Any]] = compare
) -> dict[str, Any]:
    """The answer to a task, also where it ran out of memory or depth.

    math-verify swallows what is raised inside it; memory that ran out shows in the peak too.
    """
    signal.alarm(limits.seconds)  # whoever started this process may be gone
    try:
        answer = compare(**task, most_calls=limits.calls, seconds=limits.seconds)
    except MemoryError:
        answer = {"failed": "memory"}
    except RecursionError:
        answer = {"failed": "too large"}
    finally:
        signal.alarm(0)
    peak = _peak()
    if peak > 0.9 * limits.memory:
        answer = {"failed": "memory"}
    if peak > limits.memory / 2 or answer.get("failed") == "memory":
        answer["tired"] = True
    return answer


def _peak() -> int:
    """The most address space used so far, in bytes; resident memory where the system tells less."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text().splitlines():
            if line.startswith("VmPeak:"):
                return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    """Serve comparisons until standard input ends."""
    memory, seconds, calls = (int(one) for one in sys.argv[1:])
    limits = Limits(memory * 1024 * 1024, seconds, calls)
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    logging.disable(logging.CRITICAL)
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(respond(json.loads(line), limits)), flush=True)


if __name__ == "__main__":
    main()
