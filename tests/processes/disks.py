"""Disks that tests can fill."""

from __future__ import annotations

import ctypes
import errno
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol

import pytest

FILE_SYSTEM_BYTES = 16 << 20
# Flags of mount(2).
_READ_ONLY, _REMOUNT = 1, 32
# Large ones first, which is faster.
_BLOCKS = (bytes(1 << 20), bytes(1 << 12))


class Disk(Protocol):
    """A folder on a disk that can be filled."""

    folder: Path

    def fill(self) -> None:
        """Let no file grow from now on."""

    def free(self) -> None:
        """Undo fill()."""


class SmallFileSystem:
    """A file system of its own, filled with a file of ballast."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._ballast = folder / "ballast"

    def fill(self) -> None:
        """Let the ballast take all space, then write to it until no space is left."""
        with self._ballast.open("wb", buffering=0) as ballast:
            space = os.statvfs(self.folder)
            with suppress(OSError):
                # Does not write, which is faster.
                os.posix_fallocate(ballast.fileno(), 0, space.f_bavail * space.f_frsize)
            ballast.seek(0, os.SEEK_END)
            for block in _BLOCKS:
                try:
                    while ballast.write(block):
                        continue
                except OSError as full:
                    if full.errno != errno.ENOSPC:
                        raise

    def free(self) -> None:
        self._ballast.unlink(missing_ok=True)


class LargestFileSize:
    """A limit on the size of files that this process writes; writes beyond it fail."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(self) -> None:
        """Limit all files to the size of the largest of the database and its log."""
        largest = max(
            file.stat().st_size for file in self.folder.glob("*.db*") if file.suffix != ".db-shm"
        )
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, self._limits[1]))

    def free(self) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, self._limits)


@contextmanager
def small_file_system(folder: Path, size: int = FILE_SYSTEM_BYTES) -> Iterator[Disk]:
    """Mount a file system in memory on a folder; the test is skipped where that is not
    permitted.
    """
    library = ctypes.CDLL(None, use_errno=True)
    if library.mount(b"none", os.fsencode(folder), b"tmpfs", 0, f"size={size}".encode()):
        pytest.skip(f"no file system can be mounted here: {os.strerror(ctypes.get_errno())}")
    try:
        yield SmallFileSystem(folder)
    finally:
        library.umount2(os.fsencode(folder), 2)


@contextmanager
def largest_file_size(folder: Path) -> Iterator[Disk]:
    """Yield a folder whose files stop growing when it is filled."""
    disk = LargestFileSize(folder)
    try:
        yield disk
    finally:
        disk.free()


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Make a small file system read-only for the block."""
    library = ctypes.CDLL(None, use_errno=True)
    _remount(library, folder, _READ_ONLY)
    try:
        yield
    finally:
        _remount(library, folder, 0)


def _remount(library: ctypes.CDLL, folder: Path, flags: int) -> None:
    if library.mount(b"none", os.fsencode(folder), b"tmpfs", _REMOUNT | flags, None):
        raise OSError(ctypes.get_errno(), "cannot be remounted")
