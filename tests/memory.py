"""Where tests keep their files: in memory, if it has room.

Waiting for a disk would be half of what tests of a store do. Those that kill programs need none:
what a killed program has written stays in memory as it stays in the cache of a disk.
"""

from __future__ import annotations

import os
from pathlib import Path

MEMORY = Path("/dev/shm")
# All the stores of a run take less.
ROOM_BYTES = 4_000_000_000


def folder_in_memory(memory: Path = MEMORY, room: int = ROOM_BYTES) -> Path | None:
    """The folder whose files are in memory if tests can use it, otherwise None.

    That of a container is often too small, or starts no programs, which tests write there.
    """
    is_usable = os.access(memory, os.W_OK) and serves(os.statvfs(memory), room)
    return memory if is_usable else None


def serves(about: os.statvfs_result, room: int) -> bool:
    """Whether a file system starts programs and has more than so many bytes left."""
    starts_programs = not about.f_flag & os.ST_NOEXEC
    return starts_programs and about.f_bavail * about.f_frsize > room
