"""Processes that have the store open, their connections and open handles; users, their passwords and groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from store.sql.core import *
from store.sql.rows import ConnectionRow, HandleRow, UserAccountRow, UserGroupRow
from store.sql.statements import change, column, exists, find, find_all, for_each, removal, rows, tuples, value
from store.sqlite.database import Transaction

_c, _h, _p, _q, _o, _path, _u = connection.c, handle.c, process.c, queue.c, object_.c, handle_path.c, user_account.c
_g = user_group.c


def add_process(tx: Transaction, file: str) -> int:
    """Store a process by the name of its liveness file; return its number."""
    return tx.insert("process", {"file": file})


@tuples
def other_processes(mine: int) -> ClauseElement:
    """Return (number, file) of every process except `mine`."""
    return select(_p.id, _p.file).where(_p.id != mine)


# Remove a process, which must have no connection.
drop_process = removal("process", "id")


def add(tx: Transaction, row: Mapping[str, Any]) -> int:
    """Store a connection; return its number."""
    return tx.insert("connection", row)


drop = removal("connection", "id")

# Return the connection, or None when it was broken and removed.
by_id = find(ConnectionRow, "connection", "id")

# Return the connections of a process, oldest first.
of_process = find_all(ConnectionRow, "connection", "process", order="id")

# Return the connections to a queue manager, oldest first.
of_queue_manager = find_all(ConnectionRow, "connection", "qmgr", order="id")


@value(int)
def count(qmgr: str) -> ClauseElement:
    """Return the number of connections to a queue manager."""
    return select(func.count()).select_from(connection).where(_c.qmgr == qmgr)


@change
def _add_path(handle: int, queue: int) -> ClauseElement:
    return insert(handle_path).values(handle=handle, queue=queue)


def open_handle(tx: Transaction, row: Mapping[str, Any], path: Sequence[int]) -> int:
    """Store an open handle and the queue objects that it resolved through; return its number."""
    id = tx.insert("handle", row)
    if path:
        for_each(tx, _add_path, [(id, queue) for queue in path])
    return id


def close_handle(tx: Transaction, id: int) -> None:
    """Remove an open handle and the rows that depend on it."""
    for table, owner in (("handle", "id"), ("handle_path", "handle"), ("waiter", "handle")):
        tx.execute(f"DELETE FROM {table} WHERE {owner} = ?", (id,))


# Return the open handle, or None when it was closed, by its program or by recovery.
handle_by_id = find(HandleRow, "handle", "id")

# Return the open handles of a connection, oldest first.
handles_of_connection = find_all(HandleRow, "handle", "connection", order="id")


@value(int)
def count_handles_of(id: int) -> ClauseElement:
    """Return the number of open handles of a connection."""
    return select(func.count()).select_from(handle).where(_h.connection == id)


# Return the handles that put to or get from a local queue, oldest first.
handles_on_queue = find_all(HandleRow, "handle", "queue", order="id")


@exists
def _is_resolved_through(queue: int) -> ClauseElement:
    return select(ONE).select_from(handle_path).where(_path.queue == queue).limit(ONE)


def is_in_use(tx: Transaction, queue: int) -> bool:
    """Return whether a handle is open on the queue object or resolved through it."""
    return bool(handles_on_queue(tx, queue)) or _is_resolved_through(tx, queue)


@change
def _set_state(id: int, state: str) -> ClauseElement:
    return update(connection).where(_c.id == id).values(consumption=state)


@change
def _set_handle_state(id: int, state: str) -> ClauseElement:
    return update(handle).where(_h.id == id).values(consumption=state)


def set_consumption(tx: Transaction, id: int, state: str | None, handles: Mapping[int, str]) -> None:
    """Store the state of a connection, unless that is None, and those of its handles by their numbers."""
    if state is not None:
        _set_state(tx, id, state)
    for_each(tx, _set_handle_state, handles.items())


class OpenHandle(NamedTuple):
    """An open handle with its program; `file` is the liveness file of the process, blank for a store in memory, and
    `disposition` QSGDISP of the queue, blank for another object.
    """

    id: int
    queue_name: str
    object_name: str
    object_type: str
    options: int
    exclusive: int
    connection: int
    application: str
    user: str
    file: str
    disposition: str
    # Of the handle, and of its connection.
    consumption: str
    connection_consumption: str


def _open_handles() -> Select[Any]:
    found = select(
        _h.id, func.coalesce(_q.name, BLANK), _h.object_name, _h.object_type, _h.options, _h.exclusive, _h.connection,
        _c.application, _c.user, func.coalesce(_p.file, BLANK), func.coalesce(_o.disposition, BLANK), _h.consumption,
        _c.consumption,
    )  # fmt: skip
    return found.select_from(
        handle.join(connection, _c.id == _h.connection)
        .outerjoin(queue, _q.id == _h.queue)
        .outerjoin(object_, (_o.owner == _q.owner) & (_o.namespace == constant("queue")) & (_o.name == _q.name))
        .outerjoin(process, _p.id == _c.process)
    )


@rows(OpenHandle)
def handles_page(owner: str, low: str, high: str, after: int, limit: int, qmgr: str) -> ClauseElement:
    """Return up to `limit` handles of `qmgr` on local queues by queue name: at least `low`, below `high`.

    On the queue `low` itself, only handles with a greater number than `after`. A handle that was opened through an
    alias or a remote definition belongs to the local queue that it resolved to.
    """
    found = _open_handles().where(
        _q.owner == owner,
        _h.qmgr == qmgr,
        _q.type == constant("QLOCAL"),
        _q.name >= low,
        _q.name < high,
        or_(_q.name > low, _h.id > after),
    )
    return found.order_by(_q.name, _h.id).limit(limit)


@rows(OpenHandle)
def handles_of(connection: int) -> ClauseElement:
    """Return the open handles of a connection, oldest first."""
    return _open_handles().where(_h.connection == connection).order_by(_h.id)


class InputHandle(NamedTuple):
    """A handle that is open for input, with its queue manager and program."""

    qmgr: str
    exclusive: int
    connection: int
    application: str
    user: str
    file: str


@rows(InputHandle)
def input_handles_on(queue: int) -> ClauseElement:
    """Return the handles of all queue managers that are open for input on a queue, oldest first."""
    found = select(_h.qmgr, _h.exclusive, _h.connection, _c.application, _c.user, func.coalesce(_p.file, BLANK))
    found = found.select_from(handle.join(connection, _c.id == _h.connection).outerjoin(process, _p.id == _c.process))
    return found.where(_h.queue == queue, _h.input == ONE).order_by(_h.id)


class ConnectionStatusRow(NamedTuple):
    """A connection; `file` is the liveness file of its process, blank for a store in memory."""

    id: int
    application: str
    user: str
    file: str
    consumption: str


@rows(ConnectionStatusRow)
def connections_page(qmgr: str, low: int, high: int, limit: int) -> ClauseElement:
    """Return up to `limit` connections to a queue manager by number: at least `low`, below `high`."""
    found = select(_c.id, _c.application, _c.user, func.coalesce(_p.file, BLANK), _c.consumption)
    found = found.select_from(connection.outerjoin(process, _p.id == _c.process))
    return found.where(_c.qmgr == qmgr, _c.id >= low, _c.id < high).order_by(_c.id).limit(limit)


# Return a user of the store, or None.
user = find(UserAccountRow, "user_account", "name")


@exists
def any_users() -> ClauseElement:
    """Return whether the store has a user."""
    return select(ONE).where(select(user_account).exists())


@exists
def any_users_or_groups() -> ClauseElement:
    """Return whether the store has a user or a group."""
    return select(ONE).where(or_(select(user_account).exists(), select(user_group).exists()))


# Return the users by name.
users = find_all(UserAccountRow, "user_account", order="name")


def write_user(tx: Transaction, row: UserAccountRow) -> None:
    """Add a user, or replace the row of an existing one."""
    tx.replace("user_account", row)


# Remove a user.
remove_user = removal("user_account", "name")

# Return the members of every group, by user and group.
groups = find_all(UserGroupRow, "user_group", order="user name")


@column(str)
def groups_of(user: str) -> ClauseElement:
    """Return the names of the groups that a user is in."""
    return select(_g.name).where(_g.user == user).order_by(_g.name)


def add_to_group(tx: Transaction, user: str, name: str) -> None:
    """Make a user a member of a group, if it is not one."""
    tx.replace("user_group", UserGroupRow(user, name))


# Take a user out of a group; return 0 if it is no member.
remove_from_group = removal("user_group", "user", "name")
