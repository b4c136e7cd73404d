"""The handler's position in the queue.

Pure decisions: the caller passes the current time as `now`. Times and durations are in microseconds
on the queue manager's clock. An interval is over exactly at its end, because that is when a wait
returns.
"""

from msgspec import Struct, structs

from mqsc.dlq.rules_table import Control
from mqsc.store.environment import MICROSECONDS

# The whole queue is scanned again ten RETRYINTs after the last scan, but at least a second later:
# with RETRYINT(0), scans would otherwise leave no time for anything else.
SCAN_EVERY = 10
SHORTEST_SCAN = MICROSECONDS

# MsgId and CorrelId, by which the handler recognises a message, as MQ does (dlq-rules §7, 25).
MessageKey = tuple[bytes, bytes]


class Browse(Struct, frozen=True):
    """The next browse: the first message or the next one, perhaps only this `message`. A wait of
    None is unlimited.
    """

    from_head: bool
    message: MessageKey | None
    wait: int | None

    @property
    def is_scan(self) -> bool:
        """Whether this browse starts a scan of the whole queue."""
        return self.from_head and self.message is None


class BrowseState(Struct, frozen=True):
    """The state that decides the next browse.

    `wait` None is unlimited. `last_work` is the time of the last useful work and `last_scan` the
    time when the last scan ended, or started if `is_scanning`; None means that a scan is due.
    `retry` is the first message since its start whose put failed and will be retried, `failed_at`
    the time of that failure.
    """

    retry_interval: int
    wait: int | None
    last_work: int
    last_scan: int | None = None
    is_scanning: bool = False
    scanned_since_work: bool = False
    retry: MessageKey | None = None
    failed_at: int = 0

    def wait_left(self, now: int) -> int | None:
        """The rest of WAIT; None is unlimited."""
        return None if self.wait is None else max(0, self.wait - _elapsed(self.last_work, now))


def initial_state(control: Control, now: int) -> BrowseState:
    wait = None if control.wait is None else control.wait * MICROSECONDS
    return BrowseState(control.retry_interval * MICROSECONDS, wait, last_work=now)


def next_browse(state: BrowseState, now: int) -> Browse:
    """Finish the scan under way; else start one if it is due, browse the message whose retry is
    due, or the next one.

    A scan that a retry or another scan could interrupt would never reach the end of a long queue.
    """
    if state.is_scanning:
        return Browse(False, None, 0)
    if state.last_scan is None:
        return Browse(True, None, state.wait_left(now))
    until_scan = max(SCAN_EVERY * state.retry_interval, SHORTEST_SCAN) - _elapsed(
        state.last_scan,
        now,
    )
    if until_scan <= 0:
        return Browse(True, None, state.wait_left(now))
    if state.retry is None:
        wait_left = state.wait_left(now)
        return Browse(False, None, until_scan if wait_left is None else min(wait_left, until_scan))
    until_retry = state.retry_interval - _elapsed(state.failed_at, now)
    if until_retry <= 0:
        return Browse(True, state.retry, 0)
    return Browse(False, None, until_retry)


def after_message(state: BrowseState, browse: Browse, now: int) -> BrowseState:
    """The browse found a message. A scan meets every failed message again, so it needs no retry."""
    if browse.is_scan:
        return structs.replace(
            state,
            last_scan=now,
            is_scanning=True,
            scanned_since_work=True,
            retry=None,
        )
    return structs.replace(state, retry=None) if browse.message is not None else state


def after_no_message(state: BrowseState, browse: Browse, now: int) -> BrowseState | None:
    """The browse found no message; None when the handler ends."""
    if browse.is_scan:
        return None
    if browse.message is not None:
        return structs.replace(state, retry=None, last_scan=None)
    if state.is_scanning and not _is_idle(state, now):
        return structs.replace(state, is_scanning=False, last_scan=now)
    if state.retry is not None:
        return state
    if _is_idle(state, now):
        return None
    return structs.replace(state, last_scan=None)


def _is_idle(state: BrowseState, now: int) -> bool:
    return state.retry is None and state.scanned_since_work and state.wait_left(now) == 0


def after_work(state: BrowseState, now: int) -> BrowseState:
    """Useful work is an attempt, or seeing for the first time a message that stays."""
    return structs.replace(state, last_work=now, scanned_since_work=False)


def after_failed_put(state: BrowseState, message: MessageKey, now: int) -> BrowseState:
    """Retry the message, unless an earlier failure since the last scan waits for its retry."""
    return (
        state if state.retry is not None else structs.replace(state, retry=message, failed_at=now)
    )


def _elapsed(since: int, now: int) -> int:
    # The clock may have been set back.
    return max(0, now - since)
