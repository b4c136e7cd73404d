"""Which processes hold locks on a store's files, from /proc/locks; unknown on systems other than Linux."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mqsc.store.client.store import Store
from mqsc.store.sqlite import proc_locks
from mqsc.store.sqlite.proc_locks import FileLock, held_locks

LISTED = """1: POSIX  ADVISORY  READ 812 fe:00:1311 124 124
2: FLOCK  ADVISORY  WRITE 4 00:2b:17 0 EOF
2: -> FLOCK  ADVISORY  WRITE 5 00:2b:17 0 EOF
"""


def test_the_locks_that_the_system_lists() -> None:
    assert proc_locks.parse_locks(LISTED) == [
        FileLock(812, "fe:00", 1311, 124, 124),
        FileLock(4, "00:2b", 17, 0, -1),
    ]
    assert proc_locks.command_of(0) == ""


def test_who_has_a_store_open(store: Store) -> None:
    if not Path("/proc/locks").exists():
        pytest.skip("this system does not list locks")
    use = proc_locks.shared_memory_use(str(store.path), held_locks())
    assert list(map(set, use)) == [{os.getpid()}, set(), set()]
    assert proc_locks.shared_memory_use("/missing", held_locks()).has_open == frozenset()
