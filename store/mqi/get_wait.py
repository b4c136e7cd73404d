"""A get that waits: time passes on the queue manager's clock; changes by other processes wake it."""

from __future__ import annotations

from mqsc.store.engine.change_watch import LOOK_SECONDS, NEVER, Sleeper
from mqsc.store.engine.recovery import recover
from mqsc.store.engine.state import time_of, waiting_time_of
from mqsc.store.environment import MICROSECONDS, elapsed_real_seconds
from mqsc.store.message import GetMessageOptions
from mqsc.store.mqi import selection_strings
from mqsc.store.mqi.message_choice import selection
from mqsc.store.mqi.state import HandleState, call_context
from mqsc.store.sql import connections, queues
from mqsc.store.sql.managers import RUNNING
from mqsc.store.sql.rows import ManagerRow
from mqsc.store.sql.statistics import WaitPlace
from mqsc.store.sqlite.database import Reading

# Once a second.
LOOKS_PER_LIVENESS_CHECK = 80
UNLIMITED = -1
# A wait by a manual clock that takes longer may look like a program that hangs.
LONG_WAIT_SECONDS = 2.0


class GetWait:
    """The wait of one get. Its time begins with the first look that found nothing."""

    def __init__(self, handle: HandleState, options: GetMessageOptions) -> None:
        """The wait lasts `wait_interval` milliseconds, or forever if it is -1; it may have
        begun at `waits_since`.
        """
        wait_interval = options.wait_interval
        self._handle = handle
        self._options = options
        self._left = None if wait_interval == UNLIMITED else wait_interval * 1000
        self._looks = 0
        self._now: int | None = None
        # What the watcher of the store wakes; a caller that waits in another way puts its own here.
        self.sleeper = Sleeper(self.is_concerned)
        self._clock_at: int | None = None
        self._qmgr: ManagerRow | None = None
        self._qmgr_version = 0
        self._is_cancelled = False
        self._watched_since: float | None = None

    def cancel(self) -> None:
        """End the wait as if its time were up; from any thread."""
        self._is_cancelled = True
        self.sleeper.wake()

    def goes_on(self, seen: int) -> bool:
        """Wait until the store has changed since `seen` or a dead process was recovered (True), or
        time is up (False).

        MQError 2009 when the queue manager ends meanwhile.
        """
        watch = self._handle.connection.store.change_watch
        self.prepare(seen)
        try:
            while (outcome := self.outcome()) is None:
                if watch.pause(self.sleeper, self.longest_pause(seen)) or seen == NEVER:
                    return True
            return outcome
        finally:
            watch.end(self.sleeper)

    def prepare(self, seen: int) -> None:
        """Before the first pause: the get has looked at the store as it was at version `seen`."""
        self.sleeper.seen = seen
        self.sleeper.places = self.places()

    def outcome(self) -> bool | None:
        """Whether the get looks again (True), or its time is up (False); None to pause once
        more. MQError 2009.
        """
        if self._is_cancelled:
            return False
        store = self._handle.connection.store
        if self._looks % LOOKS_PER_LIVENESS_CHECK == 0 and recover(store):
            return True
        self._looks += 1
        return recover(store) if self._is_over() else None

    def places(self) -> frozenset[WaitPlace]:
        """The queue, and the aliases that led to it."""
        destination = self._handle.destination
        assert destination is not None
        name = self._handle.connection.qmgr.name
        return frozenset((name, row.id) for row in destination.rows)

    def is_concerned(self) -> bool:
        """Whether the get must look again. Without the writer lock, so that a busy store is not
        held up.
        """
        handle = self._handle
        connection, destination = handle.connection, handle.destination
        assert destination is not None
        with Reading(connection.store.database) as reading:
            for row in destination.rows:
                hot = queues.read_hot_columns(reading, row.id, connection.qmgr.name)
                if hot is None:
                    return True
                version, _, _, _, qmgr_version, run, state, clock_at = hot
                if (
                    version != row.version
                    or run != connection.run
                    or state != RUNNING
                    or clock_at != self._clock_at
                ):
                    self._clock_at = clock_at
                    return True
                known = connection.manager
                # Breaking a connection raises the version of the queue manager's row.
                is_same = known is not None and known.version == qmgr_version
                if not is_same and connections.by_id(reading, connection.number) is None:
                    return True
            # The time matters for marks only, and a get that passes over marked messages looks
            # after each pause.
            chosen = selection(handle, destination.queue.id, self._options, now=0)
            return any(
                selection_strings.exists(reading, handle.selector, each, now=0) for each in chosen
            )

    def longest_pause(self, seen: int) -> float:
        """The most seconds that a pause may take."""
        if seen == NEVER:
            return LOOK_SECONDS
        if self._left is None:
            return float("inf")
        left = self._left / MICROSECONDS
        is_by_manual_clock = self._qmgr is not None and self._qmgr.clock_at is not None
        return min(left, LONG_WAIT_SECONDS) if is_by_manual_clock else left

    def _is_over(self) -> bool:
        """A manual clock that is set back never makes a wait longer."""
        if self._left is None and self._looks % LOOKS_PER_LIVENESS_CHECK != 1:
            return False
        qmgr, environment = self._manager(), self._handle.connection.store.environment
        was, self._now = self._now, waiting_time_of(qmgr, environment)
        if self._left is None:
            return False
        if was is not None:
            self._left -= max(0, self._now - was)
        elif self._options.waits_since is not None:
            self._left -= max(0, time_of(qmgr, environment) - self._options.waits_since)
        if qmgr.clock_at is not None and self._left > 0:
            self._tell_of_stopped_clock(qmgr.name)
        return self._left <= 0

    def _tell_of_stopped_clock(self, name: str) -> None:
        """Once the wait has taken long by real time, which does not end it."""
        tell = self._handle.connection.store.on_stopped_clock
        if tell is None:
            return
        now = elapsed_real_seconds()
        if self._watched_since is None:
            self._watched_since = now
        if now - self._watched_since >= LONG_WAIT_SECONDS:
            tell(name)

    def _manager(self) -> ManagerRow:
        """The queue manager; its row is read again only when the store has changed.

        Not the version that a watch has seen decides: threads and tasks have different ones, and a
        waiter that has noticed a new time by itself is not woken for it again.
        """
        connection, version = self._handle.connection, self.sleeper.seen
        if self._qmgr is None or version != self._qmgr_version or version == NEVER:
            self._qmgr = connection.store.read(call_context, connection).qmgr
            self._qmgr_version = version
        return self._qmgr
