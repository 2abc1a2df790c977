"""Released repositories: a fetch brings exactly the pinned commit, or says why it cannot."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from babelmath.errors import InputError
from babelmath.releases import VARIABLES, fetch, local_folder


@pytest.fixture(autouse=True)
def plain_git(tmp_path, monkeypatch):
    """No configuration of the machine's user, and no repository around the test."""
    for name, value in {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_CEILING_DIRECTORIES": str(tmp_path),
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org",
        "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
    }.items():  # fmt: skip
        monkeypatch.setenv(name, value)


def git(folder: Path, *command: str) -> str:
    done = subprocess.run(["git", *command], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def commit(folder: Path, text: str) -> str:
    (folder / "Data").mkdir(exist_ok=True)
    (folder / "Data" / "English corpus.jsonl").write_text(text, encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", text)
    return git(folder, "rev-parse", "HEAD")


@pytest.fixture
def released(tmp_path: Path) -> tuple[str, str, str]:
    """A bare repository with two commits: its address and the commits."""
    work = tmp_path / "work"
    work.mkdir()
    git(work, "init", "--quiet")
    commits = commit(work, "first"), commit(work, "second")
    git(tmp_path, "clone", "--quiet", "--bare", "--no-hardlinks", "work", "released.git")
    return str(tmp_path / "released.git"), *commits


def text_of(folder: Path) -> str:
    return (folder / "Data" / "English corpus.jsonl").read_text(encoding="utf-8")


def test_the_pinned_commit_is_brought_though_the_branch_went_on(tmp_path, released):
    address, first, _ = released
    found = fetch(address, first, tmp_path / "a" / "b")
    assert text_of(tmp_path / "a" / "b") == "first"
    assert git(tmp_path / "a" / "b", "rev-parse", "HEAD") == first
    assert found == {
        "repository": address,
        "commit": first,
        "tree": git(Path(address), "rev-parse", f"{first}^{{tree}}"),
    }


def test_nothing_but_the_commit_is_brought(tmp_path, released):
    address, _, second = released
    fetch(address, second, tmp_path / "a")
    assert git(tmp_path / "a", "rev-list", "--all", "HEAD").split() == [second]


def test_a_folder_with_another_commit_is_brought_to_the_pinned_one(tmp_path, released):
    address, first, second = released
    fetch(address, second, tmp_path / "a")
    fetch(address, first, tmp_path / "a")
    assert text_of(tmp_path / "a") == "first"


def test_a_file_that_was_changed_or_lost_is_brought_back(tmp_path, released):
    address, first, _ = released
    fetch(address, first, tmp_path / "a")
    (tmp_path / "a" / "Data" / "English corpus.jsonl").write_text("spoilt", encoding="utf-8")
    fetch(address, first, tmp_path / "a")
    assert text_of(tmp_path / "a") == "first"
    (tmp_path / "a" / "Data" / "English corpus.jsonl").unlink()
    fetch(address, first, tmp_path / "a")
    assert text_of(tmp_path / "a") == "first"


def test_a_fetch_that_was_cut_before_it_began_can_be_run_again(tmp_path, released):
    address, first, _ = released
    (tmp_path / "a").mkdir()
    git(tmp_path / "a", "init", "--quiet")
    fetch(address, first, tmp_path / "a")
    assert text_of(tmp_path / "a") == "first"


def refusal(address: str, wanted: str, folder: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        fetch(address, wanted, folder)
    assert caught.value.field == "source.commit"
    assert caught.value.value == f"{address}@{wanted}"
    assert "BABELMATH_RECORDS or BABELMATH_BENCHMARKS" in str(caught.value)
    return caught.value


def test_a_commit_that_the_repository_does_not_have_is_refused(tmp_path, released):
    address, _, _ = released
    error = refusal(address, "0123456789" * 4, tmp_path / "a")
    assert "git fetch failed" in error.problem and "0123456789" * 4 in error.problem
    assert not (tmp_path / "a" / "Data").exists()


def test_a_repository_that_is_not_there_is_refused(tmp_path, released):
    error = refusal(str(tmp_path / "none.git"), released[1], tmp_path / "a")
    assert "git fetch failed" in error.problem


@pytest.mark.parametrize("keep", [0, 0.5, 0.9])
def test_a_cut_repository_is_refused(tmp_path, released, keep):
    address, first, _ = released
    for path in (Path(address) / "objects").rglob("*"):
        if path.is_file():
            path.chmod(0o644)
            data = path.read_bytes()
            path.write_bytes(data[: int(len(data) * keep)])
    refusal(address, first, tmp_path / "a")
    assert not (tmp_path / "a" / "Data").exists()


def test_a_repository_with_another_file_under_a_hash_is_refused(tmp_path, released):
    address, first, second = released
    blobs = [git(Path(address), "rev-parse", f"{one}:Data/English corpus.jsonl")
             for one in (first, second)]  # fmt: skip
    good, bad = (Path(address) / "objects" / one[:2] / one[2:] for one in blobs)
    good.chmod(0o644)
    good.write_bytes(bad.read_bytes())
    refusal(address, first, tmp_path / "a")


def test_a_missing_git_is_named(tmp_path, released, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="git is not installed"):
        fetch(released[0], released[1], tmp_path / "a")


def test_the_repository_of_whoever_starts_a_fetch_is_left_alone(tmp_path, released, monkeypatch):
    address, first, _ = released
    mine = tmp_path / "mine"
    mine.mkdir()
    git(mine, "init", "--quiet")
    head = commit(mine, "my own work")
    with monkeypatch.context() as inside_a_hook:
        inside_a_hook.setenv("GIT_DIR", str(mine / ".git"))
        inside_a_hook.setenv("GIT_INDEX_FILE", str(mine / ".git" / "index"))
        inside_a_hook.setenv("GIT_WORK_TREE", str(mine))
        fetch(address, first, tmp_path / "a")
    assert text_of(tmp_path / "a") == "first"
    assert git(mine, "rev-parse", "HEAD") == head
    assert git(mine, "status", "--porcelain") == ""


def test_a_fetch_inside_a_repository_makes_its_own(tmp_path, released):
    address, first, _ = released
    git(tmp_path, "init", "--quiet")
    fetch(address, first, tmp_path / "sources" / "mathmist")
    assert text_of(tmp_path / "sources" / "mathmist") == "first"
    assert not (tmp_path / "Data").exists()


@pytest.mark.parametrize(
    ("folder", "variable", "found"),
    [
        ("here", "there", "here"),
        ("here", None, "here"),
        (None, "there", "there"),
        (None, "", None),
        (None, None, None),
    ],
)
@pytest.mark.parametrize("benchmark", VARIABLES)
def test_a_local_copy_is_the_configured_folder_else_the_variables(
    monkeypatch, benchmark, folder, variable, found
):
    for name in VARIABLES.values():
        monkeypatch.delenv(name, raising=False)
    if variable is not None:
        monkeypatch.setenv(VARIABLES[benchmark], variable)
    assert local_folder(benchmark, folder) == found
