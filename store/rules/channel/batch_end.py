"""When a batch ends: BATCHSZ, BATCHLIM, BATCHINT, or an empty transmission queue (channel-commands
§3).
"""

from typing import NamedTuple

KILOBYTE = 1024
MILLISECOND = 1000


class BatchLimits(NamedTuple):
    """BATCHSZ as agreed; BATCHLIM in kilobytes, 0 for no limit; BATCHINT in milliseconds."""

    messages: int
    kilobytes: int
    interval: int


class BatchSoFar(NamedTuple):
    """Messages and bytes sent, and when the first was sent (microseconds)."""

    messages: int
    bytes: int
    began: int


def is_full(limits: BatchLimits, batch: BatchSoFar) -> bool:
    """Whether no further message may join the batch."""
    if batch.messages >= limits.messages:
        return True
    return bool(limits.kilobytes) and batch.bytes >= limits.kilobytes * KILOBYTE


def waits_until(limits: BatchLimits, batch: BatchSoFar) -> int:
    """Until when the batch stays open while the transmission queue is empty (microseconds)."""
    return batch.began + limits.interval * MILLISECOND


def ends(limits: BatchLimits, batch: BatchSoFar, now: int, *, queue_is_empty: bool) -> bool:
    """Whether the batch ends now; a batch without messages never does."""
    if not batch.messages:
        return False
    return is_full(limits, batch) or (queue_is_empty and now >= waits_until(limits, batch))
