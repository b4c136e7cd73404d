"""The verbs of MQSC, a file each. To add one: its file, and its line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mqsc.reply import Answer, failed
from mqsc.request import Request, Verb
from mqsc.verbs import alter, clear, define, delete, display, ping, refresh
from mqsc.verbs.options import beyond_this_queue_manager
from store.error import MQError

if TYPE_CHECKING:
    from store.queue_manager import QueueManager

VERBS: Mapping[str, Verb] = {
    verb.keyword: verb
    for verb in (
        alter.VERB,
        clear.VERB,
        define.VERB,
        delete.VERB,
        display.VERB,
        ping.VERB,
        refresh.VERB,
    )
}


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Carry out a request; what the store refuses is an answer too."""
    try:
        return beyond_this_queue_manager(request, qmgr.name) or VERBS[request.verb].perform(qmgr, request)
    except MQError as error:
        return failed(error)
