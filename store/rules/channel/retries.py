"""When a channel that failed tries again: SHORTRTY and SHORTTMR, then LONGRTY and LONGTMR.

See channels Ch5; poison H50; channel-commands L18.
"""

from typing import NamedTuple

SECOND = 1_000_000


class RetryAttributes(NamedTuple):
    """The attributes of the sending end; the timers are in seconds."""

    short_retries: int
    short_timer: int
    long_retries: int
    long_timer: int


class RetriesLeft(NamedTuple):
    """SHORTRTS and LONGRTS of DISPLAY CHSTATUS."""

    short: int
    long: int

    @property
    def is_exhausted(self) -> bool:
        """Whether the next failure stops the channel."""
        return not self.short and not self.long


class Retry(NamedTuple):
    """The next attempt: its time (microseconds of the queue manager's clock), and the retries
    left then.
    """

    at: int
    left: RetriesLeft


def all_retries(attributes: RetryAttributes) -> RetriesLeft:
    """The retries of a channel that has not failed since a message got through, or since it was
    stopped.
    """
    return RetriesLeft(attributes.short_retries, attributes.long_retries)


def next_retry(attributes: RetryAttributes, left: RetriesLeft, now: int) -> Retry | None:
    """The attempt after a failure at `now`; None when no retry is left, so that the channel
    becomes STOPPED.
    """
    if left.short:
        return Retry(now + attributes.short_timer * SECOND, left._replace(short=left.short - 1))
    if left.long:
        return Retry(now + attributes.long_timer * SECOND, left._replace(long=left.long - 1))
    return None
