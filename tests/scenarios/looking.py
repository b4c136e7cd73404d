"""Reads CURDEPTH, the messages of a queue and the history for the scenarios."""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam, literal_column, select

from store.client.api import QueueManager, Store
from store.sql.schema import event, message
from store.sqlite.database import Reading
from store.sqlite.statement import Statement
from tests.store.admin.looking import queue_row

_WAITING = Statement(
    select(message.c.body)
    .where(message.c.queue == bindparam("queue"), literal_column("state = 0"))
    .order_by(message.c.rank.desc(), message.c.sequence)
)
_EVENTS = Statement(select(event.c.kind, event.c.cause, event.c.queue, event.c.reason).order_by(event.c.seq))


def curdepth(qmgr: QueueManager, name: str) -> int:
    """Return CURDEPTH, which includes uncommitted puts and expired messages, but not uncommitted gets."""
    return queue_row(qmgr, name).depth


def waiting_on(qmgr: QueueManager, name: str) -> list[str]:
    """Return the data, without trailing dots, of the committed messages of a queue in delivery order.

    Includes expired and locked messages.
    """
    with Reading(qmgr.store.database) as reading:
        rows = reading.all(_WAITING, {"queue": queue_row(qmgr, name).id})
    return [bytes(row[0]).rstrip(b".").decode("latin_1") for row in rows]


def happened(store: Store, *kinds: str) -> list[tuple[Any, ...]]:
    """Return (kind, cause, queue, reason) of the events of these kinds, in order."""
    with Reading(store.database) as reading:
        return [tuple(row) for row in reading.all(_EVENTS) if row[0] in kinds]
