"""Which process holds which lock."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from store.client.api import Store
from store.sqlite.locks import FileLock, LockFile, command_of, held_locks, holders, parse_locks, shared_memory_use

TEXT = """1: POSIX  ADVISORY  READ 812 fe:00:1311 124 124
2: FLOCK  ADVISORY  WRITE 4 00:2b:17 0 EOF
2: -> FLOCK  ADVISORY  WRITE 5 00:2b:17 0 EOF
"""


def test_the_locks_that_the_system_lists() -> None:
    assert parse_locks(TEXT) == [FileLock(812, "fe:00", 1311, 124, 124), FileLock(4, "00:2b", 17, 0, -1)]


def test_the_holders_of_a_lock_file(tmp_path: Path) -> None:
    if not Path("/proc/locks").exists():
        pytest.skip("this system does not list locks")
    lock = LockFile(tmp_path / "folder" / "lock", tmp_path)
    assert lock.acquire()
    assert holders(tmp_path / "folder" / "lock", held_locks()) == [os.getpid()]
    lock.release()
    assert holders(tmp_path / "folder" / "lock", held_locks()) == []
    assert holders(tmp_path / "missing", held_locks()) == []
    lock.close()


def test_who_has_a_store_open(store: Store) -> None:
    if not Path("/proc/locks").exists():
        pytest.skip("this system does not list locks")
    use = shared_memory_use(str(store.path), held_locks())
    assert list(map(set, use)) == [{os.getpid()}, set(), set()]
    assert shared_memory_use("/missing", held_locks()).has_open == frozenset()


def test_the_name_of_a_program() -> None:
    assert command_of(0) == ""
