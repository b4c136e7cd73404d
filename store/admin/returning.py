"""How often a message was sent on from a queue and is there again."""

from __future__ import annotations

from store.descriptor import NO_ID, MessageDescriptor
from store.engine.state import QueueManagerState
from store.sql import events
from store.sqlite.database import Reading


def times_moved(qmgr: QueueManagerState, queue: str, descriptor: MessageDescriptor) -> int:
    """How often the history has a message with these MsgId and CorrelId moved on from that local queue.

    Counted are REQUEUE and FORWARD, whatever their cause.
    """
    correl_id = None if descriptor.correl_id == NO_ID else descriptor.correl_id
    with Reading(qmgr.store.database) as reading:
        return events.times_moved(reading, qmgr.name, queue, descriptor.msg_id, correl_id)
