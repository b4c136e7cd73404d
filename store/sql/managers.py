"""Queue managers and queue-sharing groups: their rows, what they own, and a copy of one to try commands on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from store.sql.core import *
from store.sql.rows import GroupRow, ManagerRow, MessageState, PendingRefreshRow, StoredMessage
from store.sql.statements import KnownStatement, change, exists, find, find_all, first_tuple, removal, row, rows, value
from store.sqlite.database import Reading, Transaction
from store.sqlite.statement import update_text

_g, _q, _n, _m, _o, _e = queue_manager.c, queue.c, queue_member.c, message.c, object_.c, event.c
_u, _p, _s = prepared_unit.c, pending_refresh.c, sharing_group.c
RUNNING, QUIESCING, ENDED = "RUNNING", "QUIESCING", "ENDED"

# Return the queue manager, or None.
by_name = find(ManagerRow, "queue_manager", "name")

# Version, run, state and manual clock.
HotColumns = tuple[int, int, str, int | None]


@first_tuple
def read_hot_columns(name: str) -> ClauseElement:
    """Return the HotColumns, which every call reads anew; None when the queue manager has been deleted."""
    return select(_g.version, _g.run, _g.state, _g.clock_at).where(_g.name == name)


@row(ManagerRow)
def default() -> ClauseElement:
    """Return the store's default queue manager, or None."""
    return select(queue_manager).where(_g.is_default == ONE)


# Return every queue manager of the store by name.
all = find_all(ManagerRow, "queue_manager", order="name")


@value(str)
def last_end(name: str) -> ClauseElement:
    """Return the cause of the queue manager's last END since it was created (`store.published`), or blank."""
    # As in the partial index.
    found = select(_e.cause).where(_e.qmgr == name, literal_column("kind IN ('CREATE', 'END')"))
    return found.order_by(_e.seq.desc()).limit(ONE)


def add(tx: Transaction, values: Mapping[str, Any]) -> None:
    """Store a queue manager; columns that are not given have their defaults."""
    tx.insert("queue_manager", values)


def set_columns(tx: Transaction, name: str, values: Mapping[str, Any]) -> None:
    """Update columns of a queue manager's row and raise its version."""
    tx.execute(update_text("queue_manager", tuple(values), key="name"), (*values.values(), name))


@change
def raise_versions() -> ClauseElement:
    """Raise the version of every queue manager: what is kept of users, groups and authority records is out of date."""
    return update(queue_manager).values(version=_g.version + ONE)


# Remove the row of a queue manager.
remove = removal("queue_manager", "name")


class ShareInDoubt(NamedTuple):
    """How many messages of a queue units in doubt hold, and how many of these they have got."""

    queue: str
    messages: int
    got: int


@rows(ShareInDoubt)
def in_doubt_by_queue(owner: str) -> ClauseElement:
    """Return what units in doubt hold on the queues of a queue manager that has ended."""
    found = select(_q.name, func.count(), func.count(case((GOT_IN_UNIT, ONE))))
    found = found.select_from(message.join(queue, _q.id == _m.queue)).where(_q.owner == owner, _m.unit.is_not(None))
    return found.group_by(_q.name).order_by(_q.name)


@change
def _remove_messages(owner: str) -> ClauseElement:
    return delete(message).where(_m.queue.in_(select(_q.id).where(_q.owner == owner)))


def _removal(table: str) -> ClauseElement:
    owner: Any = bindparam("owner")
    removed = metadata.tables[table]
    if table == "queue_member":
        return delete(removed).where(_n.queue.in_(select(_q.id).where(_q.owner == owner)))
    if table == "handle_path":
        return delete(removed).where(removed.c.handle.in_(select(handle.c.id).where(handle.c.qmgr == owner)))
    return delete(removed).where(removed.c["owner" if "owner" in removed.c else "qmgr"] == owner)


# In this order: a row goes before the one by which it is found.
_OWNED = (
    "queue_member", "handle_path", "handle", "connection", "queue", "object", "prepared_unit", "channel_status",
    "channel_fault", "kept_message", "kept_rule", "running_object",
)  # fmt: skip
_REMOVALS = [KnownStatement(f"remove {table}", partial(_removal, table)) for table in _OWNED]


def remove_owned(tx: Transaction, owner: str) -> int:
    """Remove everything that belongs to a queue manager except its row and its history; return how many messages."""
    messages = _remove_messages(tx, owner)
    for statement in _REMOVALS:
        tx.run(statement, {"owner": owner})
    return messages


@row(GroupRow)
def group() -> ClauseElement:
    """Return the queue-sharing group of the store, with or without members; None when it has none."""
    return select(sharing_group).limit(ONE)


@change
def add_group(name: str, now: int) -> ClauseElement:
    """Store a group."""
    return insert(sharing_group).values(name=name, created_at=now)


@change
def set_expiry_owner(group: str, owner: str) -> ClauseElement:
    """Store the member that scans shared queues from now on; blank for none."""
    return update(sharing_group).where(_s.name == group).values(expiry_owner=owner)


@value(str)
def expiry_owner(group: str) -> ClauseElement:
    """Return the member that scans the shared queues of the group; blank for none."""
    return select(_s.expiry_owner).where(_s.name == group)


# Return the members of a group by number.
members = find_all(ManagerRow, "queue_manager", "sharing_group", order="member_number")


@exists
def has_unit_in_doubt(group: str, qmgr: str) -> ClauseElement:
    """Return whether a unit in doubt of `qmgr` holds messages of a shared queue."""
    held = prepared_unit.join(message, _m.unit == _u.number).join(queue, _q.id == _m.queue)
    return select(ONE).select_from(held).where(_u.qmgr == qmgr, _q.owner == group).limit(ONE)


@change
def forget_handles(group: str, qmgr: str) -> ClauseElement:
    """Remove the counts of handles that `qmgr`, which has ended, had on shared queues."""
    return delete(queue_member).where(_n.qmgr == qmgr, _n.queue.in_(select(_q.id).where(_q.owner == group)))


@change
def adopt_structures(group: str, qmgr: str) -> ClauseElement:
    """Make the structures that `qmgr` has defined the group's, except those whose name the group has."""
    others = object_.alias().c
    of_group = select(others.name).where(others.owner == group, others.namespace == constant("cfstruct"))
    own = update(object_).where(_o.owner == qmgr, _o.namespace == constant("cfstruct"), _o.name.not_in(of_group))
    return own.values(owner=group)


@change
def add_refresh_for_members(group: str, namespace: Any, name: Any) -> ClauseElement:
    """Require every member to refresh its copy of a GROUP object that was changed or deleted."""
    members = select(_g.name, namespace, name, ZERO).where(_g.sharing_group == group)
    return insert(pending_refresh).from_select(PendingRefreshRow._fields, members).prefix_with("OR REPLACE")


@change
def add_refresh_for_new_member(group: str, member: Any) -> ClauseElement:
    """Require a member that has just joined to make a copy of every GROUP object."""
    objects = select(member, _o.namespace, _o.name, ZERO).where(_o.owner == group, _o.disposition == constant("GROUP"))
    return insert(pending_refresh).from_select(PendingRefreshRow._fields, objects)


# Return the GROUP objects that a member has to refresh.
refreshes_of_member = find_all(PendingRefreshRow, "pending_refresh", "qmgr", order="namespace name")


@rows(PendingRefreshRow)
def refreshes_of_object(namespace: str, name: str) -> ClauseElement:
    """Return the members that have to refresh their copy of an object, by number."""
    found = select(pending_refresh).select_from(pending_refresh.join(queue_manager, _g.name == _p.qmgr))
    return found.where(_p.namespace == namespace, _p.name == name).order_by(_g.member_number)


def _refresh(member: str, namespace: str, name: str) -> tuple[ColumnElement[bool], ...]:
    return _p.qmgr == member, _p.namespace == namespace, _p.name == name


@exists
def is_refresh_pending(member: str, namespace: str, name: str) -> ClauseElement:
    """Return whether a member still has to refresh its copy of an object."""
    return select(pending_refresh).where(*_refresh(member, namespace, name))


@change
def set_refresh_reason(member: str, namespace: str, name: str, reason: int) -> ClauseElement:
    """Record why the refresh of an object failed."""
    return update(pending_refresh).where(*_refresh(member, namespace, name)).values(reason=reason)


# Record that the member's copy agrees with the GROUP object.
remove_refresh = removal("pending_refresh", "qmgr", "namespace", "name")

# Remove the pending refreshes of a queue manager that leaves the group.
remove_refreshes = removal("pending_refresh", "qmgr")

# The copy of a queue manager has the definitions, depths, handles and states of channels of it and of the other members
# of its group, and those messages that commands look at, without their data: messages of open units of work, which
# prevent CLEAR and DELETE, and messages of high priority, which are counted for a trigger with TRIGMPRI.
_PAGE = 500
# More than any TRIGDPTH is likely to be, and few enough to copy from every queue with TRIGMPRI.
_MOST_COUNTED = 1000


def _copied(what: str) -> ClauseElement:
    """The rows of a table to copy; `what` is its name, or one of two selections of messages."""
    owner: Any = bindparam("owner")
    member, other_member, other = queue_manager.alias().c, queue_manager.alias().c, message.alias().c
    of_group = select(member.sharing_group).where(member.name == owner, member.sharing_group != BLANK)
    # Commands on objects of the group change the copies of all members.
    members = select(other_member.name).where((other_member.name == owner) | other_member.sharing_group.in_(of_group))
    owners = union_all(members, of_group)
    # Without expiry: only a scan of the queue manager itself knows which messages it would discard.
    left_out: dict[str, Any] = {"body": literal_column("x''"), "expires_at": literal_column("NULL")}
    messages = select(*(left_out.get(name, _m[name]) for name in StoredMessage._fields))
    highest = select(other.id).where(other.queue == _q.id, other.state == constant(MessageState.AVAILABLE))
    highest = highest.order_by(other.rank.desc()).limit(constant(_MOST_COUNTED)).correlate(queue)
    if what == "held":
        queues = select(_q.id).where(_q.owner.in_(owners))
        return messages.where(_m.unit.is_not(None), _m.queue.in_(queues.scalar_subquery()))
    if what == "highest":
        found = messages.select_from(queue.join(message, _m.id.in_(highest.scalar_subquery())))
        return found.where(_q.owner == owner, _q.trigger_priority > ZERO)
    table = metadata.tables[what]
    if what == "sharing_group":
        return select(table)
    if what == "handle_path":
        handles = select(handle.c.id).where(handle.c.qmgr.in_(members))
        return select(table).where(table.c.handle.in_(handles.scalar_subquery()))
    if "owner" in table.c:
        return select(table).where(table.c.owner.in_(owners))
    return select(table).where(table.c["qmgr" if "qmgr" in table.c else "name"].in_(members))


_COPIED = (
    "sharing_group queue_manager pending_refresh object queue queue_member connection handle prepared_unit "
    "channel_status running_object handle_path held highest"
).split()
_COPIES = [(each, KnownStatement(f"copied {each}", partial(_copied, each))) for each in _COPIED]


def usual_statements() -> Iterator[KnownStatement]:
    """Yield the statements of removals and copies."""
    yield from _REMOVALS
    for _, copied in _COPIES:
        yield copied


def copy(reading: Reading, tx: Transaction, owner: str) -> None:
    """Copy a queue manager into a store that does not have it."""
    for what, copied in _COPIES:
        table = "message" if what in ("held", "highest") else what
        for page in reading.pages(copied, {"owner": owner}, _PAGE):
            tx.execute_for_each(f"INSERT INTO {table} VALUES ({', '.join('?' * len(page[0]))})", page)


class ChangeRow(NamedTuple):
    """A change of a definition in the history; `detail` is JSON, keyword → [before, after]."""

    qmgr: str
    event: str
    type: str
    name: str
    detail: str | None


@rows(ChangeRow)
def changes(after: int) -> ClauseElement:
    """Return the changes of definitions after the event of that number, in order."""
    found = select(_e.qmgr, _e.kind, func.coalesce(_e.target, BLANK), func.coalesce(_e.queue, BLANK), _e.detail)
    return found.where(_e.seq > after, one_of(_e.kind, "DEFINE", "ALTER", "SET", "DELETE")).order_by(_e.seq)


@change
def lower_depth(owner: str, name: str, messages: int) -> ClauseElement:
    """Lower the depth of a queue in a copy, which does not have the messages themselves."""
    return update(queue).where(_q.owner == owner, _q.name == name).values(depth=func.max(_q.depth - messages, ZERO))
