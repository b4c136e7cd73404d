"""Expired messages in bulk: discarded with one statement for the history and one for the rows."""

from __future__ import annotations

import json

from sqlalchemy import ColumnElement, bindparam, delete, func, insert, literal_column, select, update

from store.sql.message_history import Cause, told
from store.sql.rows import StoredMessage
from store.sql.schema import event, message, queue
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import Statement

_m = message.c
_REPORT: ColumnElement[int] = literal_column(str(0x00E00000))
_EXPIRED = (
    (_m.queue == bindparam("queue"))
    & (_m.expires_at <= bindparam("now"))
    & _m.expires_at.is_not(None)
    & (literal_column("state = 0"))
    & _m.locked_by.is_(None)
)
_SILENT = _EXPIRED & (_m.report.op("&")(_REPORT) == literal_column("0"))
_BATCH = select(_m.id).where(_SILENT).order_by(_m.expires_at).limit(bindparam("limit"))

_COLUMNS, _SAID = told("EXPIRE", cause=bindparam("cause"))
_RECORD = Statement(insert(event).from_select(_COLUMNS, _SAID.where(_m.id.in_(_BATCH))))
_REMOVE = Statement(delete(message).where(_m.id.in_(_BATCH)))
_GIVEN = func.json_each(bindparam("ids")).table_valued("key", "value")
_RECORD_GIVEN = Statement(
    insert(event).from_select(
        _COLUMNS, _SAID.join_from(_GIVEN, message, _m.id == _GIVEN.c.value).order_by(_GIVEN.c.key)
    )
)
_REMOVE_GIVEN = Statement(delete(message).where(_m.id.in_(select(_GIVEN.c.value))))
_ASKING = Statement(
    select(message)
    .where(_EXPIRED, _m.report.op("&")(_REPORT) != literal_column("0"))
    .order_by(_m.expires_at)
    .limit(bindparam("limit"))
)
_NEXT = Statement(
    update(queue)
    .where(queue.c.id == bindparam("queue_number"))
    .values(
        earliest_expiry=select(func.min(_m.expires_at))
        .where(_m.queue == bindparam("queue_number"), _m.expires_at.is_not(None))
        .scalar_subquery()
    )
)


def discard(tx: Transaction, cause: Cause, why: str, ids: list[int]) -> None:
    """Discard the messages with these row numbers, with their history in that order; the depth is still to be lowered.

    `why` is what the history gives as the cause of an EXPIRE.
    """
    given = json.dumps(ids)
    tx.run(_RECORD_GIVEN, {**cause._asdict(), "cause": why, "ids": given})
    tx.run(_REMOVE_GIVEN, {"ids": given})


def discard_silently(tx: Transaction, cause: Cause, why: str, queue: int, limit: int) -> int:
    """Discard up to `limit` expired messages of a queue that asked for no report, with their history; how many.

    The depth is still to be lowered.
    """
    tx.run(_RECORD, {**cause._asdict(), "cause": why, "queue": queue, "limit": limit})
    return tx.run(_REMOVE, {"queue": queue, "now": cause.now, "limit": limit})


def asking_for_report(tx: Transaction, queue: int, now: int, limit: int) -> list[StoredMessage]:
    """Up to `limit` expired messages of a queue that asked for an expiration report."""
    return [StoredMessage._make(row) for row in tx.all(_ASKING, {"queue": queue, "now": now, "limit": limit})]


def remember_next(tx: Transaction, queue: int) -> None:
    """Note when the next message of the queue expires, so that scans skip it until then."""
    tx.run(_NEXT, {"queue_number": queue})


_COUNT = Statement(
    select(func.count()).where(
        _m.queue == bindparam("queue"),
        _m.expires_at.is_not(None),
        _m.expires_at <= bindparam("now"),
        literal_column("state <> 2"),
    )
)


def count_expired(tx: Queries, queue: int, now: int) -> int:
    """How many messages that count towards the depth are past their expiry, locked and uncommitted ones too (X13)."""
    return int(tx.value(_COUNT, {"queue": queue, "now": now}))
