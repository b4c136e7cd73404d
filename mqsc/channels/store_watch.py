"""Threads that wait for stores to change: one of them watches for all, so that ten idle channels
cost little more.

The first that waits is the watcher. When its wait is over, another becomes the watcher.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from threading import Event

from mqsc.store.client.store import Store
from mqsc.store.environment import elapsed_real_seconds
from mqsc.store.error import MQError, StoreError
from mqsc.store.sqlite.stamps import Stamp, settled_stamp

# So rarely that it costs little, so often that a message still crosses an idle channel within 50
# ms.
LOOK_SECONDS = 0.035
# Some stores are looked at only about once a second: every so many looks.
RARELY = 28
Seen = Sequence[tuple["Store", int]]


class StoreWait:
    """One wait: until one of `seen`, or some time later of `rarely`, has another version, or `stop`
    is set.

    `seconds` of real time are its limit, None for no limit. If `concerns` is given, a change of the
    store ends the wait only if that returns true; any of the threads calls it.
    """

    def __init__(
        self,
        seen: Seen,
        stop: Event,
        seconds: float | None,
        rarely: Seen = (),
        concerns: Callable[[], bool] | None = None,
    ) -> None:
        self.seen = seen
        self.rarely = rarely
        self._concerns = concerns
        self.stop = stop
        self.is_over = False
        self._until = None if seconds is None else elapsed_real_seconds() + seconds
        # Locked until the thread is woken. A plain lock costs less than an Event.
        self._awake = threading.Lock()
        self._awake.acquire()

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the limit; None for no limit."""
        return None if self._until is None else self._until - elapsed_real_seconds()

    def is_ended_by_change(self) -> bool:
        """Whether a change of the store ends the wait. When that cannot be found out, it does: its
        thread finds out why.
        """
        try:
            return self._concerns is None or self._concerns()
        except (MQError, StoreError):
            return True

    def go_on(self, versions: Mapping[Store, int | None]) -> None:
        """Wait for a change after these versions, where they are known."""
        self.seen = [
            (store, seen if (version := versions[store]) is None else version)
            for store, seen in self.seen
        ]

    def sleep(self) -> None:
        """Sleep until wake(), at most until the limit."""
        left = self.seconds_left
        if left is None:
            self._awake.acquire()
        elif left > 0:
            self._awake.acquire(timeout=min(left, threading.TIMEOUT_MAX))

    def wake(self) -> None:
        """End the sleep, from any thread."""
        with suppress(RuntimeError):  # woken before
            self._awake.release()


class StoreWatch:
    """The waits of the threads of this process."""

    def __init__(self) -> None:
        # Held during a look, so that no thread closes a store during it.
        self._lock = threading.Lock()
        self._waits: dict[StoreWait, None] = {}
        self._watcher: StoreWait | None = None
        self._known: dict[Store, tuple[Stamp, int]] = {}
        self._looks = 0

    def wait(self, waits: StoreWait) -> None:
        """Wait in the calling thread."""
        with self._lock:
            self._waits[waits] = None
            self._watcher = self._watcher or waits
        try:
            while not waits.is_over and ((left := waits.seconds_left) is None or left > 0):
                if self._watcher is waits:
                    clock = waits.seen[0][0].environment.clock
                    clock.pause(LOOK_SECONDS if left is None else min(left, LOOK_SECONDS))
                    self._look()
                else:
                    waits.sleep()
        finally:
            self._end(waits)

    def _end(self, waits: StoreWait) -> None:
        with self._lock:
            del self._waits[waits]
            if self._watcher is waits:
                self._watcher = next(iter(self._waits), None)
                if self._watcher is not None:
                    self._watcher.wake()

    def _look(self) -> None:
        """Wake the threads whose stores have changed."""
        with self._lock:
            self._looks += 1
            versions: dict[Store, int | None] = {}
            for wait in self._waits:
                if wait.stop.is_set() or self._has_changed(wait, versions):
                    wait.is_over = True
                    wait.wake()
            self._known = {
                store: known for store, known in self._known.items() if store in versions
            }

    def _has_changed(self, wait: StoreWait, versions: dict[Store, int | None]) -> bool:
        """Whether a store that the thread waits for has changed in a way that concerns it."""
        looked_at = [*wait.seen, *wait.rarely] if self._looks % RARELY == 0 else wait.seen
        if all(self._version(store, versions) == seen for store, seen in looked_at):
            return False
        if wait.is_ended_by_change():
            return True
        wait.go_on(versions)
        return False

    def _version(self, store: Store, versions: dict[Store, int | None]) -> int | None:
        """The version of a store, asked once a look; None if it cannot be said: its thread finds
        out why.
        """
        if store not in versions:
            # Before the store is asked, so that a write in between changes it.
            stamp = settled_stamp(store.path)
            known = self._known.get(store)
            if stamp is not None and known is not None and known[0] == stamp:
                versions[store] = known[1]
                return known[1]
            try:
                version = versions[store] = store.database.data_version()
            except (MQError, StoreError):
                versions[store] = None
            else:
                self._known.pop(store, None)
                if stamp is not None:
                    self._known[store] = (stamp, version)
        return versions[store]
