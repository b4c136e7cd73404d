"""How an agent is asked to stop: by a signal, also in the middle of a wait, and never in the middle of a call."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Event
from typing import Any

from store.environment import Clock, Environment


class Stopped(Exception):
    """Raised where a call waits for a message: it holds none, so none is lost."""


class StoppableClock:
    """The clock of an environment whose waits end by Stopped as soon as `stop` is set."""

    def __init__(self, clock: Clock, stop: Event) -> None:
        self._clock = clock
        self._stop = stop
        self.frozen = clock.frozen

    def now(self) -> int:
        """Microseconds since 1970, UTC, of the clock behind this one."""
        return self._clock.now()

    def pause(self, seconds: float) -> None:
        """Let real time pass; Stopped when the agent is to stop."""
        if self._stop.wait(seconds):
            raise Stopped


def stoppable(environment: Environment[Any], stop: Event) -> Environment[StoppableClock]:
    """The same world, in which every wait ends when `stop` is set."""
    return replace(environment, clock=StoppableClock(environment.clock, stop))


@contextmanager
def until_signalled() -> Iterator[Event]:
    """An event that SIGTERM and SIGINT set; what these signals did before is restored on leaving."""
    stop = Event()
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.signal(number, lambda *_: stop.set()) for number in numbers]
    try:
        yield stop
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
