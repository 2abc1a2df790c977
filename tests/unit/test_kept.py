"""Answers' files outlive their replacement: linked while they stand, packed when replaced."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from babelmath.errors import InputError
from babelmath.files import sha256, write_text
from babelmath.journal.files import journal_files
from babelmath.journal.gc import Reach, main, replaced
from babelmath.journal.kept import Made, keep, kept_files

PLACE = "mathmist/generations/cot/small.jsonl"
NAME = PLACE.replace("/", ".")
MADE = [Made("small", PLACE), Made("small", "mathmist/generations/cot/absent.jsonl")]


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(text: str, root: str = "results") -> None:
    write_text(Path(root, PLACE), text)


def kept(root: str = "results") -> list[Path]:
    return keep(Path("journal"), Path(root), MADE)


def packed() -> dict[str, str]:
    return {
        path.name: gzip.decompress(path.read_bytes()).decode()
        for path in sorted(Path("journal/small/replaced").glob("*.gz"))
    }


def test_a_removed_file_is_still_in_the_journal(folder):
    write("one\n")
    assert kept() == []
    Path("results", PLACE).unlink()
    assert Path("journal/small/kept/results", NAME).read_text() == "one\n"
    assert kept() == [], "what is not there replaces nothing"
    assert Path("journal/small/kept/results", NAME).read_text() == "one\n"


def test_a_link_costs_no_space(folder):
    write("one\n")
    kept()
    assert Path("results", PLACE).stat().st_nlink == 2


def test_a_replaced_file_is_packed_under_its_hash(folder):
    for text in ("one\n", "two\n", "three\n"):
        write(text)
        kept()
    assert packed() == {
        f"{NAME.removesuffix('.jsonl')}.{sha256(text)[:16]}.jsonl.gz": text
        for text in ("one\n", "two\n")
    }
    assert Path("journal/small/kept/results", NAME).read_text() == "three\n"


def test_the_same_content_replaces_nothing(folder):
    write("one\n")
    kept()
    write("one\n")
    assert kept() == [] and packed() == {}
    assert Path("results", PLACE).samefile(Path("journal/small/kept/results", NAME))


def test_two_results_folders_do_not_take_each_others_place(folder):
    write("one\n")
    write("two\n", "results/paper")
    kept()
    kept("results/paper")
    assert packed() == {} and len(kept_files(Path("journal/small"))) == 2


def test_where_no_link_can_be_made_a_copy_does(folder, monkeypatch):
    def refuse(*_: object) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    write("one\n")
    kept()
    before = Path("journal/small/kept/results", NAME).stat().st_ino
    kept()
    assert Path("journal/small/kept/results", NAME).stat().st_ino == before, "copied once"
    write("two\n")
    kept()
    assert list(packed().values()) == ["one\n"]


def test_what_cannot_be_kept_is_said_before_it_is_removed(folder):
    write("one\n")
    Path("journal").write_text("a file")
    with pytest.raises(InputError, match="cannot be kept in the journal"):
        kept()


def test_the_journal_itself_does_not_see_them(folder):
    write("one\n")
    kept()
    write("two\n")
    kept()
    assert journal_files(Path("journal/small")) == []


@pytest.mark.parametrize(("jobs", "stays"), [({"small": frozenset({"a"})}, True), ({}, False)])
def test_gc_drops_those_of_models_that_nothing_reaches(folder, jobs, stays):
    write("one\n")
    kept()
    (told,) = replaced(Path("journal"), Reach(jobs, {}), delete=False)
    assert ("kept" if stays else "would go") in told.rsplit(",", 1)[1]
    assert kept_files(Path("journal/small"))
    list(replaced(Path("journal"), Reach(jobs, {}), delete=True))
    assert bool(kept_files(Path("journal/small"))) == stays
    assert Path("results", PLACE).read_text() == "one\n"


def test_make_journal_gc_tells_of_them(folder, monkeypatch, capsys, repository):
    write("one\n")
    kept()
    file = str(repository / "config" / "config.yaml")
    monkeypatch.setattr("sys.argv", ["gc", "journal", file])
    main()
    assert "1 files that a run made or replaced" in capsys.readouterr().out
