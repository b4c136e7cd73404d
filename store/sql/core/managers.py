"""Queue managers and queue-sharing groups: their rows, what they own, and a copy of one to try
commands on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import (
    ClauseElement,
    ColumnElement,
    case,
    delete,
    func,
    insert,
    literal_column,
    select,
    union_all,
    update,
)

from mqsc.store.sql.core.conditions import BLANK, GOT_IN_UNIT, ONE, READY, ZERO, constant, one_of
from mqsc.store.sql.core.declaring import Build, Placeholder, add_statement, statement
from mqsc.store.sql.core.schema import (
    event,
    handle,
    message,
    metadata,
    object_,
    pending_refresh,
    prepared_unit,
    queue,
    queue_manager,
    queue_member,
    sharing_group as sharing_group_table,
)
from mqsc.store.sql.managers import COPIED, ENDED, MOST_COUNTED, OWNED
from mqsc.store.sql.rows import MessageState, PendingRefreshRow, StoredMessage

_g = queue_manager.c
_q = queue.c
_n = queue_member.c
_m = message.c
_o = object_.c
_e = event.c
_u = prepared_unit.c
_p = pending_refresh.c
_s = sharing_group_table.c


@statement
def by_name(name: Placeholder) -> ClauseElement:
    return select(queue_manager).where(queue_manager.c.name == name)


@statement
def read_hot_columns(name: Placeholder) -> ClauseElement:
    return select(_g.version, _g.run, _g.state, _g.clock_at).where(_g.name == name)


@statement
def has_commands(name: Placeholder, queue_name: Placeholder) -> ClauseElement:
    performs = (_g.state != constant(ENDED)) & (_g.commands_stopped == ZERO)
    commands = select(_q.id).where(_q.owner == name, _q.name == queue_name)
    waits = select(ONE).where(_m.queue.in_(commands), READY).exists()
    return select(ONE).where(_g.name == name, performs, waits)


@statement
def default() -> ClauseElement:
    return select(queue_manager).where(_g.is_default == ONE)


@statement
def all() -> ClauseElement:
    return select(queue_manager).order_by(queue_manager.c.name)


@statement
def last_end(name: Placeholder) -> ClauseElement:
    # As in the partial index.
    query = select(_e.cause).where(_e.qmgr == name, literal_column("kind IN ('CREATE', 'END')"))
    return query.order_by(_e.seq.desc()).limit(ONE)


@statement
def raise_versions() -> ClauseElement:
    return update(queue_manager).values(version=_g.version + ONE)


@statement
def remove(name: Placeholder) -> ClauseElement:
    return delete(queue_manager).where(queue_manager.c.name == name)


@statement
def in_doubt_by_queue(owner: Placeholder) -> ClauseElement:
    query = select(_q.name, func.count(), func.count(case((GOT_IN_UNIT, ONE))))
    query = query.select_from(message.join(queue, _q.id == _m.queue)).where(
        _q.owner == owner,
        _m.unit.is_not(None),
    )
    return query.group_by(_q.name).order_by(_q.name)


@statement
def remove_messages(owner: Placeholder) -> ClauseElement:
    return delete(message).where(_m.queue.in_(select(_q.id).where(_q.owner == owner)))


def _removal(table: str, owner: Placeholder) -> ClauseElement:
    removed = metadata.tables[table]
    if table == "queue_member":
        return delete(removed).where(_n.queue.in_(select(_q.id).where(_q.owner == owner)))
    if table == "handle_path":
        return delete(removed).where(
            removed.c.handle.in_(select(handle.c.id).where(handle.c.qmgr == owner)),
        )
    return delete(removed).where(removed.c["owner" if "owner" in removed.c else "qmgr"] == owner)


@statement
def group() -> ClauseElement:
    return select(sharing_group_table).limit(ONE)


@statement
def add_group(name: Placeholder, now: Placeholder) -> ClauseElement:
    return insert(sharing_group_table).values(name=name, created_at=now)


@statement
def set_expiry_owner(group: Placeholder, owner: Placeholder) -> ClauseElement:
    return update(sharing_group_table).where(_s.name == group).values(expiry_owner=owner)


@statement
def expiry_owner(group: Placeholder) -> ClauseElement:
    return select(_s.expiry_owner).where(_s.name == group)


@statement
def members(sharing_group: Placeholder) -> ClauseElement:
    return (
        select(queue_manager)
        .where(queue_manager.c.sharing_group == sharing_group)
        .order_by(queue_manager.c.member_number)
    )


@statement
def has_unit_in_doubt(group: Placeholder, qmgr: Placeholder) -> ClauseElement:
    held = prepared_unit.join(message, _m.unit == _u.number).join(queue, _q.id == _m.queue)
    return select(ONE).select_from(held).where(_u.qmgr == qmgr, _q.owner == group).limit(ONE)


@statement
def forget_handles(group: Placeholder, qmgr: Placeholder) -> ClauseElement:
    return delete(queue_member).where(
        _n.qmgr == qmgr,
        _n.queue.in_(select(_q.id).where(_q.owner == group)),
    )


@statement
def adopt_structures(group: Placeholder, qmgr: Placeholder) -> ClauseElement:
    others = object_.alias().c
    of_group = select(others.name).where(
        others.owner == group,
        others.namespace == constant("cfstruct"),
    )
    own = update(object_).where(
        _o.owner == qmgr,
        _o.namespace == constant("cfstruct"),
        _o.name.not_in(of_group),
    )
    return own.values(owner=group)


@statement
def add_refresh_for_members(
    group: Placeholder,
    namespace: Placeholder,
    name: Placeholder,
) -> ClauseElement:
    members = select(_g.name, namespace, name, ZERO).where(_g.sharing_group == group)
    return (
        insert(pending_refresh)
        .from_select(PendingRefreshRow._fields, members)
        .prefix_with("OR REPLACE")
    )


@statement
def add_refresh_for_new_member(group: Placeholder, member: Placeholder) -> ClauseElement:
    objects = select(member, _o.namespace, _o.name, ZERO).where(
        _o.owner == group,
        _o.disposition == constant("GROUP"),
    )
    return insert(pending_refresh).from_select(PendingRefreshRow._fields, objects)


@statement
def refreshes_of_member(qmgr: Placeholder) -> ClauseElement:
    return (
        select(pending_refresh)
        .where(pending_refresh.c.qmgr == qmgr)
        .order_by(pending_refresh.c.namespace, pending_refresh.c.name)
    )


@statement
def refreshes_of_object(namespace: Placeholder, name: Placeholder) -> ClauseElement:
    query = select(pending_refresh).select_from(
        pending_refresh.join(queue_manager, _g.name == _p.qmgr),
    )
    return query.where(_p.namespace == namespace, _p.name == name).order_by(_g.member_number)


def _refresh(member: str, namespace: str, name: str) -> tuple[ColumnElement[bool], ...]:
    return _p.qmgr == member, _p.namespace == namespace, _p.name == name


@statement
def is_refresh_pending(
    member: Placeholder,
    namespace: Placeholder,
    name: Placeholder,
) -> ClauseElement:
    return select(pending_refresh).where(*_refresh(member, namespace, name))


@statement
def set_refresh_reason(
    member: Placeholder,
    namespace: Placeholder,
    name: Placeholder,
    reason: Placeholder,
) -> ClauseElement:
    return update(pending_refresh).where(*_refresh(member, namespace, name)).values(reason=reason)


@statement
def remove_refresh(qmgr: Placeholder, namespace: Placeholder, name: Placeholder) -> ClauseElement:
    return delete(pending_refresh).where(
        pending_refresh.c.qmgr == qmgr,
        pending_refresh.c.namespace == namespace,
        pending_refresh.c.name == name,
    )


@statement
def remove_refreshes(qmgr: Placeholder) -> ClauseElement:
    return delete(pending_refresh).where(pending_refresh.c.qmgr == qmgr)


def _copied(what: str, owner: Placeholder) -> ClauseElement:
    """The rows of a table to copy; `what` is its name, or one of two selections of messages."""
    member = queue_manager.alias().c
    other_member = queue_manager.alias().c
    other = message.alias().c
    of_group = select(member.sharing_group).where(
        member.name == owner,
        member.sharing_group != BLANK,
    )
    # Commands on objects of the group change the copies of all members.
    members = select(other_member.name).where(
        (other_member.name == owner) | other_member.sharing_group.in_(of_group),
    )
    owners = union_all(members, of_group)
    # Without expiry: only a scan of the queue manager itself knows which messages it would discard.
    left_out: dict[str, Any] = {"body": literal_column("x''"), "expires_at": literal_column("NULL")}
    messages = select(*(left_out.get(name, _m[name]) for name in StoredMessage._fields))
    highest = select(other.id).where(
        other.queue == _q.id,
        other.state == constant(MessageState.AVAILABLE),
    )
    highest = highest.order_by(other.rank.desc()).limit(constant(MOST_COUNTED)).correlate(queue)
    if what == "held":
        queues = select(_q.id).where(_q.owner.in_(owners))
        return messages.where(_m.unit.is_not(None), _m.queue.in_(queues.scalar_subquery()))
    if what == "highest":
        query = messages.select_from(queue.join(message, _m.id.in_(highest.scalar_subquery())))
        return query.where(_q.owner == owner, _q.trigger_priority > ZERO)
    table = metadata.tables[what]
    if what == "handle_path":
        handles = select(handle.c.id).where(handle.c.qmgr.in_(members))
        return select(table).where(table.c.handle.in_(handles.scalar_subquery()))
    if "owner" in table.c:
        return select(table).where(table.c.owner.in_(owners))
    return select(table).where(table.c["qmgr" if "qmgr" in table.c else "name"].in_(members))


@statement
def changes(after: Placeholder) -> ClauseElement:
    query = select(
        _e.qmgr,
        _e.kind,
        func.coalesce(_e.target, BLANK),
        func.coalesce(_e.queue, BLANK),
        _e.detail,
    )
    return query.where(
        _e.seq > after,
        one_of(_e.kind, "DEFINE", "ALTER", "SET", "DELETE"),
    ).order_by(_e.seq)


@statement
def lower_depth(owner: Placeholder, name: Placeholder, messages: Placeholder) -> ClauseElement:
    return (
        update(queue)
        .where(_q.owner == owner, _q.name == name)
        .values(depth=func.max(_q.depth - messages, ZERO))
    )


@statement
def copied_groups() -> ClauseElement:
    return select(sharing_group_table)


def _of_owner(build: Callable[[str, Placeholder], ClauseElement], what: str) -> Build:
    def of_owner(owner: Placeholder) -> ClauseElement:
        return build(what, owner)

    return of_owner


for _table in OWNED:
    add_statement(__name__, f"remove_{_table}", _of_owner(_removal, _table))
for _what in COPIED:
    add_statement(__name__, f"copied_{_what}", _of_owner(_copied, _what))
