"""What a command asks before it answers: whether the queue manager runs, whether its object is there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mqsc.language.request import Request
from store.catalog import KINDS
from store.constants import MQRC, MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

CHANNEL = KINDS["CHANNEL"]


def check_running(qmgr: QueueManager) -> None:
    """MQError 2059 when the queue manager does not run."""
    if not qmgr.is_running:
        raise MQError(MQRC.Q_MGR_NOT_AVAILABLE, qmgr.name)


def found(qmgr: QueueManager, request: Request) -> dict[str, Any]:
    """The object that a command is about, as DISPLAY has it; MQError 2085 when it is missing."""
    from store.admin import inquire

    row = next(inquire(qmgr, request.kinds, request.name), None)
    if row is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, request.name)
    return row


def channel_of(qmgr: QueueManager, name: str, types: frozenset[str]) -> dict[str, Any]:
    """The channel of that name, if it is of one of the types; MQError 4032 when it is missing, 4041 when it is not.

    A client connection is found only where there is no other channel of that name.
    """
    from store.admin import inquire

    rows = list(inquire(qmgr, (CHANNEL,), name))
    if not rows:
        raise MQError(MQRCCF.CHANNEL_NOT_FOUND, name)
    suitable = [row for row in rows if row["CHLTYPE"] in types]
    if not suitable:
        raise MQError(MQRCCF.WRONG_CHANNEL_TYPE, name)
    return suitable[0]
