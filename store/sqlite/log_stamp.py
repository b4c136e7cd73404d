"""What the file system tells of writes to a store: it costs less to ask than SQLite's own counter."""

from __future__ import annotations

import os

from store.environment import file_system_time

# Some file systems round the time of a write to two seconds, so a later write could have the same time.
SETTLED_NANOSECONDS = 3_000_000_000
Stamp = tuple[int, int, int]


def settled_stamp(path: str | None) -> Stamp | None:
    """The file, size and time of the last write of the store's log; another write changes it.

    None if that cannot be said: for a store in memory, without a log, or right after a write.
    """
    try:
        found = os.stat(f"{path}-wal") if path is not None else None
    except OSError:
        return None
    if found is None or file_system_time() - found.st_mtime_ns < SETTLED_NANOSECONDS:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
