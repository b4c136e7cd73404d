"""The writer lock: one writer at a time, fairness, interruptions; which process holds which
lock.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from itertools import count, takewhile
from pathlib import Path
from types import FrameType

import pytest

from mqsc.store.error import StoreError
from mqsc.store.sqlite import locks
from mqsc.store.sqlite.locks import LockFile, SingleInstanceLock, WriterLock, is_held
from mqsc.store.sqlite.proc_locks import held_locks, holders

AT_ONCE = 0.0


@pytest.fixture
def fairness(tmp_path: Path) -> LockFile:
    """Return the fairness lock as another process would hold it."""
    return LockFile(tmp_path / "next-writer")


def test_a_lock_is_free_until_another_holder_has_it(tmp_path: Path) -> None:
    """Asking whether it is free does not keep it."""
    mine, other = LockFile(tmp_path / "lock"), LockFile(tmp_path / "lock")
    assert mine.is_free()
    assert other.acquire()
    assert (mine.is_free(), mine.acquire()) == (False, False)
    other.release()
    assert mine.is_free()


def test_a_single_instance_lock_closes_its_file_and_leaves_it(tmp_path: Path) -> None:
    """Asking whether it is held creates no file and keeps nothing."""
    path = tmp_path / "lock"
    lock = SingleInstanceLock(path)
    assert (is_held(path), path.exists()) == (False, False)
    assert lock.acquire()
    assert is_held(path)
    assert not SingleInstanceLock(path).acquire()
    assert not SingleInstanceLock(path).acquire_within(AT_ONCE)
    lock.release()
    assert (is_held(path), path.exists()) == (False, True)
    again = SingleInstanceLock(path)
    assert again.acquire()
    again.release()
    assert SingleInstanceLock(path).acquire_within(AT_ONCE)


def test_a_lock_file_that_cannot_be_created_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for method in (LockFile.acquire, LockFile.is_free):
        with pytest.raises(StoreError, match="next-writer cannot be written"):
            method(LockFile(tmp_path / "file" / "next-writer"))


def test_a_holder_of_the_fairness_lock_goes_next_but_not_for_too_long(
    tmp_path: Path,
    fairness: LockFile,
) -> None:
    lock = WriterLock(tmp_path, tmp_path)
    assert fairness.acquire()
    assert not lock.acquire(AT_ONCE)
    fairness.release()
    assert lock.acquire(AT_ONCE)
    lock.close()
    lock = WriterLock(tmp_path, tmp_path)
    assert fairness.acquire()
    assert not lock.acquire(locks.IGNORE_FAIRNESS_SECONDS / 2)
    assert lock.acquire(2 * locks.IGNORE_FAIRNESS_SECONDS)


def test_a_writer_that_waits_long_acquires_the_fairness_lock(
    tmp_path: Path,
    fairness: LockFile,
) -> None:
    holder, waiter = WriterLock(tmp_path, tmp_path), WriterLock(tmp_path, tmp_path)
    assert holder.acquire(AT_ONCE)
    thread = threading.Thread(target=waiter.acquire, args=(60,))
    thread.start()
    while fairness.is_free():
        pass
    # The waiter is next, so the previous holder cannot take the lock again first.
    holder.release()
    thread.join()
    assert fairness.is_free()
    assert not holder.acquire(AT_ONCE)
    waiter.release()
    assert holder.acquire(AT_ONCE)


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    one, other = WriterLock(tmp_path, tmp_path), WriterLock(tmp_path, tmp_path)
    assert one.acquire(AT_ONCE)
    assert not other.acquire(AT_ONCE)
    one.release()
    assert other.acquire(AT_ONCE)
    other.release()
    one.close()
    assert one.acquire(AT_ONCE)


def test_close_releases_the_lock_of_the_thread_that_calls_it_and_of_no_other(
    tmp_path: Path,
) -> None:
    """An interruption may have prevented release()."""
    held, other = WriterLock(tmp_path, tmp_path), WriterLock(tmp_path, tmp_path)
    thread = threading.Thread(target=held.acquire, args=(AT_ONCE,))
    thread.start()
    thread.join()
    held.close()
    assert not other.acquire(AT_ONCE)
    held.release()
    assert held.acquire(AT_ONCE)
    held.close()
    assert other.acquire(AT_ONCE)


def interrupted(function: str, at: Callable[[], bool], call: Callable[[], object]) -> bool:
    """Return whether Ctrl-C interrupted the call, the first time that `at` is true in a function of
    that name.

    `at` is called where Python checks for signals: when a function begins, and when a C function
    returns to it.
    """

    def look(frame: FrameType, event: str, argument: object) -> None:
        if event in ("call", "c_return") and frame.f_code.co_qualname == function and at():
            raise KeyboardInterrupt

    sys.setprofile(look)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False


def test_an_interruption_during_acquire_holds_up_no_other_process(tmp_path: Path) -> None:
    def interrupted_at(number: int) -> bool:
        mine, other = WriterLock(tmp_path, tmp_path), WriterLock(tmp_path, tmp_path)
        places = count(1)
        if not interrupted(
            "LockFile.acquire",
            lambda: next(places) == number,
            lambda: mine.acquire(AT_ONCE),
        ):
            return False
        assert other.acquire(AT_ONCE)
        other.release()
        assert mine.acquire(AT_ONCE)
        mine.release()
        return True

    assert len(list(takewhile(interrupted_at, count(1)))) > 1


def test_an_interruption_of_a_waiter_releases_the_fairness_lock(
    tmp_path: Path,
    fairness: LockFile,
) -> None:
    mine, other = WriterLock(tmp_path, tmp_path), WriterLock(tmp_path, tmp_path)
    assert other.acquire(AT_ONCE)
    assert interrupted(
        "LockFile.acquire",
        lambda: not fairness.is_free(),
        lambda: mine.acquire(2 * locks.FAIRNESS_SECONDS),
    )
    assert fairness.acquire()


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
