"""Notices that a store's file was deleted or replaced while this process uses it.

SQLite would go on writing to a file that no longer has a name, and acknowledge what is lost.
"""

from __future__ import annotations

import os

from store.error import StoreError


class FileIdentity:
    """The file that a process opened, as its device and inode."""

    def __init__(self, path: str) -> None:
        """Remember the file at `path`."""
        self._path = path
        found = os.stat(path)
        self._device, self._inode = found.st_dev, found.st_ino

    def check(self) -> None:
        """Raise StoreError unless the path still names the same file."""
        # By name: another descriptor on the file would, when closed, drop SQLite's locks.
        try:
            found = os.stat(self._path)
        except FileNotFoundError:
            raise self._error("deleted") from None
        if found.st_ino != self._inode or found.st_dev != self._device:
            raise self._error("replaced by another file")

    def _error(self, what: str) -> StoreError:
        return StoreError(
            f"{self._path} was {what} while this program was using it; nothing of this call was kept. "
            "Stop every program that uses the store before you replace its file"
        )
