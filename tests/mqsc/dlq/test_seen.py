"""What the handler remembers of messages that it left on the queue."""

from __future__ import annotations

from mqsc.dlq.browse_state import SeenMessages

A, B = (b"a", b""), (b"b", b"")


def scanned(seen: SeenMessages, *keys: tuple[bytes, bytes], now: int = 10) -> None:
    seen.start_scan()
    for key in keys:
        seen.meet(key, 0, now, is_scanning=True)
    seen.end_scan()


def test_a_scan_forgets_what_it_did_not_meet() -> None:
    seen = SeenMessages()
    scanned(seen, A, B)
    seen.count_attempt(A)
    scanned(seen, B)
    assert (seen.attempts(A, 0), seen.remaining()) == (0, (0, 1))


def test_messages_with_the_same_ids_share_attempts_and_are_counted() -> None:
    seen = SeenMessages()
    for _ in range(2):
        scanned(seen, A, A, B)
    assert [seen.count_attempt(A), seen.count_attempt(A)] == [1, 2]
    assert seen.remaining() == (2, 1)


def test_a_message_that_arrived_after_the_last_meeting_is_new() -> None:
    seen = SeenMessages()
    scanned(seen, A, now=10)
    seen.count_attempt(A)
    assert (seen.attempts(A, 10), seen.attempts(A, 11)) == (1, 0)
    assert not seen.meet(A, 10, 12, is_scanning=False)
    assert seen.meet(A, 13, 14, is_scanning=False)
    assert seen.attempts(A, 13) == 0
