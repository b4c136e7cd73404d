"""How processes know which of them are alive: each holds a lock on its own file beside the store.

When the lock can be acquired, or the file is gone, the process is dead. No process ids and no
leases are needed. The text of the file says which process it is, for those who end it or name it.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from mqsc.store.error import StoreError
from mqsc.store.sqlite.files import OWNER_ONLY, file_failure, is_at, make_folder, open_like
from mqsc.store.sqlite.locks import is_held
from mqsc.store.sqlite.process_identity import own_identity, written


class LivenessFile:
    """The lock file of this process, locked from creation until release() or the end of the
    process.
    """

    def __init__(self, folder: Path) -> None:
        try:
            make_folder(folder)
            self.name = f"{os.getpid()}-{os.urandom(8).hex()}"
            self._path = folder / self.name
            self._descriptor: int | None = open_like(self._path, folder)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        except OSError as error:
            raise StoreError(f"{folder} cannot be written: {error.strerror}") from error
        # A full disk is no reason to refuse: the process can then not be named, or killed.
        with suppress(OSError):
            os.pwrite(self._descriptor, written(own_identity()), 0)

    def is_in_place(self) -> bool:
        """Whether others find the file under its name; if not, they take this process for dead."""
        try:
            return self._descriptor is not None and is_at(self._path, self._descriptor)
        except OSError as error:
            raise file_failure(self._path, error) from error

    def release(self) -> None:
        """Release the lock and remove the file: this process no longer uses the store."""
        if self._descriptor is not None:
            # A file that is left without a lock says as well that the process is dead.
            with suppress(OSError, StoreError):
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
    """Return whether the process that owned the file is dead; False when this user may not open
    the file.
    """
    return not is_held(folder / name)


@contextmanager
def counted_as_living(folder: Path, copy: Path) -> Iterator[None]:
    """Have the living processes of a store, whose files are in `folder`, count as living in a copy
    of the store too, for the block. Only files in the folder `copy` are written.
    """
    held: list[int] = []
    try:
        make_folder(copy)
        for file in folder.iterdir() if folder.is_dir() else ():
            if file.name[0].isdigit() and not is_dead(folder, file.name):
                held.append(os.open(copy / file.name, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
                fcntl.flock(held[-1], fcntl.LOCK_EX)
                with suppress(OSError):
                    # Which process it is; without that, it cannot be named.
                    os.pwrite(held[-1], file.read_bytes(), 0)
        yield
    finally:
        for descriptor in held:
            os.close(descriptor)


def remove_liveness_file(folder: Path, name: str) -> None:
    """Remove the file of a dead process, if that is possible."""
    with suppress(OSError):
        (folder / name).unlink(missing_ok=True)


def process_id(name: str) -> int:
    """Return the process id that a liveness file is named after; for a blank name that of this
    process.

    It is valid where that process runs: `owners.owner_of` says whether that is here.
    """
    return int(name.partition("-")[0]) if name else os.getpid()
