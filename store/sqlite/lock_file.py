"""A file that one process at a time has locked."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from store.error import StoreError
from store.sqlite.files import make_folder, open_like

_AT_ONCE = fcntl.LOCK_EX | fcntl.LOCK_NB


class LockFile:
    """A lock of one holder at a time, given up when the holder's process ends, however it ends.

    The file is for whom the file or folder `like` is for: the folder that it is in, where nothing else is said.
    """

    def __init__(self, path: Path, like: Path | None = None) -> None:
        self._path = path
        self._like = path.parent if like is None else like
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Whether the lock could be taken now. StoreError where the file cannot be made."""
        try:
            if self._descriptor is None:
                make_folder(self._path.parent)
                self._descriptor = open_like(self._path, self._like)
            fcntl.flock(self._descriptor, _AT_ONCE)
        except BlockingIOError:
            return False
        except OSError as error:
            raise StoreError(f"{self._path} cannot be written: {error.strerror}") from error
        return True

    def release(self) -> None:
        """Give the lock up; the file stays."""
        if self._descriptor is not None:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file; in a forked child the lock stays its parent's."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
