"""MQBEGIN, MQCMIT and MQBACK."""

from __future__ import annotations

from mqsc.clients.process import SHARE_NONE, LinkedConnection
from mqsc.clients.structures import MQBO
from store.constants import MQCC, MQRC
from store.error import MQError


def begin(linked: LinkedConnection, options: bytes | None) -> tuple[int, int]:
    """MQBEGIN, possible only for a local connection that threads do not share (callbacks §5)."""
    if options is not None and MQBO.read(options)["options"]:
        raise MQError(MQRC.OPTIONS_ERROR)
    if linked.sharing != SHARE_NONE:
        raise MQError(MQRC.HCONN_ERROR)
    if linked.client:
        raise MQError(MQRC.ENVIRONMENT_ERROR)
    warning = linked.connection.begin()
    return (int(MQCC.WARNING), warning) if warning else (0, 0)


def commit(linked: LinkedConnection) -> tuple[int, int]:
    """MQCMIT."""
    linked.connection.commit()
    return 0, 0


def back(linked: LinkedConnection) -> tuple[int, int]:
    """MQBACK."""
    linked.connection.back()
    return 0, 0
