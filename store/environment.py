"""The only source of time, identifiers, random numbers and the user for the queue manager.

Everywhere else, a time is an integer: microseconds since 1970, UTC.
"""

from __future__ import annotations

import grp
import os
import pwd
import random
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Generic, Protocol, TypeVar

MICROSECONDS = 1_000_000


# What OWASP recommends for scrypt: 128 MB and some 0.3 seconds for each password. The other is for
# tests, 16 MB and an eighth of the time.
PASSWORD_COST = (1 << 17, 8, 1)
QUICK_PASSWORD_COST = (1 << 14, 8, 1)
# With 1 in this variable, a process hashes passwords as in tests.
QUICK_PASSWORDS = "MQSC_QUICK_PASSWORDS"


class Clock(Protocol):
    """The clock that the store uses."""

    frozen: bool

    def now(self) -> int:
        """Microseconds since 1970, UTC."""

    def pause(self, seconds: float) -> None:
        """Wait for real time to pass; return early if the clock is changed."""


class SystemClock:
    """The clock of the machine."""

    frozen = False

    def now(self) -> int:
        """Microseconds since 1970, UTC."""
        return time.time_ns() // 1000

    def pause(self, seconds: float) -> None:
        """Sleep. Only waits and retries of a busy database use it."""
        time.sleep(seconds)


class FrozenClock:
    """A clock that changes only when the program changes it. It exists in one process and is
    never stored.
    """

    frozen = True

    def __init__(self, at: int) -> None:
        self._at = at
        self._moved = threading.Condition()

    def now(self) -> int:
        """The time last set, in microseconds since 1970, UTC."""
        return self._at

    def advance(self, seconds: float) -> None:
        """Move the clock forward by `seconds`, rounded to microseconds, and wake all waiters."""
        if seconds < 0:
            raise ValueError("seconds must not be negative; use set() to move the clock back")
        self.set(self._at + round(seconds * MICROSECONDS))

    def set(self, at: int) -> None:
        """Set the clock to `at` (microseconds since 1970, UTC), earlier or later, and wake all
        waiters.
        """
        with self._moved:
            self._at = at
            self._moved.notify_all()

    def pause(self, seconds: float) -> None:
        """Wait at most `seconds` of real time; return immediately when the clock is changed."""
        with self._moved:
            self._moved.wait(seconds)


ClockType = TypeVar("ClockType", bound="Clock", covariant=True)


@dataclass(frozen=True)
class Environment(Generic[ClockType]):
    """Clock, user, program name, the salt for generated identifiers, and the name of the machine.

    >>> environment = mqsc.Environment.frozen(at=0)
    >>> environment.clock.advance(seconds=3.3)
    >>> environment.clock.now()
    3300000
    """

    clock: ClockType
    user: str
    application: str
    salt: int = 0
    # The number of the user on this machine; it becomes the AccountingToken of messages.
    user_number: int = 1000
    # Numbers for the identifiers of messages that queue managers generate: reports, trigger
    # messages and so on.
    message_numbers: Iterator[int] = field(
        default_factory=lambda: count(1),
        compare=False,
        repr=False,
    )
    host: str = "localhost"
    # N, r and p of scrypt for new passwords.
    password_cost: tuple[int, int, int] = PASSWORD_COST

    @staticmethod
    def system() -> Environment[SystemClock]:
        """The machine's time and name, the user who runs the process, and unique identifiers.
        Hashing is quick if the variable MQSC_QUICK_PASSWORDS is 1.

        >>> mqsc.Environment.system().clock.frozen
        False
        """
        salt = int.from_bytes(os.urandom(8), "big")
        return Environment(
            SystemClock(),
            _login_name(),
            "mqsc",
            salt,
            os.getuid(),
            host=os.uname().nodename,
            password_cost=_password_cost(),
        )

    @staticmethod
    def unpredictable_bytes(number: int) -> bytes:
        """Bytes that nobody can guess, frozen environment or not.

        >>> len(mqsc.Environment.unpredictable_bytes(16))
        16
        """
        return os.urandom(number)

    @staticmethod
    def groups_of(user: str) -> list[str]:
        """The groups of the operating system's user of that name; none if there is no such user.

        >>> mqsc.Environment.groups_of("nobody of that name")
        []
        """
        try:
            numbers = os.getgrouplist(user, pwd.getpwnam(user).pw_gid)
        except KeyError:
            return []
        return [each.gr_name for each in grp.getgrall() if each.gr_gid in numbers]

    @staticmethod
    def frozen(
        at: int,
        user: str = "tester",
        application: str = "mqsc",
    ) -> Environment[FrozenClock]:
        """For tests: time stays at `at` (microseconds UTC), identifiers are the same in every run,
        hashing is quick.

        >>> mqsc.Environment.frozen(at=1_700_000_000_000_000).clock.now()
        1700000000000000
        """
        return Environment(FrozenClock(at), user, application, 0, password_cost=QUICK_PASSWORD_COST)


def _password_cost() -> tuple[int, int, int]:
    return QUICK_PASSWORD_COST if os.environ.get(QUICK_PASSWORDS) == "1" else PASSWORD_COST


def _login_name() -> str:
    # Not getpass.getuser(), which believes the variables LOGNAME and USER.
    try:
        # Bytes that are not UTF-8 arrive as unpaired surrogates, which cannot be encoded.
        return (
            pwd.getpwuid(os.geteuid())
            .pw_name.encode("utf-8", "surrogateescape")
            .decode("utf-8", "replace")
        )
    except (KeyError, OSError):
        return str(os.geteuid())


def pause_a_moment() -> None:
    """Sleep for 0.1 to 1 ms between attempts on a busy database. The clock of a queue manager
    has no influence.
    """
    time.sleep(random.uniform(0.0001, 0.001))


# Monotonic real time in seconds, for the time limit of such retries.
elapsed_real_seconds = time.monotonic
# Turns monotonic time into the time that the machine's clock showed when this process began.
_STEADY_OFFSET = time.time_ns() - time.monotonic_ns()


def steady_now() -> int:
    """Microseconds since 1970, UTC, by a clock that is never set: for waits, which must not change
    when the real clock is set.
    """
    return (time.monotonic_ns() + _STEADY_OFFSET) // 1000


# The machine's time as file systems note it, in nanoseconds since 1970.
file_system_time = time.time_ns
