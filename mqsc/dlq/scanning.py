"""Where the handler looks next, for how long, and when it has nothing left to do (dlq-rules §4.5).

Decisions without a queue: `now` is given. Times and spans are microseconds on the queue manager's clock. What is due
after a span is due when the span is over, not a moment later: a wait ends exactly then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from mqsc.dlq.rules import Control

SECOND = 1_000_000
# RETRYINTs between two readings of the whole queue; with RETRYINT(0) still a second, or nothing else would be done.
SCAN_EVERY = 10
SHORTEST_SCAN = SECOND

# MsgId and CorrelId: what the handler takes for one and the same message (trap 25).
Key = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Look:
    """The next browse: from the head of the queue or onwards, for one `message` only, waiting at most `wait`.

    A wait of None is for ever.
    """

    from_head: bool
    message: Key | None
    wait: int | None

    @property
    def is_scan(self) -> bool:
        """Whether the whole queue is read anew."""
        return self.from_head and self.message is None


@dataclass(frozen=True, slots=True)
class Scanning:
    """What the next browse depends on.

    `wait` None is for ever. `last_work` is when something useful was done, `last_scan` when the queue was last begun
    from its head (None: that is due at once), `retry` the earliest message since then whose put failed and is to be
    tried again, `failed_at` when.
    """

    retry_interval: int
    wait: int | None
    last_work: int
    last_scan: int | None = None
    scanned_since_work: bool = False
    retry: Key | None = None
    failed_at: int = 0

    @property
    def scan_interval(self) -> int:
        """The time between two readings of the whole queue."""
        return max(SCAN_EVERY * self.retry_interval, SHORTEST_SCAN)

    def wait_left(self, now: int) -> int | None:
        """What is left of WAIT, None for ever."""
        return None if self.wait is None else max(0, self.wait - _since(self.last_work, now))


def beginning(control: Control, now: int) -> Scanning:
    """A handler that has just started."""
    wait = None if control.wait is None else control.wait * SECOND
    return Scanning(control.retry_interval * SECOND, wait, last_work=now)


def next_look(scanning: Scanning, now: int) -> Look:
    """The whole queue when that is due; a message whose retry is due; else whatever comes next."""
    if scanning.last_scan is None:
        return Look(True, None, scanning.wait_left(now))
    until_scan = scanning.scan_interval - _since(scanning.last_scan, now)
    if until_scan <= 0:
        return Look(True, None, scanning.wait_left(now))
    if scanning.retry is None:
        left = scanning.wait_left(now)
        return Look(False, None, until_scan if left is None else min(left, until_scan))
    until_retry = scanning.retry_interval - _since(scanning.failed_at, now)
    if until_retry <= 0:
        return Look(True, scanning.retry, 0)
    return Look(False, None, until_retry)


def found(scanning: Scanning, look: Look, now: int) -> Scanning:
    """The look found a message. From the head on, every message whose put failed is met again by itself."""
    if look.is_scan:
        return replace(scanning, last_scan=now, scanned_since_work=True, retry=None)
    return replace(scanning, retry=None) if look.message is not None else scanning


def nothing_found(scanning: Scanning, look: Look, now: int) -> Scanning | None:
    """The look found no message in its time; None when that is the end."""
    if look.is_scan:
        return None
    if look.message is not None:
        return replace(scanning, retry=None, last_scan=None)
    if scanning.retry is not None:
        return scanning
    if scanning.scanned_since_work and scanning.wait_left(now) == 0:
        return None
    return replace(scanning, last_scan=None)


def worked(scanning: Scanning, now: int) -> Scanning:
    """Something useful was done: an attempt, or the first sight of a message that stays."""
    return replace(scanning, last_work=now, scanned_since_work=False)


def failed(scanning: Scanning, message: Key, now: int) -> Scanning:
    """A put failed that is to be tried again; the earliest since the queue was begun from its head counts."""
    return scanning if scanning.retry is not None else replace(scanning, retry=message, failed_at=now)


def _since(moment: int, now: int) -> int:
    # A clock may be set back.
    return max(0, now - moment)
