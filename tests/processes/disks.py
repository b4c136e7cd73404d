"""Disks that are full when a test wants them to be."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import pytest

FILE_SYSTEM_BYTES = 16 << 20


class Disk(Protocol):
    """A folder on a disk that can be filled."""

    folder: Path

    def fill(self) -> None:
        """From now on no file grows."""

    def free(self) -> None:
        """There is room again."""


class SmallFileSystem:
    """A file system of its own: what is written finds no space."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Write a file until there is no space."""
        with self._ballast.open("wb", buffering=0) as ballast:
            try:
                while ballast.write(bytes(1 << 12)):
                    continue
            except OSError as full:
                if full.errno != errno.ENOSPC:
                    raise

    def free(self) -> None:
        """Remove that file."""
        self._ballast.unlink(missing_ok=True)


class LargestFileSize:
    """A limit on how large this process may make a file: what is written beyond it fails."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(self) -> None:
        """No file of the folder may be larger than the log, or the database, is now."""
        largest = max(file.stat().st_size for file in self.folder.glob("*.db*") if file.suffix != ".db-shm")
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, self._limits[1]))

    def free(self) -> None:
        """Files may be as large as before."""
        resource.setrlimit(resource.RLIMIT_FSIZE, self._limits)


@contextmanager
def small_file_system(folder: Path, size: int = FILE_SYSTEM_BYTES) -> Iterator[Disk]:
    """A file system in memory, mounted on a folder; the test is left out where that is not allowed."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.mount(b"none", os.fsencode(folder), b"tmpfs", 0, f"size={size}".encode()):
        pytest.skip(f"no file system can be mounted here: {os.strerror(ctypes.get_errno())}")
    try:
        yield SmallFileSystem(folder)
    finally:
        library.umount2(os.fsencode(folder), 2)


@contextmanager
def largest_file_size(folder: Path) -> Iterator[Disk]:
    """A folder whose files cannot grow when it is full."""
    disk = LargestFileSize(folder)
    try:
        yield disk
    finally:
        disk.free()
