"""One writer at a time, over all threads and processes that share a store, and nobody kept waiting for long."""

from __future__ import annotations

import threading
from pathlib import Path

from store.environment import elapsed_real_seconds, pause_a_moment
from store.sqlite.bell import Bell
from store.sqlite.lock_file import LockFile

# Whoever waited so long goes next: until then the one at work may go on, which is what makes many calls fast.
IMPATIENT_SECONDS = 0.03
# Whoever stands at the door longer than this may be a program that was stopped there: others go past it.
DOOR_SECONDS = 0.2


class WriterLock:
    """Held from before BEGIN until COMMIT has also tidied the log.

    SQLite's own lock would do for what is written. But those who ask for it look into the log while they ask, and the
    log is tidied after that lock was given up: with four writers at work it was never read up to its end, so it never
    began anew and grew by 100 MB a second.
    """

    def __init__(self, folder: Path) -> None:
        self._writer = LockFile(folder / "writer")
        # Kept by who waits impatiently: then nobody else gets in between. A lock is a call of the system, so others
        # look whether somebody rang before they ask who is at the door.
        self._door = LockFile(folder / "next-writer")
        self._bell = Bell(folder / "next-writer")
        self._threads = threading.Lock()
        # The thread that may write.
        self._holder = 0

    def take(self, patience: float) -> bool:
        """Whether it could be had within `patience` seconds; release() must follow then."""
        if not self._threads.acquire(blocking=False):
            began = elapsed_real_seconds()
            if not self._threads.acquire(timeout=patience):
                return False
            patience -= elapsed_real_seconds() - began
        taken = False
        try:
            call = threading.get_ident()
            taken = self._enter() or self._enter_within(patience)
            if taken:
                self._holder = call
            return taken
        finally:
            if not taken:
                # An interruption may come when it has just been locked.
                self._writer.release()
                self._threads.release()

    def release(self) -> None:
        """Let the next one write."""
        self._holder = 0
        try:
            self._writer.release()
        finally:
            self._threads.release()

    def close(self) -> None:
        """Close the files, unless another thread has the lock or waits for it: it would lose them."""
        free = self._threads.acquire(blocking=False)
        try:
            if free or self._holder == threading.get_ident():
                self._close()
        finally:
            if free:
                self._threads.release()

    def forget(self) -> None:
        """In a forked child: whoever holds the lock is in the parent."""
        self._threads = threading.Lock()
        self._close()

    def _close(self) -> None:
        self._writer.close()
        self._door.close()
        self._bell.close()

    def _enter(self) -> bool:
        if self._bell.is_rung() and not self._quiet_if_nobody_is_there():
            return False
        return self._writer.take()

    def _quiet_if_nobody_is_there(self) -> bool:
        """Whether who rang has come in since, or died at the door."""
        try:
            if not self._door.take():
                return False
            self._bell.quiet()
            return True
        finally:
            self._door.release()

    def _enter_within(self, patience: float) -> bool:
        began = elapsed_real_seconds()
        at_the_door = False
        try:
            while (waited := elapsed_real_seconds() - began) < patience:
                pause_a_moment()
                if not at_the_door and waited > IMPATIENT_SECONDS and self._door.take():
                    at_the_door = True
                    self._bell.ring()
                passes = at_the_door or waited > DOOR_SECONDS
                if self._writer.take() if passes else self._enter():
                    return True
            return False
        finally:
            try:
                if at_the_door:
                    self._bell.quiet()
            finally:
                self._door.release()
