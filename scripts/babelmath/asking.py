"""Asking models through the journal: what was answered once is never asked again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import TracebackType

from babelmath.config import Model, Sampling
from babelmath.engines import Engine, Request, Response, identity, open_engine
from babelmath.errors import InputError, UnansweredError
from babelmath.fetching import Fetch
from babelmath.journal.store import Journal
from babelmath.progress import Progress
from babelmath.prompts import Message
from babelmath.spending import Cap, Purse

SENTENCE = 40  # letters


@dataclass(frozen=True)
class Answered:
    """A response with the journal key that it stands under."""

    key: str
    response: Response


def request(
    purpose: str,
    lang: str,
    messages: Sequence[Message],
    sampling: Sampling,
    seed: int,
    sample: int = 0,
    schema: str | None = None,
) -> Request:
    """A request from chat messages and sampling."""
    return Request(
        purpose=purpose,
        lang=lang,
        messages=tuple((message["role"], message["content"]) for message in messages),
        temperature=sampling.temperature,
        top_p=sampling.top_p,
        max_tokens=sampling.max_tokens,
        sample=sample,
        seed=seed,
        schema=schema,
    )


def alike(requests: Sequence[Request], answers: Sequence[Answered]) -> int:
    """How many questions drew one and the same long text in all of their samples.

    Texts shorter than a sentence (a letter, a yes) are alike by their nature.
    """
    texts: dict[Request, list[str]] = {}
    for item, answered in zip(requests, answers, strict=True):
        if item.temperature > 0:
            question = replace(item, sample=0, seed=0)
            texts.setdefault(question, []).append(answered.response.text)
    return sum(
        len(drawn) > 1 and len(drawn[0]) >= SENTENCE and len(set(drawn)) == 1
        for drawn in texts.values()
    )


class Models:
    """The models of one job: journals open as they are needed, one loaded engine at a time.

    A model is loaded only when a request is not in the journal. Two names with equal identity
    (the same weights under other sampling) share a loaded engine. The cap on the run's money, where
    it has one, is the environment's (see `spending`).

    Args:
        models: configurations by name.
        journal: the journal's root folder.
        job: name of this job's journal files.
        log: the job's log file, for progress.
    """

    def __init__(self, models: dict[str, Model], journal: Path, job: str, log: Path | None) -> None:
        self._models, self._root, self._job, self._log = models, journal, job, log
        self._journals: dict[str, Journal] = {}
        self._cap = Cap.from_environment()
        self._purses: dict[str, Purse] = {}
        self._engine: Engine | None = None
        self._loaded: str | None = None

    def __enter__(self) -> Models:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._unload()
        for journal in self._journals.values():
            journal.close()
        for purse in self._purses.values():
            purse.close()

    def note(self, text: str) -> None:
        """A line in the job's log."""
        if self._log is not None:
            self._log.parent.mkdir(parents=True, exist_ok=True)
            with open(self._log, "a", encoding="utf-8") as log:
                log.write(text + "\n")

    def ask(self, name: str, requests: Sequence[Request], label: str) -> list[Answered]:
        """Answers in the order of the requests; equal requests are asked once.

        Raises:
            UnansweredError: some requests failed at every attempt, or the cap on the run's money
                is reached (what was answered is journalled).
            InputError: the model cannot be loaded.
        """
        model = self._models[name]
        journal = self._open(name, model)
        named = identity(model)
        keys = [request.key(named) for request in requests]
        progress = Progress(f"{label} {name}", self._log, len(requests))
        try:
            missing: dict[str, Request] = {}
            twins: dict[str, int] = {}
            for key, item in zip(keys, requests, strict=True):
                if journal.standing(key, model.context) is not None:
                    progress.advance(0, reused=True)
                elif key in missing:
                    twins[key] = twins.get(key, 0) + 1
                else:
                    missing[key] = item
            failures: list[str] = []
            if missing:
                load = partial(self._load, name, model)
                purse = self._purses.get(name)
                failures = Fetch(name, model, load, missing, twins, journal, purse, progress).run()
        finally:
            progress.close()
        if failures:
            raise UnansweredError(
                f"{len(failures)} of {len(requests)} requests to {name} got no answer "
                f"(first: {failures[0]}). The answered ones are in the journal: "
                "run the same command again to ask the rest."
            )
        standing = [journal.standing(key, model.context) or key for key in keys]
        answers = [Answered(key, journal.get(key)) for key in standing]
        if same := alike(requests, answers):
            self.note(
                f"{label} {name}: {same} questions have one text in all their samples, although "
                "the temperature is above 0: the service may ignore seeds"
            )
        return answers

    def _open(self, name: str, model: Model) -> Journal:
        """The model's journal, and its purse where the run has a cap and the model a price."""
        if name not in self._journals:
            self._journals[name] = Journal(self._root / name, self._job)
            if self._cap is not None and name in self._cap.prices:
                self._purses[name] = Purse(self._cap, self._root, name, self._job, model)
        return self._journals[name]

    def _load(self, name: str, model: Model) -> Engine:
        wanted = model.model_copy(
            update={"display": "", "parameters": None, "weights": str(identity(model))}
        ).model_dump_json()
        if self._engine is None or self._loaded != wanted:
            self._unload()
            try:
                state = self._root / name / self._job
                more = {"note": partial(self._about, name)} if model.batch else {}
                self._engine = open_engine(name, model, state, **more)
            except RuntimeError as error:
                raise InputError(
                    f"model cannot be loaded: {error}",
                    field=f"models.{name}",
                    value=model.weights,
                    remedy="Is the file whole, and is there memory for it?",
                ) from error
            self._loaded = wanted
        return self._engine

    def _about(self, name: str, text: str) -> None:
        self.note(f"{name}: {text}")

    def _unload(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None
