"""The driver's connections to one store, kept between transactions."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Protocol

from store.environment import elapsed_real_seconds, pause_a_moment
from store.error import StoreError
from store.sqlite.driver import DriverConnection

# Connections that a forked child could not be spared, by the file they are to. They are kept for good: SQLite forbids
# using or closing them there, and while they exist it would take their locks for the child's own.
_INHERITED: dict[str, list[DriverConnection]] = {}


class Pool(Protocol):
    """Connections, each used by one thread at a time."""

    def take(self) -> DriverConnection:
        """A connection; to be given back."""

    def give_back(self, connection: DriverConnection) -> None:
        """Keep a connection for whoever comes next."""

    def close(self) -> None:
        """Close the connections that nobody uses."""

    def before_fork(self, patience: float) -> bool:
        """Let nobody use a connection while the process forks; whether that was so within `patience` seconds."""

    def after_fork_in_parent(self) -> None:
        """Go on."""

    def after_fork_in_child(self) -> None:
        """Begin anew."""


class MemoryPool:
    """The one connection to a store in memory."""

    def __init__(self, open_connection: Callable[[], DriverConnection]) -> None:
        self._open = open_connection
        self._connection: DriverConnection | None = None
        self._lock = threading.RLock()
        self._is_forking = False

    def take(self) -> DriverConnection:
        """The connection, once nobody else uses it."""
        self._lock.acquire()
        self._connection = self._connection or self._open()
        return self._connection

    def give_back(self, connection: DriverConnection) -> None:
        """Let the next one use it."""
        self._lock.release()

    def close(self) -> None:
        """The store stays as long as the object does."""

    def before_fork(self, patience: float) -> bool:
        """Wait until no other thread uses the connection, and let none use it."""
        self._is_forking = self._lock.acquire(timeout=patience)
        return self._is_forking

    def after_fork_in_parent(self) -> None:
        """Go on."""
        if self._is_forking:
            self._is_forking = False
            self._lock.release()

    def after_fork_in_child(self) -> None:
        """Go on with a copy of the store; with an empty one when a thread that is not here was using it."""
        if not self._is_forking:
            self._lock, self._connection = threading.RLock(), None
        self.after_fork_in_parent()

    @property
    def changes(self) -> int:
        """How many rows were ever changed."""
        return 0 if self._connection is None else int(self._connection.total_changes)


class FilePool:
    """The connections to a file; none is open while the process forks."""

    def __init__(self, path: str, open_connection: Callable[[], DriverConnection]) -> None:
        self._place = os.path.realpath(path)
        self._open = open_connection
        self._idle: list[DriverConnection] = []
        self._opened: list[DriverConnection] = []
        self._opening = threading.Lock()
        # Threads that make call after call would never leave all connections idle at one moment.
        self._is_forking = False

    def take(self) -> DriverConnection:
        """An idle connection, or a new one; waits while the process forks."""
        try:
            return self._open_another() if self._is_forking else self._idle.pop()
        except IndexError:
            return self._open_another()

    def give_back(self, connection: DriverConnection) -> None:
        """Keep it for the next transaction."""
        self._idle.append(connection)
        if self._is_forking:
            self.close()

    def close(self) -> None:
        """Close the idle connections."""
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:
                return  # another thread was quicker
            connection.close()
            # Not before: a fork in the middle of it would leave the child with locks and files of its parent.
            self._opened.remove(connection)

    def before_fork(self, patience: float) -> bool:
        """Close every connection as soon as nobody uses it, and open none; whether that was so within `patience` s."""
        if not self._opening.acquire(timeout=patience):
            return False
        self._is_forking = True
        deadline = elapsed_real_seconds() + patience
        while True:
            self.close()
            if not self._opened or elapsed_real_seconds() > deadline:
                return not self._opened
            pause_a_moment()

    def after_fork_in_parent(self) -> None:
        """Go on."""
        if self._is_forking:
            self._is_forking = False
            self._opening.release()

    def after_fork_in_child(self) -> None:
        """Begin anew; what could not be closed is kept, and the file cannot be used in this process."""
        if self._opened:
            _INHERITED.setdefault(self._place, []).extend(self._opened)
        self._idle, self._opened, self._opening, self._is_forking = [], [], threading.Lock(), False

    def _open_another(self) -> DriverConnection:
        if self._place in _INHERITED:
            raise StoreError(f"{self._place} was in use while this process was forked: it cannot be used here")
        with self._opening:
            connection = self._open()
            self._opened.append(connection)
        return connection
