"""Message expiry: what a put accepts, what remains, and when it is over (expiry A1, A2, A5).

MQMD.Expiry counts tenths of a second from the put; moments are microseconds UTC.
"""

from __future__ import annotations

from collections.abc import Iterable

from store.constants import MQRC
from store.headers import mqxqh
from store.headers.layout import HeaderError

UNLIMITED = -1  # MQEI_UNLIMITED
TENTH = 100_000
XMIT_Q_HEADER = "MQXMIT"


def put_fault(expiry: int) -> int:
    """2013 for an Expiry that a put refuses, 0 and every negative one but -1 (expiry E01, E02); else 0.

    There is no upper bound: beyond 999 999 999 is accepted as well (expiry E41).
    """
    return 0 if expiry > 0 or expiry == UNLIMITED else MQRC.EXPIRY_ERROR


def capped(expiry: int, caps: Iterable[int]) -> int:
    """The Expiry in force: the lowest of the application's and all CAPEXPRY (tenths) on the path; unlimited is capped.

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
    """What is left of an Expiry: -1 stays, 0 or less means that the message is expired (expiry A2)."""
    return UNLIMITED if expiry == UNLIMITED else expiry - elapsed_tenths(put_at, now)


def expires_at(expiry: int, put_at: int) -> int | None:
    """The first moment at which the message is expired (expired is now >= expires_at), or None for never."""
    return None if expiry == UNLIMITED else put_at + expiry * TENTH


def is_expired(expires_at: int | None, now: int) -> bool:
    """Whether a message that expires at that moment is expired; None never expires.

    The one decision of this kind; `store.sql` has the same as a clause.
    """
    return expires_at is not None and now >= expires_at


def transmission_fault(format: str, expiry: int, body: bytes, encoding: int, ccsid: int = 1208) -> int:
    """The reason why a message put directly on a transmission queue is refused, or 0 (expiry A5, E31 to E34, E42).

    With Format MQXMIT the data begins with a whole MQXQH (2260) whose embedded Expiry is valid, and of the two Expiry
    values both or none are unlimited (2013). Other formats are not looked at. `expiry` is the application's, uncapped.
    """
    if format != XMIT_Q_HEADER:
        return 0
    try:
        mqxqh.check(body, encoding, ccsid)
    except HeaderError:
        return MQRC.XQH_ERROR
    embedded = mqxqh.embedded_expiry(body, encoding)
    assert embedded is not None
    if put_fault(embedded) or (embedded == UNLIMITED) != (expiry == UNLIMITED):
        return MQRC.EXPIRY_ERROR
    return 0


def transmission_capped(format: str, body: bytes, encoding: int, caps: Iterable[int]) -> bytes:
    """The data of a message put directly on a transmission queue, its embedded Expiry capped like the separate one."""
    embedded = mqxqh.embedded_expiry(body, encoding) if format == XMIT_Q_HEADER else None
    if embedded is None:
        return body
    becomes = capped(embedded, caps)
    return body if becomes == embedded else mqxqh.with_embedded_expiry(body, becomes, encoding)


def transmission_aged(body: bytes, tenths: int, encoding: int) -> bytes:
    """The data of a Format MQXMIT message, its embedded Expiry less `tenths`, never below 0 (expiry A5, E31, E35, E44).

    -1 stays, and data too short to hold the field stays as it is.
    """
    embedded = mqxqh.embedded_expiry(body, encoding)
    if embedded is None or embedded == UNLIMITED or not tenths:
        return body
    return mqxqh.with_embedded_expiry(body, max(0, embedded - tenths), encoding)
