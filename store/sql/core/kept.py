"""The data of messages that have left their queues, kept by rules; off by default.

Triggers keep it, whatever removes the message, in the transaction that does. They exist only while
there is a rule, so that without one nothing costs anything. They also enforce the limits, the
oldest first.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ClauseElement, Column, delete, func, literal_column, select, update

from mqsc.store.sql.core.conditions import ZERO
from mqsc.store.sql.core.declaring import Placeholder, statement
from mqsc.store.sql.core.schema import kept_message, kept_rule, message, queue as queue_table
from mqsc.store.sql.rows import KEPT

_k = kept_message.c
_m = message.c
_q = queue_table.c
_r = kept_rule.c


@statement
def all_rules() -> ClauseElement:
    return select(kept_rule).order_by(kept_rule.c.qmgr, kept_rule.c.name)


@statement
def limit(
    id: Placeholder,
    span: Placeholder,
    most: Placeholder,
    masks: Placeholder,
) -> ClauseElement:
    return update(kept_rule).where(_r.id == id).values(span=span, most=most, masks=masks)


@statement
def remove_rule(id: Placeholder) -> ClauseElement:
    return delete(kept_rule).where(kept_rule.c.id == id)


@statement
def remove_of_rule(rule: Placeholder) -> ClauseElement:
    return delete(kept_message).where(kept_message.c.rule == rule)


@statement
def remove_outdated(id: Placeholder, before: Placeholder) -> ClauseElement:
    return delete(kept_message).where(_k.rule == id, _k.left_at <= before)


@statement
def remove_beyond(id: Placeholder, start: Placeholder) -> ClauseElement:
    return delete(kept_message).where(_k.rule == id, _k.start < start)


@statement
def sum_of(id: Placeholder) -> ClauseElement:
    size = func.coalesce(func.sum(func.coalesce(func.length(_k.body), ZERO)), ZERO)
    return select(func.count(), size, func.min(_k.left_at)).where(_k.rule == id)


@statement
def last() -> ClauseElement:
    return select(func.max(_k.id))


def _archived() -> dict[str, Column[Any]]:
    return {
        "left_at": _k.left_at,
        "qmgr": _k.owner,
        "queue": _k.queue,
        **{name: _k[name] for name in KEPT},
    }


@statement
def page(after: Placeholder, most: Placeholder) -> ClauseElement:
    return select(_k.id, *_archived().values()).where(_k.id > after).order_by(_k.id).limit(most)


@statement
def data_of(
    msg_id: Placeholder,
    put_at: Placeholder,
    queue: Placeholder,
    owner: Placeholder,
) -> ClauseElement:
    query = select(_k.body).where(
        _k.msg_id == msg_id,
        _k.put_at == put_at,
        _k.queue == queue,
        _k.owner == owner,
    )
    return query.order_by(_k.left_at, _k.id)


@statement
def complete() -> ClauseElement:
    values = {
        name: _k[name]
        for name in KEPT
        if name not in ("put_at", "length", "msg_id", "backout_count", "body")
    }
    query = update(message).values(**values, body=func.coalesce(_k.body, literal_column("x''")))
    place = (_m.queue == _q.id, _k.owner == _q.owner, _k.queue == _q.name)
    return query.where(
        *place,
        _k.msg_id == _m.msg_id,
        _k.put_at == _m.put_at,
        _m.body == literal_column("x''"),
    )
