"""The time of the last write of a store's log, as the file system has it."""

from __future__ import annotations

import os

from mqsc.store.environment import file_system_time

# Some file systems round the time of a write to two seconds, so a later write could have the same
# time.
SETTLED_NANOSECONDS = 3_000_000_000
Stamp = tuple[int, int, int]


def settled_stamp(path: str | None) -> Stamp | None:
    """The file, size and time of the last write of the store's log; another write changes it.

    None if that cannot be said: for a store in memory, without a log, or right after a write.
    """
    try:
        file_status = os.stat(f"{path}-wal") if path is not None else None
    except OSError:
        return None
    if file_status is None or file_system_time() - file_status.st_mtime_ns < SETTLED_NANOSECONDS:
        return None
    return file_status.st_ino, file_status.st_size, file_status.st_mtime_ns
