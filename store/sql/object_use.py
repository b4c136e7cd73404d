"""What commands on objects ask and change beyond single rows: pages to display, holds on an object, bulk removal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, bindparam, case, delete, func, literal_column, select

from store.sql.schema import connection, handle, handle_path, message, object_, queue, queue_member
from store.sqlite.database import Reading, Transaction
from store.sqlite.statement import Statement

_o, _q, _n, _h, _p, _m = object_.c, queue.c, queue_member.c, handle.c, handle_path.c, message.c
_ONE: ColumnElement[int] = literal_column("1")
_ZERO: ColumnElement[int] = literal_column("0")


class DisplayedRow(NamedTuple):
    """A definition, with what a local queue of that name holds now (zeros for any other object)."""

    name: str
    type: str
    attributes: dict[str, Any]
    created_at: int
    altered_at: int
    depth: int
    input_handles: int
    output_handles: int


_ITS_QUEUE = (_q.owner == _o.owner) & (_q.name == _o.name) & (_o.namespace == literal_column("'queue'"))
_DISPLAYED = Statement(
    select(
        _o.name,
        _o.type,
        _o.attributes,
        _o.created_at,
        _o.altered_at,
        func.coalesce(_q.depth, _ZERO),
        func.coalesce(_n.input_handles, _ZERO),
        func.coalesce(_n.output_handles, _ZERO),
    )
    .select_from(
        object_.outerjoin(queue, _ITS_QUEUE).outerjoin(
            queue_member, (_n.queue == _q.id) & (_n.qmgr == bindparam("owner"))
        )
    )
    .where(
        _o.owner == bindparam("owner"),
        _o.namespace == bindparam("namespace"),
        _o.name >= bindparam("low"),
        _o.name < bindparam("high"),
        _o.type.in_(select(func.json_each(bindparam("types")).table_valued("value").c.value)),
    )
    .order_by(_o.name)
    .limit(bindparam("limit"))
)


def page_to_display(
    reading: Reading, owner: str, namespace: str, types: Sequence[str], low: str, high: str, limit: int
) -> list[DisplayedRow]:
    """Up to `limit` definitions of these types by name: from `low`, below `high`."""
    values = {"owner": owner, "namespace": namespace, "types": json.dumps(types), "low": low, "high": high}
    return [
        DisplayedRow(name, type, json.loads(attributes), *rest)
        for name, type, attributes, *rest in reading.all(_DISPLAYED, {**values, "limit": limit})
    ]


_OPEN_OF_KIND = Statement(
    select(_ONE)
    .select_from(handle)
    .where(_h.qmgr == bindparam("qmgr"), _h.object_type == bindparam("type"), _h.object_name == bindparam("name"))
    .limit(_ONE)
)
_NAMED_ON_THE_WAY = (
    select(_ONE)
    .select_from(handle_path.alias("way").join(queue.alias("passed"), literal_column("passed.id = way.queue")))
    .where(literal_column("way.handle = handle.id"), literal_column("passed.name = handle.object_name"))
    .exists()
)
_THROUGH_MANAGER_ALIAS = Statement(
    select(_ONE)
    .select_from(handle_path.join(handle, _h.id == _p.handle))
    .where(_p.queue == bindparam("queue"), ~_NAMED_ON_THE_WAY)
    .limit(_ONE)
)
_REMOTE = queue.alias("remote")
_BY_DEFAULT = Statement(
    select(func.coalesce(_REMOTE.c.id, _h.queue))
    .distinct()
    .select_from(
        handle.outerjoin(handle_path, _p.handle == _h.id).outerjoin(
            _REMOTE, (_REMOTE.c.id == _p.queue) & (_REMOTE.c.type == literal_column("'QREMOTE'"))
        )
    )
    .where(
        _h.queue == bindparam("queue"),
        _h.qmgr == bindparam("qmgr"),
        case(
            (_p.handle.is_(None), _h.object_name != bindparam("name")),
            else_=(_REMOTE.c.transmission_queue == literal_column("''"))
            & (_REMOTE.c.remote_queue_manager != bindparam("name")),
        ),
    )
)


def is_open_of_kind(tx: Transaction, qmgr: str, type: str, name: str) -> bool:
    """Whether a handle is open on an object that is no queue: a process, a namelist."""
    return tx.one(_OPEN_OF_KIND, {"qmgr": qmgr, "type": type, "name": name}) is not None


def is_resolved_as_manager_alias(tx: Transaction, queue: int) -> bool:
    """Whether a handle resolved through that remote definition as the alias of a queue manager.

    Such a handle was opened under the name of none of the objects on its way.
    """
    return tx.one(_THROUGH_MANAGER_ALIAS, {"queue": queue}) is not None


def resolved_by_default(tx: Transaction, qmgr: str, queue: int, name: str) -> list[int]:
    """The queue objects through which handles reached the transmission queue `name` as the default one (DEFXMITQ).

    They are remote definitions that name none; for handles that name only a queue manager, the queue itself.
    """
    return [row[0] for row in tx.all(_BY_DEFAULT, {"qmgr": qmgr, "queue": queue, "name": name})]


_OLD = (
    select(_m.id)
    .where(_m.queue == bindparam("queue"), literal_column("state = 0"), _m.sequence < bindparam("below"))
    .limit(bindparam("limit"))
)
_REMOVE_OLD = Statement(delete(message).where(_m.id.in_(_OLD)))


def remove_before(tx: Transaction, queue: int, below: int, limit: int) -> int:
    """Remove up to `limit` available messages put before the sequence number `below`; how many."""
    return tx.run(_REMOVE_OLD, {"queue": queue, "below": below, "limit": limit})


_WITH_MESSAGES = Statement(select(_q.id).where(_q.owner == bindparam("owner"), _q.depth > _ZERO).order_by(_q.name))


def queues_with_messages(reading: Reading, owner: str) -> list[int]:
    """The numbers of the queues that hold messages, by name."""
    return [row[0] for row in reading.all(_WITH_MESSAGES, {"owner": owner})]


_OF_OWNER = select(_q.id).where(_q.owner == bindparam("owner"))
_REMOVE_OWNED = tuple(
    Statement(each)
    for each in (
        delete(message).where(_m.queue.in_(_OF_OWNER)),
        delete(queue_member).where(_n.queue.in_(_OF_OWNER)),
        delete(handle_path).where(_p.handle.in_(select(_h.id).where(_h.qmgr == bindparam("owner")))),
        delete(handle).where(_h.qmgr == bindparam("owner")),
        delete(connection).where(connection.c.qmgr == bindparam("owner")),
        delete(queue).where(_q.owner == bindparam("owner")),
        delete(object_).where(_o.owner == bindparam("owner")),
    )
)


def remove_owned(tx: Transaction, owner: str) -> None:
    """Remove everything a queue manager has, except its history."""
    for statement in _REMOVE_OWNED:
        tx.run(statement, {"owner": owner})
