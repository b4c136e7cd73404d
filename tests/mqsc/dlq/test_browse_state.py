"""What the handler browses next, when it ends (dlq-rules §4.5), and what it remembers. Times are
in seconds.
"""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from mqsc.dlq.browse_state import (
    Browse,
    BrowseState,
    after_failed_put,
    after_message,
    after_no_message,
    after_work,
    initial_state,
    next_browse,
)
from mqsc.dlq.rules_table import Control
from mqsc.store.environment import MICROSECONDS as SECOND
from tests.rows import rows

M, N = (b"m", b""), (b"n", b"")


def at(seconds: float) -> int:
    return 1_000 * SECOND + round(seconds * SECOND)


def scanning(*, wait: int | None = None, retry_interval: int = 60, **fields: Any) -> BrowseState:
    """Return the state of a handler that has completed a scan at 0 and done nothing since."""
    begun = after_message(
        initial_state(Control(retry_interval=retry_interval, wait=wait), at(0)),
        WHOLE,
        at(0),
    )
    return replace(begun, **{"is_scanning": False, **fields})


def browse(from_head: bool, message: tuple[bytes, bytes] | None, wait: float | None) -> Browse:
    return Browse(from_head, message, None if wait is None else round(wait * SECOND))


WHOLE = Browse(True, None, None)
NEXT = Browse(False, None, 0)
FOR_M = Browse(True, M, 0)


@rows(
    # 1: the whole queue, at the start and after 10 RETRYINTs; the wait is the rest of WAIT.
    (initial_state(Control(), at(0)), 0, browse(True, None, None)),
    (initial_state(Control(wait=0), at(0)), 0, browse(True, None, 0)),
    (initial_state(Control(wait=30), at(0)), 10, browse(True, None, 20)),
    (scanning(), 599.999999, browse(False, None, 0.000001)),
    (scanning(), 600, browse(True, None, None)),
    (scanning(wait=900), 600, browse(True, None, 300)),
    (scanning(retry=M, failed_at=at(590)), 600, browse(True, None, None)),
    # 2: a message whose put failed, RETRYINT after that.
    (scanning(retry=M, failed_at=at(5)), 64.5, browse(False, None, 0.5)),
    (scanning(retry=M, failed_at=at(5)), 65, browse(True, M, 0)),
    (scanning(wait=0, retry=M, failed_at=at(5)), 10, browse(False, None, 55)),  # T24
    # 3: the next message; the wait is the rest of WAIT or the time until the next scan, whichever
    # is shorter.
    (scanning(wait=30), 10, browse(False, None, 20)),
    (scanning(wait=3000), 10, browse(False, None, 590)),
    (scanning(wait=0), 10, browse(False, None, 0)),
    # RETRYINT(0): the message is retried at once, but the queue is scanned again only after a
    # second.
    (scanning(retry_interval=0), 0.5, browse(False, None, 0.5)),
    (scanning(retry_interval=0, retry=M, failed_at=at(0)), 0, browse(True, M, 0)),
    # The clock was set back.
    (scanning(wait=30), -100, browse(False, None, 30)),
    # A scan in progress is finished first, whatever else is due.
    (scanning(is_scanning=True, wait=30), 5, browse(False, None, 0)),
    (scanning(is_scanning=True), 600, browse(False, None, 0)),
    (scanning(is_scanning=True, retry=M, failed_at=at(5)), 65, browse(False, None, 0)),
    (
        scanning(is_scanning=True, retry_interval=0, retry=M, failed_at=at(0)),
        5,
        browse(False, None, 0),
    ),
)
def test_next_browse(state: BrowseState, now: float, expected: Browse) -> None:
    assert next_browse(state, at(now)) == expected


@rows(
    # The whole queue is empty: the handler ends.
    (scanning(wait=0), WHOLE, 0, True),
    (scanning(wait=30), WHOLE, 30, True),
    # No further message: only after a scan since the last work, and when WAIT is over.
    (scanning(wait=0), NEXT, 0, True),
    (scanning(wait=30), NEXT, 30, True),
    (scanning(wait=30), NEXT, 29, False),
    (scanning(wait=None), NEXT, 599, False),
    (after_work(scanning(wait=0), at(0)), NEXT, 0, False),
    # Likewise at the end of a scan, however long it took.
    (scanning(wait=0, is_scanning=True, retry_interval=0), NEXT, 5, True),
    (scanning(wait=5, is_scanning=True, retry_interval=0), NEXT, 4, False),
    (scanning(wait=0, is_scanning=True, retry=M), NEXT, 60, False),
    # Not while a message is waiting for its retry (T24).
    (scanning(wait=0, retry=M), NEXT, 60, False),
    (scanning(wait=0, retry=M), FOR_M, 60, False),
)
def test_the_end(state: BrowseState, looked: Browse, now: float, ends: bool) -> None:
    assert (after_no_message(state, looked, at(now)) is None) is ends


def test_a_scan_ends_at_the_end_of_the_queue() -> None:
    """The next scan is due an interval later."""
    left = after_no_message(scanning(is_scanning=True, retry_interval=1), NEXT, at(15))
    assert left is not None
    assert (left.is_scanning, left.last_scan, next_browse(left, at(16))) == (
        False,
        at(15),
        browse(False, None, 9),
    )


@rows((scanning(), NEXT, 10), (scanning(retry=M), FOR_M, 60))
def test_the_end_of_the_queue_or_a_missing_message_leads_to_a_scan(
    state: BrowseState,
    looked: Browse,
    now: float,
) -> None:
    left = after_no_message(state, looked, at(now))
    assert left is not None
    assert (left.retry, next_browse(left, at(now)).is_scan) == (None, True)


def test_the_earliest_failure_since_the_scan_is_retried_first() -> None:
    state = after_failed_put(after_failed_put(scanning(), M, at(1)), N, at(2))
    assert (state.retry, state.failed_at) == (M, at(1))
    assert after_message(state, FOR_M, at(61)).retry is None
    assert after_failed_put(after_message(state, FOR_M, at(61)), N, at(61)).retry == N


def test_a_scan_forgets_the_retry() -> None:
    """The next message changes nothing."""
    state = scanning(retry=M)
    scan = after_message(state, WHOLE, at(600))
    assert (scan.retry, scan.last_scan, scan.scanned_since_work) == (None, at(600), True)
    assert after_message(state, NEXT, at(5)) is state


A, B = (b"a", b""), (b"b", b"")
