"""Two averages of a measurement of a channel: of the last 8 values and of the last 128 (XQTIME,
NETTIME, XBATCHSZ).
"""

from collections.abc import Sequence

RECENT, LONG = 8, 128
NOT_MONITORED = "0,0"


def averages(values: Sequence[int]) -> str:
    """The averages of the latest values as DISPLAY CHSTATUS shows them: `recent,long`."""
    if not values:
        return NOT_MONITORED
    recent, long = values[-RECENT:], values[-LONG:]
    return f"{sum(recent) // len(recent)},{sum(long) // len(long)}"


def is_monitored(channel: str, queue_manager: str) -> bool:
    """Whether values are collected: by MONCHL of the channel or the queue manager, whose NONE
    overrides all.
    """
    if queue_manager == "NONE":
        return False
    return (queue_manager if channel == "QMGR" else channel) != "OFF"
