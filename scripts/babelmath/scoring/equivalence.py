"""Whether two answers are the same mathematics.

Plain numbers and all that exact arithmetic decides is decided here. Functions, letters under roots
and the paper protocol go to worker processes with a time and a memory limit. Nothing depends on how
fast the machine is: `same.exact` and `same.magnitude` stop at sizes, the time limit is only behind
them.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from types import TracebackType
from typing import TypeVar

from babelmath.config import Equivalence
from babelmath.scoring.same.guard import is_too_large
from babelmath.scoring.same.numbers import Judging
from babelmath.scoring.same.reading import judge, read
from babelmath.scoring.same.tree import UndecidedError
from babelmath.scoring.workers import Job, Workers

INTEGER = re.compile(r"-?\d{1,15}", re.ASCII)
REMEMBERED = 20_000  # pairs
BACKLOG = 64  # tasks a process may be behind

T = TypeVar("T")
Pair = tuple[str, str, bool]


@dataclass(frozen=True)
class Comparison:
    """Outcome of one comparison.

    Attributes:
        gold_parsed: whether the gold is mathematics or a known word; likewise `answer_parsed`.
        failed: why there is no verdict: "timeout", "memory", "too large", "worker died",
            "undecided" (the texts may be read in several ways and are the same in some).
        how: the rule that decided.
        set_aside: what one side had and the other not, as "unit cm".
    """

    equal: bool = False
    gold_parsed: bool = False
    answer_parsed: bool = False
    failed: str | None = None
    how: str = ""
    set_aside: tuple[str, ...] = ()


class Comparer:
    """Compares answers, with up to `workers` processes; usable from several threads."""

    def __init__(self, limits: Equivalence, workers: int = 1) -> None:
        self._workers = Workers(limits, workers)
        self._count = workers
        self._known: OrderedDict[Pair, Comparison] = OrderedDict()
        self._lock = threading.Lock()

    def __enter__(self) -> Comparer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._workers.close()

    @property
    def pids(self) -> list[int]:
        """The worker processes that run now."""
        return self._workers.pids

    def compare(self, gold: str, answer: str, precise: bool) -> Comparison:
        """Compare two answers.

        Args:
            precise: the strict protocol, for texts in plain notation; otherwise math-verify's own
                defaults (paper protocol), where the order of the two counts.
        """
        pair = (gold, answer, precise)
        found = self._at_once(pair)
        if found is None:
            found = self._finish(pair, self._submit(pair))
        return found

    def stream(
        self, tasks: Iterable[tuple[T, tuple[str, ...], str]], precise: bool
    ) -> Iterator[tuple[T, Comparison]]:
        """Compare many, in their order; what is behind is bounded, whatever their number.

        Args:
            tasks: a key, the readings of the gold and the answer. The answer is equal if it equals
                any reading; where none is equal and one failed, the comparison failed.
        """
        backlog: deque[tuple[T, list[tuple[Pair, Comparison | Job]]]] = deque()
        try:
            for key, golds, answer in tasks:
                pairs = [(gold, answer, precise) for gold in golds]
                backlog.append((key, [(pair, self._start(pair)) for pair in pairs]))
                if len(backlog) > BACKLOG * self._count:
                    self._settle(backlog[0][1])
                elif len(backlog) % BACKLOG == 0:
                    self._workers.pump(0)
                while backlog and all(_settled(one) for _, one in backlog[0][1]):
                    yield self._next(backlog)
            while backlog:
                self._settle(backlog[0][1])
                yield self._next(backlog)
        finally:
            left = [one for _, row in backlog for _, one in row if isinstance(one, Job)]
            self._workers.cancel(left)

    def _start(self, pair: Pair) -> Comparison | Job:
        return self._at_once(pair) or self._submit(pair)

    def _next(
        self, backlog: deque[tuple[T, list[tuple[Pair, Comparison | Job]]]]
    ) -> tuple[T, Comparison]:
        key, row = backlog.popleft()
        return key, best([self._finish(pair, one) for pair, one in row])

    def _settle(self, row: list[tuple[Pair, Comparison | Job]]) -> None:
        for _, one in row:
            if isinstance(one, Job):
                self._workers.wait(one)

    def _submit(self, pair: Pair) -> Job:
        gold, answer, precise = pair
        return self._workers.submit({"gold": gold, "answer": answer, "precise": precise})

    def _finish(self, pair: Pair, one: Comparison | Job) -> Comparison:
        if isinstance(one, Comparison):
            return one
        answer = self._workers.wait(one)
        found = Comparison(**answer | {"set_aside": tuple(answer.get("set_aside", ()))})
        if found.failed is not None and not found.gold_parsed:
            gold, text, _ = pair
            found = replace(
                found, gold_parsed=read(gold).form is not None,
                answer_parsed=read(text).form is not None,
            )  # fmt: skip
        if found.failed != "worker died":
            self._remember(pair, found)
        return found

    def _at_once(self, pair: Pair) -> Comparison | None:
        """The comparison, where no process is needed for it."""
        gold, answer, precise = pair
        if INTEGER.fullmatch(gold) and INTEGER.fullmatch(answer):
            return EQUAL_NUMBERS if int(gold) == int(answer) else DIFFERENT_NUMBERS
        with self._lock:
            known = self._known.get(pair)
            if known is not None:
                self._known.move_to_end(pair)
                return known
        found = in_process(gold, answer) if precise else hopeless(gold, answer)
        if found is not None:
            self._remember(pair, found)
        return found

    def _remember(self, pair: Pair, found: Comparison) -> None:
        with self._lock:
            self._known[pair] = found
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)


EQUAL_NUMBERS = Comparison(True, True, True, how="whole numbers")
DIFFERENT_NUMBERS = Comparison(False, True, True, how="whole numbers")


def in_process(gold: str, answer: str) -> Comparison | None:
    """The strict comparison of two texts, None where it takes evaluation."""
    try:
        found = judge(gold, answer, Judging())
    except UndecidedError:
        return None
    return Comparison(**asdict(found))


def hopeless(gold: str, answer: str) -> Comparison | None:
    """The paper protocol's comparison of a number that math-verify would never finish with."""
    if not (is_too_large(gold) or is_too_large(answer)):
        return None
    return Comparison(
        gold_parsed=read(gold).form is not None,
        answer_parsed=read(answer).form is not None,
        failed="timeout",
        how="size guard",
    )


def best(found: list[Comparison]) -> Comparison:
    """One outcome for several readings of a gold: any that is equal, else any that failed."""
    if len(found) == 1:
        return found[0]
    chosen = next(
        (one for one in found if one.equal), next((one for one in found if one.failed), found[0])
    )
    return replace(chosen, gold_parsed=any(one.gold_parsed for one in found))


def _settled(one: Comparison | Job) -> bool:
    return isinstance(one, Comparison) or one.done
