"""Dropping what no configuration reaches.

`python -m babelmath.journal.gc FOLDER CONFIG... [--delete]`; without --delete it only tells.
A CONFIG is a file, or files laid over each other, parted by commas.

A request is reached when one of the configurations has, for this folder, a model of the same name
that is asked, a job of the file's name (in whatever number of shards), and an identity (weights,
revision, service, options) that gives the request its key. Which requests a run will really make
is not known before it is made: a changed prompt or seed leaves lines behind that this cannot tell.
Where an identity cannot be had here (the weights are elsewhere), all lines of the model's jobs are
kept.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from babelmath.accounts import Books
from babelmath.appended import is_packed, is_written, whole_lines
from babelmath.config import Config, asked_as, benchmarks, roles
from babelmath.confload import read_layers
from babelmath.engines import identity
from babelmath.engines.base import Image, Request
from babelmath.errors import InputError
from babelmath.files import dumps, parse_line, replacing
from babelmath.journal.files import alone, job_of, journal_files
from babelmath.journal.kept import drop_kept, kept_files
from babelmath.journal.packed import index_of, pack, pack_folder
from babelmath.journal.verify import model_folders
from babelmath.shards import whole_job

Identities = list[dict[str, Any]] | None


@dataclass(frozen=True)
class Reach:
    """What configurations reach: jobs by model, and the model's identities (None: not known)."""

    jobs: Mapping[str, frozenset[str]]
    identities: Mapping[str, Identities]


def reach_of(configs: Sequence[Config]) -> Reach:
    """The jobs and identities of all configurations together."""
    jobs: dict[str, set[str]] = {}
    identities: dict[str, Identities] = {}
    for config in configs:
        for name, job in _jobs(config):
            if name in config.models and config.models[name].engine != "released":
                jobs.setdefault(name, set()).add(job)
        for name, model in config.models.items():
            known = identities.setdefault(name, [])
            if model.engine == "released" or known is None:
                continue
            try:
                known.append(identity(asked_as(config, name)))
            except InputError:
                identities[name] = None
    return Reach({name: frozenset(held) for name, held in jobs.items()}, identities)


def _jobs(config: Config) -> Iterator[tuple[str, str]]:
    """(model, job) of all that a configuration asks; jobs are named as the scripts name them."""
    for name, benchmark in benchmarks(config).items():
        for place, role in roles((), benchmark):
            building = {"translation": f"{name}.translate", "choices": f"{name}.distractors",
                        "perturbation": f"{name}.perturb"}  # fmt: skip
            yield role.model, building[str(place[0])]
        for setting_name, setting in benchmark.settings.items():
            for model in setting.models:
                yield model, f"{name}.{setting_name}"
                for scorer in setting.scorers:
                    if (judge := config.judges.get(scorer.removeprefix("judge-"))) is not None:
                        yield judge.model, f"judge.{name}.{setting_name}.{model}"


@dataclass(frozen=True)
class Swept:
    """What `sweep` found in one file."""

    file: Path
    kept: int
    dropped: int
    bytes: int


def sweep(folder: Path, reach: Reach, delete: bool) -> list[Swept]:
    """Tell what would go from a model's journal, file by file, and drop it with `delete`.

    A file is rewritten whole or not at all. The sums of what goes stay in a `dropped` line, so that
    the ledger's tokens and costs stay.

    Raises:
        InputError: a job has the journal open (with delete), or a damaged line.
    """
    if not delete:
        return [_swept(path, reach) for path in journal_files(folder)]
    lock = alone(folder)
    if lock is None or any(not is_packed(one) and is_written(one) for one in journal_files(folder)):
        raise InputError(
            "a job has this journal open",
            file=folder,
            remedy="Run this again when no job of the model is at work.",
        )
    with lock:
        pack_folder(folder, sys.maxsize)  # what a kill left of a packing
        found = [_swept(path, reach) for path in journal_files(folder)]
        for one in found:
            if one.dropped:
                _rewrite(one.file, reach)
    return found


def _reached(path: Path, reach: Reach) -> Callable[[Mapping[str, Any]], bool]:
    """Whether a line of a file is reached. Lines of one key go or stay together."""
    name = path.parent.name
    if whole_job(job_of(path)) not in reach.jobs.get(name, frozenset()):
        return lambda line: False
    identities = reach.identities.get(name)
    if identities is None:
        return lambda line: True
    gone: set[str] = set()
    for number, data in whole_lines(path):
        line = parse_line(data, path, number)
        if line.get("kind") in ("response", "failure"):
            request = _request(line["request"])
            asked = line.get("of", line["key"])
            if asked not in [request.key(one) for one in identities]:
                gone |= {asked, line["key"]}
    return lambda line: line["key"] not in gone


def _request(held: Mapping[str, Any]) -> Request:
    """A request as the journal holds it."""
    names = {one.name for one in fields(Request)} & held.keys()
    values = {name: held[name] for name in names}
    values["messages"] = tuple((role, content) for role, content in held["messages"])
    values["images"] = tuple(Image(**one) for one in held.get("images") or ())
    return Request(**values)


def _swept(path: Path, reach: Reach) -> Swept:
    reached = _reached(path, reach)
    kept = dropped = size = 0
    for number, data in whole_lines(path):
        line = parse_line(data, path, number)
        if line.get("kind") == "dropped" or reached(line):
            kept += 1
        else:
            dropped += 1
            size += len(data)
    return Swept(path, kept, dropped, size)


def _rewrite(path: Path, reach: Reach) -> None:
    reached = _reached(path, reach)
    books = Books()

    def gone() -> Iterator[Mapping[str, Any]]:
        for number, data in whole_lines(path):
            line = parse_line(data, path, number)
            if line["kind"] == "dropped" or not reached(line):
                yield line

    books.lines(gone())
    rows = [
        {"purpose": purpose, "lang": lang, **asdict(account)}
        for (purpose, lang), account in sorted(books.balance().items())
    ]
    # Beside a packed file its plain twin does not count until the packed one is gone.
    target = path.with_name(path.name.removesuffix(".gz"))
    with replacing(target) as stream:
        stream.write(dumps({"kind": "dropped", "time": round(time.time(), 6), "rows": rows}) + "\n")
        for number, data in whole_lines(path):
            line = parse_line(data, path, number)
            if line["kind"] != "dropped" and reached(line):
                stream.write(data.decode())
    if is_packed(path):
        path.unlink()
        index_of(path).unlink(missing_ok=True)
        pack(target)


def _read(named: str) -> Config:
    files = named.split(",")
    try:
        return read_layers([Path(one) for one in files])
    except InputError as error:
        if len(files) > 1:
            raise
        raise InputError(
            f"{error} If {named} is laid over another file, name both: "
            f"CONFIGS=config/config.yaml,{named}"
        ) from None


def replaced(journal: Path, reach: Reach, delete: bool) -> Iterator[str]:
    """A line for each model of which `kept` holds files; those of unreached models go."""
    for folder in sorted(one for one in journal.iterdir() if one.is_dir()):
        if files := kept_files(folder):
            size = sum(one.stat().st_size for one in files) / 1e6
            reached = folder.name in reach.jobs
            if delete and not reached:
                drop_kept(folder)
            what = "kept" if reached else "dropped" if delete else "would go"
            yield f"{folder}: {len(files)} files that a run made or replaced, {size:.1f} MB, {what}"


def main() -> None:
    """Tell what would go from all models of a journal; drop it with --delete."""
    parser = argparse.ArgumentParser(description="Drop what no configuration reaches.")
    parser.add_argument("journal", type=Path, help="the folder paths.journal")
    parser.add_argument(
        "configs", nargs="+", help="configuration files; BELOW,ABOVE are laid over each other"
    )
    parser.add_argument("--delete", action="store_true", help="drop it; without: only tell")
    given = parser.parse_args()
    try:
        reach = reach_of([_read(one) for one in given.configs])
        found = [
            one
            for folder in model_folders(given.journal)
            for one in sweep(folder, reach, given.delete)
        ]
    except InputError as error:
        sys.exit(f"error: {error}")
    for line in replaced(given.journal, reach, given.delete):
        print(line)
    for one in found:
        print(f"{one.file}: {one.dropped} lines unreached, {one.kept} kept")
    verb = "dropped" if given.delete else "would go (--delete drops them)"
    size = sum(one.bytes for one in found) / 1e6
    print(f"{sum(one.dropped for one in found)} lines, {size:.1f} MB {verb}")


if __name__ == "__main__":
    main()
