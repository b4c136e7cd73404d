"""A get that waits: time passes on the queue manager's clock; changes by other processes wake it."""

from __future__ import annotations

from store.engine.recovery import recover
from store.mqi.call_context import call_context
from store.mqi.state import HandleState
from store.sqlite.database import Reading

# Reading the file's change counter costs microseconds. Every ten milliseconds, it wakes a get well within 50 ms, and a
# get that waits on a busy store looks a hundred times a second, not after every call of other programs.
LOOK_SECONDS = 0.01
LOOKS_PER_LIVENESS_CHECK = 100
UNLIMITED = -1
# A version that the store never has: look again after a pause.
NEVER = -1


class Wait:
    """The wait of one get, starting with its first look that found nothing."""

    def __init__(self, handle: HandleState, wait_interval: int) -> None:
        """The wait lasts `wait_interval` milliseconds, or for ever if it is -1."""
        self._handle = handle
        self._left = None if wait_interval == UNLIMITED else wait_interval * 1000
        self._looks = 0
        self._now = self._time()

    def goes_on(self, seen: int) -> bool:
        """Wait until the store has changed since `seen` or a dead process was recovered (True), or time is up (False).

        MQError 2009 when the queue manager ends meanwhile.
        """
        store = self._handle.connection.store
        while True:
            if self._looks % LOOKS_PER_LIVENESS_CHECK == 0 and recover(store):
                return True
            self._looks += 1
            if self._is_over():
                return recover(store)
            store.environment.clock.pause(LOOK_SECONDS)
            if store.database.data_version() != seen:
                return True

    def _is_over(self) -> bool:
        """A clock that is set back never makes a wait longer."""
        was, self._now = self._now, self._time()
        if self._left is None:
            return False
        self._left -= max(0, self._now - was)
        return self._left <= 0

    def _time(self) -> int:
        connection = self._handle.connection
        with Reading(connection.store.database) as reading:
            return call_context(reading, connection).now
