"""The driver's connections to one store, kept between transactions."""

import threading
from collections.abc import Callable

from mqsc.store.environment import elapsed_real_seconds, pause_a_moment
from mqsc.store.error import StoreError
from mqsc.store.sqlite.driver import DriverConnection

# By file: connections that were still open when the process forked. The child keeps them forever:
# SQLite forbids using or closing them there, and while they exist it would take the parent's locks
# for the child's own.
_INHERITED: dict[str, list[DriverConnection]] = {}


class MemoryPool:
    """The only connection to a store in memory."""

    def __init__(self, open_connection: Callable[[], DriverConnection]) -> None:
        self._open = open_connection
        self._connection: DriverConnection | None = None
        self._lock = threading.RLock()
        self._is_forking = False

    def acquire(self) -> DriverConnection:
        """Return the connection, after waiting until no other thread uses it."""
        self._lock.acquire()
        self._connection = self._connection or self._open()
        return self._connection

    def release(self, connection: DriverConnection) -> None:
        """Let the next thread use it."""
        self._lock.release()

    def close(self) -> None:
        """Do nothing: the store exists as long as its connection."""

    def abandon(self) -> None:
        """Do nothing: no other program knows the store."""

    def before_fork(self, timeout: float) -> bool:
        """Keep the connection from being used while the process forks; return whether it was
        idle in `timeout` s.
        """
        self._is_forking = self._lock.acquire(timeout=timeout)
        return self._is_forking

    def after_fork_in_parent(self) -> None:
        """Allow connections to be used again."""
        if self._is_forking:
            self._is_forking = False
            self._lock.release()

    def after_fork_in_child(self) -> None:
        """Use the copy of the store, or an empty store if another thread was using it, which the
        child lacks.
        """
        if not self._is_forking:
            self._lock, self._connection = threading.RLock(), None
        self.after_fork_in_parent()

    @property
    def total_changes(self) -> int:
        """The number of rows changed since the store was created."""
        return 0 if self._connection is None else int(self._connection.total_changes)


class FilePool:
    """The connections to a file. None is open while the process forks."""

    def __init__(
        self,
        path: str,
        open_connection: Callable[[], DriverConnection],
        all_closed: Callable[[], None],
    ) -> None:
        """`all_closed` is called when no connection is open any more, and before another is
        opened.
        """
        self._path = path
        self._open = open_connection
        self._all_closed = all_closed
        self._idle: list[DriverConnection] = []
        self._opened: list[DriverConnection] = []
        self._opening = threading.Lock()
        # While set, released connections are closed: threads that make call after call would
        # otherwise never leave all connections idle at the same time.
        self._is_forking = False

    def acquire(self) -> DriverConnection:
        """Return an idle connection or open another; wait while the process forks."""
        try:
            return self._open_another() if self._is_forking else self._idle.pop()
        except IndexError:
            return self._open_another()

    def release(self, connection: DriverConnection) -> None:
        """Let others use a connection that acquire() has returned."""
        self._idle.append(connection)
        if self._is_forking:
            self._close_idle()

    def close(self) -> None:
        """Close the connections that are not in use."""
        with self._opening:
            self._close_idle()
            if not self._opened:
                self._all_closed()

    def _close_idle(self) -> None:
        while self._idle:
            try:
                connection = self._idle.pop()
            except IndexError:
                return  # another thread took it
            connection.close()
            # Only after close(): a fork during close() would leave the child with its parent's
            # locks and files.
            self._opened.remove(connection)

    def abandon(self) -> None:
        """Stop using the connections, without closing any."""
        while self._opened:
            self._opened.pop().abandon()
        self._idle = []

    def before_fork(self, timeout: float) -> bool:
        """Close each connection as soon as it is idle; return whether all were closed in
        `timeout` seconds.
        """
        if not self._opening.acquire(timeout=timeout):
            return False
        self._is_forking = True
        deadline = elapsed_real_seconds() + timeout
        while True:
            self._close_idle()
            if not self._opened:
                self._all_closed()
                return True
            if elapsed_real_seconds() > deadline:
                return False
            pause_a_moment()

    def after_fork_in_parent(self) -> None:
        """Allow connections to be used again."""
        if self._is_forking:
            self._is_forking = False
            self._opening.release()

    def after_fork_in_child(self) -> None:
        """Start without connections. If some could not be closed, the child cannot use the file
        at all.
        """
        if self._opened:
            _INHERITED.setdefault(self._path, []).extend(self._opened)
        self._idle = []
        self._opened = []
        self._opening = threading.Lock()
        self._is_forking = False

    def _open_another(self) -> DriverConnection:
        if self._path in _INHERITED:
            raise StoreError(
                f"{self._path} was in use when this process was forked, so this process cannot use "
                "it",
            )
        with self._opening:
            connection = self._first_or_another()
            self._opened.append(connection)
        return connection

    def open_apart(self) -> DriverConnection:
        """Return a connection that is not one of the pool's."""
        with self._opening:
            return self._first_or_another()

    def _first_or_another(self) -> DriverConnection:
        if not self._opened:
            # The last may have been closed by a thread that this process, a forked one, does not
            # have.
            self._all_closed()
        return self._open()
