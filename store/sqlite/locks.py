"""Locks between processes, and the lock of the writer."""

from __future__ import annotations

import fcntl
import os
import threading
from contextlib import suppress
from pathlib import Path

from mqsc.store.constants import MQRC
from mqsc.store.environment import elapsed_real_seconds, pause_a_moment
from mqsc.store.error import MQError, StoreError
from mqsc.store.sqlite.files import file_failure, make_folder, open_like
from mqsc.store.sqlite.interruptions import run_handlers_while_held
from mqsc.store.sqlite.patience import patience

_EXCLUSIVE = fcntl.LOCK_EX | fcntl.LOCK_NB
_SHARED = fcntl.LOCK_SH | fcntl.LOCK_NB
_LONGEST_TEXT = 128

# A writer that has waited this long goes next. Until then the current writer may continue, because
# many calls in a row from one process are faster.
FAIRNESS_SECONDS = 0.03
# A process that takes the writer lock again and again checks the fairness lock only this often: a
# check costs two system calls.
LOOK_SECONDS = 0.005
# A process that has held the fairness lock this long may be stopped; other writers then ignore the
# lock.
IGNORE_FAIRNESS_SECONDS = 0.2


class LockFile:
    """An exclusive lock on a file. The system releases it when the process ends for any reason.

    A new file gets the owner and permissions of `like`, by default the folder that it is in.
    """

    def __init__(self, path: Path, like: Path | None = None, *, for_writers: bool = False) -> None:
        """With `for_writers` only users who may write `like` can open the file, and so lock it."""
        self._path = path
        self._for_writers = for_writers
        self._like = path.parent if like is None else like
        self._descriptor: int | None = None

    def is_free(self) -> bool:
        """Return whether no other process holds the lock. StoreError when the file cannot be
        created.
        """
        try:
            # A shared lock, so that processes that only ask do not get in each other's way.
            return self.acquire(_SHARED)
        finally:
            self.release()

    def acquire(self, operation: int = _EXCLUSIVE) -> bool:
        """Try to acquire the lock without waiting. StoreError when the file cannot be created."""
        try:
            if self._descriptor is None:
                make_folder(self._path.parent)
                self._descriptor = open_like(self._path, self._like, for_writers=self._for_writers)
            fcntl.flock(self._descriptor, operation)
        except BlockingIOError:
            return False
        except OSError as error:
            raise StoreError(f"{self._path} cannot be written: {error.strerror}") from error
        return True

    def release(self) -> None:
        """Release the lock, if it is held, and leave the file."""
        if self._descriptor is not None:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_UN)
            except OSError:
                # To close the file releases the lock too, unless a child was forked meanwhile.
                self.close()

    def read(self) -> bytes:
        """Return what the program that holds the lock, or one before it, has written into the
        file.
        """
        try:
            return b"" if self._descriptor is None else os.pread(self._descriptor, _LONGEST_TEXT, 0)
        except OSError as error:
            raise file_failure(self._path, error) from error

    def write(self, text: bytes) -> None:
        """Replace the text in the file, which the program that holds the lock may do, if the
        disk has room for it.
        """
        if self._descriptor is not None:
            with suppress(OSError):
                os.pwrite(self._descriptor, text.ljust(_LONGEST_TEXT), 0)

    def close(self) -> None:
        """Close the file. In a forked child the parent keeps the lock."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


class SingleInstanceLock(LockFile):
    """A lock that is rarely acquired: for recovery, for jobs that are skipped while one is running,
    for `serve`.

    Only users who may write the store can lock its file.
    """

    def __init__(self, path: Path, like: Path | None = None) -> None:
        super().__init__(path, like, for_writers=True)

    def share_within(self, seconds: float) -> bool:
        """Like `acquire_within`, but other processes may share the lock."""
        return self.acquire_within(seconds, _SHARED)

    def acquire_within(self, seconds: float, operation: int = _EXCLUSIVE) -> bool:
        """Try to acquire the lock for at most so long. StoreError when the file cannot be
        created.
        """
        deadline = elapsed_real_seconds() + seconds
        while not self.acquire(operation):
            if elapsed_real_seconds() >= deadline:
                return False
            pause_a_moment()
        return True

    def release(self) -> None:
        """Release the lock and close the file, which stays: two processes must never lock
        different files.
        """
        # Closing alone would not release it if a child was forked in the meantime.
        super().release()
        self.close()


def is_held(path: Path) -> bool:
    """Return whether a process holds an exclusive lock on the file; True when this user may not
    open it.

    The file is not created. A process that tries to acquire the lock at the same moment may have to
    try again. StoreError when the system cannot say it.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except FileNotFoundError:
        return False
    except PermissionError:
        return True
    except OSError as error:
        raise file_failure(path, error) from error
    try:
        # A shared lock, so that two processes that ask at the same time do not take each other for
        # the owner.
        fcntl.flock(descriptor, _SHARED)
    except BlockingIOError:
        return True
    except OSError as error:
        raise file_failure(path, error) from error
    finally:
        os.close(descriptor)
    return False


def lock_beside(path: str, purpose: str, name: str) -> Path:
    """Return the lock file for one purpose (a job, `serve`) and one queue manager of the store
    at `path`.
    """
    return Path(f"{path}.{purpose}-{name.replace('/', '%2F')}")


class WriterLock:
    """Admits one writer at a time among all threads and processes; held from before BEGIN until
    after COMMIT.

    SQLite's own lock would protect the data. But SQLite releases it before the checkpoint, and
    other writers read the log while they try to acquire it. With four writers the log was never
    read to its end, so SQLite never restarted it and it grew by 100 MB a second.

    A writer that has waited for a while acquires the fairness lock (`next-writer`), and nobody else
    then acquires the writer lock (`writer`) before it.
    """

    def __init__(self, folder: Path, store: Path) -> None:
        self.writer = LockFile(folder / "writer", store, for_writers=True)
        self._fairness = LockFile(folder / "next-writer", store, for_writers=True)
        self._threads = threading.Lock()
        # The thread that holds the lock, 0 for none, and whether it has begun a transaction.
        self._holder = 0
        self.in_transaction = False
        self._look_again_at = 0.0

    def acquire(self, timeout: float) -> bool:
        """Return whether the lock was acquired within `timeout` seconds; if so, release() must
        follow.

        MQError 2219 in the middle of a transaction of this thread, where Python may run a finalizer
        of the program.
        """
        if not self._threads.acquire(False):
            if self._holder == threading.get_ident():
                if self.in_transaction:
                    raise MQError(MQRC.CALL_IN_PROGRESS)
                # An exception that another thread raised in this one prevented release().
                return True
            began = elapsed_real_seconds()
            if not self._acquire_among_threads(timeout):
                return False
            timeout -= elapsed_real_seconds() - began
        acquired = False
        try:
            thread = threading.get_ident()
            now = elapsed_real_seconds()
            may_go = now < self._look_again_at or self._nobody_goes_first(now)
            acquired = (may_go and self.writer.acquire()) or self._retry(timeout)
            if acquired:
                self._holder = thread
            return acquired
        finally:
            if not acquired:
                # An exception may have been raised just after the lock was acquired.
                self.writer.release()
                self._threads.release()

    def _acquire_among_threads(self, timeout: float) -> bool:
        """Wait for the threads of this process; one of them may itself wait for another program."""
        began = elapsed_real_seconds()
        while not self._threads.acquire(timeout=min(timeout, LOOK_SECONDS)):
            run_handlers_while_held()
            if elapsed_real_seconds() - began >= patience(timeout):
                return False
        return True

    def release(self) -> None:
        """Admit the next writer."""
        self.in_transaction = False
        try:
            self.writer.release()
        finally:
            self._holder = 0
            self._threads.release()

    def close(self) -> None:
        """Close the files, unless another thread holds the lock or waits for it: closing would
        lose the lock.
        """
        free = self._threads.acquire(blocking=False)
        try:
            if free or self._holder == threading.get_ident():
                self._close()
        finally:
            if free:
                self._threads.release()

    def forget(self) -> None:
        """Close the files in a forked child: a thread that held the lock runs in the parent
        only.
        """
        self._threads = threading.Lock()
        self._close()

    def _close(self) -> None:
        self.writer.close()
        self._fairness.close()

    def _nobody_goes_first(self, now: float) -> bool:
        """Return whether no other writer holds the fairness lock."""
        if not self._fairness.is_free():
            return False
        self._look_again_at = now + LOOK_SECONDS
        return True

    def _retry(self, timeout: float) -> bool:
        began = elapsed_real_seconds()
        is_next = False
        try:
            while True:
                now = elapsed_real_seconds()
                waited = now - began
                if waited >= patience(timeout):
                    return False
                pause_a_moment()
                run_handlers_while_held()
                is_next = is_next or (waited > FAIRNESS_SECONDS and self._fairness.acquire())
                may_go = is_next or waited > IGNORE_FAIRNESS_SECONDS or now < self._look_again_at
                if (may_go or self._nobody_goes_first(now)) and self.writer.acquire():
                    return True
        finally:
            self._fairness.release()
