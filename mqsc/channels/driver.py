"""Waits for a run of a channel as real programs do: until a store changes, or the clock has come to its deadline."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Event
from typing import TYPE_CHECKING

from mqsc.channels.waits import Ending, Run, Wait
from store.environment import MICROSECONDS
from store.sqlite.log_stamp import Stamp, settled_stamp

if TYPE_CHECKING:
    from store.client.api import Store

# How often a run that waits looks for changes: often while messages come, then so rarely that a message still crosses
# an idle channel within 50 ms. A look costs some 0.12 ms, of which waking up is 0.08.
BUSY_SECONDS, IDLE_SECONDS = 0.005, 0.035
BUSY_LOOKS = 20
# Never set: a run that knows of the stop, and waits to complete a batch, must not be resumed again and again.
_NEVER = Event()


def drive(run: Run, store: Store, stop: Event) -> Ending:
    """Resume the run whenever a store has changed, its deadline has come, or `stop` is set. `store` is that of the run.

    When `stop` is set, the run decides when it ends.
    """
    stores: tuple[Store, ...] = (store,)
    try:
        while True:
            # Before the run looks, so that a change in between is noticed.
            seen = [each.database.data_version() for each in stores]
            knows_of_stop = stop.is_set()
            wait = next(run)
            if wait.stores == stores:
                _sleep(wait, seen, _NEVER if knows_of_stop else stop)
            stores = wait.stores
    except StopIteration as ended:
        ending: Ending = ended.value
        return ending


def _sleep(wait: Wait, seen: Sequence[int], stop: Event) -> None:
    left, looks = _seconds_left(wait), 0
    stamps: list[Stamp | None] = [None for _ in wait.stores]
    while left is None or left > 0:
        for number, store in enumerate(wait.stores):
            # Before the store is asked, so that a write in between changes it.
            stamp = settled_stamp(store.path)
            if (stamp is None or stamp != stamps[number]) and store.database.data_version() != seen[number]:
                return
            stamps[number] = stamp
        looks += 1
        pause = BUSY_SECONDS if looks <= BUSY_LOOKS else IDLE_SECONDS
        pause = pause if left is None else min(left, pause)
        # Not stop.wait, which takes half as much again of the processor.
        wait.qmgr.store.environment.clock.pause(pause)
        if stop.is_set():
            return
        left = None if left is None else left - pause


def _seconds_left(wait: Wait) -> float | None:
    """Seconds of real time until the deadline; None for a manual clock, whose moves change the store."""
    if wait.until is None or wait.qmgr.row().clock_at is not None:
        return None
    return (wait.until - wait.qmgr.now()) / MICROSECONDS
