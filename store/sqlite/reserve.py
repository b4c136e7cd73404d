"""Disk space kept in a file beside the store, so that messages can be removed when the disk is full.

Removing a message writes too: to the log first. And the log can only be used again from its
beginning after all of it has been copied into the main file, which may have to grow for that. So
the reserve is as large as the log usually gets; a small store starts with less.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from mqsc.store.sqlite.files import open_like, with_file_failures

SMALL = 512 << 10
# The log is copied at 2000 pages of 4 KB; the rest is for the call that removes something.
LARGE = 9 << 20
# Above this size of the store and its log, the reserve is LARGE.
SMALL_STORE = 768 << 10
# SQLite's smallest page; larger ones are multiples of it.
PAGE_UNIT = 512


class Reserve:
    """The reserve of one store. Failures to create it are ignored: it is then missing when the
    disk is full.
    """

    def __init__(self, path: str) -> None:
        self._store = path
        self._path = f"{path}.reserve"

    @property
    def size(self) -> int:
        return _size(self._path)

    def keep(self) -> None:
        """Allocate the reserve if it is missing or too small; as much of it as the disk has room
        for.
        """
        used = _size(self._store) + _size(f"{self._store}-wal")
        wanted = LARGE if used > SMALL_STORE else SMALL
        held = self.size
        if held >= wanted:
            return
        try:
            descriptor = open_like(Path(self._path), Path(self._store))
        except OSError:
            return
        try:
            while wanted > held and not _allocated(descriptor, wanted):
                os.ftruncate(descriptor, held)
                wanted //= 2
        except OSError:
            return
        finally:
            os.close(descriptor)

    def release(self) -> int:
        """Return the space to the file system; how many bytes."""
        held = self.size
        if held:
            try:
                os.truncate(self._path, 0)
            except OSError:
                return 0
        return held


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


@with_file_failures
def may_be_database(path: str) -> bool:
    """Whether a file has one name and consists of SQLite's pages, by its size: opening it would
    drop SQLite's locks.
    """
    file_status = os.stat(path)
    return (
        stat.S_ISREG(file_status.st_mode)
        and file_status.st_nlink == 1
        and file_status.st_size > 0
        and file_status.st_size % PAGE_UNIT == 0
    )


def _allocated(descriptor: int, size: int) -> bool:
    """Allocate the first `size` bytes of a file; False when there is no room."""
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(descriptor, 0, size)
        else:
            os.pwrite(descriptor, bytes(size), 0)
    except OSError:
        return False
    return os.fstat(descriptor).st_size >= size
