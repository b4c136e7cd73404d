"""How processes know which of them are alive: each holds a lock on its own file beside the store.

When the lock can be acquired, or the file is gone, the process is dead. No process ids and no leases are needed.
"""

from __future__ import annotations

import fcntl
import os
import signal
from contextlib import suppress
from pathlib import Path

from store.error import StoreError
from store.sqlite.files import is_at, make_folder, open_like
from store.sqlite.locks import is_held


class LivenessFile:
    """The lock file of this process, locked from creation until release() or the end of the process."""

    def __init__(self, folder: Path) -> None:
        try:
            make_folder(folder)
            self.name = f"{os.getpid()}-{os.urandom(8).hex()}"
            self._path = folder / self.name
            self._descriptor: int | None = open_like(self._path, folder)
        except OSError as error:
            raise StoreError(f"{folder} cannot be written: {error.strerror}") from error
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def is_in_place(self) -> bool:
        """Whether others find the file under its name; if not, they take this process for dead."""
        return self._descriptor is not None and is_at(self._path, self._descriptor)

    def release(self) -> None:
        """Release the lock and remove the file: this process no longer uses the store."""
        if self._descriptor is not None:
            if self.is_in_place():
                self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None

    def forget(self) -> None:
        """Close the inherited file in a forked child; the parent keeps the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def folder_beside(path: str) -> Path:
    """Return the folder that holds the liveness files of the store at `path`."""
    return Path(path + ".processes")


def is_dead(folder: Path, name: str) -> bool:
    """Return whether the process that owned the file is dead; False when this user may not open the file."""
    return not is_held(folder / name)


def remove(folder: Path, name: str) -> None:
    """Remove the file of a dead process."""
    (folder / name).unlink(missing_ok=True)


def kill(folder: Path, name: str) -> None:
    """Kill the process that owns the file, if it is another one, alive, and this user may do so."""
    if process_id(name) != os.getpid() and not is_dead(folder, name):
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process_id(name), signal.SIGKILL)


def process_id(name: str) -> int:
    """Return the process id that a liveness file is named after; for a blank name that of this process."""
    return int(name.partition("-")[0]) if name else os.getpid()
