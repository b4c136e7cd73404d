"""The MsgIds of the messages on a queue, by their first digits."""

from __future__ import annotations

from mqsc.store.admin.message_trace import range_of
from mqsc.store.admin.peeking import local_queue
from mqsc.store.engine.state import QueueManagerState
from mqsc.store.sql import messages


def matching_ids_on(qmgr: QueueManagerState, queue: str, prefix: str, most: int) -> list[bytes]:
    """Return up to `most` MsgIds of committed messages that begin with these digits; a whole one
    alone.

    `queue` is a local queue or an alias of one; MQError as `local_queue`.
    """
    low, high = range_of(prefix)
    number = local_queue(qmgr, queue).id
    whole = qmgr.store.read(messages.ids_between, number, low, low, 1)
    return whole or qmgr.store.read(messages.ids_between, number, low, high, most)
