"""Which processes hold locks on a store's files, from /proc/locks; unknown on systems other than Linux."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

_LOCKS = Path("/proc/locks")
# The bytes of the shared memory file that SQLite locks: writer, checkpoint, recovery, five for
# readers, and one that every connection holds.
_WRITES = range(120, 121)
_READS = range(123, 128)
_HAS_OPEN = range(128, 129)


class FileLock(NamedTuple):
    """A lock that a process holds on bytes of a file, or on the whole of it."""

    process: int
    device: str
    inode: int
    first: int
    last: int


class SharedMemoryUse(NamedTuple):
    """The processes that have the store open, read from its log, and write to it."""

    has_open: frozenset[int]
    reads: frozenset[int]
    writes: frozenset[int]


def parse_locks(text: str) -> list[FileLock]:
    """Read lines such as `1: POSIX  ADVISORY  READ  812 fe:00:1311 128 128`; waiters (`->`) are
    left out.
    """
    file_locks = []
    for line in text.splitlines():
        fields = line.split()
        if len(fields) != 8 or fields[1] == "->":
            continue
        process, file, first, last = fields[4:]
        end = -1 if last == "EOF" else int(last)
        device, _, inode = file.rpartition(":")
        file_locks.append(FileLock(int(process), device, int(inode), int(first), end))
    return file_locks


def held_locks() -> list[FileLock]:
    try:
        return parse_locks(_LOCKS.read_text())
    except OSError:
        return []


def holders(path: Path, locks: Iterable[FileLock]) -> list[int]:
    """Return the processes that hold a lock on the file."""
    try:
        inode = path.stat().st_ino
    except OSError:
        return []
    return sorted({lock.process for lock in locks if lock.inode == inode})


def shared_memory_use(path: str, locks: Iterable[FileLock]) -> SharedMemoryUse:
    """Return which processes have the store at `path` open, and what for."""
    try:
        inode = os.stat(f"{path}-shm").st_ino
    except OSError:
        return SharedMemoryUse(frozenset(), frozenset(), frozenset())
    ours = [lock for lock in locks if lock.inode == inode]

    def holding(byte_range: range) -> frozenset[int]:
        return frozenset(
            lock.process
            for lock in ours
            if any(lock.first <= each <= lock.last for each in byte_range)
        )

    return SharedMemoryUse(holding(_HAS_OPEN), holding(_READS), holding(_WRITES))


def own_number() -> int:
    """Return the number that /proc, and so /proc/locks, gives this process: it may show another
    PID namespace.
    """
    try:
        return int(os.readlink("/proc/self"))
    except OSError:
        return os.getpid()


def command_of(process: int) -> str:
    """Return the name of a process's program by its number in /proc, or blank."""
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""
