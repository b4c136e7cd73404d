"""RESET: statistics of queues are reset, or the number of the next message of a channel."""

from itertools import chain

from mqsc.language.command_support import answer_with_reason
from mqsc.language.reply import Answer, done, message_text, refused_here
from mqsc.language.request import Naming, Request
from mqsc.store.admin.channel import commands
from mqsc.store.client.queue_manager import QueueManager
from mqsc.store.constants import MQRC
from mqsc.store.error import required
from mqsc.verbs.command_options import verb
from mqsc.verbs.preconditions import by_noun

_NOT_HERE = {
    "ADVANCELOG": "The log belongs to SQLite and has no extents.",
    "ARCHIVED": "The log belongs to SQLite and is not archived.",
    "REDUCELOG": "The log belongs to SQLite and shrinks automatically.",
}


def _statistics(qmgr: QueueManager, request: Request) -> Answer:
    """Reset the statistics of the queues and return the old values."""
    from mqsc.store.admin.statistics import reset_queue_statistics

    rows = reset_queue_statistics(qmgr, request.name)
    first = required(next(rows, None), MQRC.UNKNOWN_OBJECT_NAME, request.name)
    return Answer(
        "MQSC0008I", message_text("MQSC0008I"), rows=chain((first,), rows), shows_rows=True
    )


def _channel(qmgr: QueueManager, request: Request) -> Answer:
    commands.reset(qmgr, request.name, int(str(request.options.get("SEQNUM", 1))))
    return done(request.verb, request.kind.namespace)


def _queue_manager(qmgr: QueueManager, request: Request) -> Answer:
    type = str(request.options["TYPE"])
    if type in _NOT_HERE:
        return refused_here(f"RESET QMGR TYPE({type})", _NOT_HERE[type])
    return answer_with_reason(request.verb, request.noun)


perform_reset = by_noun({"QSTATS": _statistics, "CHANNEL": _channel, "QMGR": _queue_manager})
RESET = verb("RESET", Naming.EXACT, perform_reset, namings={"QSTATS": Naming.GENERIC})
