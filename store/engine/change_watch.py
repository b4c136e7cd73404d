"""Threads of a process that wait for the store to change: one watches it and wakes the others."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress

from mqsc.store.environment import MICROSECONDS, Clock, elapsed_real_seconds
from mqsc.store.sql.statistics import WaitPlace, WaitState
from mqsc.store.sqlite.interruptions import Waiting, run_pending_handlers

# Reading the file's change counter costs microseconds, waking up for it twenty times as much.
# Eighty times a second, a waiter is woken within 20 ms, and four processes that only wait use less
# than 5 % of a core.
LOOK_SECONDS = 0.0125
PlaceStates = tuple[WaitState | None, ...]
# A version that the store never has, for a thread that looks again after a pause, whether the store
# changes or not.
NEVER = -1
# A difference between the clock and real time that counts as a change of the clock.
CLOCK_JUMP_SECONDS = 0.5


class Sleeper:
    """A thread that waits, again and again.

    `concerns` returns whether a change of the store concerns it; any thread may call it. The answer
    can change only with the state of one of `places`, or at any time if there are none. `seen` is
    the version of the store that the thread has taken into account.
    """

    def __init__(self, concerns: Callable[[], bool]) -> None:
        self.concerns = concerns
        self.places: frozenset[WaitPlace] = frozenset()
        self.seen = 0
        # The states of the places when the watcher last looked, which was before it asked.
        self._states: PlaceStates = ()
        # Locked until the sleeper is woken. A plain lock, because a signal's handler may
        # wake the main thread.
        self._awake = threading.Lock()
        self._awake.acquire()

    def may_be_concerned(self, states: PlaceStates) -> bool:
        """Whether the states of its places differ from those of the last call, or are not known."""
        before, self._states = self._states, states
        return not states or None in states or states != before

    def sleep(self, seconds: float) -> None:
        """Sleep until wake(), or return at once if it was called before; at most so many
        seconds.
        """
        with Waiting(self.wake):
            self._awake.acquire(timeout=min(max(seconds, 0.0), threading.TIMEOUT_MAX))

    def wake(self) -> None:
        """End the sleep, from any thread."""
        with suppress(RuntimeError):  # woken before
            self._awake.release()


class ChangeWatch:
    """The waiting threads of one store in this process.

    The first that waits is the watcher. When its wait ends, another becomes the watcher. So 300
    waiting gets read the change counter as often as one, without a thread that programs know
    nothing of.
    """

    def __init__(
        self,
        data_version: Callable[[], int],
        clock: Clock,
        states_of: Callable[[Collection[WaitPlace]], Mapping[WaitPlace, WaitState]],
    ) -> None:
        self._data_version = data_version
        self._states_of = states_of
        self._clock = clock
        self._lock = threading.Lock()
        self._watcher: Sleeper | None = None
        # Those that sleep, longest first.
        self._sleepers: dict[Sleeper, None] = {}
        # The state that the watcher saw last: the store's version, and the difference between the
        # clock and real time.
        self._version = 0
        self._clock_offset = 0.0

    @property
    def version(self) -> int:
        """The store's version when the watcher last looked."""
        return self._version

    def pause(self, sleeper: Sleeper, seconds: float) -> bool:
        """Wait until a change of the store concerns the sleeper (True), or there is another reason
        to look up (False).

        Other reasons are that `seconds` have passed, that the clock has changed, wake(), or that
        the watcher looks every LOOK_SECONDS. end() must follow the last pause.
        """
        if self.is_watcher(sleeper):
            self._clock.pause(min(seconds, LOOK_SECONDS))
            concerned = self.look(sleeper)
        else:
            # Only now, so that a change before this is seen here, and a change after it by the
            # watcher.
            concerned = sleeper.seen != NEVER and self.has_changed(sleeper)
            if not concerned:
                sleeper.sleep(seconds)
                concerned = self.has_changed(sleeper)
        run_pending_handlers()
        return concerned

    def is_watcher(self, sleeper: Sleeper) -> bool:
        """Whether the sleeper is the watcher, which it becomes if there is none; else it is
        among those to be woken.
        """
        with self._lock:
            if self._watcher is None:
                self._watcher = sleeper
                self._sleepers.pop(sleeper, None)
            if self._watcher is not sleeper:
                self._sleepers[sleeper] = None
            return self._watcher is sleeper

    def has_changed(self, sleeper: Sleeper) -> bool:
        """Whether the store has changed in a way that concerns the sleeper."""
        return self._concerns(sleeper, self._data_version())

    def _concerns(self, sleeper: Sleeper, version: int) -> bool:
        if version == sleeper.seen:
            return False
        if sleeper.concerns():
            return True
        sleeper.seen = version
        return False

    def end(self, sleeper: Sleeper) -> None:
        """The thread no longer waits; the one that has slept longest becomes the watcher in its
        place.
        """
        with self._lock:
            self._sleepers.pop(sleeper, None)
            if self._watcher is sleeper:
                self._watcher = next(iter(self._sleepers), None)
                if self._watcher is not None:
                    del self._sleepers[self._watcher]
                    self._watcher.wake()

    def look(self, watcher: Sleeper) -> bool:
        """Wake those that a change of the store or the clock concerns; return whether it
        concerns the watcher.
        """
        version = self._data_version()
        offset = self._clock.now() / MICROSECONDS
        if not self._clock.frozen:
            offset -= elapsed_real_seconds()
        clock_changed = abs(offset - self._clock_offset) > (
            0 if self._clock.frozen else CLOCK_JUMP_SECONDS
        )
        if version == self._version and not clock_changed:
            return self._concerns(watcher, version)
        self._version, self._clock_offset = version, offset
        with self._lock:
            sleepers = tuple(self._sleepers)
        if clock_changed:
            for sleeper in sleepers:
                sleeper.wake()
            return self._concerns(watcher, version)
        # Most changes concern other queues: one look at the places of all spares a look for each.
        wanted = {each.places for each in (*sleepers, watcher)}
        found = self._states_of(frozenset().union(*wanted))
        states = {places: tuple(found.get(place) for place in places) for places in wanted}
        # Here, because many threads that all look at once get in each other's way.
        for sleeper in sleepers:
            if sleeper.may_be_concerned(states[sleeper.places]) and sleeper.concerns():
                sleeper.wake()
        if watcher.may_be_concerned(states[watcher.places]):
            return self._concerns(watcher, version)
        watcher.seen = version
        return False
