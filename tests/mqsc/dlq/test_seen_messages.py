"""The messages that the handler has seen, and their attempts."""

from __future__ import annotations

from mqsc.dlq.seen_messages import SeenMessages
from tests.mqsc.dlq.test_browse_state import A, B


def scanned(*keys: tuple[bytes, bytes], seen: SeenMessages | None = None) -> SeenMessages:
    """What is remembered after a scan at 10, or after another one."""
    seen = seen or SeenMessages()
    seen.start_scan()
    for key in keys:
        seen.meet(key, 0, 10, is_scanning=True)
    seen.end_scan()
    return seen


def test_a_scan_forgets_what_it_did_not_meet() -> None:
    seen = scanned(A, B)
    seen.count_attempt(A)
    scanned(B, seen=seen)
    assert (seen.attempts(A, 0), seen.remaining()) == (0, (0, 1))


def test_messages_with_the_same_ids_share_attempts_and_are_counted() -> None:
    seen = scanned(A, A, B, seen=scanned(A, A, B))
    assert ([seen.count_attempt(A), seen.count_attempt(A)], seen.remaining()) == ([1, 2], (2, 1))


def test_a_message_that_arrived_after_the_last_meeting_is_new() -> None:
    seen = scanned(A)
    seen.count_attempt(A)
    assert (seen.attempts(A, 10), seen.attempts(A, 11)) == (1, 0)
    met = [seen.meet(A, arrived, now, is_scanning=False) for arrived, now in ((10, 12), (13, 14))]
    assert (met, seen.attempts(A, 13)) == ([False, True], 0)
