"""Locks on files that hold between processes, and between machines on a network file system.

NFS makes whole-file locks of flock(2) into locks of the file's bytes: a shared one then needs a
file that is open for reading, an exclusive one a file that is open for writing. So every lock here
is taken on a file that is open for both. A lock ends when its file is closed, or its process dies.
"""

from __future__ import annotations

import errno
import fcntl
from pathlib import Path
from typing import IO, BinaryIO

from babelmath.errors import InputError

NONE_HERE = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)


def locked(file: IO[bytes] | IO[str], *, shared: bool = False, wait: bool = True) -> bool:
    """Lock a file that is open for reading and writing; whether it is locked now.

    Args:
        shared: together with others who say so, too.
        wait: until whoever holds it lets go.

    Raises:
        InputError: the file system has no locks.
    """
    how = (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB)
    try:
        fcntl.flock(file, how)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in NONE_HERE:
            raise
        raise InputError(
            f"this file system has no file locks ({error.strerror})",
            file=str(file.name),
            remedy="Put paths.journal and the working folder on one that has them, or mount it so "
            "(Lustre: -o flock; NFS: without nolock).",
        ) from None
    return True


def open_locked(path: Path, *, shared: bool = False, wait: bool = True) -> BinaryIO | None:
    """A file, made where it is not there, locked until it is closed; None where another has it.

    Raises:
        InputError: the file system has no locks.
    """
    file = open(path, "a+b")  # noqa: SIM115 - closed by its user
    try:
        if locked(file, shared=shared, wait=wait):
            return file
    except BaseException:
        file.close()
        raise
    file.close()
    return None


def check_locks(folder: Path) -> None:
    """Refuse a folder, which is made where it is not there, whose file system has no locks.

    Raises:
        InputError: so it is. A folder that cannot be written is not told here.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = open_locked(folder / ".lock", shared=True, wait=False)
    except OSError:
        return
    if file is not None:
        file.close()
