"""The history: events are appended and never changed.

Events of messages that are still in their table are written by INSERT ... SELECT, so that Python
need not read them.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ClauseElement, Select, func, insert, literal_column, select, text

from mqsc.store.sql.cause import Cause
from mqsc.store.sql.core.conditions import ZERO, constant, values_of
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import event, message, queue as queue_table

_m, _e = message.c, event.c


def message_events(kind: Any, by: Cause, **more: Any) -> tuple[list[str], Select[Any]]:
    """Return the columns of an event of that kind, and the SELECT that gives their values for
    messages.
    """
    now, qmgr, name, connection, application, user = by
    columns: dict[str, Any] = {
        "at": now,
        "qmgr": qmgr,
        "queue": name,
        "msg_id": _m.msg_id,
        "correl_id": _m.correl_id,
        "priority": _m.priority,
        "persistence": _m.persistence,
        "length": _m.length,
        "put_at": _m.put_at,
        "expires_at": _m.expires_at,
        "put_application": _m.put_appl_name,
        "put_user": _m.user_identifier,
        "connection": connection,
        "application": application,
        "user": user,
        "kind": kind,
        **more,
    }
    return list(columns), select(*(value.label(name) for name, value in columns.items()))


@statement
def record(
    cause: Cause,
    kind: Placeholder,
    why: Placeholder,
    reason: Placeholder,
    detail: Placeholder,
    first: Placeholder,
    last: Placeholder,
) -> ClauseElement:
    columns, events = message_events(
        kind,
        cause,
        unit=_m.unit,
        cause=why,
        reason=reason,
        detail=detail,
    )
    return insert(event).from_select(
        columns,
        events.where(_m.id.between(first, last)).order_by(_m.id),
    )


@statement
def record_plainly(
    cause: Cause,
    kind: Placeholder,
    first: Placeholder,
    last: Placeholder,
) -> ClauseElement:
    # In a third less time, which matters because every put and get does it.
    columns, events = message_events(kind, cause, unit=_m.unit)
    return insert(event).from_select(
        columns,
        events.where(_m.id.between(first, last)).order_by(_m.id),
    )


@statement
def record_copy(cause: Cause, detail: Placeholder, id: Placeholder) -> ClauseElement:
    # Values that are the same each time take longer to bind than to compile once.
    columns, events = message_events(
        constant("PUT"), cause, unit=_m.unit, cause=constant("publication"), detail=detail
    )
    return insert(event).from_select(columns, events.where(_m.id == id))


@statement
def record_copies(
    cause: Cause,
    opening: Placeholder,
    subscriptions: Placeholder,
    closing: Placeholder,
    first: Placeholder,
) -> ClauseElement:
    columns, events = _events_of_copies(cause, opening, subscriptions, closing, first)
    return insert(event).from_select(columns, events)


@statement
def record_copies_apart(
    now: Placeholder,
    qmgr: Placeholder,
    connection: Placeholder,
    application: Placeholder,
    user: Placeholder,
    subscriptions: Placeholder,
    closing: Placeholder,
    first: Placeholder,
) -> ClauseElement:
    # As record_copies, but each message tells its queue.
    cause: Any = (now, qmgr, queue_table.c.name, connection, application, user)
    opening = constant('{"subscription": ')
    columns, events = _events_of_copies(cause, opening, subscriptions, closing, first)
    of_queues = events.join(queue_table, queue_table.c.id == _m.queue)
    return insert(event).from_select(columns, of_queues)


def _events_of_copies(
    cause: Cause, opening: Any, subscriptions: Placeholder, closing: Placeholder, first: Placeholder
) -> tuple[list[str], Select[Any]]:
    copy = func.json_each(subscriptions).table_valued("key", "value", name="copy")
    columns, events = message_events(
        constant("PUT"),
        cause,
        unit=_m.unit,
        cause=constant("publication"),
        detail=opening.concat(func.json_quote(copy.c.value)).concat(closing),
    )
    messages = events.select_from(copy).join(message, _m.id == first + copy.c.key)
    # In the order of the list, which is also that of the messages, without sorting them.
    return columns, messages.order_by(literal_column("copy.rowid"))


@statement
def times_moved(
    qmgr: Placeholder,
    queue: Placeholder,
    msg_id: Placeholder,
    correl_id: Placeholder,
    target: Placeholder,
    until: Placeholder,
    last: Placeholder,
) -> ClauseElement:
    return (
        select(func.count())
        .select_from(event)
        .where(
            _e.queue == queue,
            _e.msg_id == msg_id,
            # As in the partial index.
            literal_column("kind IN ('REQUEUE', 'FORWARD')"),
            _e.qmgr == qmgr,
            _e.correl_id.is_(correl_id),
            _e.at <= until,
            _e.seq <= last,
            func.coalesce(target, _e.target).is_(_e.target),
        )
    )


@statement
def refusals(qmgr: Placeholder, since: Placeholder, limit: Placeholder) -> ClauseElement:
    query = select(
        _e.seq,
        _e.at,
        _e.cause,
        _e.user,
        _e.application,
        _e.queue,
        _e.connection,
        _e.detail,
    )
    # As in the partial index.
    return (
        query.where(_e.qmgr == qmgr, literal_column("kind = 'REFUSE'"), _e.at >= since)
        .order_by(_e.seq.desc())
        .limit(limit)
    )


@statement
def last_number() -> ClauseElement:
    # The sequence as well: the last events may be pruned.
    return text("SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0)")


@statement
def bound() -> ClauseElement:
    return select(
        *(
            func.coalesce(select(func.max(each)).scalar_subquery(), ZERO)
            for each in (_e.seq, _m.id)
        ),
    )


@statement
def last_gets(
    qmgr: Placeholder,
    queue: Placeholder,
    listed: Placeholder,
    first: Placeholder,
    last: Placeholder,
) -> ClauseElement:
    query = select(_e.msg_id, _e.application, _e.user, _e.unit, _e.detail, func.max(_e.seq)).where(
        _e.seq.between(first, last),
        _e.kind == constant("GET"),
        _e.qmgr == qmgr,
        _e.queue == queue,
        _e.unit.is_not(None),
        func.hex(_e.msg_id).in_(values_of(listed)),
    )
    return query.group_by(_e.msg_id)


@statement
def backouts(units: Placeholder, after: Placeholder) -> ClauseElement:
    return select(_e.unit, _e.at, _e.cause, _e.detail).where(
        _e.seq > after,
        _e.kind == constant("BACKOUT"),
        _e.unit.in_(values_of(units)),
    )
