"""How an agent is asked to stop: by a signal, also in the middle of a wait, and never in the middle of a call."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from threading import Event
from typing import Any, NoReturn

from store.environment import Clock, Environment


class StopRequested(Exception):
    """Raised where an agent waits, for a message or for its input: it holds no message, so none is lost."""


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
            raise StopRequested


def stoppable(environment: Environment[Any], stop: Event) -> Environment[StoppableClock]:
    """The same world, in which every wait ends when `stop` is set."""
    return replace(environment, clock=StoppableClock(environment.clock, stop))


@contextmanager
def until_signalled() -> Iterator[Event]:
    """An event that SIGTERM and SIGINT set; what these signals did before is restored on leaving."""
    stop = Event()
    with _signals(lambda *_: stop.set()):
        yield stop


@contextmanager
def stopped_at_once(stop: Event) -> Iterator[None]:
    """While this lasts the signals raise Stopped too, for a read of the input goes on after one that raises nothing."""

    def end(*_: object) -> NoReturn:
        stop.set()
        raise StopRequested

    with _signals(end):
        if stop.is_set():
            raise StopRequested
        yield


@contextmanager
def _signals(handler: Callable[..., object]) -> Iterator[None]:
    """SIGTERM and SIGINT go to the handler; what they did before is restored on leaving."""
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.signal(number, handler) for number in numbers]
    try:
        yield
    finally:
        for number, former in zip(numbers, before, strict=True):
            signal.signal(number, former)
