"""Language labels of responses, in a stream and over several processes (MMATH section 3.1).

fastText holds Python's lock while it works, so that threads gain nothing: long streams are spread
over processes. The order is kept, a bounded number of responses is in memory, and a worker ends
when the process that started it ends, however that happens: its input is then closed.
"""

from __future__ import annotations

import itertools
import os
import pickle
import selectors
import subprocess
import sys
import traceback
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from babelmath.config import Identification
from babelmath.errors import InputError
from babelmath.identification import Identifier
from babelmath.languages import Language
from babelmath.records import Generation, LanguageRecord, PartLabel
from babelmath.thinking import NO_THINKING, UNCLOSED, UNTAGGED

CLOSING = "</think>"  # the tag that the paper's code looks for
TRUNCATED = "truncated"
EMPTY = "empty thinking"
BATCH = 150_000  # characters that a worker gets at once
AHEAD = 4  # batches a worker, that may be begun before the oldest one is done

# A part's text as the paper takes it, and as this project does where that is another one.
Text = tuple[str, str | None]
Task = tuple[Text, Text]


def label_stream(
    generations: Iterable[Generation],
    how: Identification,
    languages: Sequence[Language],
    workers: int = 1,
) -> Iterator[LanguageRecord]:
    """Language records of generations, in their order.

    Args:
        workers: processes to spread the work over; a stream that ends within the first batch is
            labelled in this one.

    Raises:
        InputError: no such fastText model.
    """
    batches = _batches(generations)
    first = next(batches, None)
    second = next(batches, None)
    held = [one for one in (first, second) if one is not None]
    if workers > 1 and second is not None:
        spread = _spread(itertools.chain(held, batches), how, languages, workers)
        for batch, labels in spread:
            yield from map(_record, batch, labels)
        return
    if held:
        identifier = Identifier(how, languages)
        for batch in itertools.chain(held, batches):
            yield from map(_record, batch, _labels([texts(one) for one in batch], identifier))


def label_generation(generation: Generation, identifier: Identifier) -> LanguageRecord:
    """Labels of one generation's thinking and answer."""
    return _record(generation, _labels([texts(generation)], identifier)[0])


def texts(generation: Generation) -> Task:
    """The thinking and the answering part, each as the paper takes it and as this project does.

    The paper's code parts the raw text at its last `</think>` and takes the whole text for both
    where there is none, in the middle of the thinking too. Here a response whose thinking never
    closed has thinking alone. Both take the whole response for both parts where a model shows no
    thinking part at all.
    """
    raw, flags = generation.raw, generation.flags
    unclosed = UNCLOSED in flags
    whole = not generation.thinking and not unclosed and (
        UNTAGGED in flags or NO_THINKING not in flags
    )  # fmt: skip
    strict = (raw, raw) if whole else (generation.thinking, generation.answer)
    if CLOSING in raw:
        before, _, after = raw.rpartition(CLOSING)
        paper = (before.replace(CLOSING, " "), after)
    elif whole or unclosed:
        paper = (raw, raw)
    else:
        paper = strict
    return _text(paper[0], strict[0]), _text(paper[1], strict[1])


def _text(paper: str, strict: str) -> Text:
    bare = paper.strip().removeprefix("<think>").strip()  # the strict label takes no tag for words
    return (paper, None) if strict in (paper, bare) else (paper, strict)


def _labels(tasks: Sequence[Task], identifier: Identifier) -> list[tuple[PartLabel, PartLabel]]:
    parts = list(itertools.chain.from_iterable(map(dict.fromkeys, tasks)))  # equal parts once
    labels = iter(identifier.labels(parts))
    found = ((next(labels), None if one == other else next(labels)) for one, other in tasks)
    return [(thinking, answering or thinking) for thinking, answering in found]


def _record(generation: Generation, labels: tuple[PartLabel, PartLabel]) -> LanguageRecord:
    flags = []
    if generation.finish == "length" or UNCLOSED in generation.flags:
        flags.append(TRUNCATED)
    if not generation.thinking and NO_THINKING in generation.flags and (
        UNTAGGED not in generation.flags
    ):  # fmt: skip
        flags.append(EMPTY)
    return LanguageRecord(
        id=generation.id,
        lang=generation.lang,
        sample=generation.sample,
        thinking=labels[0],
        answering=labels[1],
        flags=flags,
    )


def _batches(generations: Iterable[Generation]) -> Iterator[list[Generation]]:
    batch: list[Generation] = []
    size = 0
    for generation in generations:
        batch.append(generation)
        size += len(generation.raw)
        if size >= BATCH or len(batch) >= 500:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _spread(
    batches: Iterator[list[Generation]],
    how: Identification,
    languages: Sequence[Language],
    workers: int,
) -> Iterator[tuple[list[Generation], list[tuple[PartLabel, PartLabel]]]]:
    """Batches with their labels, in order."""
    idle = [Worker(how, languages) for _ in range(workers)]
    every = list(idle)
    busy: dict[Worker, int] = {}
    waiting: dict[int, list[Generation]] = {}
    done: dict[int, list[tuple[PartLabel, PartLabel]]] = {}
    given = out = 0
    try:
        coming = next(batches, None)
        while coming is not None or busy:
            while coming is not None and idle and given - out < AHEAD * workers:
                worker = idle.pop()
                worker.send([texts(one) for one in coming])
                busy[worker], waiting[given] = given, coming
                given += 1
                coming = next(batches, None)  # read while the workers work
            for worker in _ready(busy):
                done[busy.pop(worker)] = worker.receive()
                idle.append(worker)
            while out in done:
                yield waiting.pop(out), done.pop(out)
                out += 1
    finally:
        for worker in every:
            worker.end()


def _ready(workers: Iterable[Worker]) -> list[Worker]:
    """The workers that have something to say; waits for one."""
    with selectors.DefaultSelector() as selector:
        for worker in workers:
            selector.register(worker.output, selectors.EVENT_READ, worker)
        return [key.data for key, _ in selector.select()]


class Worker:
    """A process that labels batches, one at a time."""

    def __init__(self, how: Identification, languages: Sequence[Language]) -> None:
        library = str(Path(__file__).resolve().parent.parent)
        paths = os.pathsep.join(filter(None, (library, os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._input: BinaryIO = self._process.stdin  # type: ignore[assignment]
        self.output: BinaryIO = self._process.stdout  # type: ignore[assignment]
        self.send((how, list(languages)))

    def send(self, value: object) -> None:
        """Hand over the settings (first) or a batch; the worker must be idle."""
        try:
            pickle.dump(value, self._input, protocol=5)
            self._input.flush()
        except BrokenPipeError:
            self.receive()

    def receive(self) -> Any:
        """The labels of the batch that was sent.

        Raises:
            InputError: the worker's own.
            RuntimeError: the worker failed or died.
        """
        try:
            value = pickle.load(self.output)
        except EOFError:
            raise RuntimeError("a process that labels languages died") from None
        if isinstance(value, InputError):
            raise value
        if isinstance(value, str):
            raise RuntimeError(f"a process that labels languages failed:\n{value}")
        return value

    def end(self) -> None:
        self._process.kill()
        self._process.communicate()


def serve(source: BinaryIO, sink: BinaryIO) -> None:
    """Label batches until the input ends."""

    def say(value: object) -> None:
        pickle.dump(value, sink, protocol=5)
        sink.flush()

    try:
        identifier = Identifier(*pickle.load(source))
        while True:
            try:
                batch = pickle.load(source)
            except EOFError:
                return
            say(_labels(batch, identifier))
    except BrokenPipeError:
        return
    except InputError as error:
        say(error)
    except Exception:
        say(traceback.format_exc())


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
