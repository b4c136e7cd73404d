"""Who may write: the lock, the door before it, and the bell that tells that somebody stands there."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from itertools import count, takewhile
from pathlib import Path
from types import FrameType

import pytest

from store.error import StoreError
from store.sqlite.bell import Bell
from store.sqlite.lock_file import LockFile
from store.sqlite.writer_lock import IMPATIENT_SECONDS, WriterLock

AT_ONCE = 0.0
UNTIL_IMPATIENT = 2 * IMPATIENT_SECONDS


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
    with pytest.raises(StoreError, match="next-writer cannot be written"):
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


def test_a_lock_that_a_thread_has_is_not_lost_when_another_closes_the_store(tmp_path: Path) -> None:
    """It is in the middle of a call."""
    held, other = WriterLock(tmp_path), WriterLock(tmp_path)
    call = threading.Thread(target=held.take, args=(AT_ONCE,))
    call.start()
    call.join()
    held.close()
    assert not other.take(AT_ONCE)
    held.release()
    assert other.take(AT_ONCE)


def test_whoever_closes_the_store_has_the_lock_no_more(tmp_path: Path) -> None:
    """An interruption may have kept it from being given up."""
    held, other = WriterLock(tmp_path), WriterLock(tmp_path)
    assert held.take(AT_ONCE)
    held.close()
    assert other.take(AT_ONCE)


def test_a_bell_rings_in_the_empty_file_of_an_older_version(door: Path) -> None:
    door.touch()
    Bell(door).ring()
    assert Bell(door).is_rung()


def interrupted(number: int, function: str, call: Callable[[], object]) -> bool:
    """Whether the call was interrupted at the n-th place where Python looks for signals in functions of that name.

    That is where they begin, and where a function of C returns to them.
    """
    left = number

    def look(frame: FrameType, event: str, argument: object) -> None:
        nonlocal left
        if event in ("call", "c_return") and frame.f_code.co_qualname.startswith(function):
            left -= 1
            if left == 0:
                raise KeyboardInterrupt

    sys.setprofile(look)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False


@pytest.mark.parametrize("function", ["LockFile.take", "Bell."])
@pytest.mark.parametrize("rung", [False, True])
def test_an_interruption_while_the_lock_is_taken_leaves_it_to_others(
    tmp_path: Path, door: Path, rung: bool, function: str
) -> None:
    def interrupted_at(number: int) -> bool:
        mine, other = WriterLock(tmp_path), WriterLock(tmp_path)
        if rung:
            Bell(door).ring()
        if not interrupted(number, function, lambda: mine.take(AT_ONCE)):
            return False
        assert other.take(AT_ONCE)
        other.release()
        assert mine.take(AT_ONCE)
        mine.release()
        return True

    assert len(list(takewhile(interrupted_at, count(1)))) > 1


def test_an_interruption_at_the_door_leaves_it_to_others(tmp_path: Path, door: Path) -> None:
    mine, other = WriterLock(tmp_path), WriterLock(tmp_path)
    assert other.take(AT_ONCE)
    assert interrupted(1, "Bell.ring", lambda: mine.take(UNTIL_IMPATIENT))
    assert LockFile(door).take()
