"""Searching the history: events by queue, message or time, its index, the life and origin of
messages, queue names.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ClauseElement,
    ColumnElement,
    Select,
    and_,
    case,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    union,
    union_all,
)

from mqsc.store.sql.core.conditions import (
    BLANK,
    GOT_IN_UNIT,
    IN_UNIT,
    ONE,
    READY,
    ZERO,
    constant,
    is_blank_or_above,
    one_of,
    values_of,
)
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import (
    channel_host,
    event,
    event_segment,
    handle,
    imported_manager,
    message,
    object_,
    prepared_unit,
    queue,
)
from mqsc.store.sql.event_selection import ALL_COLUMNS
from mqsc.store.sql.rows import UNIT_BITS
from mqsc.store.sql.search import FOLLOWED_COLUMNS, MOVING_COLUMNS

_e = event.c
_m = message.c
_q = queue.c
_o = object_.c
_u = prepared_unit.c
_s = event_segment.c


def _range(first: Any, last: Any) -> ColumnElement[bool]:
    return _e.seq.between(first, last)


def _connection_of_unit() -> ColumnElement[int]:
    return _e.unit.op(">>")(constant(UNIT_BITS))


def _original() -> ColumnElement[bytes]:
    """The MsgId of the message that a report or dead letter was made for."""
    return func.unhex(func.json_extract(_e.detail, constant("$.original")))


def _made_for() -> ColumnElement[bool]:
    return one_of(_e.kind, "REPORT", "REPORT_LOST", "DEAD_LETTER")


@statement
def queue_is_defined(low: Placeholder, high: Placeholder, qmgr: Placeholder) -> ClauseElement:
    named = _q.name >= low, is_blank_or_above(high, _q.name)
    return (
        select(ONE)
        .select_from(queue)
        .where(*named, or_(qmgr == BLANK, _q.owner == qmgr))
        .limit(ONE)
    )


@statement
def names_of_queues(qmgr: Placeholder) -> ClauseElement:
    # These kinds are about objects of every type, which is the target.
    about_queues: ColumnElement[bool] = literal_column(
        "(kind NOT IN ('DEFINE', 'ALTER', 'SET', 'DELETE') OR target IN ('QLOCAL', 'QMODEL', "
        "'QALIAS', 'QREMOTE'))",
    )
    mentioned = select(_e.queue).distinct().where(_e.queue.is_not(None), about_queues)
    return mentioned.where(or_(qmgr == BLANK, _e.qmgr == qmgr))


@statement
def bounds() -> ClauseElement:
    # Each is the end of an index; together they would read the whole history.
    first, last = (select(end(_e.seq)).scalar_subquery() for end in (func.min, func.max))
    return select(func.coalesce(first, ONE), func.coalesce(last, ZERO))


@statement
def ids(first: Placeholder, last: Placeholder) -> ClauseElement:
    return union(
        select(_e.msg_id).where(_range(first, last)),
        select(_e.correl_id).where(_range(first, last)),
        select(_original()).where(_range(first, last), _made_for()),
    )


@statement
def units(first: Placeholder, last: Placeholder) -> ClauseElement:
    return select(_e.unit).where(_range(first, last), _e.unit.is_not(None)).distinct()


@statement
def facts(first: Placeholder, last: Placeholder) -> ClauseElement:
    columns = (_e.kind, _e.cause, _e.queue, _e.target, _e.connection, _connection_of_unit())
    return select(*columns).where(_range(first, last)).distinct()


@statement
def queues_backed_out(first: Placeholder, last: Placeholder) -> ClauseElement:
    told = func.json_each(_e.detail).table_valued("key", joins_implicitly=True)
    query = select(told.c.key).select_from(event, told).distinct()
    return query.where(_range(first, last), one_of(_e.kind, "BACKOUT"))


@statement
def times(first: Placeholder, last: Placeholder) -> ClauseElement:
    return select(func.min(_e.at), func.max(_e.at)).where(_range(first, last))


@statement
def entries(first: Placeholder, last: Placeholder) -> ClauseElement:
    query = select(_s.segment, _s.earliest, _s.latest, _s.prints).where(
        _s.segment.between(first, last),
    )
    return query.order_by(_s.segment)


@statement
def known(first: Placeholder, last: Placeholder) -> ClauseElement:
    return select(_s.segment).where(_s.segment.between(first, last)).order_by(_s.segment)


@statement
def add_entry(
    segment: Placeholder,
    earliest: Placeholder,
    latest: Placeholder,
    prints: Placeholder,
) -> ClauseElement:
    values = {"segment": segment, "earliest": earliest, "latest": latest, "prints": prints}
    return insert(event_segment).prefix_with("OR IGNORE").values(values)


@statement
def remove_entry(segment: Placeholder) -> ClauseElement:
    return delete(event_segment).where(_s.segment == segment)


@statement
def events(
    first: Placeholder,
    last: Placeholder,
    ids: Placeholder,
    units: Placeholder,
) -> ClauseElement:
    wanted = select(func.unhex(func.json_each(ids).table_valued("value").c.value))
    chosen = or_(
        _e.msg_id.in_(wanted),
        _e.correl_id.in_(wanted),
        # There are few of these events, and only the reader knows which of them matter.
        one_of(_e.kind, "CLEAR", "MOVE", "DELETE"),
        (_e.kind == constant("CHANNEL")) & one_of(_e.cause, "batch", "in-doubt", "resolved"),
        one_of(_e.kind, "COMMIT", "BACKOUT") & _e.unit.in_(values_of(units)),
        _made_for() & _original().in_(wanted),
    )
    query = select(*(_e[name] for name in ALL_COLUMNS)).where(_range(first, last), chosen)
    return query.order_by(_e.seq)


@statement
def ids_of_events(
    first: Placeholder,
    last: Placeholder,
    low: Placeholder,
    high: Placeholder,
) -> ClauseElement:
    # The CorrelId of what the queue manager made, such as the messages of a transmission queue.
    made = case(
        (_e.put_application == func.substr(_e.qmgr, constant(1), constant(28)), _e.correl_id),
    )
    within = or_(_e.msg_id.between(low, high), _e.correl_id.between(low, high))
    return select(_e.msg_id, made).where(_range(first, last), within).distinct()


@statement
def ids_of_messages(low: Placeholder, high: Placeholder, most: Placeholder) -> ClauseElement:
    # One seek for each queue, in the index on MsgIds.
    query = select(_m.msg_id).select_from(queue.join(message, _m.queue == _q.id))
    return query.where(READY, _m.msg_id.between(low, high)).distinct().limit(most)


@statement
def messages(id: Placeholder) -> ClauseElement:
    columns = (
        _q.owner,
        _q.name,
        _m.msg_id,
        _m.correl_id,
        _m.state,
        _m.put_at,
        _m.expires_at,
        _m.put_appl_name,
    )
    holder = select(_u.name).where(_u.number == _m.unit).scalar_subquery()
    placed: Select[Any] = select(*columns, holder).select_from(
        queue.join(message, _m.queue == _q.id),
    )
    return union_all(
        placed.where(READY, _m.msg_id == id),
        placed.where(READY, READY & _m.correl_id.is_not(None), _m.correl_id == id, _m.msg_id != id),
        placed.where(IN_UNIT, or_(_m.msg_id == id, _m.correl_id == id)),
    )


@statement
def addresses() -> ClauseElement:
    address = func.json_extract(_o.attributes, constant("$.CONNAME"))
    return select(address).where(_o.namespace == constant("channel")).distinct()


@statement
def targets() -> ClauseElement:
    return select(channel_host.c.target)


@statement
def moving_events(
    qmgr: Placeholder,
    queue_id: Placeholder,
    first: Placeholder,
    last: Placeholder,
) -> ClauseElement:
    # With IN, SQLite would first collect the identifiers of the whole queue.
    waiting = select(_m.id).where(_m.queue == queue_id, READY, _m.msg_id == _e.msg_id).exists()
    moving = one_of(_e.kind, "PUT", "GET", "REQUEUE", "FORWARD", "DISCARD") & waiting
    query = select(*(_e[name] for name in MOVING_COLUMNS))
    query = query.where(
        _range(first, last),
        _e.qmgr == qmgr,
        or_(_e.kind == constant("BACKOUT"), moving),
    )
    return query.order_by(_e.seq)


def _is_imported() -> ColumnElement[Any]:
    # A damaged store may have events without a queue manager.
    return func.coalesce(_e.qmgr.in_(select(imported_manager.c.name)), ZERO)


def is_call() -> ColumnElement[Any]:
    """Whether an event is an ordinary put, get or commit: without a cause or
    MQGMO_MARK_SKIP_BACKOUT, and complete.
    """
    # A text is less than any blob, which a damaged store may have instead.
    blob: ColumnElement[bytes] = literal_column("x''")
    of_message = one_of(_e.kind, "PUT", "GET"), _e.qmgr < blob, _e.queue < blob, _e.msg_id >= blob
    of_unit = (
        one_of(_e.kind, "COMMIT"),
        _e.unit.is_not(None),
        _e.queue.is_(None),
        _e.msg_id.is_(None),
    )
    is_whole = func.length(_e.msg_id) == constant(24)
    is_plain = or_(_e.detail.is_(None), func.instr(_e.detail, constant('"mark"')) == ZERO)
    own = _is_imported() == ZERO
    return and_(own, _e.cause.is_(None), is_plain, or_(and_(*of_message, is_whole), and_(*of_unit)))


def is_no_call() -> ColumnElement[bool]:
    """Whether an event is another one, or lacks something."""
    return func.coalesce(is_call(), ZERO) == ZERO


def _calls() -> Select[Any]:
    place = _e.qmgr.op("||")(constant(" ")).op("||")(_e.queue)
    # A damaged store may have other values than numbers, which JSON may not.
    put_at, unit = _e.put_at.op("+")(ZERO), _e.unit.op("+")(ZERO)
    arrays = map(func.json_group_array, (_e.seq, place, _e.kind == constant("PUT"), put_at, unit))
    # JSON has no bytes, and hexadecimal would take half of the time of the statement.
    msg_ids: ColumnElement[bytes] = literal_column(
        "CAST(group_concat(coalesce(msg_id, zeroblob(24)), '') AS BLOB)",
    )
    return select(*arrays, msg_ids).where(is_call())


@statement
def calls(first: Placeholder, last: Placeholder) -> ClauseElement:
    return _calls().where(_range(first, last))


@statement
def calls_on(first: Placeholder, last: Placeholder, names: Placeholder) -> ClauseElement:
    return _calls().where(
        _range(first, last),
        or_(_e.queue.is_(None), _e.queue.in_(values_of(names))),
    )


@statement
def no_calls(first: Placeholder, last: Placeholder) -> ClauseElement:
    # What was imported happened elsewhere: it is counted only as a number without a gap.
    instead = {
        "kind": constant("LOG"),
        "cause": literal_column("NULL"),
        "detail": literal_column("NULL"),
    }
    imported = _is_imported() == ONE
    columns = (
        case((imported, instead[name]), else_=_e[name]) if name in instead else _e[name]
        for name in FOLLOWED_COLUMNS
    )
    return select(*columns).where(_range(first, last), is_no_call()).order_by(_e.seq)


@statement
def messages_there() -> ClauseElement:
    is_locked = _m.locked_by.is_not(None)
    is_locked_by_nobody = is_locked & _m.locked_by.not_in(select(handle.c.id))
    query = select(_q.owner, _q.name, _m.msg_id, _m.unit, _m.state, is_locked_by_nobody)
    return query.select_from(queue.join(message, _m.queue == _q.id))


@statement
def reply_queues(qmgr: Placeholder) -> ClauseElement:
    waiting = select(_q.name, _m.report, _m.reply_to_q, _m.reply_to_q_mgr)
    query = waiting.select_from(queue.join(message, _m.queue == _q.id)).where(
        _q.owner == qmgr,
        _m.reply_to_q != "",
    )
    return query.distinct().order_by(*query.selected_columns)


@statement
def queues_there() -> ClauseElement:
    there = (
        select(func.count())
        .select_from(message)
        .where(_m.queue == _q.id, ~GOT_IN_UNIT)
        .scalar_subquery()
    )
    return select(_q.owner, _q.name, _q.depth, there, _q.recorded)


@statement
def events_of_messages(listed: Placeholder, first: Placeholder, last: Placeholder) -> ClauseElement:
    query = select(_e.msg_id, _e.seq, _e.kind, _e.qmgr, _e.queue).where(
        _range(first, last),
        _e.msg_id.is_not(None),
    )
    ids = select(func.unhex(func.json_each(listed).table_valued("value").c.value))
    return query.where(_e.msg_id.in_(ids)).order_by(_e.seq)
