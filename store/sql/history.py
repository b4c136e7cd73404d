"""The history: events are appended and never changed.

Events of messages that are still in their table are written by INSERT ... SELECT, so that Python need not read them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from store.sql.clauses import literal
from store.sql.rows import EventRow
from store.sql.tables import event, message
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import Select, bindparam, func, insert, literal_column, select, text
from store.sqlite.statement import RowInsert, Statement

_m = message.c
_APPEND = RowInsert("event", EventRow._fields, blobs=("msg_id", "correl_id"))


def append(tx: Transaction, row: EventRow | Mapping[str, Any]) -> None:
    """Record an event; columns that are not given are NULL."""
    tx.execute(*(_APPEND.bind(row) if isinstance(row, EventRow) else _APPEND.bind_named(row)))


def append_all(tx: Transaction, rows: Sequence[EventRow | Mapping[str, Any]]) -> None:
    """Record events in order; columns that are not given are NULL."""
    tx.insert_rows(_APPEND, [row if isinstance(row, EventRow) else EventRow(**row) for row in rows])


# When and where something happens to messages, `name` being that of the queue, and the user who caused it: values
# of these parameters.
CAUSE = ("now", "qmgr", "name", "connection", "application", "user")
Cause = tuple[int, str, str, int | None, str, str]


_MESSAGE_COLUMNS: Mapping[str, Any] = {
    "at": bindparam("now"),
    "qmgr": bindparam("qmgr"),
    "queue": bindparam("name"),
    "msg_id": _m.msg_id,
    "correl_id": _m.correl_id,
    "priority": _m.priority,
    "persistence": _m.persistence,
    "length": _m.length,
    "put_at": _m.put_at,
    "expires_at": _m.expires_at,
    "put_application": _m.put_appl_name,
    "put_user": _m.user_identifier,
    "connection": bindparam("connection"),
    "application": bindparam("application"),
    "user": bindparam("user"),
}


def message_events(kind: str, **more: Any) -> tuple[list[str], Select[Any]]:
    """Return the columns of an event of that kind, and the SELECT that gives their values for messages."""
    columns = {**_MESSAGE_COLUMNS, "kind": literal(kind), **more}
    return list(columns), select(*(value.label(name) for name, value in columns.items()))


def _record_range(order: str, kind: str, **more: Any) -> Statement:
    names, values = message_events(kind, unit=_m.unit, **more)
    chosen = values.where(_m.id.between(bindparam("first"), bindparam("last"))).order_by(_m.id)
    return Statement(insert(event).from_select(names, chosen), f"{' '.join(CAUSE)} {order}")


_DEAD_LETTER: Mapping[str, Any] = {"reason": bindparam("reason"), "detail": bindparam("detail")}
_STREAM: Mapping[str, Any] = {"cause": literal("stream")}
_PUT = _record_range("first last", "PUT")
_PUT_COPY = _record_range("first last", "PUT", **_STREAM)
_DETAIL: Mapping[str, Any] = {"detail": bindparam("detail")}
_MEMBERS_PUT = _record_range("detail first last", "PUT", **_DETAIL)
_MEMBERS_PUT_COPY = _record_range("detail first last", "PUT", **_DETAIL, **_STREAM)
_PUT_DEAD_LETTER = _record_range("reason detail first last", "PUT", **_DEAD_LETTER)
_PUT_DEAD_LETTER_COPY = _record_range("reason detail first last", "PUT", **_DEAD_LETTER, **_STREAM)
_GET = _record_range("first last", "GET")
_MARKED_GET = _record_range("first last", "GET", detail=literal_column('\'{"mark": "skip backout"}\''))
_MEMBERS_GET = _record_range("detail first last", "GET", **_DETAIL)


@lru_cache(maxsize=256)
def _of_member(member: str, mark: str = "") -> str:
    """The detail of an event about a message of a shared queue."""
    return json.dumps({"member": member} | ({"mark": mark} if mark else {}), ensure_ascii=False)


def record_puts(
    tx: Transaction, cause: Cause, first: int, last: int, *, member: str = "", copies: bool = False
) -> None:
    """Record that the messages with these row numbers were put; `copies`: for a stream queue.

    `member` of a queue-sharing group put them on a shared queue.
    """
    if member:
        statement = _MEMBERS_PUT_COPY if copies else _MEMBERS_PUT
        tx.execute(statement.text, (*cause, _of_member(member), first, last))
        return
    tx.execute((_PUT_COPY if copies else _PUT).text, (*cause, first, last))


def record_dead_letter_put(
    tx: Transaction, cause: Cause, id: int, reason: int, detail: Mapping[str, object], *, copies: bool = False
) -> int:
    """Record that a message was put, with the reason and details of its dead-letter header; the number of the event."""
    statement = _PUT_DEAD_LETTER_COPY if copies else _PUT_DEAD_LETTER
    text = json.dumps(detail, ensure_ascii=False)
    return int(tx.execute(statement.text, (*cause, reason, text, id, id)).lastrowid)


def record_get(tx: Transaction, cause: Cause, id: int, *, member: str = "", marked: bool = False) -> None:
    """Record that a message was got: before it is removed, or after a unit of work has reserved it.

    `marked`: with MQGMO_MARK_SKIP_BACKOUT. `member` of a queue-sharing group got it from a shared queue.
    """
    if member:
        tx.execute(_MEMBERS_GET.text, (*cause, _of_member(member, "skip backout" if marked else ""), id, id))
        return
    tx.execute((_MARKED_GET if marked else _GET).text, (*cause, id, id))


_TIMES_MOVED = Statement(
    select(func.count())
    .select_from(event)
    .where(
        event.c.queue == bindparam("queue"),
        event.c.msg_id == bindparam("msg_id"),
        # As in the partial index.
        literal_column("kind IN ('REQUEUE', 'FORWARD')"),
        event.c.qmgr == bindparam("qmgr"),
        event.c.correl_id.is_(bindparam("correl_id")),
        event.c.at <= bindparam("until"),
        event.c.seq <= bindparam("last"),
        func.coalesce(bindparam("target"), event.c.target).is_(event.c.target),
    )
)
# Later than any time, and greater than any number of an event.
_ALWAYS = 1 << 62
_LAST_EVENT = Statement(select(func.max(event.c.seq)))
# The sequence as well: the last events may be pruned.
_LAST_NUMBER = Statement(text("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0)"))
_LAST_MESSAGE = Statement(select(func.max(_m.id)))


def times_moved(
    tx: Queries,
    qmgr: str,
    queue: str,
    msg_id: bytes,
    correl_id: bytes | None,
    *,
    target: str | None = None,
    until: int = _ALWAYS,
    last: int = _ALWAYS,
) -> int:
    """Return how often a message with these ids was moved from a queue (REQUEUE, FORWARD); None for a zero CorrelId.

    Only moves to `target`, if it is given, at the time `until` or earlier, and up to the event with number `last`.
    """
    values = {"qmgr": qmgr, "queue": queue, "msg_id": msg_id, "correl_id": correl_id}
    return int(tx.value(_TIMES_MOVED, {**values, "target": target, "until": until, "last": last}))


def last_number(tx: Queries) -> int:
    """Return the number of the last event that was ever recorded, 0 for none."""
    return int(tx.value(_LAST_NUMBER))


def bound(tx: Queries) -> tuple[int, int]:
    """Return the numbers of the store's last event and last message, 0 for none."""
    return int(tx.value(_LAST_EVENT) or 0), int(tx.value(_LAST_MESSAGE) or 0)
