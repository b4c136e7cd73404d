"""Copies a queue manager so that commands can be tried on the copy, with the other members of its group.

The copy has the definitions, depths, handles and states of channels, and those messages that commands look at, without
their data: messages of open units of work, which prevent CLEAR and DELETE, and messages of high priority, which are
counted for a trigger with TRIGMPRI.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from store.sql import schema
from store.sql.clauses import ZERO, literal
from store.sql.file_format import MessageState
from store.sql.rows import StoredMessage
from store.sql.tables import (
    channel_status,
    connection,
    event,
    handle,
    handle_path,
    message,
    object_,
    pending_refresh,
    prepared_unit,
    queue,
    queue_manager,
    queue_member,
    sharing_group,
)
from store.sqlite.database import Queries, Reading, Transaction
from store.sqlite.expressions import (
    BindParameter,
    ColumnElement,
    Select,
    bindparam,
    func,
    literal_column,
    select,
    union_all,
    update,
)
from store.sqlite.statement import Statement, insert_text

PAGE = 500
_OWNER: BindParameter[str] = bindparam("owner")
_MEMBER = queue_manager.alias()
_OTHER = queue_manager.alias()
_GROUP = select(_MEMBER.c.sharing_group).where(_MEMBER.c.name == _OWNER, _MEMBER.c.sharing_group != literal(""))
# Commands on objects of the group change the copies of all members.
_MEMBERS = select(_OTHER.c.name).where((_OTHER.c.name == _OWNER) | _OTHER.c.sharing_group.in_(_GROUP))
_OWNERS = union_all(_MEMBERS, _GROUP)
_QUEUES = select(queue.c.id).where(queue.c.owner.in_(_OWNERS))
_HANDLES = select(handle.c.id).where(handle.c.qmgr.in_(_MEMBERS))
# Without expiry: only a scan of the queue manager itself knows which messages it would discard.
_LEFT_OUT: Mapping[str, ColumnElement[Any]] = {"body": literal_column("x''"), "expires_at": literal_column("NULL")}
_MESSAGES = select(*(_LEFT_OUT.get(name, message.c[name]) for name in StoredMessage._fields))
# More than any TRIGDPTH is likely to be, and few enough to copy from every queue with TRIGMPRI.
_MOST_COUNTED = literal(1000)
_other = message.alias()
_HIGHEST = (
    select(_other.c.id)
    .where(_other.c.queue == queue.c.id, _other.c.state == literal(MessageState.AVAILABLE))
    .order_by(_other.c.rank.desc())
    .limit(_MOST_COUNTED)
    .correlate(queue)
)
_OWNED: Sequence[tuple[str, Select[Any]]] = (
    ("sharing_group", select(sharing_group)),
    ("queue_manager", select(queue_manager).where(queue_manager.c.name.in_(_MEMBERS))),
    ("pending_refresh", select(pending_refresh).where(pending_refresh.c.qmgr.in_(_MEMBERS))),
    ("object", select(object_).where(object_.c.owner.in_(_OWNERS))),
    ("queue", select(queue).where(queue.c.owner.in_(_OWNERS))),
    ("queue_member", select(queue_member).where(queue_member.c.qmgr.in_(_MEMBERS))),
    ("connection", select(connection).where(connection.c.qmgr.in_(_MEMBERS))),
    ("handle", select(handle).where(handle.c.qmgr.in_(_MEMBERS))),
    ("prepared_unit", select(prepared_unit).where(prepared_unit.c.qmgr.in_(_MEMBERS))),
    ("channel_status", select(channel_status).where(channel_status.c.qmgr.in_(_MEMBERS))),
    ("handle_path", select(handle_path).where(handle_path.c.handle.in_(_HANDLES.scalar_subquery()))),
    ("message", _MESSAGES.where(message.c.unit.is_not(None), message.c.queue.in_(_QUEUES.scalar_subquery()))),
    (
        "message",
        _MESSAGES.select_from(queue.join(message, message.c.id.in_(_HIGHEST.scalar_subquery()))).where(
            queue.c.owner == _OWNER, queue.c.trigger_priority > ZERO
        ),
    ),
)
_COPIES = [
    (Statement(rows), insert_text(table, tuple(schema.metadata.tables[table].columns.keys()))) for table, rows in _OWNED
]
_KINDS = ("DEFINE", "ALTER", "SET", "DELETE")
_CHANGES = Statement(
    select(event.c.qmgr, event.c.kind, event.c.target, event.c.queue, event.c.detail)
    .where(event.c.seq > bindparam("after"), event.c.kind.in_([literal(kind) for kind in _KINDS]))
    .order_by(event.c.seq)
)
_LOWER_DEPTH = Statement(
    update(queue)
    .where(queue.c.owner == _OWNER, queue.c.name == bindparam("name"))
    .values(depth=func.max(queue.c.depth - bindparam("messages"), ZERO))
)


class ChangeRow(NamedTuple):
    """A change of a definition in the history; `detail` is JSON, keyword → [before, after]."""

    qmgr: str
    event: str
    type: str
    name: str
    detail: str | None


def copy(reading: Reading, tx: Transaction, owner: str) -> None:
    """Copy a queue manager into a store that does not have it."""
    for rows, insertion in _COPIES:
        for page in reading.pages(rows, {"owner": owner}, PAGE):
            tx.insert_bound([(insertion, row) for row in page])


def changes(reading: Queries, after: int) -> list[ChangeRow]:
    """Return the changes of definitions after the event of that number, in order."""
    return [
        ChangeRow(qmgr, kind, type or "", name or "", detail)
        for qmgr, kind, type, name, detail in reading.all(_CHANGES, {"after": after})
    ]


def lower_depth(tx: Transaction, owner: str, name: str, messages: int) -> None:
    """Lower the depth of a queue in a copy, which does not have the messages themselves."""
    tx.run(_LOWER_DEPTH, {"owner": owner, "name": name, "messages": messages})
