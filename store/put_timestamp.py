"""Converts times in microseconds UTC to the PutDate and PutTime of a message, and back."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from functools import lru_cache

MICROSECONDS = 1_000_000
_HUNDREDTH = 10_000


def put_date(moment: int) -> str:
    """The GMT date YYYYMMDD of a time in microseconds UTC."""
    return _second(moment // MICROSECONDS)[0]


def put_time(moment: int) -> str:
    """The GMT time HHMMSSth (to hundredths of a second) of a time in microseconds UTC."""
    return f"{_second(moment // MICROSECONDS)[1]}{moment % MICROSECONDS // _HUNDREDTH:02d}"


def put_date_and_time(moment: int) -> tuple[str, str]:
    return put_date(moment), put_time(moment)


def moment_of(date: str, clock_time: str) -> int:
    """The time in microseconds UTC of a PutDate and PutTime; ValueError if they are not a valid date and time."""
    try:
        if not (len(date) == len(clock_time) == 8 and (date + clock_time).isascii() and (date + clock_time).isdigit()):
            raise ValueError
        second = datetime.strptime(date + clock_time[:6], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        raise ValueError(f"put date {date!r} and time {clock_time!r} are not YYYYMMDD and HHMMSSth") from None
    return int(second.timestamp()) * MICROSECONDS + int(clock_time[6:]) * _HUNDREDTH


# Messages come in bursts, so most calls are for the same second as the previous call.
@lru_cache(maxsize=64)
def _second(seconds: int) -> tuple[str, str]:
    parts = time.gmtime(seconds)
    return time.strftime("%Y%m%d", parts), time.strftime("%H%M%S", parts)
