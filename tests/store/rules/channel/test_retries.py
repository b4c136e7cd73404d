"""Retries of a channel that failed (L18 to L20)."""

from __future__ import annotations

from mqsc.store.rules.channel import retries
from mqsc.store.rules.channel.retries import RetriesLeft, RetryAttributes
from tests.store.tables import named_verdicts


def attempts(attributes: RetryAttributes) -> list[int]:
    """Return the seconds of all attempts of a channel whose partner is always down, until it is
    STOPPED.
    """
    left, now, tried = retries.all_retries(attributes), 0, []
    while True:
        tried.append(now // retries.SECOND)
        retry = retries.next_retry(attributes, left, now)
        if retry is None:
            return tried
        now, left = retry


test_attempts = named_verdicts(
    attempts,
    ("H18", RetryAttributes(2, 1, 1, 2), [0, 1, 2, 4]),
    ("H50", RetryAttributes(2, 10, 1, 100), [0, 10, 20, 120]),
    ("L18", RetryAttributes(1, 60, 0, 1200), [0, 60]),
    ("long-only", RetryAttributes(0, 60, 2, 1200), [0, 1200, 2400]),
    ("none", RetryAttributes(0, 60, 0, 1200), [0]),
    ("timer-of-0", RetryAttributes(2, 0, 0, 0), [0, 0, 0]),
)


def test_l19_the_first_failure_leaves_nine_short_retries() -> None:
    attributes = RetryAttributes(10, 60, 999_999_999, 1200)
    retry = retries.next_retry(attributes, retries.all_retries(attributes), 5)
    assert retry == (5 + 60 * retries.SECOND, RetriesLeft(9, 999_999_999))


def test_l18_an_exhausted_channel_stops_again_at_once() -> None:
    assert [RetriesLeft(*left).is_exhausted for left in ((0, 0), (0, 1), (1, 0))] == [
        True,
        False,
        False,
    ]
    assert retries.next_retry(RetryAttributes(1, 60, 0, 1200), RetriesLeft(0, 0), 0) is None
