"""A get that waits: time passes on the queue manager's clock, new messages are noticed across processes."""

from __future__ import annotations

from store.engine.recovery import recover
from store.mqi.call_context import call_context
from store.mqi.state import HandleState
from store.sqlite.database import Reading

# A look at the file's change counter costs microseconds; ten milliseconds apart it wakes a get well within 50 ms, and
# on a busy store a get that waits looks for its message a hundred times a second, not after every call of others.
LOOK_SECONDS = 0.01
LOOKS_PER_LIVENESS_CHECK = 100
UNLIMITED = -1
# A version that the store never has: look again after a pause.
NEVER = -1


class Wait:
    """The wait of one get, from its first look that found nothing."""

    def __init__(self, handle: HandleState, wait_interval: int) -> None:
        """It lasts `wait_interval` milliseconds, -1 for ever."""
        self._handle = handle
        self._left = None if wait_interval == UNLIMITED else wait_interval * 1000
        self._looks = 0
        self._now = self._time()

    def goes_on(self, seen: int) -> bool:
        """Wait until the store has changed since `seen` or a dead process has left something (True), or time is up.

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
            if store.database.version() != seen:
                return True

    def _is_over(self) -> bool:
        """A clock that is set back makes no wait longer: time that has passed stays passed."""
        was, self._now = self._now, self._time()
        if self._left is None:
            return False
        self._left -= max(0, self._now - was)
        return self._left <= 0

    def _time(self) -> int:
        connection = self._handle.connection
        with Reading(connection.store.database) as reading:
            return call_context(reading, connection).now
