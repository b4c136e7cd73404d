"""Checks that verbs make first: is the queue manager running, does the object exist?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from mqsc.language.request import Request
from mqsc.language.support import answer_with_reason
from mqsc.reply import Answer
from store.catalog import KINDS
from store.constants import MQRC, MQRCCF
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

CHANNEL = KINDS["CHANNEL"]


def check_running(qmgr: QueueManager) -> None:
    """Raise MQError 2059 if the queue manager is not running."""
    if not qmgr.is_running:
        raise MQError(MQRC.Q_MGR_NOT_AVAILABLE, qmgr.name)


def existing_object(qmgr: QueueManager, request: Request) -> dict[str, Any]:
    """The object of a command as a row of DISPLAY; MQError 2085 if it does not exist."""
    from store.admin.inquiring import inquire

    row = next(inquire(qmgr, request.kinds, request.name), None)
    if row is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, request.name)
    return row


def channel_of(qmgr: QueueManager, name: str, types: frozenset[str]) -> dict[str, Any]:
    """The channel of that name; MQError 4032 if it does not exist, 4041 if its type is not one of `types`.

    A client connection channel is considered only if no other channel has the name.
    """
    from store.admin.inquiring import inquire

    rows = list(inquire(qmgr, (CHANNEL,), name))
    if not rows:
        raise MQError(MQRCCF.CHANNEL_NOT_FOUND, name)
    suitable = [row for row in rows if row["CHLTYPE"] in types]
    if not suitable:
        raise MQError(MQRCCF.WRONG_CHANNEL_TYPE, name)
    return suitable[0]


def by_noun(commands: Mapping[str, Callable[[QueueManager, Request], Answer]]) -> Callable[..., Answer]:
    """Performs a verb of a running queue manager by the noun; without one of `commands`, the answer says why it does
    nothing, once a listener or service that it names has been found.
    """

    def perform(qmgr: QueueManager, request: Request) -> Answer:
        check_running(qmgr)
        if request.noun in commands:
            return commands[request.noun](qmgr, request)
        if request.noun in ("LISTENER", "SERVICE") and request.name:
            existing_object(qmgr, request)
        return answer_with_reason(request.verb, request.noun)

    return perform
