"""The locks on bytes by which SQLite says that a database is open, as the system enforces them.

/proc/locks does not list those of programs in other PID namespaces, such as containers; the system
answers for all.
"""

from __future__ import annotations

import fcntl
import os
import struct
import threading
from collections import Counter

# From "File Locking And Concurrency" and "WAL-mode File Format" of SQLite: every connection to a
# database with a log holds a lock on these bytes of the file, and on one byte of the shared memory.
_FIRST_OF_FILE, _BYTES_OF_FILE = (1 << 30) + 2, 510
_FIRST_OF_SHARED_MEMORY, _BYTES_OF_SHARED_MEMORY = 128, 1
# struct flock: type, from where the first byte counts, first byte, number of bytes, process.
_QUESTION = struct.Struct("hhqqi")
_ASK = getattr(fcntl, "F_OFD_GETLK", None)

Identity = tuple[int, int]
# How often SQLite uses a file in this process, by its device and inode, and descriptors on files
# that were looked at meanwhile: to close one would drop SQLite's locks.
_USES: Counter[Identity] = Counter()
_KEPT: dict[Identity, int] = {}
_LOOKING = threading.Lock()


def begin_use(file: Identity) -> None:
    """Note that SQLite is about to open a file in this process."""
    with _LOOKING:
        _USES[file] += 1


def end_use(file: Identity) -> None:
    """Note that SQLite has closed the file as often as begin_use() was called for it, less one."""
    with _LOOKING:
        _USES[file] -= 1
        if _USES[file] <= 0:
            del _USES[file]
            if file in _KEPT:
                os.close(_KEPT.pop(file))


def holder_of_file(path: str, file: Identity) -> int | None:
    """The process that has the database open, this one included; 0 if its number is not valid
    here, None if there is none.
    """
    with _LOOKING:
        if file not in _KEPT:
            _KEPT[file] = os.open(path, os.O_RDONLY)
        try:
            return _holder(_KEPT[file], _FIRST_OF_FILE, _BYTES_OF_FILE)
        finally:
            if not _USES[file]:
                os.close(_KEPT.pop(file))


def is_shared_memory_open(descriptor: int) -> bool:
    """Whether a process has the shared memory of a database open, this one included; True if the
    system cannot say.
    """
    return (
        _ASK is None
        or _holder(descriptor, _FIRST_OF_SHARED_MEMORY, _BYTES_OF_SHARED_MEMORY) is not None
    )


def _holder(descriptor: int, first: int, number: int) -> int | None:
    if _ASK is None:
        return None
    question = _QUESTION.pack(fcntl.F_WRLCK, os.SEEK_SET, first, number, 0)
    try:
        answer = fcntl.fcntl(descriptor, _ASK, question)
    except OSError:
        # A file system, or a sandbox, that does not answer.
        return None
    kind, _, _, _, process = _QUESTION.unpack(answer[: _QUESTION.size])
    return None if kind == fcntl.F_UNLCK else max(int(process), 0)
