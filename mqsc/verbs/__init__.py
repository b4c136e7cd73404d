"""The verbs of MQSC, a file each. To add one: its file, and its line here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from mqsc.language.request import Request, Verb
from mqsc.language.support import decided
from mqsc.language.unsupported import ELSEWHERE
from mqsc.reply import Answer, failed
from mqsc.verbs import (
    alter,
    clear,
    define,
    delete,
    display,
    move,
    ping,
    refresh,
    reset,
    resolve,
    set,
    start,
    stop,
    suspend,
)
from mqsc.verbs.options import beyond_this_queue_manager
from store.constants import MQRC
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

VERBS: Mapping[str, Verb] = {
    verb.keyword: verb
    for verb in (
        alter.VERB,
        clear.VERB,
        define.VERB,
        delete.VERB,
        display.VERB,
        move.VERB,
        ping.VERB,
        refresh.VERB,
        reset.VERB,
        resolve.VERB,
        set.VERB,
        start.VERB,
        stop.VERB,
        suspend.RESUME,
        suspend.SUSPEND,
    )
}


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Carry out a request; what the store refuses is an answer too."""
    carry_out = refuse if (request.verb, request.noun) in ELSEWHERE else VERBS[request.verb].perform
    try:
        return beyond_this_queue_manager(request, qmgr.name) or carry_out(qmgr, request)
    except MQError as error:
        return failed(error)


def refuse(qmgr: QueueManager, request: Request) -> Answer:
    """The refusal of a command for something that does not exist here; MQError 2059 when the queue manager is down."""
    if not qmgr.is_running:
        raise MQError(MQRC.Q_MGR_NOT_AVAILABLE, qmgr.name)
    return decided(request.verb, request.noun)
