"""Discards expired messages in bulk: one statement writes their history, one removes them."""

from __future__ import annotations

import json
from typing import Any

from store.sql.clauses import ASKS_FOR_EXPIRY_REPORT, COUNTS_TOWARDS_DEPTH, EXPIRED, OF_QUEUE, READY, UNLOCKED
from store.sql.history import CAUSE, Cause, message_events
from store.sql.messages import WITHOUT_BODY
from store.sql.rows import StoredMessage
from store.sql.tables import event, message, queue
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import bindparam, delete, func, insert, not_, select, update
from store.sqlite.statement import Statement

_m = message.c
_DISCARDABLE = OF_QUEUE & EXPIRED & READY & UNLOCKED
_BATCH = (
    select(_m.id).where(_DISCARDABLE, not_(ASKS_FOR_EXPIRY_REPORT)).order_by(_m.expires_at).limit(bindparam("limit"))
)
_EVENT_COLUMNS, _EVENTS = message_events("EXPIRE", cause=bindparam("cause"), detail=bindparam("detail"))
_RECORD_BATCH = Statement(insert(event).from_select(_EVENT_COLUMNS, _EVENTS.where(_m.id.in_(_BATCH))))
_REMOVE_BATCH = Statement(delete(message).where(_m.id.in_(_BATCH)))
_IDS = func.json_each(bindparam("ids")).table_valued("key", "value")
_RECORD_IDS = Statement(
    insert(event).from_select(
        _EVENT_COLUMNS, _EVENTS.join_from(_IDS, message, _m.id == _IDS.c.value).order_by(_IDS.c.key)
    )
)
_REMOVE_IDS = Statement(delete(message).where(_m.id.in_(select(_IDS.c.value))))
_ASKING_FOR_REPORT = Statement(
    select(message).where(_DISCARDABLE, ASKS_FOR_EXPIRY_REPORT).order_by(_m.expires_at).limit(bindparam("limit"))
)
_DISCARDABLE_HEADS = Statement(
    select(*WITHOUT_BODY).where(_DISCARDABLE).order_by(_m.expires_at).limit(bindparam("limit"))
)
_SET_EARLIEST_EXPIRY = Statement(
    update(queue)
    .where(queue.c.id == bindparam("queue_id"))
    .values(
        earliest_expiry=select(func.min(_m.expires_at))
        .where(_m.queue == bindparam("queue_id"), _m.expires_at.is_not(None))
        .scalar_subquery()
    )
)


def _of_member(member: str) -> str | None:
    """The detail of an event that a member of a queue-sharing group causes on a shared queue; None for other events."""
    return json.dumps({"member": member}, ensure_ascii=False) if member else None


def _named(cause: Cause) -> dict[str, Any]:
    return dict(zip(CAUSE, cause, strict=True))


def discard(tx: Transaction, cause: Cause, why: str, ids: list[int], *, member: str = "") -> None:
    """Discard messages by row number and record an EXPIRE event with the cause `why` for each, in order.

    The caller lowers the depth of the queue. `member` of a queue-sharing group discards them from a shared queue.
    """
    as_json = json.dumps(ids)
    tx.run(_RECORD_IDS, {**_named(cause), "cause": why, "detail": _of_member(member), "ids": as_json})
    tx.run(_REMOVE_IDS, {"ids": as_json})


def discard_silently(tx: Transaction, cause: Cause, why: str, queue: int, limit: int, *, member: str = "") -> int:
    """Discard up to `limit` expired messages of a queue that asked for no report; return how many.

    Records an EXPIRE event with the cause `why` for each. The caller lowers the depth of the queue.
    """
    values = {**_named(cause), "cause": why, "detail": _of_member(member), "queue": queue, "limit": limit}
    tx.run(_RECORD_BATCH, values)
    return tx.run(_REMOVE_BATCH, values)


def asking_for_report(tx: Transaction, queue: int, now: int, limit: int) -> list[StoredMessage]:
    """Return up to `limit` expired messages of a queue that asked for an expiration report."""
    rows = tx.all(_ASKING_FOR_REPORT, {"queue": queue, "now": now, "limit": limit})
    return [StoredMessage._make(row) for row in rows]


def discardable(tx: Transaction, queue: int, now: int, limit: int) -> list[StoredMessage]:
    """Return up to `limit` expired messages of a queue, with empty data."""
    rows = tx.all(_DISCARDABLE_HEADS, {"queue": queue, "now": now, "limit": limit})
    return [StoredMessage._make(row) for row in rows]


def set_earliest_expiry(tx: Transaction, queue: int) -> None:
    """Store when the next message of the queue expires, so that scans skip the queue until then."""
    tx.run(_SET_EARLIEST_EXPIRY, {"queue_id": queue})


_COUNT = Statement(select(func.count()).where(OF_QUEUE, EXPIRED, COUNTS_TOWARDS_DEPTH))


def count_expired(tx: Queries, queue: int, now: int) -> int:
    """Return how many messages that count towards the depth are expired, even if locked or uncommitted (expiry X13)."""
    return int(tx.value(_COUNT, {"queue": queue, "now": now}))
