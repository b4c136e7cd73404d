"""Checks that verbs make first: the queue manager runs, the object exists."""

from collections.abc import Callable, Mapping
from typing import Any

from mqsc.language.reply import Answer
from mqsc.language.request import Request
from mqsc.store.admin.channel.sequence_reset import CHANNEL
from mqsc.store.admin.inquiring import inquire
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC, MQRCCF
from mqsc.store.error import refuse_if


def check_running(qmgr: QueueManager) -> None:
    """Raise MQError 2059 if the queue manager is not running."""
    refuse_if(not qmgr.is_running, MQRC.Q_MGR_NOT_AVAILABLE, qmgr.name)


def channel_of(qmgr: QueueManager, name: str, types: frozenset[str]) -> dict[str, Any]:
    """The channel of that name; MQError 4032 if it does not exist, 4041 if its type is not one of
    `types`.

    A client connection channel is considered only if no other channel has the name.
    """
    rows = list(inquire(qmgr, (CHANNEL,), name))
    refuse_if(not rows, MQRCCF.CHANNEL_NOT_FOUND, name)
    suitable = [row for row in rows if row["CHLTYPE"] in types]
    refuse_if(not suitable, MQRCCF.WRONG_CHANNEL_TYPE, name)
    return suitable[0]


def by_noun(
    commands: Mapping[str, Callable[[QueueManager, Request], Answer]],
) -> Callable[[QueueManager, Request], Answer]:
    """Performs a verb of a running queue manager by the noun; without one of `commands`, the answer
    says why it does nothing.
    """

    def perform_by_noun(qmgr: QueueManager, request: Request) -> Answer:
        check_running(qmgr)
        if request.noun in commands:
            return commands[request.noun](qmgr, request)
        from mqsc.language.command_support import answer_with_reason

        return answer_with_reason(request.verb, request.noun)

    return perform_by_noun
