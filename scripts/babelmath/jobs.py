"""How a job's script ends when something goes wrong: in plain words."""

from __future__ import annotations

import errno
import gc
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from babelmath.errors import InputError, UnansweredError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


def run(main: Callable[[], None], logs: Sequence[str]) -> None:
    """Run a script's main function.

    Bad input, unanswered requests and a disk that takes nothing more are told in a sentence and end
    the job with status 1; any other exception goes to the log with its trace and on to the caller.

    Args:
        logs: the job's log files; the first is appended to.
    """
    # Records hold no cycles: looking for some takes a sixth of a large import.
    gc.set_threshold(100_000, 50, 1000)
    try:
        main()
    except (InputError, UnansweredError) as error:
        _log(logs, f"error: {error}\n")
        print(f"error: {error}", file=sys.stderr)
        sys.exit(1)
    except OSError as error:
        if error.errno not in FULL:
            _log(logs, traceback.format_exc())
            raise
        where = f" ({error.filename})" if error.filename else ""
        said = f"error: {error.strerror}{where}. What was journalled stands: make room, run again."
        _log(logs, f"{said}\n")
        print(said, file=sys.stderr)
        sys.exit(1)
    except BaseException:
        _log(logs, traceback.format_exc())
        raise


def _log(logs: Sequence[str], text: str) -> None:
    if logs:
        path = Path(logs[0])
        with suppress(OSError):  # the disk may be full: what is told on the screen has to do then
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "a", encoding="utf-8") as log:
                log.write(text)
