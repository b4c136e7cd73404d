"""RESET: restart queue statistics, or set the message number of a channel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from mqsc.language.messages import message_text
from mqsc.language.nouns import objects_of
from mqsc.language.request import Naming, Request, Verb
from mqsc.language.support import answer_with_reason, refused_here
from mqsc.reply import Answer, done
from mqsc.verbs.common_options import CHLDISP, option, scope
from mqsc.verbs.preconditions import check_running
from store.catalog.types import Name, Number, Text, Word
from store.constants import MQRC
from store.error import MQError

if TYPE_CHECKING:
    from store.client.api import QueueManager

_NOT_HERE = {
    "ADVANCELOG": "The log belongs to SQLite and has no extents.",
    "ARCHIVED": "The log belongs to SQLite and is not archived.",
    "REDUCELOG": "The log belongs to SQLite and shrinks automatically.",
}


def perform(qmgr: QueueManager, request: Request) -> Answer:
    """Reset the object; MQError if it is missing or of a type that cannot be reset."""
    check_running(qmgr)
    return _OBJECTS[request.noun](qmgr, request)


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


def _cluster(qmgr: QueueManager, request: Request) -> Answer:
    return answer_with_reason(request.verb, request.noun)


def _queue_manager(qmgr: QueueManager, request: Request) -> Answer:
    type = str(request.options["TYPE"])
    if type in _NOT_HERE:
        return refused_here(f"RESET QMGR TYPE({type})", _NOT_HERE[type])
    return answer_with_reason(request.verb, request.noun)


_OBJECTS: Mapping[str, Callable[[QueueManager, Request], Answer]] = {
    "QSTATS": _statistics,
    "CHANNEL": _channel,
    "CLUSTER": _cluster,
    "QMGR": _queue_manager,
}
_TYPES = Word(("PUBSUB", "STATISTICS", *_NOT_HERE))

VERB = Verb(
    "RESET",
    objects_of("RESET"),
    Naming.EXACT,
    perform,
    (
        option("SEQNUM", Number(1, 999_999_999), "The next message number.", 1, "CHANNEL"),
        CHLDISP,
        option("ACTION", Word(("FORCEREMOVE",)), "What to do.", None, "CLUSTER", required=True),
        option("QMNAME", Name(48), "The queue manager to remove.", "", "CLUSTER"),
        option("QMID", Text(48), "The queue manager to remove.", "", "CLUSTER"),
        option("QUEUES", Word(("NO", "YES")), "Whether to remove its queues too.", "NO", "CLUSTER"),
        option("TYPE", _TYPES, "What to reset.", None, "QMGR", required=True),
        option("CHILD", Name(48), "The child to remove from the hierarchy.", "", "QMGR"),
        option("PARENT", Name(48), "The parent to disconnect from.", "", "QMGR"),
        option("ARCHIVED", Text(48), "The last log extent that was archived.", "", "QMGR"),
        option("REDUCE", Text(12), "The number of log extents to remove.", "", "QMGR"),
        scope("CHANNEL", "CLUSTER", "QMGR", "QSTATS"),
    ),
    namings={"QSTATS": Naming.GENERIC},
)
