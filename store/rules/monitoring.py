"""Online monitoring of queues: whether it is on, and the values that it shows."""

# The highest time, age or count that MQ shows.
HIGHEST = 999_999_999
OFF = "OFF"
_SECOND = 1_000_000


def effective_level(queue: str, queue_manager: str) -> str:
    """The monitoring level of a queue: its own MONQ, or that of the queue manager when the queue
    has MONQ(QMGR).

    MONQ(NONE) of the queue manager turns monitoring off for every queue.
    """
    if queue_manager == "NONE":
        return OFF
    return queue_manager if queue == "QMGR" else queue


def queue_times(short: int | None, long: int | None) -> str:
    """QTIME: the average microseconds from put to get, short term and long term; blanks before
    the first get.
    """
    shown = ("" if each is None else str(min(each, HIGHEST)) for each in (short, long))
    return ",".join(shown) if short is not None else " , "


def age(oldest: int | None, now: int) -> int:
    """MSGAGE: whole seconds from `oldest`, the put of the oldest message, to `now` (microseconds
    UTC); 0 if empty.
    """
    return 0 if oldest is None else min(max(0, now - oldest) // _SECOND, HIGHEST)
