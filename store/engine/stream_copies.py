"""The copies for a stream queue: where they go, which fit, and when a put is refused for them
(streaming §2-§4).
"""

from collections.abc import Sequence
from typing import NamedTuple

from mqsc.store.constants import MQRC
from mqsc.store.engine import name_resolution, queue_events
from mqsc.store.engine.effects import Arrival, CopyToStream, Effect
from mqsc.store.engine.name_resolution import Destination, Size
from mqsc.store.engine.state import CallContext
from mqsc.store.engine.stored_message import extension_length
from mqsc.store.rules.event_message import is_event_message
from mqsc.store.rules.streaming import copy_of
from mqsc.store.sql import queues
from mqsc.store.sql.rows import ManagerRow, QueueRow
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

PUT_INHIBITED = int(MQRC.PUT_INHIBITED)


class CopyRefusal(NamedTuple):
    """Why STRMQOS(MUSTDUP) refuses a put: reason and stream queue, and the message that has no
    room, if it is one.
    """

    reason: int
    stream_queue: str
    message: int | None = None


class Copies(NamedTuple):
    """The copies that fit on the stream queue, in order, and the reason that refused the first
    of the others, or 0.
    """

    fitting: list[Arrival]
    reason: int


def size_of(arrival: Arrival) -> Size:
    descriptor = arrival.descriptor
    return Size(descriptor.persistence, len(arrival.body), extension_length(descriptor))


def stream_destination(
    tx: Queries,
    qmgr: ManagerRow,
    stream_queue: str,
) -> tuple[int, Destination | None]:
    """(0, where the copies go), or (the MQRC of a name that does not resolve, None).

    (0, None) for an alias of a topic: the copy would be published, but nothing is published here.
    """
    reason, destination = name_resolution.destination(tx, qmgr, stream_queue, "")
    if reason == MQRC.ALIAS_BASE_Q_TYPE_ERROR:
        alias = queues.visible(tx, qmgr, stream_queue)
        if alias is not None and alias.target_is_topic:
            return 0, None
    return reason, destination


def refusal(
    tx: Queries,
    qmgr: ManagerRow,
    queue: QueueRow,
    sizes: Sequence[Size],
    pending: int = 0,
) -> CopyRefusal | None:
    """Why the queue cannot take messages of these sizes, put after `pending` others, because their
    copies have no room; only for MUSTDUP.
    """
    if not (queue.must_duplicate and queue.stream_queue):
        return None
    reason, found = stream_destination(tx, qmgr, queue.stream_queue)
    if found is None:
        return CopyRefusal(reason, queue.stream_queue) if reason else None
    for position, size in enumerate(sizes):
        reason = found.refusal(qmgr, size, pending + position)
        if reason:
            at = None if reason == PUT_INHIBITED else position
            return CopyRefusal(reason, queue.stream_queue, at)
    return None


def stream_copies(
    qmgr: ManagerRow, destination: Destination, arrivals: Sequence[Arrival]
) -> Copies:
    """Copies of the messages, without those that have no room."""
    caps, first_reason = destination.expiry_caps, 0
    fitting: list[Arrival] = []
    for each in arrivals:
        reason = destination.refusal(qmgr, size_of(each), len(fitting))
        if reason:
            first_reason = first_reason or reason
        else:
            fitting.append(Arrival(copy_of(each.descriptor, caps), each.body, each.continues))
    return Copies(fitting, first_reason)


def events_of_missing(
    tx: Transaction,
    call: CallContext,
    effect: CopyToStream,
    reason: int,
) -> list[Effect]:
    """The event about a copy that is missing; none about the copy of an event message, or it
    would never end.
    """
    if all(is_event_message(each.descriptor) for each in effect.arrivals):
        return []
    return queue_events.delivery_refused(tx, call, effect.stream_queue, "", reason)
