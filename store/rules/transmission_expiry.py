"""The Expiry in the transmission header of a message that is put directly on a transmission queue."""

from collections.abc import Iterable

from mqsc.store.constants import MQRC
from mqsc.store.headers import layout, mqxqh
from mqsc.store.rules.expiry import UNLIMITED, capped, put_fault

XMIT_Q_HEADER = "MQXMIT"


def transmission_fault(
    format: str,
    expiry: int,
    body: bytes,
    encoding: int,
    ccsid: int = 1208,
) -> int:
    """The reason why a message put directly on a transmission queue is refused, or 0 (expiry A5,
    E31 to E34, E42).

    With Format MQXMIT the data begins with a whole MQXQH (2260) whose embedded Expiry is valid, and
    of the two Expiry values both or none are unlimited (2013). Other formats are not checked.
    `expiry` is the application's, uncapped.
    """
    if format != XMIT_Q_HEADER:
        return 0
    try:
        mqxqh.MQXQH.check(body, encoding, ccsid)
    except layout.HeaderError:
        return MQRC.XQH_ERROR
    embedded = mqxqh.embedded_expiry(body, encoding)
    assert embedded is not None
    if put_fault(embedded) or (embedded == UNLIMITED) != (expiry == UNLIMITED):
        return MQRC.EXPIRY_ERROR
    return 0


def transmission_capped(format: str, body: bytes, encoding: int, caps: Iterable[int]) -> bytes:
    """The data of a message put directly on a transmission queue, its embedded Expiry capped
    like the separate one.
    """
    embedded = mqxqh.embedded_expiry(body, encoding) if format == XMIT_Q_HEADER else None
    if embedded is None:
        return body
    becomes = capped(embedded, caps)
    return body if becomes == embedded else mqxqh.with_embedded_expiry(body, becomes, encoding)


def transmission_aged(body: bytes, tenths: int, encoding: int) -> bytes:
    """The data of a Format MQXMIT message, its embedded Expiry less `tenths`, never below 0 (expiry
    A5, E31, E35, E44).

    -1 stays, and data too short to hold the field stays as it is.
    """
    embedded = mqxqh.embedded_expiry(body, encoding)
    if embedded is None or embedded == UNLIMITED or not tenths:
        return body
    return mqxqh.with_embedded_expiry(body, max(0, embedded - tenths), encoding)
