"""Released repositories: a fetch brings exactly the pinned commit, or says why it cannot."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from babelmath import releases
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


def refusal(
    address: str,
    wanted: str,
    folder: Path,
    remedy: str = "BABELMATH_RECORDS or BABELMATH_BENCHMARKS",
) -> InputError:
    with pytest.raises(InputError) as caught:
        fetch(address, wanted, folder)
    assert caught.value.field == "source.commit"
    assert caught.value.value == f"{address}@{wanted}"
    assert remedy in str(caught.value)
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


def spoil(path: Path, keep: float = 1, flip: float | None = None) -> None:
    """Cut a file, or change one byte of it."""
    data = bytearray(path.read_bytes())
    if flip is not None:
        data[int(len(data) * flip)] ^= 0xFF
    path.chmod(0o644)
    path.write_bytes(data[: int(len(data) * keep)])


def packed(address: str) -> Path:
    """The one pack of a repository."""
    git(Path(address), "repack", "-a", "-d", "--quiet")
    (pack,) = (Path(address) / "objects" / "pack").glob("*.pack")
    return pack


@pytest.mark.parametrize("keep", [0, 0.3, 0.6, 0.9])
def test_a_repository_whose_pack_is_cut_is_refused(tmp_path, released, keep):
    address, _, second = released
    spoil(packed(address), keep=keep)
    refusal(address, second, tmp_path / "a")
    assert not (tmp_path / "a" / "Data").exists()


@pytest.mark.parametrize("flip", [0.05, 0.3, 0.5, 0.7, 0.9])
def test_a_repository_whose_pack_was_changed_is_refused_or_brings_the_true_bytes(
    tmp_path, released, flip
):
    address, _, second = released
    spoil(packed(address), flip=flip)
    try:
        fetch(address, second, tmp_path / "a")
    except InputError:
        assert not (tmp_path / "a" / "Data").exists()
    else:  # the byte belonged to the other commit
        assert text_of(tmp_path / "a") == "second"


@pytest.mark.parametrize("kind", ["commit", "tree", "blob"])
def test_a_repository_that_lacks_an_object_is_refused(tmp_path, released, kind):
    address, _, second = released
    name = {"commit": second, "tree": f"{second}^{{tree}}",
            "blob": f"{second}:Data/English corpus.jsonl"}[kind]  # fmt: skip
    found = git(Path(address), "rev-parse", name)
    (Path(address) / "objects" / found[:2] / found[2:]).unlink()
    refusal(address, second, tmp_path / "a")
    assert not (tmp_path / "a" / "Data").exists()


def test_a_commit_that_no_branch_reaches_is_brought_while_it_is_there(tmp_path, released):
    address, first, second = released
    git(Path(address), "config", "uploadpack.allowAnySHA1InWant", "true")
    branch = git(Path(address), "symbolic-ref", "HEAD")
    git(Path(address), "update-ref", branch, first)
    fetch(f"file://{address}", second, tmp_path / "a")
    assert text_of(tmp_path / "a") == "second"
    git(Path(address), "gc", "--prune=now", "--quiet")
    error = refusal(address, second, tmp_path / "b")
    assert "git fetch failed" in error.problem
    fetch(address, second, tmp_path / "a")  # what was brought stays usable
    assert text_of(tmp_path / "a") == "second"


def test_what_was_brought_needs_no_repository_again(tmp_path, released):
    address, first, _ = released
    found = fetch(address, first, tmp_path / "a")
    Path(address).rename(tmp_path / "gone.git")
    (tmp_path / "a" / "Data" / "English corpus.jsonl").unlink()
    assert fetch(address, first, tmp_path / "a") == found
    assert text_of(tmp_path / "a") == "first"


@pytest.mark.parametrize(
    "lock", ["index.lock", "shallow.lock", "HEAD.lock", "config.lock", "refs/heads/main.lock"]
)
@pytest.mark.parametrize("whole", [True, False])
def test_a_lock_that_a_kill_left_is_no_hindrance(tmp_path, released, lock, whole):
    address, first, _ = released
    folder = tmp_path / "a"
    if whole:
        fetch(address, first, folder)
    else:
        folder.mkdir()
        git(folder, "init", "--quiet")
    (folder / ".git" / lock).write_text("", encoding="utf-8")
    fetch(address, first, folder)
    assert text_of(folder) == "first"
    assert not (folder / ".git" / lock).exists()


@pytest.mark.parametrize(
    "left",
    ["", "HEAD", "index", "shallow", "config", "objects", "objects/pack", "refs"],
)
@pytest.mark.parametrize("cut", [True, False])
def test_a_half_repository_that_a_kill_left_is_mended_or_brought_anew(
    tmp_path, released, left, cut
):
    address, first, second = released
    folder = tmp_path / "a"
    fetch(address, second, folder)
    place = folder / ".git" / left
    if place.is_dir():
        shutil.rmtree(place)
        if cut:
            place.mkdir()
    elif cut:
        place.write_bytes(place.read_bytes()[:3] if place.exists() else b"")
    else:
        place.unlink(missing_ok=True)
    (folder / "Data" / "English corpus.jsonl").write_text("sec", encoding="utf-8")
    fetch(address, second, folder)
    assert text_of(folder) == "second"
    assert git(folder, "rev-parse", "HEAD") == second
    assert git(folder, "status", "--porcelain") == ""
    fetch(address, first, folder)
    assert text_of(folder) == "first"


def test_a_fetch_that_was_cut_goes_on_where_it_was(tmp_path, monkeypatch):
    """The repository filters, as public ones do: its files come in portions."""
    work = tmp_path / "many"
    (work / "Data").mkdir(parents=True)
    git(work, "init", "--quiet")
    for number in range(10):
        (work / "Data" / f"{number}.jsonl").write_text(f"text {number}", encoding="utf-8")
    git(work, "add", ".")
    git(work, "commit", "--quiet", "-m", "all")
    git(tmp_path, "clone", "--quiet", "--bare", "--no-hardlinks", "many", "many.git")
    address, pinned = tmp_path / "many.git", git(work, "rev-parse", "HEAD")
    git(address, "config", "uploadpack.allowFilter", "true")
    git(address, "config", "uploadpack.allowAnySHA1InWant", "true")
    monkeypatch.setattr(releases, "PORTION", 3)
    asked: list[int] = []
    true_git = releases._git

    def counting(step: list[str], *others: object) -> str:
        if "--no-write-fetch-head" in step:
            asked.append(len(step) - step.index("origin") - 1)
            if len(asked) == 3:
                raise InputError("the connection was cut")
        return true_git(step, *others)

    monkeypatch.setattr(releases, "_git", counting)
    with pytest.raises(InputError, match="cut"):
        fetch(str(address), pinned, tmp_path / "a")
    assert asked == [3, 3, 3]
    fetch(str(address), pinned, tmp_path / "a")
    assert asked[3:] == [3, 1]  # two portions were there already
    assert (tmp_path / "a" / "Data" / "9.jsonl").read_text(encoding="utf-8") == "text 9"
    git(tmp_path / "a", "fsck", "--full")


@pytest.mark.parametrize("keep", [0, 0.5])
def test_objects_that_a_failing_disk_cut_are_brought_anew(tmp_path, released, keep):
    address, first, _ = released
    fetch(address, first, tmp_path / "a")
    for path in (tmp_path / "a" / ".git" / "objects").rglob("*"):
        if path.is_file():
            spoil(path, keep=keep)
    fetch(address, first, tmp_path / "a")
    assert text_of(tmp_path / "a") == "first"
    git(tmp_path / "a", "fsck", "--full")


def test_an_object_of_the_own_copy_with_other_content_is_brought_anew(tmp_path, released):
    address, first, second = released
    folder = tmp_path / "a"
    fetch(address, first, folder)
    blobs = [git(Path(address), "rev-parse", f"{one}:Data/English corpus.jsonl")
             for one in (first, second)]  # fmt: skip
    good = folder / ".git" / "objects" / blobs[0][:2] / blobs[0][2:]
    good.parent.mkdir(exist_ok=True)
    if good.exists():
        good.chmod(0o644)
    good.write_bytes((Path(address) / "objects" / blobs[1][:2] / blobs[1][2:]).read_bytes())
    (folder / "Data" / "English corpus.jsonl").unlink()
    fetch(address, first, folder)
    assert text_of(folder) == "first"


def test_a_file_that_was_changed_without_a_trace_is_brought_back(tmp_path, released):
    address, first, _ = released
    fetch(address, first, tmp_path / "a")
    path = tmp_path / "a" / "Data" / "English corpus.jsonl"
    times = path.stat()
    path.write_text("FIRST", encoding="utf-8")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    fetch(address, first, tmp_path / "a")
    assert text_of(tmp_path / "a") == "first"


def test_a_file_that_the_commit_has_not_is_refused_by_name(tmp_path, released):
    address, first, _ = released
    fetch(address, first, tmp_path / "a")
    (tmp_path / "a" / "Data" / ".DS_Store").write_text("", encoding="utf-8")
    fetch(address, first, tmp_path / "a")
    strange = tmp_path / "a" / "Data" / "মোট copy.jsonl"
    strange.write_text("", encoding="utf-8")
    error = refusal(address, first, tmp_path / "a", "Remove the file")
    assert error.file == str(strange)
    assert strange.exists() and text_of(tmp_path / "a") == "first"


def test_line_ends_are_the_commits_whatever_the_users_settings(tmp_path, released, monkeypatch):
    settings = tmp_path / "settings"
    settings.write_text("[core]\n\tautocrlf = true\n", encoding="utf-8")
    work = tmp_path / "work"
    wanted = commit(work, "a\nb\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    fetch(str(work), wanted, tmp_path / "a")
    assert (tmp_path / "a" / "Data" / "English corpus.jsonl").read_bytes() == b"a\nb\n"


def test_a_folder_that_cannot_be_made_is_named(tmp_path, released):
    (tmp_path / "a").write_text("", encoding="utf-8")
    for folder in (tmp_path / "a", tmp_path / "a" / "b"):
        with pytest.raises(InputError, match="cannot be made") as caught:
            fetch(released[0], released[1], folder)
        assert caught.value.file == str(folder)


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
