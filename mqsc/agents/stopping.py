"""How an agent is asked to stop: by a signal, which also interrupts a wait but never a call."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import UnsupportedOperation
from select import select
from threading import Event
from typing import Any, BinaryIO, NoReturn

from msgspec import Struct

from mqsc.store.constants import MQRC
from mqsc.store.environment import Environment
from mqsc.store.error import MQError
from mqsc.store.sqlite.interruptions import waits_for_store
from mqsc.store.sqlite.patience import hurry


class StopRequested(Exception):
    """Raised where an agent waits for a message or for input, and holds no message that could be
    lost.

    Also raised by a call that waits because another program holds the store. The call then has done
    nothing.
    """


class ClockWithPause(Struct):
    """The time of another clock, and a function that lets seconds of real time pass, or raises
    an exception.
    """

    now: Callable[[], int]
    frozen: bool
    pause: Callable[[float], None]


def with_pause(
    environment: Environment[Any],
    pause: Callable[[float], None],
) -> Environment[ClockWithPause]:
    """The same environment, in which every wait is such a pause."""
    return replace(
        environment,
        clock=ClockWithPause(environment.clock.now, environment.clock.frozen, pause),
    )


def stoppable(environment: Environment[Any], stop: Event) -> Environment[ClockWithPause]:
    """The same environment, in which every wait ends with StopRequested when `stop` is set."""

    def pause(seconds: float) -> None:
        if stop.wait(seconds):
            raise StopRequested

    return with_pause(environment, pause)


@contextmanager
def until_signalled() -> Iterator[Event]:
    """An event that SIGTERM and SIGINT set; the former signal handlers are restored on exit.

    The block ends without an error if a signal comes while a call in it waits for a store that
    another program holds.
    """
    stop = Event()
    with _signals(lambda *_: _ask_to_stop(stop)), _ended_by(stop):
        yield stop


@contextmanager
def until_signalled_twice() -> Iterator[tuple[Event, Event]]:
    """An event that the first SIGTERM or SIGINT sets, and one for the second; as
    `until_signalled` otherwise.
    """
    first, second = Event(), Event()
    with _signals(lambda *_: _ask_to_stop(second if first.is_set() else first)), _ended_by(first):
        yield first, second


class _MessageInHand:
    """Whether the main thread has a message that an exception would lose."""

    is_held = False


@contextmanager
def message_in_hand() -> Iterator[None]:
    """A block that StopRequested does not end while a call in it waits for the store: the call
    fails a second later.
    """
    _MessageInHand.is_held = True
    try:
        yield
    finally:
        _MessageInHand.is_held = False


def _ask_to_stop(stop: Event) -> None:
    """Set the event. No call of any thread waits long for the store any more, and one of the
    main thread ends.
    """
    stop.set()
    hurry()
    if waits_for_store() and not _MessageInHand.is_held:
        raise StopRequested


@contextmanager
def _ended_by(stop: Event) -> Iterator[None]:
    """Suppress StopRequested, and after a stop the error of a call that would have had to wait
    for the store.
    """
    try:
        yield
    except StopRequested:
        pass
    except MQError as error:
        if error.reason != MQRC.RESOURCE_PROBLEM or not stop.is_set():
            raise


@contextmanager
def stopped_at_once(stop: Event) -> Iterator[Callable[[BinaryIO], None]]:
    """Make the signals also raise StopRequested in this block, because a read resumes after a
    handler that returns.

    Call what it yields before each read that may block: a signal just before the read would not
    interrupt it.
    """

    def end(*_: object) -> NoReturn:
        stop.set()
        raise StopRequested

    with _signals(end), _woken_by_signals() as awake:
        if stop.is_set():
            raise StopRequested
        yield lambda stream: _wait_for(stream, awake)


@contextmanager
def _woken_by_signals() -> Iterator[int]:
    """A descriptor that becomes readable when a signal comes, even before its handler runs."""
    awake, wake = os.pipe()
    os.set_blocking(wake, False)
    before = signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    try:
        yield awake
    finally:
        signal.set_wakeup_fd(before)
        os.close(awake)
        os.close(wake)


def _wait_for(stream: BinaryIO, awake: int) -> None:
    try:
        descriptor = stream.fileno()
    except UnsupportedOperation:
        # In memory: nothing to wait for.
        return
    select([descriptor, awake], [], [])


@contextmanager
def _signals(handler: Callable[..., object]) -> Iterator[None]:
    """Handle SIGTERM and SIGINT with `handler`; the former handlers are restored on exit."""
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = [signal.signal(number, handler) for number in numbers]
    try:
        yield
    finally:
        for number, former in zip(numbers, before, strict=True):
            signal.signal(number, former)
