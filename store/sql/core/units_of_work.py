"""Units of work: the messages that they hold, their end, and units in doubt, which are prepared
but not ended yet.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    ClauseElement,
    ColumnElement,
    Join,
    Select,
    and_,
    case,
    delete,
    func,
    literal_column,
    or_,
    select,
    update,
)

from mqsc.store.sql.core.conditions import (
    BLANK,
    GOT_IN_UNIT,
    IN_UNIT,
    ONE,
    PUT_IN_UNIT,
    WITHOUT_BODY,
    ZERO,
    constant,
    in_state,
)
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import (
    connection,
    event,
    message,
    prepared_unit,
    process,
    queue as queue_table,
)
from mqsc.store.sql.rows import UNIT_BITS, MessageState
from mqsc.store.sql.units_of_work import REACH, GotMessage

_m = message.c
_q = queue_table.c
_c = connection.c
_p = process.c
_d = prepared_unit.c
_e = event.c


@statement
def remove_got(unit: Placeholder) -> ClauseElement:
    return delete(message).where(_m.unit == unit, GOT_IN_UNIT, IN_UNIT)


@statement
def release_put(unit: Placeholder) -> ClauseElement:
    put = update(message).where(_m.unit == unit, PUT_IN_UNIT, IN_UNIT)
    return put.values(state=constant(MessageState.AVAILABLE), unit=literal_column("NULL"))


@statement
def remove_put(unit: Placeholder) -> ClauseElement:
    return delete(message).where(_m.unit == unit, PUT_IN_UNIT, IN_UNIT, _m.kept_at_backout == ZERO)


@statement
def release_got(unit: Placeholder, except_message: Placeholder) -> ClauseElement:
    got = update(message).where(_m.unit == unit, GOT_IN_UNIT, IN_UNIT, _m.id != except_message)
    return got.values(
        state=constant(MessageState.AVAILABLE),
        unit=None,
        backout_count=_m.backout_count + ONE,
    )


@statement
def move_message(id: Placeholder, before: Placeholder, unit: Placeholder) -> ClauseElement:
    return update(message).where(_m.id == id, _m.unit == before).values(unit=unit)


@statement
def shares(unit: Placeholder) -> ClauseElement:
    query = select(
        _m.queue,
        func.sum(case((PUT_IN_UNIT & (_m.kept_at_backout == ZERO), ONE), else_=ZERO)),
        func.sum(case((GOT_IN_UNIT, ONE), else_=ZERO)),
        func.max(_m.persistence),
        func.min(_m.expires_at),
    )
    return query.where(_m.unit == unit, IN_UNIT).group_by(_m.queue)


@statement
def between(low: Placeholder, high: Placeholder) -> ClauseElement:
    return (
        select(_m.unit)
        .where(_m.unit >= low, _m.unit < high, IN_UNIT, _m.unit.not_in(select(_d.number)))
        .distinct()
    )


@statement
def got(unit: Placeholder) -> ClauseElement:
    return select(*WITHOUT_BODY).where(_m.unit == unit, GOT_IN_UNIT, IN_UNIT)


@statement
def numbers_held(unit: Placeholder, name: Placeholder) -> ClauseElement:
    held = select(_m.id).select_from(message.join(queue_table, _q.id == _m.queue))
    return held.where(_m.unit == unit, IN_UNIT, _q.name == name).order_by(_m.id)


@statement
def uncommitted_on_queue(queue: Placeholder) -> ClauseElement:
    return (
        select(func.count())
        .select_from(message)
        .where(_m.queue == queue, _m.unit.is_not(None), IN_UNIT)
    )


@statement
def got_on_queue(queue: Placeholder) -> ClauseElement:
    return select(func.count()).select_from(message).where(_m.queue == queue, GOT_IN_UNIT, IN_UNIT)


@statement
def prepared(qmgr: Placeholder, name: Placeholder, luwid: Placeholder) -> ClauseElement:
    return select(prepared_unit).where(
        prepared_unit.c.qmgr == qmgr,
        prepared_unit.c.name == name,
        prepared_unit.c.luwid == luwid,
    )


@statement
def remove_prepared(number: Placeholder) -> ClauseElement:
    return delete(prepared_unit).where(prepared_unit.c.number == number)


def _its_messages() -> ColumnElement[bool]:
    return and_(_m.unit == _d.number, _m.unit.is_not(None))


@statement
def in_doubt(qmgr: Placeholder) -> ClauseElement:
    query = select(
        _d.name,
        _d.luwid,
        _d.prepared_at,
        func.coalesce(func.sum(case((PUT_IN_UNIT, ONE), else_=ZERO)), ZERO),
        func.coalesce(func.sum(case((GOT_IN_UNIT, ONE), else_=ZERO)), ZERO),
        _d.application,
        _d.user,
        _d.number,
    )
    query = query.select_from(prepared_unit.outerjoin(message, _its_messages())).where(
        _d.qmgr == qmgr,
    )
    return query.group_by(_d.number).order_by(_d.prepared_at, _d.number)


@statement
def in_doubt_hold_messages_of(queue: Placeholder) -> ClauseElement:
    query = select(ONE).select_from(prepared_unit.join(message, _its_messages()))
    return query.where(_m.queue == queue).limit(ONE)


@statement
def got_data(unit: Placeholder, header: Placeholder, other: Placeholder) -> ClauseElement:
    return select(func.coalesce(func.sum(func.max(_m.length - header, ZERO)), ZERO)).where(
        _m.unit == unit,
        in_state(MessageState.GOT),
        _m.queue != other,
    )


@statement
def got_messages(
    unit: Placeholder,
    queue: Placeholder,
    most: Placeholder,
    size: Placeholder,
) -> ClauseElement:
    query = select(*(_m[name] for name in GotMessage._fields[:-1]), func.substr(_m.body, ONE, size))
    query = query.where(_m.unit == unit, in_state(MessageState.GOT), _m.queue == queue)
    return query.order_by(_m.rank.desc(), _m.sequence).limit(most)


def _held() -> Select[Any]:
    holders: Join = (
        message.join(queue_table, _q.id == _m.queue)
        .outerjoin(prepared_unit, _d.number == _m.unit)
        .outerjoin(
            connection,
            (_c.id == _m.unit.op(">>")(constant(UNIT_BITS))) & _d.number.is_(None),
        )
        .outerjoin(process, _p.id == _c.process)
    )
    query = select(
        _m.unit,
        _q.name,
        _m.state,
        func.count(),
        func.min(_m.put_at),
        func.max(_m.kept_at_backout),
        func.coalesce(_c.id, ZERO),
        func.coalesce(_c.application, _d.application),
        func.coalesce(_c.user, _d.user),
        func.coalesce(_p.file, BLANK),
        func.coalesce(_d.name, BLANK),
    )
    query = query.select_from(holders)
    query = query.where(
        _m.unit.is_not(None),
        IN_UNIT,
        or_(_c.id.is_not(None), _d.number.is_not(None)),
    )
    return query.group_by(_m.unit, _q.name, _m.state).order_by(
        func.min(_m.put_at),
        _m.unit,
        _m.state,
    )


@statement
def held_on_queue(queue: Placeholder, rank: Placeholder) -> ClauseElement:
    return _held().where(_m.queue == queue, _m.rank >= rank)


@statement
def held_trigger_messages(
    owner: Placeholder,
    start: Placeholder,
    format: Placeholder,
    header: Placeholder,
    dead_letter_format: Placeholder,
    length: Placeholder,
) -> ClauseElement:
    return _held().where(
        PUT_IN_UNIT,
        _q.owner == owner,
        or_(
            (_m.format == format) & (func.substr(_m.body, ONE, length) == start),
            (_m.format == dead_letter_format)
            & (func.substr(_m.body, header + ONE, length) == start),
        ),
    )


@statement
def gets(queue: Placeholder, unit: Placeholder) -> ClauseElement:
    return select(func.min(_e.at), func.count()).where(
        _e.seq > select(func.max(_e.seq)).scalar_subquery() - constant(REACH),
        _e.kind == constant("GET"),
        _e.queue == queue,
        _e.unit == unit,
    )
