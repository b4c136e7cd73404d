"""Where the handler looks next and when it ends (dlq-rules §4.5), without a queue; times in seconds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from mqsc.dlq.browse_state import (
    SECOND,
    Browse,
    BrowseState,
    after_failed_put,
    after_message,
    after_no_message,
    after_work,
    initial_state,
    next_browse,
)
from mqsc.dlq.rules import Control

M, N = (b"m", b""), (b"n", b"")


def at(seconds: float) -> int:
    return 1_000 * SECOND + round(seconds * SECOND)


def scanning(*, wait: int | None = None, retry_interval: int = 60, **fields: Any) -> BrowseState:
    """A handler that began a reading of the whole queue at 0 and has done nothing since."""
    begun = after_message(initial_state(Control(retry_interval=retry_interval, wait=wait), at(0)), WHOLE, at(0))
    return replace(begun, **fields)


def look(from_head: bool, message: tuple[bytes, bytes] | None, wait: float | None) -> Browse:
    return Browse(from_head, message, None if wait is None else round(wait * SECOND))


WHOLE = Browse(True, None, None)
NEXT = Browse(False, None, 0)
FOR_M = Browse(True, M, 0)


@pytest.mark.parametrize(
    ("state", "now", "expected"),
    [
        # 1: the whole queue, at the initial_state and after 10 RETRYINTs; the wait is what is left of WAIT.
        (initial_state(Control(), at(0)), 0, look(True, None, None)),
        (initial_state(Control(wait=0), at(0)), 0, look(True, None, 0)),
        (initial_state(Control(wait=30), at(0)), 10, look(True, None, 20)),
        (scanning(), 599.999999, look(False, None, 0.000001)),
        (scanning(), 600, look(True, None, None)),
        (scanning(wait=900), 600, look(True, None, 300)),
        (scanning(retry=M, failed_at=at(590)), 600, look(True, None, None)),
        # 2: a message whose put failed, RETRYINT after that.
        (scanning(retry=M, failed_at=at(5)), 64.5, look(False, None, 0.5)),
        (scanning(retry=M, failed_at=at(5)), 65, look(True, M, 0)),
        (scanning(wait=0, retry=M, failed_at=at(5)), 10, look(False, None, 55)),  # T24
        # 3: the next one; the wait is the shorter of what is left of WAIT and the time until the next reading.
        (scanning(wait=30), 10, look(False, None, 20)),
        (scanning(wait=3000), 10, look(False, None, 590)),
        (scanning(wait=0), 10, look(False, None, 0)),
        # RETRYINT(0): tried again at once, but the queue is not read anew before a second has passed.
        (scanning(retry_interval=0), 0.5, look(False, None, 0.5)),
        (scanning(retry_interval=0, retry=M, failed_at=at(0)), 0, look(True, M, 0)),
        # The clock was set back.
        (scanning(wait=30), -100, look(False, None, 30)),
    ],
)
def test_the_next_look(state: BrowseState, now: float, expected: Browse) -> None:
    assert next_browse(state, at(now)) == expected


@pytest.mark.parametrize(
    ("state", "looked", "now", "ends"),
    [
        # The whole queue is empty: the end.
        (scanning(wait=0), WHOLE, 0, True),
        (scanning(wait=30), WHOLE, 30, True),
        # Nothing behind the cursor: only when the whole queue was read since the last work, and WAIT is over.
        (scanning(wait=0), NEXT, 0, True),
        (scanning(wait=30), NEXT, 30, True),
        (scanning(wait=30), NEXT, 29, False),
        (scanning(wait=None), NEXT, 599, False),
        (after_work(scanning(wait=0), at(0)), NEXT, 0, False),
        # While a message waits to be tried again it is not the end (T24).
        (scanning(wait=0, retry=M), NEXT, 60, False),
        (scanning(wait=0, retry=M), FOR_M, 60, False),
    ],
)
def test_the_end(state: BrowseState, looked: Browse, now: float, ends: bool) -> None:
    assert (after_no_message(state, looked, at(now)) is None) is ends


def test_nothing_behind_the_cursor_leads_to_a_reading_of_the_whole_queue() -> None:
    left = after_no_message(scanning(), NEXT, at(10))
    assert left is not None
    assert next_browse(left, at(10)).is_scan


def test_a_message_that_has_vanished_leads_to_a_reading_of_the_whole_queue() -> None:
    left = after_no_message(scanning(retry=M), FOR_M, at(60))
    assert left is not None
    assert left.retry is None
    assert next_browse(left, at(60)).is_scan


def test_the_earliest_failure_since_the_head_is_tried_again_first() -> None:
    state = after_failed_put(after_failed_put(scanning(), M, at(1)), N, at(2))
    assert (state.retry, state.failed_at) == (M, at(1))
    assert after_message(state, FOR_M, at(61)).retry is None
    assert after_failed_put(after_message(state, FOR_M, at(61)), N, at(61)).retry == N


def test_a_reading_of_the_whole_queue_forgets_what_it_will_meet_anyway() -> None:
    state = after_message(scanning(retry=M), WHOLE, at(600))
    assert (state.retry, state.last_scan, state.scanned_since_work) == (None, at(600), True)


def test_the_next_message_changes_nothing() -> None:
    state = scanning(retry=M)
    assert after_message(state, NEXT, at(5)) is state
