"""MQBEGIN, MQCMIT and MQBACK."""

from mqsc.clients.process import SHARE_NONE, LinkedConnection
from mqsc.clients.structures import MQBO
from mqsc.store.constants import MQCC, MQRC
from mqsc.store.error import refuse_if


def begin(linked: LinkedConnection, options: bytes | None = None) -> tuple[int, int]:
    """MQBEGIN, possible only for a local connection that threads do not share (callbacks §5)."""
    refuse_if(options is not None and MQBO.read(options)["options"], MQRC.OPTIONS_ERROR)
    refuse_if(linked.sharing != SHARE_NONE, MQRC.HCONN_ERROR)
    refuse_if(linked.client, MQRC.ENVIRONMENT_ERROR)
    warning = linked.connection.begin()
    return (int(MQCC.WARNING), warning) if warning else (0, 0)


def commit(linked: LinkedConnection) -> None:
    """MQCMIT."""
    linked.connection.commit()


def back(linked: LinkedConnection) -> None:
    """MQBACK."""
    linked.connection.back()
