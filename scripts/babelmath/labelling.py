"""Language labels of responses, in a stream and over several processes (MMATH section 3.1).

fastText holds Python's lock while it works, so that threads gain nothing: long streams are spread
over processes. The order is kept, and a bounded number of responses is in memory.
"""

from __future__ import annotations

import itertools
import selectors
from collections.abc import Iterable, Iterator, Sequence
from types import TracebackType

from babelmath.config import Identification
from babelmath.identification import Identifier
from babelmath.label_worker import Worker
from babelmath.languages import Language
from babelmath.records import Generation, LanguageRecord, PartLabel
from babelmath.response_parts import Part, flags, parts

BATCH = 400_000  # characters that a worker gets at once
MOST = 500  # responses, of which a batch has no more
AHEAD = 4  # batches a worker that may be begun before the oldest one is done

Batch = list[tuple[Generation, tuple[Part, Part]]]  # responses with their parts


class Labeller:
    """Labels streams of generations; a context manager, which ends its processes.

    Args:
        workers: processes to spread a stream over. They are started for a stream that does not end
            within its first batch; a shorter one is labelled in this process.
    """

    def __init__(
        self, how: Identification, languages: Sequence[Language], workers: int = 1
    ) -> None:
        self._settings = how, languages
        self._number = workers
        self._workers: list[Worker] = []

    def __enter__(self) -> Labeller:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    @property
    def pids(self) -> list[int]:
        """The processes at work."""
        return [worker.pid for worker in self._workers]

    def stream(self, generations: Iterable[Generation]) -> Iterator[LanguageRecord]:
        """Language records of generations, in their order.

        Raises:
            InputError: no such fastText model.
        """
        batches = _batches((one, parts(one)) for one in generations)
        begun = list(itertools.islice(batches, 2))
        if self._number > 1 and len(begun) > 1:
            yield from self._spread(itertools.chain(begun, batches))
        elif begun:
            identifier = Identifier(*self._settings)
            for batch in itertools.chain(begun, batches):
                yield from _records(batch, identifier.labels(_parts(batch)))

    def _end(self) -> None:
        for worker in self._workers:
            worker.end()
        self._workers = []

    def _spread(self, batches: Iterator[Batch]) -> Iterator[LanguageRecord]:
        while len(self._workers) < self._number:
            self._workers.append(Worker(*self._settings))
        idle = list(self._workers)
        busy: dict[Worker, int] = {}
        waiting: dict[int, Batch] = {}
        done: dict[int, list[PartLabel]] = {}
        given = out = 0
        coming = next(batches, None)
        try:
            while coming is not None or busy:
                while coming is not None and idle and given - out < AHEAD * self._number:
                    worker = idle.pop()
                    worker.label(_parts(coming))
                    busy[worker], waiting[given] = given, coming
                    given += 1
                    coming = next(batches, None)  # read while the workers work
                for worker in _ready(busy):
                    done[busy.pop(worker)] = worker.labels()
                    idle.append(worker)
                while out in done:
                    yield from _records(waiting.pop(out), done.pop(out))
                    out += 1
        finally:
            if busy:  # a stream that was left early: what its workers say belongs to no other
                self._end()


def label_generation(generation: Generation, identifier: Identifier) -> LanguageRecord:
    """Labels of one generation's thinking and answer."""
    batch = [(generation, parts(generation))]
    return next(_records(batch, identifier.labels(_parts(batch))))


def _parts(batch: Batch) -> list[Part]:
    """The parts of a batch in order; of a response whose parts are one text, one."""
    return list(itertools.chain.from_iterable(dict.fromkeys(pair) for _, pair in batch))


def _records(batch: Batch, labels: Sequence[PartLabel]) -> Iterator[LanguageRecord]:
    """The records of a batch from the labels of its `_parts`."""
    left = iter(labels)
    for one, (thinking, answering) in batch:
        first = next(left)
        yield LanguageRecord(
            id=one.id,
            lang=one.lang,
            sample=one.sample,
            thinking=first,
            answering=first if answering == thinking else next(left),
            flags=flags(one),
        )


def _batches(pairs: Iterable[tuple[Generation, tuple[Part, Part]]]) -> Iterator[Batch]:
    batch: Batch = []
    size = 0
    for generation, both in pairs:
        batch.append((generation, both))
        size += len(generation.raw)
        if size >= BATCH or len(batch) >= MOST:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _ready(workers: Iterable[Worker]) -> list[Worker]:
    """The workers that have something to say; waits for one."""
    with selectors.DefaultSelector() as selector:
        for worker in workers:
            selector.register(worker.output, selectors.EVENT_READ, worker)
        return [key.data for key, _ in selector.select()]
