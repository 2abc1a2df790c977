"""Fetching what the journal does not hold: out through an engine, back into journal and purse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field

from babelmath.accounts import most_tokens
from babelmath.config import Model
from babelmath.engines import Engine, Request, Response, askable
from babelmath.engines.batch_state import handed_in
from babelmath.journal.store import Journal
from babelmath.progress import Progress
from babelmath.spending import SERVICES, Purse, pause

OTHER = "another job collected it first"


@dataclass
class Fetch:
    """One call's missing requests.

    Args:
        name: the model's, for messages.
        engine: loads the model, where it is not loaded yet.
        missing: requests by their keys; emptied as they leave.
        twins: how many more requests of the call are equal to a missing one.
        purse: what the job may still spend on the model; none without a cap or a price.
    """

    name: str
    model: Model
    engine: Callable[[], Engine]
    missing: dict[str, Request]
    twins: Mapping[str, int]
    journal: Journal
    purse: Purse | None
    progress: Progress
    failures: list[str] = field(default_factory=list)

    def run(self) -> list[str]:
        """Ask and journal; why some got no answer."""
        askable(self.name, self.model, self.missing.values())
        self._keep_back()
        self._unknown = {key: self.journal.unknown_fate(key) for key in self.missing}
        self._keys = {item: key for key, item in self.missing.items()}
        if self.model.batch:  # those of open batches first: they are collected whatever the cap is
            for key in [key for key in self.missing if not self._unknown[key]]:
                self.missing[key] = self.missing.pop(key)
        while self.missing:
            before = len(self.missing)
            for item, response in self.engine().stream(self._leaving(), self._note):
                self._store(self._keys[item], item, response)
            if len(self.missing) == before and not self._room_later():
                break
        return self.failures

    def _keep_back(self) -> None:
        """Do not send what was sent in vain as often as may be, or waits in a batch: only a service
        charges twice."""
        if self.model.engine not in SERVICES or self.model.batch:
            return
        for key in list(self.missing):
            if (times := self.journal.unknown_fate(key)) >= self.model.attempts:
                self.failures.append(
                    f"sent {times} times without an answer, as often as attempts allows; "
                    f"models.{self.name}.attempts: {times + 1} lets it be sent, and perhaps "
                    "charged, once more"
                )
                del self.missing[key]
        for key, batch in handed_in(self.journal.path.parent, self.missing).items():
            self.failures.append(
                f"handed in with batch {batch}, which is not collected yet; "
                f"models.{self.name}.batch: true collects it"
            )
            del self.missing[key]

    def _leaving(self) -> Iterator[Request]:
        """Requests as the engine takes them: what another job was answered meanwhile is not asked,
        and none leaves that the cap has no room for."""
        for key, item in list(self.missing.items()):
            self.journal.refresh()
            if not self._stands(key):
                if self.purse is not None and not self.purse.take(item, self._unknown[key]):
                    return
                del self.missing[key]
                yield item
                continue
            del self.missing[key]
            self._reused(1 + self.twins.get(key, 0))

    def _note(self, sent: Request) -> None:
        most = most_tokens(sent) if self.model.engine in SERVICES else None
        self.journal.asked(self._keys[sent], sent, most)

    def _store(self, key: str, item: Request, response: Response) -> None:
        """Journal what came back, and settle what was set aside for it."""
        earlier = 0
        with self.journal.adding() if self.model.batch else nullcontext():
            if self.model.batch:
                self.journal.refresh()  # two jobs may collect one batch
                if self._stands(key):
                    response = Response(failure=OTHER, attempts=[OTHER])
            if response.failure is None or response.attempts:  # else it was never sent
                earlier = self.journal.add(key, item, response, self.model.batch)
        if self.purse is not None:
            self.purse.settle(item, response, self._unknown[key], earlier)
        if response.failure is None:
            self.progress.advance(response.completion_tokens)
            self._reused(self.twins.get(key, 0))
        elif response.failure == OTHER:
            self._reused(1 + self.twins.get(key, 0))
        else:
            self.failures.append(response.failure)

    def _stands(self, key: str) -> bool:
        return self.journal.standing(key, self.model.context) is not None

    def _reused(self, times: int) -> None:
        for _ in range(times):
            self.progress.advance(0, reused=True)

    def _room_later(self) -> bool:
        """Where none could leave: whether to try again, as others give room back to the cap."""
        key, item = next(iter(self.missing.items()))
        if self.purse is not None and self.purse.waits(item, self._unknown[key]):
            pause()
            return True
        left = len(self.missing)
        why = self.purse.stopped(self.name, left, item) if self.purse is not None else "not asked"
        self.failures[:0] = [why] * left
        return False
