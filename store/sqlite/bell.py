"""A byte that every process sees without asking the system."""

from __future__ import annotations

import mmap
import os
from pathlib import Path

from store.error import StoreError
from store.sqlite.files import make_folder, open_like


class Bell:
    """One byte of a file, shared by all who have it open: rung, or quiet.

    Only a hint: it may be heard late, and whoever rang it may have died since.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._byte: mmap.mmap | None = None

    def is_rung(self) -> bool:
        """Whether somebody rang. StoreError where the file cannot be made."""
        byte = self._byte or self._open()
        return byte[0] != 0

    def ring(self) -> None:
        """Be heard by all."""
        byte = self._byte or self._open()
        byte[0] = 1

    def quiet(self) -> None:
        """It is over."""
        byte = self._byte or self._open()
        byte[0] = 0

    def close(self) -> None:
        """Close the file."""
        if self._byte is not None:
            self._byte.close()
            self._byte = None

    def _open(self) -> mmap.mmap:
        try:
            make_folder(self._path.parent)
            descriptor = open_like(self._path, self._path.parent)
            try:
                if os.fstat(descriptor).st_size == 0:
                    # Written, so that it has its place on the disk: a full one would kill whoever rings first.
                    os.pwrite(descriptor, b"\0", 0)
                self._byte = mmap.mmap(descriptor, 1)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise StoreError(f"{self._path} cannot be written: {error.strerror}") from error
        return self._byte
