"""How a job's script ends."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from babelmath.errors import InputError, UnansweredError
from babelmath.jobs import run


def ending(error: BaseException, log: Path) -> BaseException:
    def main() -> None:
        raise error

    with pytest.raises(BaseException) as caught:
        run(main, [str(log)])
    return caught.value


@pytest.mark.parametrize(("error", "said"), [
    (InputError("bad", field="a.b"), "error: field a.b: bad"),
    (UnansweredError("2 of 3"), "error: 2 of 3"),
    (OSError(errno.ENOSPC, "No space left on device", "journal/m/j.jsonl"),
     "error: No space left on device (journal/m/j.jsonl). What was journalled stands"),
])  # fmt: skip
def test_what_a_user_can_mend_is_told_in_a_sentence(tmp_path, capsys, error, said):
    ended = ending(error, tmp_path / "logs/job.log")
    assert isinstance(ended, SystemExit) and ended.code == 1
    assert said in capsys.readouterr().err
    written = (tmp_path / "logs/job.log").read_text()
    assert said in written and "Traceback" not in written


@pytest.mark.parametrize("error", [ValueError("x"), OSError(errno.EIO, "broken")])
def test_anything_else_goes_on_with_its_trace(tmp_path, error):
    assert ending(error, tmp_path / "job.log") is error
    assert "Traceback" in (tmp_path / "job.log").read_text()


def test_a_log_that_cannot_be_written_hides_no_error(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    ended = ending(InputError("bad"), tmp_path / "file" / "job.log")
    assert isinstance(ended, SystemExit) and "error: bad" in capsys.readouterr().err
