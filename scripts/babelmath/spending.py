"""The cap on a run's money, shared by all jobs that write into one journal.

Every writer of a paid model keeps {job}.spent beside its journal file: tokens that came back, the
most that attempts of unknown fate may have taken, the most that is in flight. What all of them add
up to, at today's prices, is what is spent. A file that a killed job left behind, or that is not
there, is made anew from the job's journal. Cap and prices come by the environment, since a job's
parameters would make Snakemake run finished jobs again when they change.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from babelmath.accounts import Account, Books, most_tokens, took
from babelmath.appended import is_written
from babelmath.config import Config, Model
from babelmath.engines.base import Request, Response
from babelmath.errors import InputError
from babelmath.journal.files import job_of, journal_files, reading
from babelmath.locks import locked
from babelmath.prices import Rate, prices

VARIABLE = "BABELMATH_CAP"
SERVICES = ("openai", "gemini")
ROUNDING = 1 + 1e-9  # of sums of floating-point numbers


def services(config: Config) -> list[str]:
    """Models whose requests go to a service that may charge them."""
    return [name for name, model in config.models.items() if model.engine in SERVICES]


def announce(config: Config) -> None:
    """Put the cap and the prices where this process's jobs find them."""
    os.environ.pop(VARIABLE, None)
    if config.most_cost is not None:
        known = {"most_cost": config.most_cost, "prices": prices(config)}
        os.environ[VARIABLE] = json.dumps(known)


@dataclass
class Spent:
    """What one writer has used, in tokens; `size` is its journal's, to tell an old file by.

    Of `prompt` and `new`, `batch_...` came by batches.
    """

    prompt: int = 0
    new: int = 0
    batch_prompt: int = 0
    batch_new: int = 0
    possible_prompt: int = 0
    possible_new: int = 0
    flying_prompt: int = 0
    flying_new: int = 0
    size: int = -1

    def known(self, rate: Rate) -> float:
        """US dollars of what came back."""
        return rate.known(self.prompt, self.new, self.batch_prompt, self.batch_new)

    def possible(self, rate: Rate) -> float:
        """The most US dollars of attempts whose fate is unknown."""
        return rate.most(self.possible_prompt, self.possible_new)

    def flying(self, rate: Rate) -> float:
        """The most US dollars of what is in flight."""
        return rate.most(self.flying_prompt, self.flying_new)


@dataclass(frozen=True)
class Cap:
    """The most US dollars of a journal, and the prices of its models."""

    most: float
    prices: Mapping[str, Rate]

    @classmethod
    def from_environment(cls) -> Cap | None:
        """The cap that the run was started with.

        Raises:
            InputError: the variable holds something else.
        """
        if not (text := os.environ.get(VARIABLE)):
            return None
        try:
            held = json.loads(text)
            found = {name: Rate(*map(float, one)) for name, one in held["prices"].items()}
            return cls(float(held["most_cost"]), found)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise InputError(
                f"environment variable {VARIABLE} is not what the workflow sets",
                remedy="Unset it, and put most_cost into the configuration.",
            ) from None


class Purse:
    """What one job may still spend on one model; the job holds its journal open.

    Args:
        cap: the cap.
        root: the journal's root folder.
        name: the model.
        job: the job's name.
        model: `attempts` and `batch` say how often one request may be charged.
    """

    def __init__(self, cap: Cap, root: Path, name: str, job: str, model: Model) -> None:
        self._cap, self._root, self._path = cap, root, root / name / f"{job}.spent"
        # Each attempt may be charged; what a batch has no result for is not. A sample that a call
        # of several left out has a call's attempts of its own.
        calls = 2 if model.samples_by == "n" else 1
        self._tries = 1 if model.batch else model.attempts * calls
        self._batch = model.batch
        self._seen: dict[Path, tuple[tuple[int, int], Spent]] = {}
        with self._locked():
            self._own = _recount(self._path)
            _write(self._path, self._own)
            self._renew()

    def take(self, request: Request, unknown: int) -> bool:
        """Set aside the most that a request can cost; False where the cap has no room for it.

        Args:
            unknown: how often earlier runs sent it without an answer; a part of a batch that was
                handed in is counted already, and must be fetched whatever the cap is.
        """
        prompt, new = self._most(request, unknown)
        with self._locked():
            more = Spent(flying_prompt=prompt, flying_new=new).flying(self._price(self._path))
            if more and sum(self.sums()) + more > self._cap.most * ROUNDING:
                return False
            self._own.flying_prompt += prompt
            self._own.flying_new += new
            _write(self._path, self._own)
        return True

    def settle(self, request: Request, response: Response, unknown: int, earlier: int = 0) -> None:
        """Replace what was set aside for a request by what it took.

        Args:
            unknown: as it was for `take`.
            earlier: times that earlier runs of the job sent it and that it settles (batches).
        """
        prompt, new = self._most(request, unknown)
        most = most_tokens(request)
        with self._locked():
            own = self._own
            own.flying_prompt -= prompt
            own.flying_new -= new
            used = took(vars(response))
            own.prompt += used.prompt
            own.new += used.new
            own.batch_prompt += used.prompt if used.batch else 0
            own.batch_new += used.new if used.batch else 0
            doubts = response.unknown + used.uncounted - earlier
            own.possible_prompt += doubts * most[0]
            own.possible_new += doubts * most[1]
            _write(self._path, own)

    def waits(self, request: Request, unknown: int) -> bool:
        """Whether a request has no room only as long as other jobs' requests are in flight."""
        prompt, new = self._most(request, unknown)
        with self._locked():
            self._renew()
            known, possible, flying = self.sums()
        more = Spent(flying_prompt=prompt, flying_new=new).flying(self._price(self._path))
        return flying > 0 and known + possible + more <= self._cap.most * ROUNDING

    def stopped(self, name: str, left: int, request: Request) -> str:
        """Why no further request leaves, and the way out."""
        with self._locked():
            known, possible, flying = self.sums()
        prompt, new = self._most(request, 0)
        most = Spent(flying_prompt=prompt, flying_new=new).flying(self._price(self._path))
        maybe = f", at most {possible:.4f} more by attempts of unknown fate" if possible else ""
        others = f", at most {flying:.4f} in flight in other jobs" if flying else ""
        return (
            f"the cap of {self._cap.most:.4f} US dollars (most_cost) is reached: {known:.4f} spent"
            f"{maybe}{others}, and the next request to {name} may cost {most:.4f}. {left} requests "
            "are left. Raise most_cost and run again: nothing is asked twice"
        )

    def close(self) -> None:
        """Leave the totals for others; the journal is closed already."""
        with self._locked(), reading(self._path.parent):  # another job may pack what this one wrote
            if not (self._own.flying_prompt or self._own.flying_new):
                self._own.size = _size(self._path)
            _write(self._path, self._own)

    def sums(self) -> tuple[float, float, float]:
        """US dollars of all writers: spent, possibly charged, in flight at most."""
        held = [(self._price(path), one) for path, one in self._others()]
        held.append((self._price(self._path), self._own))
        return (
            sum(one.known(price) for price, one in held),
            sum(one.possible(price) for price, one in held),
            sum(one.flying(price) for price, one in held),
        )

    def _most(self, request: Request, unknown: int) -> tuple[int, int]:
        if self._batch and unknown:
            return 0, 0
        prompt, new = most_tokens(request)
        return self._tries * prompt, self._tries * new

    def _price(self, path: Path) -> Rate:
        return self._cap.prices.get(path.parent.name, Rate(0.0, 0.0))

    def _others(self) -> Iterator[tuple[Path, Spent]]:
        for name in self._cap.prices:
            for path in sorted((self._root / name).glob("*.spent")):
                if path != self._path:
                    yield path, self._read(path)

    def _read(self, path: Path) -> Spent:
        state = path.stat()
        mark = (state.st_mtime_ns, state.st_ino)
        if path not in self._seen or self._seen[path][0] != mark:
            self._seen[path] = mark, _held(path) or _recount(path)
        return self._seen[path][1]

    def _renew(self) -> None:
        """Make the totals of writers that no process is at work on, where they are not right."""
        for name in self._cap.prices:
            folder = self._root / name
            if not folder.is_dir():
                continue
            with reading(folder):  # nobody packs: no file vanishes
                for job in {job_of(path) for path in journal_files(folder)}:
                    path = folder / f"{job}.spent"
                    if path != self._path and not _right(path) and not _at_work(path):
                        _write(path, _recount(path))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with open(self._root / ".spending.lock", "a+b") as file:
            locked(file)
            yield


def pause() -> None:
    """Wait a moment for other jobs."""
    time.sleep(0.5)


def _at_work(path: Path) -> bool:
    live = path.with_name(path.name.removesuffix(".spent") + ".jsonl")
    return live.exists() and path.exists() and is_written(live)


def _size(path: Path) -> int:
    """Bytes of all journal files of the job."""
    job = path.name.removesuffix(".spent")
    return sum(one.stat().st_size for one in journal_files(path.parent) if job_of(one) == job)


def _right(path: Path) -> bool:
    held = _held(path)
    if held is None or held.flying_prompt or held.flying_new:
        return False
    return held.size == _size(path)


def _recount(path: Path) -> Spent:
    """A writer's totals from its journal."""
    with reading(path.parent):
        return _recounted(path)


def _recounted(path: Path) -> Spent:
    held = _held(path)
    if held is not None and _right(path):
        return held
    books, total = Books(), Account()
    for one in journal_files(path.parent):
        if job_of(one) == path.name.removesuffix(".spent"):
            books.file(one)
    for account in books.balance().values():
        total.add(vars(account))
    return Spent(
        prompt=total.prompt_tokens,
        new=total.completion_tokens,
        batch_prompt=total.batch_prompt,
        batch_new=total.batch_new,
        possible_prompt=total.possible_prompt,
        possible_new=total.possible_new,
        size=_size(path),
    )


def _held(path: Path) -> Spent | None:
    """A totals file's content; None where it is not there or not whole."""
    try:
        held = json.loads(path.read_bytes())
        numbers = {one.name: held[one.name] for one in fields(Spent)}
        whole = all(type(value) is int for value in numbers.values())
        return Spent(**numbers) if whole else None
    except (FileNotFoundError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _write(path: Path, spent: Spent) -> None:
    part = path.with_name(f".{path.name}.part")
    part.write_text(json.dumps(asdict(spent)), encoding="ascii")
    part.replace(path)
