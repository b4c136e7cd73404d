"""Online monitoring of queues: whether it is on, and what it shows. Pure."""

from __future__ import annotations

# The most that is shown of a time or an age.
MOST = 999_999_999
OFF = "OFF"
_SECOND = 1_000_000


def in_force(queue: str, queue_manager: str) -> str:
    """The level of monitoring of a queue: its own MONQ, unless that leaves it to the queue manager.

    MONQ(NONE) of the queue manager switches it off for every queue.
    """
    if queue_manager == "NONE":
        return OFF
    return queue_manager if queue == "QMGR" else queue


def queue_times(short: int | None, long: int | None) -> str:
    """QTIME: the average microseconds from put to get, over few and over many messages; blanks before any get."""
    shown = ("" if each is None else str(min(each, MOST)) for each in (short, long))
    return ",".join(shown) if short is not None else " , "


def age(oldest: int | None, now: int) -> int:
    """MSGAGE: whole seconds since the oldest message was put (both microseconds UTC), 0 for an empty queue."""
    return 0 if oldest is None else min(max(0, now - oldest) // _SECOND, MOST)
