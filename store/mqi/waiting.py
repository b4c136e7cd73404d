"""A get that waits: time passes on the queue manager's clock; changes by other processes wake it."""

from __future__ import annotations

from store.engine.call_context import time_of
from store.engine.change_watch import LOOK_SECONDS, NEVER, Sleeper
from store.engine.recovery import recover
from store.environment import MICROSECONDS
from store.message import GetMessageOptions
from store.mqi import selection_strings
from store.mqi.revalidate import call_context
from store.mqi.selection import selection
from store.mqi.state import HandleState
from store.sql import connections, queues
from store.sql.managers import RUNNING
from store.sql.rows import ManagerRow
from store.sql.statistics import WaitPlace
from store.sqlite.database import Reading

# Once a second.
LOOKS_PER_LIVENESS_CHECK = 80
UNLIMITED = -1


class GetWait:
    """The wait of one get. Its time begins with the first look that found nothing."""

    def __init__(self, handle: HandleState, options: GetMessageOptions) -> None:
        """The wait lasts `wait_interval` milliseconds, or for ever if it is -1; it may have begun at `waits_since`."""
        wait_interval = options.wait_interval
        self._handle = handle
        self._options = options
        self._left = None if wait_interval == UNLIMITED else wait_interval * 1000
        self._looks = 0
        self._now: int | None = options.waits_since
        self._sleeper = Sleeper(self.is_concerned)
        self._clock_at: int | None = None
        self._qmgr: ManagerRow | None = None
        self._qmgr_version = 0
        self._is_cancelled = False

    def cancel(self) -> None:
        """End the wait as if its time were up; from any thread."""
        self._is_cancelled = True
        self._sleeper.wake()

    def goes_on(self, seen: int) -> bool:
        """Wait until the store has changed since `seen` or a dead process was recovered (True), or time is up (False).

        MQError 2009 when the queue manager ends meanwhile.
        """
        store = self._handle.connection.store
        watch = store.change_watch
        self._sleeper.seen = seen
        self._sleeper.places = self.places()
        try:
            while not self._is_cancelled:
                if self._looks % LOOKS_PER_LIVENESS_CHECK == 0 and recover(store):
                    return True
                self._looks += 1
                if self._is_over():
                    return recover(store)
                if watch.pause(self._sleeper, self._longest_pause(seen)) or seen == NEVER:
                    return True
            return False
        finally:
            watch.end(self._sleeper)

    def places(self) -> frozenset[WaitPlace]:
        """The queue, and the aliases that led to it."""
        destination = self._handle.destination
        assert destination is not None
        name = self._handle.connection.qmgr.name
        return frozenset((name, row.id) for row in destination.rows)

    def is_concerned(self) -> bool:
        """Whether the get must look again. Without the writer lock, so that a busy store is not held up."""
        handle = self._handle
        connection, destination = handle.connection, handle.destination
        assert destination is not None
        with Reading(connection.store.database) as reading:
            for row in destination.rows:
                hot = queues.read_hot_columns(reading, row.id, connection.qmgr.name)
                if hot is None:
                    return True
                version, _, _, _, qmgr_version, run, state, clock_at = hot
                if version != row.version or run != connection.run or state != RUNNING or clock_at != self._clock_at:
                    self._clock_at = clock_at
                    return True
                known = connection.manager
                # Breaking a connection raises the version of the queue manager's row.
                is_same = known is not None and known.version == qmgr_version
                if not is_same and connections.by_id(reading, connection.number) is None:
                    return True
            # The time matters for marks only, and a get that passes over marked messages looks after each pause.
            chosen = selection(handle, destination.queue.id, self._options, now=0)
            return any(
                selection_strings.exists(reading, handle.selector, each.conditions, each.values, now=0)
                for each in chosen
            )

    def _longest_pause(self, seen: int) -> float:
        if seen == NEVER:
            return LOOK_SECONDS
        return float("inf") if self._left is None else self._left / MICROSECONDS

    def _is_over(self) -> bool:
        """A clock that is set back never makes a wait longer."""
        if self._left is None and self._looks % LOOKS_PER_LIVENESS_CHECK != 1:
            return False
        was, self._now = self._now, self._time()
        if self._left is None:
            return False
        self._left -= max(0, self._now - (self._now if was is None else was))
        return self._left <= 0

    def _time(self) -> int:
        """The queue manager's time; its row is read again only when the store has changed."""
        connection = self._handle.connection
        version = connection.store.change_watch.version
        if self._qmgr is None or version != self._qmgr_version:
            with Reading(connection.store.database) as reading:
                self._qmgr, self._qmgr_version = call_context(reading, connection).qmgr, version
        return time_of(self._qmgr, connection.store.environment)
