"""How processes know which of them are alive: each keeps a lock on a file of its own beside the store.

A file whose lock can be taken, or that is gone, belongs to a dead process. No process numbers, no leases by time.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from pathlib import Path

from store.error import StoreError
from store.sqlite.files import make_folder, open_like
from store.sqlite.lock_file import LockFile


class LivenessFile:
    """The lock file of this process; held from creation until release() or the end of the process."""

    def __init__(self, folder: Path) -> None:
        try:
            make_folder(folder)
            self.name = f"{os.getpid()}-{secrets.token_hex(8)}"
            self._path = folder / self.name
            self._descriptor: int | None = open_like(self._path, folder)
        except OSError as error:
            raise StoreError(f"{folder} cannot be written: {error.strerror}") from error
        fcntl.flock(self._descriptor, fcntl.LOCK_EX)

    def release(self) -> None:
        """Give the lock up and remove the file: this process is done with the store."""
        if self._descriptor is not None:
            self._path.unlink(missing_ok=True)
            os.close(self._descriptor)
            self._descriptor = None

    def forget(self) -> None:
        """In a forked child: close the inherited descriptor; the lock stays the parent's."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class OneAtATime(LockFile):
    """A lock that is taken now and then: recovery, jobs that skip when running, one `serve`."""

    def release(self) -> None:
        """Give the lock up; the file stays, so that no two processes can lock different files of one name."""
        # Closing alone would leave it to a child that was forked meanwhile.
        super().release()
        self.close()


def folder_beside(path: str) -> Path:
    """Where the lock files of a store are kept."""
    return Path(path + ".processes")


def lock_beside(path: str, purpose: str, name: str) -> Path:
    """The lock file of one purpose (a job, a `serve`) and one queue manager of a store."""
    return Path(f"{path}.{purpose}-{name.replace('/', '%2F')}")


def is_dead(folder: Path, name: str) -> bool:
    """Whether the process that owned that file is gone; of one that this user may not look at nobody knows."""
    try:
        descriptor = os.open(folder / name, os.O_RDONLY)
    except FileNotFoundError:
        return True
    except PermissionError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True


def remove(folder: Path, name: str) -> None:
    """Remove the file of a dead process."""
    (folder / name).unlink(missing_ok=True)


def process_number(name: str) -> int:
    """The number of the process that owns that file, to show to people; a blank name means this process itself."""
    return int(name.partition("-")[0]) if name else os.getpid()
