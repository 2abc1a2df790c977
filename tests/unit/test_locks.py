"""Locks hold between processes, and ask of a file what a network file system asks."""

from __future__ import annotations

import errno
import fcntl
import subprocess
import sys
from pathlib import Path

import pytest

from babelmath.errors import InputError
from babelmath.locks import check_locks, locked, open_locked

HOLDER = """
import sys
from babelmath.locks import open_locked
file = open_locked(sys.argv[1], shared=sys.argv[2] == "shared")
print("held", flush=True)
sys.stdin.read()
"""
LIBRARY = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def held(tmp_path):
    """Other processes that hold a lock until they are let go or killed."""
    running = []

    def hold(how: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(tmp_path / "lock"), how], text=True, cwd=LIBRARY,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout.readline() == "held\n"
        running.append(process)
        return process

    yield hold
    for process in running:
        process.kill()
        process.communicate()


@pytest.mark.parametrize(
    ("theirs", "ours", "got"),
    [("alone", "alone", False), ("alone", "shared", False),
     ("shared", "alone", False), ("shared", "shared", True)],
)  # fmt: skip
def test_a_lock_is_held_between_processes_and_ends_with_its_holder(
    held, tmp_path, theirs, ours, got
):
    holder = held(theirs)
    file = open_locked(tmp_path / "lock", shared=ours == "shared", wait=False)
    assert (file is not None) == got
    if file is None:
        holder.kill()
        holder.wait()
        file = open_locked(tmp_path / "lock", shared=ours == "shared")
    assert file is not None
    file.close()


@pytest.mark.parametrize(("mode", "shared"), [("ab", True), ("rb", False)])
def test_the_tests_run_with_the_locks_of_a_network_file_system(tmp_path, mode, shared):
    (tmp_path / "lock").touch()
    with open(tmp_path / "lock", mode) as file, pytest.raises(OSError, match="Bad file descriptor"):
        locked(file, shared=shared)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_locks_is_told_with_the_way_out(tmp_path, monkeypatch, number):
    def flock(file, how):
        raise OSError(number, "none")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(InputError, match=r"lock: this file system has no file locks.*nolock"):
        open_locked(tmp_path / "lock")
    with pytest.raises(InputError, match=r"journal/\.lock"):
        check_locks(tmp_path / "journal")


def test_other_errors_of_a_lock_are_no_news_of_the_file_system(tmp_path, monkeypatch):
    def flock(file, how):
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(OSError, match="broken"):
        open_locked(tmp_path / "lock")


def test_checking_a_folder_makes_it_and_leaves_it_free(tmp_path, held):
    check_locks(tmp_path / "journal")
    file = open_locked(tmp_path / "journal" / ".lock", wait=False)
    assert file is not None
    file.close()
    held("alone")
    check_locks(tmp_path)


def test_all_locks_of_the_project_are_taken_here():
    """A lock taken elsewhere might not hold on a network file system."""
    places = [*LIBRARY.rglob("*.py"), *(LIBRARY.parent / "rules").glob("*.smk")]
    found = {one.name for one in places if "fcntl" in one.read_text(encoding="utf-8")}
    assert found == {"locks.py"}
