"""Notices that a store's file was deleted, replaced or overwritten while this process uses it.

SQLite would go on writing to a file that no longer has a name, or mix another file with the log of the former one.
"""

from __future__ import annotations

import os
from contextlib import closing
from types import ModuleType
from urllib.parse import quote

from store.environment import elapsed_real_seconds, pause_a_moment
from store.error import StoreError

# A checkpoint changes the file too. At full speed there are fifty a second, so calls that need not be on disk compare
# the contents only so often.
COMPARISON_SECONDS = 0.1
ATTEMPTS = 5


class FileIdentity:
    """The file that a process opened: its device, inode and contents."""

    def __init__(self, path: str, library: ModuleType) -> None:
        """Remember the file at `path`."""
        self._path = path
        self._library = library
        found = os.stat(path)
        self._device, self._inode, self._modified = found.st_dev, found.st_ino, found.st_mtime_ns
        self._highest = self._read_highest() or 0
        self._compared_at = 0.0

    def check(self, *, durable: bool) -> None:
        """Raise StoreError unless the path still names the same file with contents that only this store has written.

        The caller holds the writer lock, so no other process of ours changes the file meanwhile.
        """
        try:
            found = os.stat(self._path)
        except FileNotFoundError:
            raise self._error("deleted") from None
        if found.st_ino != self._inode or found.st_dev != self._device:
            raise self._error("replaced by another file")
        if found.st_mtime_ns != self._modified:
            now = elapsed_real_seconds()
            if durable or now - self._compared_at > COMPARISON_SECONDS:
                self._compare_contents()
                self._modified, self._compared_at = found.st_mtime_ns, now

    def _compare_contents(self) -> None:
        """Numbers of AUTOINCREMENT columns never decrease: if they have, the contents are older, as of a backup."""
        for _ in range(ATTEMPTS):
            highest = self._read_highest()
            if highest is not None and highest >= self._highest:
                self._highest = highest
                return
            # A program that does not take our lock, such as the sqlite3 shell, may be copying the log.
            pause_a_moment()
        # From now on every call compares, and fails.
        self._compared_at = float("-inf")
        raise self._error("overwritten")

    def _read_highest(self) -> int | None:
        """The sum of all such numbers in the file alone, without the log; None when the file cannot be read."""
        # Through SQLite itself, which keeps this process's locks on the file when the connection is closed.
        url = f"file:{quote(self._path)}?immutable=1&mode=ro"
        try:
            with closing(self._library.connect(url, uri=True, isolation_level=None)) as file:
                if not file.execute("SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_sequence'").fetchone()[0]:
                    return 0
                return int(file.execute("SELECT ifnull(sum(seq), 0) FROM sqlite_sequence").fetchone()[0])
        except self._library.DatabaseError:
            return None

    def _error(self, what: str) -> StoreError:
        return StoreError(
            f"{self._path} was {what} while this program was using it; nothing of this call was kept. "
            "Stop every program that uses the store before you replace its file"
        )
