"""When messages expire.

MQMD.Expiry counts tenths of a second from the put; moments are microseconds UTC.
"""

from collections.abc import Iterable

from mqsc.store.constants import MQRC

UNLIMITED = -1  # MQEI_UNLIMITED
TENTH = 100_000


def put_fault(expiry: int) -> int:
    """2013 for an Expiry that a put refuses, 0 and every negative one but -1 (expiry E01, E02);
    else 0.

    There is no upper bound: beyond 999 999 999 is accepted as well (expiry E41).
    """
    return 0 if expiry > 0 or expiry == UNLIMITED else MQRC.EXPIRY_ERROR


def capped(expiry: int, caps: Iterable[int]) -> int:
    """The Expiry in force: the lowest of the application's and all CAPEXPRY (tenths) on the path;
    unlimited is capped.

    See expiry E20 to E23. A cap that is not positive is NOLIMIT.
    """
    limits = [cap for cap in caps if cap > 0]
    if not limits:
        return expiry
    lowest = min(limits)
    return lowest if expiry == UNLIMITED else min(expiry, lowest)


def elapsed_tenths(put_at: int, now: int) -> int:
    """Whole tenths of a second since the put; 0 when the clock went back."""
    return max(0, now - put_at) // TENTH


def remaining(expiry: int, put_at: int, now: int) -> int:
    """What is left of an Expiry: -1 stays, 0 means that the message is expired (expiry A2)."""
    return UNLIMITED if expiry == UNLIMITED else max(0, expiry - elapsed_tenths(put_at, now))


def expires_at(expiry: int, put_at: int) -> int | None:
    """The first moment at which the message is expired (expired is now >= expires_at), or None
    for never.
    """
    return None if expiry == UNLIMITED else put_at + expiry * TENTH


def is_expired(expires_at: int | None, now: int) -> bool:
    """Whether a message that expires at that moment is expired; None never expires.

    Decided nowhere else in Python; `store.sql` has the same rule as a clause.
    """
    return expires_at is not None and now >= expires_at
