"""The one door through which time, identifiers, chance and the user enter the queue manager.

Below this file time is one integer type: microseconds since 1970, UTC.
"""

from __future__ import annotations

import getpass
import os
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, Protocol, TypeVar

MICROSECONDS = 1_000_000


class Clock(Protocol):
    """What the store asks of a clock."""

    frozen: bool

    def now(self) -> int:
        """Microseconds since 1970, UTC."""

    def pause(self, seconds: float) -> None:
        """Let real time pass, or return early when the clock was moved."""


class SystemClock:
    """Real time."""

    frozen = False

    def now(self) -> int:
        """Microseconds since 1970, UTC, as the machine tells them."""
        return time.time_ns() // 1000

    def pause(self, seconds: float) -> None:
        """Sleep; used by waits and by retries of a busy database only."""
        time.sleep(seconds)


class FrozenClock:
    """A clock that stands still until it is moved; lives in one process and is never stored."""

    frozen = True

    def __init__(self, at: int) -> None:
        self._at = at
        self._moved = threading.Condition()

    def now(self) -> int:
        """The moment last set, in microseconds since 1970, UTC."""
        return self._at

    def advance(self, seconds: float) -> None:
        """Move the clock forward by `seconds` (rounded to whole microseconds) and wake every waiter."""
        if seconds < 0:
            raise ValueError("a clock is advanced by a number of seconds that is not negative; use set() to go back")
        self.set(self._at + round(seconds * MICROSECONDS))

    def set(self, at: int) -> None:
        """Set the clock to `at` (microseconds since 1970, UTC; backwards too) and wake every waiter."""
        with self._moved:
            self._at = at
            self._moved.notify_all()

    def pause(self, seconds: float) -> None:
        """Wait at most `seconds` of real time; returns at once when the clock is moved."""
        with self._moved:
            self._moved.wait(seconds)


ClockType = TypeVar("ClockType", bound="Clock", covariant=True)


@dataclass(frozen=True)
class Environment(Generic[ClockType]):
    """Clock, user, program name and the salt from which identifiers are made."""

    clock: ClockType
    user: str
    application: str
    salt: int = 0
    # Numbers the messages that queue managers make themselves: reports, triggers, transmission-queue messages.
    made: Iterator[int] = field(default_factory=lambda: count(1), compare=False, repr=False)

    @staticmethod
    def system() -> Environment[SystemClock]:
        """The real world: the machine's time, the user who runs the process, salted identifiers."""
        return Environment(SystemClock(), _login_name(), "mqsc", int.from_bytes(os.urandom(8), "big"))

    @staticmethod
    def frozen(at: int, user: str = "tester", application: str = "mqsc") -> Environment[FrozenClock]:
        """A world for tests: time stands at `at` (microseconds UTC) and identifiers repeat from run to run."""
        return Environment(FrozenClock(at), user, application, 0)


def _login_name() -> str:
    try:
        # Bytes that are not UTF-8 come as halves of surrogate pairs, which nothing could write.
        return getpass.getuser().encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except (KeyError, OSError):
        return str(os.getuid())


def pause_a_moment() -> None:
    """Sleep for 0.1 to 1 ms: between attempts on a busy database, which no clock of a queue manager governs."""
    time.sleep(random.uniform(0.0001, 0.001))


def elapsed_real_seconds() -> float:
    """A monotonic reading of real time in seconds, for the bound on such retries."""
    return time.monotonic()
