"""Times in microseconds UTC as the PutDate and PutTime of a message, and back."""

from __future__ import annotations

import time
from functools import lru_cache

MICROSECONDS = 1_000_000
HUNDREDTH = 10_000


def put_date(moment: int) -> str:
    """The GMT date YYYYMMDD of a time in microseconds UTC."""
    return _second(moment // MICROSECONDS)[0]


def put_time(moment: int) -> str:
    """The GMT time HHMMSSth (to hundredths of a second) of a time in microseconds UTC."""
    return f"{_second(moment // MICROSECONDS)[1]}{moment % MICROSECONDS // HUNDREDTH:02d}"


def put_date_and_time(moment: int) -> tuple[str, str]:
    return put_date(moment), put_time(moment)


# Messages come in bursts, so most calls are for the same second as the previous call.
@lru_cache(maxsize=64)
def _second(seconds: int) -> tuple[str, str]:
    parts = time.gmtime(seconds)
    return time.strftime("%Y%m%d", parts), time.strftime("%H%M%S", parts)


def put_moment(date: str, time_of_day: str) -> int | None:
    """The time in microseconds UTC of a PutDate and PutTime, exact to hundredths of a second;
    None if invalid.
    """
    try:
        return _moment(date, time_of_day[:6]) + int(time_of_day[6:8] or 0) * HUNDREDTH
    except ValueError:
        return None


@lru_cache(maxsize=64)
def _moment(date: str, second: str) -> int:
    # Few programs read times of messages.
    import calendar

    return calendar.timegm(time.strptime(date + second, "%Y%m%d%H%M%S")) * MICROSECONDS
