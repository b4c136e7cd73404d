"""Drives a run of a channel in this thread: sleeps when the run waits, and wakes when its store
changes.
"""

from __future__ import annotations

from threading import Event

from mqsc.channels.steps import Ending, Run, Wait
from mqsc.channels.store_watch import Seen, StoreWait, StoreWatch
from mqsc.store.client.store import Store
from mqsc.store.environment import MICROSECONDS

# A run that waits looks often while messages come, then leaves it to the watch.
BUSY_SECONDS, BUSY_LOOKS = 0.005, 20
# Never set: a run that knows of the stop, and waits to complete a batch, must not be resumed again
# and again.
_NEVER = Event()


def drive(run: Run, store: Store, stop: Event, watch: StoreWatch | None = None) -> Ending:
    """Resume the run whenever a store has changed, its deadline has come, or `stop` is set. `store`
    is that of the run.

    When `stop` is set, the run decides when it ends. Runs in other threads may have the same
    `watch`.
    """
    watch = watch or StoreWatch()
    stores: tuple[Store, ...] = (store,)
    try:
        while True:
            # Before the run looks, so that a change in between is noticed.
            seen = {store: store.database.data_version() for store in stores}
            knows_of_stop = stop.is_set()
            wait = next(run)
            if {*wait.stores, *wait.rarely} == {*stores}:
                often, rarely = (
                    [(each, seen[each]) for each in some] for some in (wait.stores, wait.rarely)
                )
                _sleep(watch, wait, often, rarely, _NEVER if knows_of_stop else stop)
            stores = (*wait.stores, *wait.rarely)
    except StopIteration as ended:
        ending: Ending = ended.value
        return ending


def _sleep(watch: StoreWatch, wait: Wait, often: Seen, rarely: Seen, stop: Event) -> None:
    left = _seconds_left(wait)
    for _ in range(BUSY_LOOKS):
        if (left is not None and left <= 0) or any(
            store.database.data_version() != seen for store, seen in often
        ):
            return
        pause = BUSY_SECONDS if left is None else min(left, BUSY_SECONDS)
        # Not stop.wait, which takes half as much again of the processor.
        wait.qmgr.store.environment.clock.pause(pause)
        if stop.is_set():
            return
        left = None if left is None else left - pause
    watch.wait(StoreWait(often, stop, left, rarely))


def _seconds_left(wait: Wait) -> float | None:
    """Seconds of real time until the deadline; None for a manual clock, whose moves change the
    store.
    """
    if wait.until is None or wait.qmgr.row().clock_at is not None:
        return None
    return (wait.until - wait.qmgr.waiting_time()) / MICROSECONDS
