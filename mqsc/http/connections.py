"""Connections to queue managers that are kept between requests, by queue manager and user
(rest §5).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock
from typing import NamedTuple

from mqsc.http.managers import SERVER
from mqsc.store.client.connection import Connection
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.client.store import Store
from mqsc.store.environment import elapsed_real_seconds
from mqsc.store.error import MQError, StoreError
from mqsc.store.sql import managers

_MOST_KEPT = 20
_KEPT_SECONDS = 300.0


class _Idle(NamedTuple):
    connection: Connection
    key: tuple[str, str]
    since: float


class Connections:
    """The connections that no request uses; each request has one to itself."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._idle: list[_Idle] = []
        self._lock = Lock()
        self._is_closed = False

    @contextmanager
    def connected(self, queue_manager: str, user: str) -> Iterator[Connection]:
        """A connection of the user, blank for the one who runs the server, for one request.

        MQError 2035, 2058, 2059, 2161. After an error it is not used again, because its queue
        manager may have ended.
        """
        key = queue_manager, user
        connection = self._taken(key) or self._new(key)
        try:
            yield connection
        except BaseException:
            _end(connection)
            raise
        self._keep(_Idle(connection, key, elapsed_real_seconds()))

    def _new(self, key: tuple[str, str]) -> Connection:
        queue_manager, user = key
        return QueueManager(self._store, queue_manager).connect(SERVER, user)

    def _taken(self, key: tuple[str, str]) -> Connection | None:
        """An idle connection whose queue manager still runs as it did when it was made."""
        with self._lock:
            found = next((each for each in reversed(self._idle) if each.key == key), None)
            if found is None:
                return None
            self._idle.remove(found)
        hot = self._store.read(managers.read_hot_columns, key[0])
        if hot is not None:
            _, run, state, _ = hot
            if run == found.connection.run and state == managers.RUNNING:
                return found.connection
        _end(found.connection)
        return None

    def _keep(self, idle: _Idle) -> None:
        with self._lock:
            is_kept = not self._is_closed
            if is_kept:
                self._idle.append(idle)
            surplus = self._idle.pop(0) if len(self._idle) > _MOST_KEPT else None
        for each in (idle if not is_kept else None, surplus):
            if each is not None:
                _end(each.connection)

    def end_unused(self) -> None:
        """End connections that were not used for 300 s, and those that a queue manager waits for
        to end.
        """
        with self._lock:
            if not self._idle:
                return
        ending = {
            row.name for row in self._store.read(managers.all) if row.state != managers.RUNNING
        }
        oldest = elapsed_real_seconds() - _KEPT_SECONDS
        with self._lock:
            ended = [each for each in self._idle if each.since < oldest or each.key[0] in ending]
            self._idle = [each for each in self._idle if each not in ended]
        for each in ended:
            _end(each.connection)

    def close(self) -> None:
        """End all connections; those in use end when their requests do."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, []
        for each in idle:
            _end(each.connection)


def _end(connection: Connection) -> None:
    """End a connection that may be broken: what it had got in a unit of work returns."""
    with suppress(MQError, StoreError):
        connection.abend()
