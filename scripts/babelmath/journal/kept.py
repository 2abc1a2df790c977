"""Keeping what models wrote: files that a run makes with answers outlive their replacement.

Snakemake deletes a job's old output before it runs the job. So a run links each such file into
journal/{model}/kept/{results}/ when it starts and when it ends: the link costs no space and holds
the old content when the name in results/ is gone. When another content has taken the name, the old
one becomes journal/{model}/replaced/{name}.{hash}.jsonl.gz. Nothing is ever read back from there.
"""

from __future__ import annotations

import gzip
import os
import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from babelmath.errors import InputError
from babelmath.files import sha256_file
from babelmath.locks import locked

KEPT, REPLACED = "kept", "replaced"


@dataclass(frozen=True)
class Made:
    """A file made with a model's answers, by its place below the results' root."""

    model: str
    place: str


def keep(journal: Path, results: Path, made: Iterable[Made]) -> list[Path]:
    """Link what stands in the results into the journal; store what it has replaced.

    Args:
        journal: the folder paths.journal.
        results: the folder paths.results, as the configuration names it.
        made: the files; those that are not there are passed over.

    Returns:
        the replaced files that were stored.

    Raises:
        InputError: a file cannot be kept.
    """
    stored = []
    # The same journal may serve several results folders, whose files have the same names.
    folder = re.sub(r"[^A-Za-z0-9.]+", "-", str(results)).strip("-") or "results"
    for one in made:
        file = results / one.place
        if not file.is_file():
            continue
        name = one.place.replace("/", ".")
        link = journal / one.model / KEPT / folder / name
        try:
            if link.exists() and _same(file, link):
                continue
            link.parent.mkdir(parents=True, exist_ok=True)
            with open(link.parent / ".lock", "a+b") as lock:
                locked(lock)
                if link.exists() and sha256_file(link) != sha256_file(file):
                    stored += _store(link, journal / one.model / REPLACED)
                _link(file, link)
        except OSError as error:
            if not file.exists():  # a job that outlived its run is at work on it
                continue
            raise InputError(
                f"cannot be kept in the journal: {error.strerror}",
                file=file,
                remedy=f"Make {link.parent} writable, with room.",
            ) from None
    return stored


def kept_files(folder: Path) -> list[Path]:
    """All files of a model's journal folder that `keep` made."""
    places = (folder / KEPT, folder / REPLACED)
    return sorted(
        one
        for place in places
        for one in place.rglob("*")
        if one.is_file() and not one.name.startswith(".")
    )


def drop_kept(folder: Path) -> None:
    """Remove them."""
    for place in (folder / KEPT, folder / REPLACED):
        shutil.rmtree(place, ignore_errors=True)


def _same(file: Path, link: Path) -> bool:
    """Whether both are one file, or a copy with its time (where no link can be made)."""
    one, two = file.stat(), link.stat()
    return os.path.samestat(one, two) or (one.st_size, one.st_mtime_ns) == (
        two.st_size,
        two.st_mtime_ns,
    )


def _store(old: Path, folder: Path) -> list[Path]:
    """Pack a replaced file under the hash of its content; none where it is there already."""
    content = sha256_file(old)[:16]
    stem = old.name.removesuffix(".jsonl")
    packed = folder / f"{stem}.{content}.jsonl.gz"
    if packed.exists():
        return []
    folder.mkdir(parents=True, exist_ok=True)
    temporary = packed.with_name(f".{packed.name}")
    with open(old, "rb") as source, open(temporary, "wb") as raw:
        # Without name and time: equal content gives equal files.
        with gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as target:
            shutil.copyfileobj(source, target)
        raw.flush()
        os.fsync(raw.fileno())
    os.replace(temporary, packed)
    return [packed]


def _link(file: Path, link: Path) -> None:
    """Put a file's content under the link's name: whole or not at all, the old one until then."""
    temporary = link.with_name(f".{link.name}")
    temporary.unlink(missing_ok=True)
    try:
        os.link(file, temporary)
    except OSError:  # another file system, or one that has no links
        shutil.copy2(file, temporary)
    os.replace(temporary, link)
    temporary.unlink(missing_ok=True)  # rename leaves both names of one file as they are
