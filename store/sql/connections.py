"""Processes that have the store open, their connections and open handles; users, their passwords
and groups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mqsc.store.sql.results import every_row, first_column, first_row, first_value
from mqsc.store.sql.rows import ConnectionRow, HandleRow, UserAccountRow, UserGroupRow
from mqsc.store.sql.texts import named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)


def add_process(tx: Transaction, file: str) -> int:
    """Store a process by the name of its liveness file; return its number."""
    return tx.insert("process", {"file": file})


def other_processes(tx: Queries, mine: int) -> list[Any]:
    """Return (number, file) of every process except `mine`."""
    return tx.execute(SQL["other_processes"], (mine,)).fetchall()


def drop_process(tx: Transaction, id: int) -> int:
    """Remove a process, which must have no connection."""
    return tx.execute(SQL["drop_process"], (id,)).rowcount


def add(tx: Transaction, row: Mapping[str, Any]) -> int:
    """Store a connection; return its number."""
    return tx.insert("connection", row)


def drop(tx: Transaction, id: int) -> int:
    return tx.execute(SQL["drop"], (id,)).rowcount


def by_id(tx: Queries, id: int) -> ConnectionRow | None:
    """Return the connection, or None when it was broken and removed."""
    return first_row(ConnectionRow, tx.execute(SQL["by_id"], (id,)))


def of_process(tx: Queries, process: int) -> list[ConnectionRow]:
    """Return the connections of a process, oldest first."""
    return every_row(ConnectionRow, tx.execute(SQL["of_process"], (process,)))


def of_queue_manager(tx: Queries, qmgr: str) -> list[ConnectionRow]:
    """Return the connections to a queue manager, oldest first."""
    return every_row(ConnectionRow, tx.execute(SQL["of_queue_manager"], (qmgr,)))


def on_channels(tx: Queries, qmgr: str) -> list[ConnectionRow]:
    """Return the connections of clients that named a channel, oldest first."""
    return every_row(ConnectionRow, tx.execute(SQL["on_channels"], (qmgr,)))


def count(tx: Queries, qmgr: str) -> int:
    """Return the number of connections to a queue manager."""
    return first_value(int, tx.execute(SQL["count"], (qmgr,)))


def _add_path(tx: Transaction, handle: int, queue: int) -> int:
    return tx.execute(SQL["add_path"], (handle, queue)).rowcount


def open_handle(tx: Transaction, row: Mapping[str, Any], path: Sequence[int]) -> int:
    """Store an open handle and the queue objects that it resolved through; return its number."""
    id = tx.insert("handle", row)
    if path:
        tx.execute_for_each(SQL["add_path"], [(id, queue) for queue in path])
    return id


def close_handle(tx: Transaction, id: int) -> None:
    """Remove an open handle and the rows that depend on it."""
    for table, owner in (("handle", "id"), ("handle_path", "handle"), ("waiter", "handle")):
        tx.execute(f"DELETE FROM {table} WHERE {owner} = ?", (id,))


def handle_by_id(tx: Queries, id: int) -> HandleRow | None:
    """Return the open handle, or None when it was closed, by its program or by recovery."""
    return first_row(HandleRow, tx.execute(SQL["handle_by_id"], (id,)))


def handles_of_connection(tx: Queries, connection: int) -> list[HandleRow]:
    """Return the open handles of a connection, oldest first."""
    return every_row(HandleRow, tx.execute(SQL["handles_of_connection"], (connection,)))


def count_handles_of(tx: Queries, id: int) -> int:
    """Return the number of open handles of a connection."""
    return first_value(int, tx.execute(SQL["count_handles_of"], (id,)))


def handles_on_queue(tx: Queries, queue: int) -> list[HandleRow]:
    """Return the handles that put to or get from a local queue, oldest first."""
    return every_row(HandleRow, tx.execute(SQL["handles_on_queue"], (queue,)))


def _is_resolved_through(tx: Queries, queue: int) -> bool:
    return tx.execute(SQL["is_resolved_through"], (queue,)).fetchone() is not None


def is_in_use(tx: Transaction, queue: int) -> bool:
    """Return whether a handle is open on the queue object or resolved through it."""
    return bool(handles_on_queue(tx, queue)) or _is_resolved_through(tx, queue)


def _set_state(tx: Transaction, id: int, state: str) -> int:
    return tx.execute(SQL["set_state"], (id, state)).rowcount


def _set_handle_state(tx: Transaction, id: int, state: str) -> int:
    return tx.execute(SQL["set_handle_state"], (id, state)).rowcount


def set_consumption(
    tx: Transaction,
    id: int,
    state: str | None,
    handles: Mapping[int, str],
) -> None:
    """Store the state of a connection, unless that is None, and those of its handles by their
    numbers.
    """
    if state is not None:
        _set_state(tx, id, state)
    tx.execute_for_each(SQL["set_handle_state"], handles.items())


class OpenHandle(NamedTuple):
    """An open handle with its program; `file` is the liveness file of the process, blank for a
    store in memory, and `disposition` QSGDISP of the queue, blank for another object. `channel` and
    `address` are those of a client.
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
    channel: str
    address: str


def handles_page(
    tx: Queries,
    owner: str,
    low: str,
    high: str,
    after: int,
    limit: int,
    qmgr: str,
) -> list[OpenHandle]:
    """Return up to `limit` handles of `qmgr` on local queues by queue name: at least `low`, below
    `high`.

    On the queue `low` itself, only handles with a greater number than `after`. A handle that was
    opened through an alias or a remote definition belongs to the local queue that it resolved to.
    """
    return every_row(
        OpenHandle,
        tx.execute(SQL["handles_page"], (owner, low, high, after, limit, qmgr)),
    )


def handles_of(tx: Queries, connection: int) -> list[OpenHandle]:
    """Return the open handles of a connection, oldest first."""
    return every_row(OpenHandle, tx.execute(SQL["handles_of"], (connection,)))


class InputHandle(NamedTuple):
    """A handle that is open for input, with its queue manager and program."""

    qmgr: str
    exclusive: int
    connection: int
    application: str
    user: str
    file: str


def input_handles_on(tx: Queries, queue: int) -> list[InputHandle]:
    """Return the handles of all queue managers that are open for input on a queue, oldest first."""
    return every_row(InputHandle, tx.execute(SQL["input_handles_on"], (queue,)))


class ConnectionStatusRow(NamedTuple):
    """A connection; `file` is the liveness file of its process, blank for a store in memory, and
    `channel` and `address` are those of a client.
    """

    id: int
    application: str
    user: str
    file: str
    consumption: str
    channel: str
    address: str


def connections_page(
    tx: Queries,
    qmgr: str,
    low: int,
    high: int,
    limit: int,
) -> list[ConnectionStatusRow]:
    """Return up to `limit` connections to a queue manager by number: at least `low`, below
    `high`.
    """
    return every_row(
        ConnectionStatusRow,
        tx.execute(SQL["connections_page"], (qmgr, low, high, limit)),
    )


def user(tx: Queries, name: str) -> UserAccountRow | None:
    """Return a user of the store, or None."""
    return first_row(UserAccountRow, tx.execute(SQL["user"], (name,)))


def any_users(tx: Queries) -> bool:
    """Return whether the store has a user."""
    return tx.execute(SQL["any_users"], ()).fetchone() is not None


def any_users_or_groups(tx: Queries) -> bool:
    """Return whether the store has a user or a group."""
    return tx.execute(SQL["any_users_or_groups"], ()).fetchone() is not None


def users(tx: Queries) -> list[UserAccountRow]:
    """Return the users by name."""
    return every_row(UserAccountRow, tx.execute(SQL["users"], ()))


def write_user(tx: Transaction, row: UserAccountRow) -> None:
    """Add a user, or replace the row of an existing one."""
    tx.replace("user_account", row)


def remove_user(tx: Transaction, name: str) -> int:
    """Remove a user."""
    return tx.execute(SQL["remove_user"], (name,)).rowcount


def groups(tx: Queries) -> list[UserGroupRow]:
    """Return the members of every group, by user and group."""
    return every_row(UserGroupRow, tx.execute(SQL["groups"], ()))


def groups_of(tx: Queries, user: str) -> list[str]:
    """Return the names of the groups that a user is in."""
    return first_column(tx.execute(SQL["groups_of"], (user,)))


def add_to_group(tx: Transaction, user: str, name: str) -> None:
    """Make a user a member of a group, if it is not one."""
    tx.replace("user_group", UserGroupRow(user, name))


def remove_from_group(tx: Transaction, user: str, name: str) -> int:
    """Take a user out of a group; return 0 if it is no member."""
    return tx.execute(SQL["remove_from_group"], (user, name)).rowcount
