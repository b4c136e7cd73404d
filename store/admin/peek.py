"""The messages of a queue for people to look at: nothing is locked, marked or discarded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from store.constants import MQRC
from store.descriptor import MessageDescriptor
from store.engine.recovery import recover
from store.engine.state import QueueManagerState
from store.engine.stored_descriptor import descriptor_of
from store.error import MQError
from store.rules.expiry import is_expired
from store.sql import queues, units_of_work
from store.sql.messages import QueuePosition, page
from store.sql.rows import QueueRow
from store.sqlite.database import Reading

# Messages per read; no read transaction is held between two reads.
PAGE = 100


class PeekedMessage(NamedTuple):
    """A committed message: its descriptor (Expiry is what remains, at least 1), the start of its data, its length.

    `is_expired`: the next get or scan that finds it discards it. `expires_at` is microseconds UTC, None for never.
    """

    descriptor: MessageDescriptor
    body: bytes
    length: int
    is_expired: bool
    expires_at: int | None


def peek(
    qmgr: QueueManagerState, queue: str, most: int | None = None, *, at_once: int = PAGE
) -> Iterator[PeekedMessage]:
    """The messages of a local queue at this moment, in delivery order; `most` bytes of each, or all.

    An alias stands for its queue. `at_once` messages are read together. Dead programs are recovered first. MQError 2085
    when there is no such queue, 2045 when it cannot hold messages.
    """
    recover(qmgr.store)
    return _pages(qmgr, _local(qmgr, queue), qmgr.now(), most, at_once)


def got_by_open_units(qmgr: QueueManagerState, queue: str) -> int:
    """How many messages of the queue open units of work have got; they return when a unit is backed out."""
    found = _local(qmgr, queue)
    with Reading(qmgr.store.database) as reading:
        return units_of_work.got_on_queue(reading, found.id)


def _pages(qmgr: QueueManagerState, found: QueueRow, now: int, most: int | None, size: int) -> Iterator[PeekedMessage]:
    place = QueuePosition()
    while True:
        with Reading(qmgr.store.database) as reading:
            rows = page(reading, found.id, place, before=found.next_sequence, size=size, most=most)
        for row in rows:
            expired = is_expired(row.expires_at, now)
            yield PeekedMessage(descriptor_of(row, now), row.body, row.length, expired, row.expires_at)
        if len(rows) < size:
            return
        place = QueuePosition(rows[-1].rank, rows[-1].sequence)


def _local(qmgr: QueueManagerState, name: str) -> QueueRow:
    row = qmgr.row()
    with Reading(qmgr.store.database) as reading:
        found = queues.visible(reading, row, name)
        if found is not None and found.type == "QALIAS":
            found = queues.visible(reading, row, found.target)
    if found is None:
        raise MQError(MQRC.UNKNOWN_OBJECT_NAME, name)
    if found.type != "QLOCAL":
        raise MQError(MQRC.OPTION_NOT_VALID_FOR_TYPE, name)
    return found
