"""The files of a model's journal: their names, locks and whole lines.

A job writes {job}.jsonl, plain lines. What grew large is packed when its job ends: the file becomes
the segment {job}+N.jsonl and then {job}+N.jsonl.gz, an ordinary gzip file of many members (zcat
reads it). Whoever has a journal open holds a shared lock on the folder's .lock; packing and `gc`
take it alone. A job's own file is locked by its one writer.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from babelmath.appended import drop_torn_line, is_packed
from babelmath.locks import locked, open_locked
from babelmath.shards import shards_in, whole_job

NAME = re.compile(r"(?P<job>.+?)(?:\+(?P<segment>[0-9]+))?\.jsonl(?P<packed>\.gz)?")


def journal_files(folder: Path) -> list[Path]:
    """A journal's files: by job, segments in their order, then the file that its job writes.

    A segment whose packed twin stands beside it is left out: a kill came right after packing.
    """
    found: dict[tuple[str, float], Path] = {}
    for path in sorted(folder.glob("*.jsonl*")):
        if not path.name.startswith(".") and (parts := NAME.fullmatch(path.name)):
            place = (parts["job"], float(parts["segment"] or "inf"))
            if place not in found or parts["packed"]:
                found[place] = path
    return [found[place] for place in sorted(found)]


def job_of(path: Path) -> str:
    """The job whose lines a journal file holds."""
    parts = NAME.fullmatch(path.name)
    return parts["job"] if parts else path.name


def segments(folder: Path, job: str) -> list[Path]:
    """A job's segments, packed or about to be."""
    return [one for one in journal_files(folder) if job_of(one) == job and "+" in one.name]


def share(folder: Path) -> BinaryIO:
    """The folder's lock, held together with others until the returned file is closed."""
    folder.mkdir(parents=True, exist_ok=True)
    file = open(folder / ".lock", "a+b")  # noqa: SIM115 - closed by its user
    _wait(file, True, f"another process is packing {folder}")
    return file


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Nobody packs or cleans the folder meanwhile; one that does not exist is not made."""
    if not folder.is_dir():
        yield
        return
    try:
        lock = share(folder)
    except OSError as error:
        if error.errno not in (errno.EROFS, errno.EACCES):
            raise
        yield  # nobody can write here
        return
    with lock:
        yield


def alone(folder: Path) -> BinaryIO | None:
    """The folder's lock for one process alone, or None while anybody has the journal open."""
    return open_locked(folder / ".lock", wait=False)


def open_writer(folder: Path, job: str) -> tuple[BinaryIO, Path]:
    """The job's file, locked, with a torn last line dropped.

    While another process writes it (one that outlived a killed run, or a run into another results
    folder), this one waits: what the other is answered is then in the journal and not asked again.
    So it does for a job that asks the same questions in another number of shards.
    """
    _await_other_shards(folder, job)
    path = folder / f"{job}.jsonl"
    while True:
        file = open(path, "a+b")  # noqa: SIM115 - closed by Journal.close
        _wait(file, False, f"another process is writing {path}")
        if path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat()):
            break
        file.close()  # its holder has packed it: the job writes a new one
    drop_torn_line(path)
    file.seek(0, os.SEEK_END)
    return file, path


def _await_other_shards(folder: Path, job: str) -> None:
    """Wait until nobody writes what the same questions were answered in other numbers of shards.

    The job's own file is not open yet: of two that waited for each other none would ever go on.
    """
    for path in journal_files(folder):
        other = job_of(path)
        same = whole_job(other) == whole_job(job) and not is_packed(path)
        if same and shards_in(other) != shards_in(job):
            try:
                with open(path, "r+b") as file:
                    _wait(file, True, f"another process is writing {path}")
            except FileNotFoundError:
                pass  # packed meanwhile


def _wait(file: BinaryIO, shared: bool, why: str) -> None:
    if not locked(file, shared=shared, wait=False):
        print(f"waiting: {why}", file=sys.stderr, flush=True)
        locked(file, shared=shared)
