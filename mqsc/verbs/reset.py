"""RESET: restart queue statistics, or set the message number of a channel."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from mqsc.language.messages import message_text
from mqsc.language.request import Naming, Request
from mqsc.language.support import answer_with_reason, refused_here
from mqsc.reply import Answer, done
from mqsc.verbs.command_options import verb
from mqsc.verbs.preconditions import by_noun
from store.constants import MQRC
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

_NOT_HERE = {
    "ADVANCELOG": "The log belongs to SQLite and has no extents.",
    "ARCHIVED": "The log belongs to SQLite and is not archived.",
    "REDUCELOG": "The log belongs to SQLite and shrinks automatically.",
}


def _statistics(qmgr: QueueManager, request: Request) -> Answer:
    """Reset the statistics of the queues and return the old values."""
    from store.admin.statistics import reset_queue_statistics

    rows = reset_queue_statistics(qmgr, request.name)
    first = next(rows, None)
    if first is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, request.name)
    return Answer("MQSC0008I", message_text("MQSC0008I"), rows=chain((first,), rows), each=True)


def _channel(qmgr: QueueManager, request: Request) -> Answer:
    from store.admin.channel_commands import reset

    reset(qmgr, request.name, int(str(request.options.get("SEQNUM", 1))))
    return done(request.verb, request.kind.namespace)


def _queue_manager(qmgr: QueueManager, request: Request) -> Answer:
    type = str(request.options["TYPE"])
    if type in _NOT_HERE:
        return refused_here(f"RESET QMGR TYPE({type})", _NOT_HERE[type])
    return answer_with_reason(request.verb, request.noun)


perform = by_noun({"QSTATS": _statistics, "CHANNEL": _channel, "QMGR": _queue_manager})
VERB = verb("RESET", Naming.EXACT, perform, namings={"QSTATS": Naming.GENERIC})
