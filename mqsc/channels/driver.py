"""Waits for a run of a channel as real programs do: until a store changes, or the clock has come to its deadline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event
from typing import TYPE_CHECKING

from mqsc.channels.waits import Ending, Run, Wait
from store.environment import MICROSECONDS

if TYPE_CHECKING:
    from store.client.api import Store

# A message crosses an idle channel within 50 ms; looking at two stores this often costs little.
LOOK_SECONDS = 0.02


def drive(run: Run, stores: Callable[[], Sequence[Store]], stop: Event) -> Ending:
    """Resume the run whenever one of the stores has changed, its deadline has come, or `stop` is set."""
    try:
        while True:
            seen = [store.database.data_version() for store in stores()]
            wait = next(run)
            _sleep(wait, stores(), seen, stop)
    except StopIteration as ended:
        ending: Ending = ended.value
        return ending


def _sleep(wait: Wait, stores: Sequence[Store], seen: Sequence[int], stop: Event) -> None:
    left = _seconds_left(wait)
    while left is None or left > 0:
        if [store.database.data_version() for store in stores] != seen:
            return
        pause = LOOK_SECONDS if left is None else min(left, LOOK_SECONDS)
        if stop.wait(pause):
            return
        left = None if left is None else left - pause


def _seconds_left(wait: Wait) -> float | None:
    """Seconds of real time until the deadline; None for a manual clock, whose moves change the store."""
    if wait.until is None or wait.qmgr.row().clock_at is not None:
        return None
    return (wait.until - wait.qmgr.now()) / MICROSECONDS
