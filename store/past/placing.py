"""Messages of the queues of a copy as they were after an event (`store.past.as_of`)."""

from __future__ import annotations

from collections.abc import Iterable

from mqsc.store.past.event_ranges import Range
from mqsc.store.past.last_uses import LAST, LocalQueue, Use, set_last_uses
from mqsc.store.past.places import Queue
from mqsc.store.past.placing_backwards import undo_events
from mqsc.store.past.placing_forwards import follow_events
from mqsc.store.sql import past
from mqsc.store.sqlite.database import Transaction


def place_messages(
    tx: Transaction,
    where: Range,
    deleted: set[Queue],
    *,
    forwards: bool | None,
) -> set[Queue]:
    """Give the queues the messages that they had, by undoing events or, if those are more, by
    following all.

    Returns the queues whose messages are not known, because there was a time when they had
    ACCTQ(OFF), or because MOVE brought messages from such a queue. `deleted`: queues that are new in
    the copy, because they were deleted later. `forwards`: follow events in any case, or undo them
    where that is possible. UnknownMessagesError if events that were removed would have to be
    followed.
    """
    local = {
        (local_queue.owner, local_queue.name): local_queue
        for local_queue in map(LocalQueue._make, past.local_queues(tx))
        if local_queue.recorded
    }
    undoing = local
    unrecorded: set[Queue] | None = None
    if forwards or (
        forwards is None and not where.pruned and where.last - where.moment > where.moment
    ):
        unrecorded = once_unrecorded(past.of_objects(tx, 1, where.moment, ["DEFINE", "ALTER"]))
        # Messages that no event put there can only be undone to.
        undoing = {key: queue for key, queue in local.items() if key in unrecorded}
    followed = local.keys() - undoing.keys()
    unclear, uses = undo_events(tx, where, undoing) if undoing else (set[Queue](), set[Use]())
    unclear = (unclear & undoing.keys()) | followed
    uses |= {(*queue, kind) for queue in followed for kind in LAST}
    if unclear:
        if unrecorded is None:
            unrecorded = once_unrecorded(past.of_objects(tx, 1, where.moment, ["DEFINE", "ALTER"]))
        unrecorded |= follow_events(tx, where, {queue: local[queue] for queue in sorted(unclear)})
    set_last_uses(tx, where, local, uses | {(*queue, kind) for queue in deleted for kind in LAST})
    return unclear & (unrecorded or set())


def once_unrecorded(happened: Iterable[past.ObjectEvent]) -> set[Queue]:
    """The owners and names of local queues that got or had ACCTQ(OFF) in events about
    definitions.
    """
    return {
        (event.qmgr, event.name)
        for event in happened
        if event.type == "QLOCAL" and '"ACCTQ"' in event.detail and "OFF" in event.told["ACCTQ"]
    }
