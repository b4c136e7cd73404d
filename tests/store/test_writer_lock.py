"""Who may write: the lock, the door before it, and the bell that tells that somebody stands there."""

from __future__ import annotations

from pathlib import Path

import pytest

from store.bell import Bell
from store.error import StoreFault
from store.lock_file import LockFile
from store.writer_lock import WriterLock

AT_ONCE = 0.0


@pytest.fixture
def door(tmp_path: Path) -> Path:
    """The file of the door."""
    return tmp_path / "next-writer"


def test_a_bell_is_heard_through_every_opening_of_its_file(door: Path) -> None:
    mine, other = Bell(door), Bell(door)
    assert not other.is_rung()
    mine.ring()
    assert other.is_rung()
    assert Bell(door).is_rung()
    other.quiet()
    assert not mine.is_rung()


def test_a_bell_goes_on_as_it_was_when_it_was_closed(door: Path) -> None:
    bell = Bell(door)
    bell.ring()
    bell.close()
    assert bell.is_rung()


def test_a_bell_has_its_place_on_the_disk_before_anybody_rings(door: Path) -> None:
    assert not Bell(door).is_rung()
    assert door.read_bytes() == b"\0"


def test_a_bell_that_cannot_be_made_is_a_fault_of_the_store(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreFault, match="next-writer cannot be written"):
        Bell(tmp_path / "file" / "next-writer").ring()


def test_who_stands_at_the_door_goes_next(tmp_path: Path, door: Path) -> None:
    impatient, bell, lock = LockFile(door), Bell(door), WriterLock(tmp_path)
    assert impatient.take()
    bell.ring()
    assert not lock.take(AT_ONCE)
    bell.quiet()
    impatient.release()
    assert lock.take(AT_ONCE)


def test_the_bell_of_who_died_at_the_door_is_quieted(tmp_path: Path, door: Path) -> None:
    bell, lock = Bell(door), WriterLock(tmp_path)
    bell.ring()
    assert lock.take(AT_ONCE)
    assert not bell.is_rung()


def test_one_writes_at_a_time(tmp_path: Path) -> None:
    one, other = WriterLock(tmp_path), WriterLock(tmp_path)
    assert one.take(AT_ONCE)
    assert not other.take(AT_ONCE)
    one.release()
    assert other.take(AT_ONCE)
    other.release()
    one.close()
    assert one.take(AT_ONCE)
