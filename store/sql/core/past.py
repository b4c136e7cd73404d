"""Statements that turn a copy of a store into its state after an earlier event
(`store.past.as_of`).
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ClauseElement,
    ColumnElement,
    Select,
    delete,
    func,
    or_,
    select,
    union_all,
    update,
)

from mqsc.store.sql.core.conditions import (
    BLANK,
    GOT_IN_UNIT,
    IN_UNIT,
    ONE,
    PUT_IN_UNIT,
    READY,
    ZERO,
    constant,
    one_of,
    values_of,
)
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import (
    event,
    imported_manager,
    message,
    object_,
    queue as queue_table,
    queue_member,
)
from mqsc.store.sql.core.search import is_no_call
from mqsc.store.sql.rows import TEMPORARY_DYNAMIC, UNIT_BITS, MessageState

_e = event.c
_m = message.c
_q = queue_table.c


def _own() -> ColumnElement[bool]:
    """Return the condition that an event happened here, and was not imported from another queue
    manager.
    """
    return _e.qmgr.not_in(select(imported_manager.c.name))


@statement
def event_at(seq: Placeholder) -> ClauseElement:
    return select(_e.seq, _e.at).where(_e.seq <= seq).order_by(_e.seq.desc()).limit(ONE)


@statement
def last_before(at: Placeholder, owners: Placeholder) -> ClauseElement:
    return select(func.max(_e.seq)).where(_e.at <= at, _e.qmgr.in_(values_of(owners)))


@statement
def last_time(seq: Placeholder, owners: Placeholder) -> ClauseElement:
    query = select(_e.at).where(_e.seq <= seq, _e.qmgr.in_(values_of(owners)))
    return query.order_by(_e.seq.desc()).limit(ONE)


@statement
def next_clock_changes(after: Placeholder) -> ClauseElement:
    query = select(_e.qmgr, func.min(_e.seq), _e.kind, _e.at, _e.detail)
    return query.where(_e.seq > after, one_of(_e.kind, "CLOCK", "JOIN"), _own()).group_by(_e.qmgr)


@statement
def model_of(owner: Placeholder, name: Placeholder, before: Placeholder) -> ClauseElement:
    query = select(_e.rule).where(
        _e.seq < before,
        one_of(_e.kind, "DEFINE"),
        one_of(_e.cause, "dynamic"),
        _e.qmgr == owner,
        _e.queue == name,
    )
    return query.order_by(_e.seq.desc()).limit(ONE)


@statement
def of_messages(
    first: Placeholder,
    last: Placeholder,
    kinds: Placeholder,
    names: Placeholder,
) -> ClauseElement:
    on_queues = or_(
        _e.queue.is_(None),
        _e.queue.in_(values_of(names)),
        one_of(_e.kind, "TRIGGER", "DEAD_LETTER"),
    )
    return _about_messages(first, last, kinds).where(on_queues, is_no_call()).order_by(_e.seq)


def _about_messages(first: int, last: int, kinds: list[str]) -> Select[Any]:
    # The fields of `store.past.messages.PastEvent`, as far as they matter here.
    columns = (
        _e.seq,
        _e.kind,
        _e.qmgr,
        _e.queue,
        _e.target,
        _e.msg_id,
        _e.unit,
        _e.put_at,
        _e.detail,
    )
    return select(*columns).where(
        _e.seq.between(first, last),
        _own(),
        _e.kind.in_(values_of(kinds)),
    )


def _backwards(first: int, last: int, kinds: list[str]) -> Select[Any]:
    return _about_messages(first, last, kinds).order_by(_e.seq.desc())


@statement
def of_connections(
    first: Placeholder,
    last: Placeholder,
    kinds: Placeholder,
    connections: Placeholder,
) -> ClauseElement:
    return _backwards(first, last, kinds).where(
        _e.unit.op(">>")(constant(UNIT_BITS)).in_(values_of(connections)),
    )


@statement
def of_msg_ids(
    first: Placeholder,
    last: Placeholder,
    kinds: Placeholder,
    listed: Placeholder,
) -> ClauseElement:
    ids = select(func.unhex(func.json_each(listed).table_valued("value").c.value))
    return _backwards(first, last, kinds).where(
        or_(one_of(_e.kind, "BACKOUT", "MOVE"), _e.msg_id.in_(ids)),
    )


@statement
def of_objects(first: Placeholder, last: Placeholder, kinds: Placeholder) -> ClauseElement:
    texts = (func.coalesce(each, BLANK) for each in (_e.cause, _e.queue, _e.target, _e.detail))
    query = select(_e.seq, _e.at, _e.qmgr, _e.kind, *texts)
    return query.where(_e.seq.between(first, last), _own(), _e.kind.in_(values_of(kinds))).order_by(
        _e.seq,
    )


@statement
def puts(numbers: Placeholder) -> ClauseElement:
    columns = (
        _e.seq,
        _e.msg_id,
        _e.correl_id,
        _e.priority,
        _e.persistence,
        _e.length,
        _e.put_at,
        _e.expires_at,
        _e.put_application,
        _e.put_user,
    )
    return select(*columns).where(_e.seq.in_(values_of(numbers)))


@statement
def local_queues() -> ClauseElement:
    return select(_q.owner, _q.name, _q.id, _q.fifo, _q.recorded).where(
        _q.type == constant("QLOCAL"),
    )


def _on(number: int) -> ColumnElement[bool]:
    """Whether a message is on a queue: by the indexes of the states, where one condition would
    read all messages.
    """
    states = ((READY,), (PUT_IN_UNIT,), (GOT_IN_UNIT, IN_UNIT))
    return _m.id.in_(
        union_all(*(select(_m.id).where(_m.queue == number, *state) for state in states)),
    )


@statement
def present(number: Placeholder) -> ClauseElement:
    columns = _m.id, _m.msg_id, _m.put_at, _m.sequence, _m.state, _m.unit, _m.backout_count
    return select(*columns).where(_on(number)).order_by(_m.sequence)


@statement
def remove_messages(numbers: Placeholder) -> ClauseElement:
    return delete(message).where(_m.id.in_(values_of(numbers)))


@statement
def place(
    id: Placeholder,
    sequence: Placeholder,
    state: Placeholder,
    unit: Placeholder,
    backouts: Placeholder,
) -> ClauseElement:
    values = {"sequence": sequence, "state": state, "unit": unit, "backout_count": backouts}
    return update(message).where(_m.id == id).values(**values, locked_by=None, marked_until=None)


@statement
def count(number: Placeholder, next_sequence: Placeholder) -> ClauseElement:
    on_queue = select(func.count()).where(_on(number), _m.state != constant(MessageState.GOT))
    earliest = select(func.min(_m.expires_at)).where(_on(number))
    values = {"depth": on_queue.scalar_subquery(), "earliest_expiry": earliest.scalar_subquery()}
    return update(queue_table).where(_q.id == number).values(**values, next_sequence=next_sequence)


@statement
def last_uses(first: Placeholder, last: Placeholder, names: Placeholder) -> ClauseElement:
    is_deletion = one_of(_e.kind, "DELETE") & one_of(_e.target, "QLOCAL")
    query = select(_e.qmgr, _e.queue, _e.kind, func.max(_e.seq), _e.at).where(
        _e.seq.between(first, last),
        _e.queue.in_(values_of(names)),
        or_(one_of(_e.kind, "PUT", "GET"), is_deletion),
    )
    return query.group_by(_e.qmgr, _e.queue, _e.kind)


@statement
def open_units() -> ClauseElement:
    return select(_m.unit).where(_m.unit.is_not(None)).distinct()


@statement
def ask_for_reports(
    msg_id: Placeholder,
    put_at: Placeholder,
    report: Placeholder,
    queue: Placeholder,
) -> ClauseElement:
    asking = update(message).where(_m.msg_id == msg_id, _m.put_at == put_at, _m.report == ZERO)
    return asking.values(report=report, reply_to_q=queue)


@statement
def ask_when_moved(
    queue: Placeholder,
    msg_id: Placeholder,
    before: Placeholder,
    report: Placeholder,
    reply_to: Placeholder,
) -> ClauseElement:
    asks = _m.report.op("&")(report) != ZERO
    same = select(_m.id).where(_m.queue == queue, _m.msg_id == msg_id, READY)
    chosen = same.order_by(asks.desc(), _m.sequence).limit(ONE).offset(before).scalar_subquery()
    return (
        update(message)
        .where(_m.id == chosen, ~asks)
        .values(report=_m.report.op("|")(report), reply_to_q=reply_to)
    )


@statement
def remove_events(after: Placeholder) -> ClauseElement:
    return delete(event).where(_e.seq > after)


@statement
def remove_definition(
    owner: Placeholder,
    namespace: Placeholder,
    name: Placeholder,
) -> ClauseElement:
    return delete(object_).where(
        object_.c.owner == owner,
        object_.c.namespace == namespace,
        object_.c.name == name,
    )


@statement
def rewrite_times(
    owner: Placeholder,
    namespace: Placeholder,
    name: Placeholder,
    created_at: Placeholder,
    altered_at: Placeholder,
) -> ClauseElement:
    _o = object_.c
    query = update(object_).where(_o.owner == owner, _o.namespace == namespace, _o.name == name)
    return query.values(created_at=created_at, altered_at=altered_at)


@statement
def empty_queues() -> ClauseElement:
    return update(queue_table).values(depth=ZERO, earliest_expiry=None)


@statement
def temporary_queues() -> ClauseElement:
    return select(_q.owner, _q.name, _q.id).where(
        _q.definition_type == constant(TEMPORARY_DYNAMIC),
    )


@statement
def deleted_queues() -> ClauseElement:
    return select(_q.owner, _q.name, _q.id).where(_q.logically_deleted == ONE)


@statement
def mark_as_deleted(numbers: Placeholder) -> ClauseElement:
    return update(queue_table).values(logically_deleted=ONE).where(_q.id.in_(values_of(numbers)))


@statement
def forget_creators() -> ClauseElement:
    return update(queue_table).values(creator=None, logically_deleted=ZERO)


@statement
def enable_gets() -> ClauseElement:
    return update(queue_table).values(get_enabled=constant(1))


@statement
def deletions(first: Placeholder, last: Placeholder, names: Placeholder) -> ClauseElement:
    is_made = one_of(_e.kind, "DEFINE") & one_of(_e.cause, "dynamic")
    deletes = one_of(_e.kind, "CLOSE") & (func.instr(_e.detail, constant('"deletes"')) > ZERO)
    query = select(_e.qmgr, _e.queue, _e.kind).where(
        _e.seq.between(first, last),
        _e.queue.in_(values_of(names)),
        or_(is_made, deletes),
    )
    return query.order_by(_e.seq.desc())


@statement
def close_handles() -> ClauseElement:
    return update(queue_member).values(
        input_handles=ZERO,
        exclusive_handles=ZERO,
        output_handles=ZERO,
    )
