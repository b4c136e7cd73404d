"""Queue managers and queue-sharing groups: their rows, what they own, and a copy of one to try
commands on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from mqsc.store.sql.results import every_row, first_row, first_value
from mqsc.store.sql.rows import GroupRow, ManagerRow, PendingRefreshRow
from mqsc.store.sql.texts import named_statements
from mqsc.store.sqlite.database import Reading, Transaction
from mqsc.store.sqlite.queries import Queries
from mqsc.store.sqlite.statement import update_text

SQL = named_statements(__file__)
RUNNING = "RUNNING"
QUIESCING = "QUIESCING"
ENDED = "ENDED"


def by_name(tx: Queries, name: str) -> ManagerRow | None:
    """Return the queue manager, or None."""
    return first_row(ManagerRow, tx.execute(SQL["by_name"], (name,)))


# Version, run, state and manual clock.
HotColumns = tuple[int, int, str, int | None]


def read_hot_columns(tx: Queries, name: str) -> Any:
    """Return the HotColumns, which every call reads anew; None when the queue manager has been
    deleted.
    """
    return tx.execute(SQL["read_hot_columns"], (name,)).fetchone()


def has_commands(tx: Queries, name: str, queue: str) -> bool:
    """Return whether a queue manager that has not ended, and whose command server is not stopped,
    has a committed message on the queue of that name.
    """
    return tx.execute(SQL["has_commands"], (name, queue)).fetchone() is not None


def default(tx: Queries) -> ManagerRow | None:
    """Return the store's default queue manager, or None."""
    return first_row(ManagerRow, tx.execute(SQL["default"], ()))


def all(tx: Queries) -> list[ManagerRow]:
    """Return every queue manager of the store by name."""
    return every_row(ManagerRow, tx.execute(SQL["all"], ()))


def last_end(tx: Queries, name: str) -> str:
    """Return the cause of the queue manager's last END since it was created (`store.published`),
    or blank.
    """
    return first_value(str, tx.execute(SQL["last_end"], (name,)))


def add(tx: Transaction, values: Mapping[str, Any]) -> None:
    """Store a queue manager; columns that are not given have their defaults."""
    tx.insert("queue_manager", values)


def set_columns(tx: Transaction, name: str, values: Mapping[str, Any]) -> None:
    """Update columns of a queue manager's row and raise its version."""
    tx.execute(update_text("queue_manager", tuple(values), key="name"), (*values.values(), name))


def raise_versions(tx: Transaction) -> int:
    """Raise the version of every queue manager: what is kept of users, groups and authority
    records is out of date.
    """
    return tx.execute(SQL["raise_versions"], ()).rowcount


def remove(tx: Transaction, name: str) -> int:
    """Remove the row of a queue manager."""
    return tx.execute(SQL["remove"], (name,)).rowcount


class ShareInDoubt(NamedTuple):
    """How many messages of a queue units in doubt hold, and how many of these they have got."""

    queue: str
    messages: int
    got: int


def in_doubt_by_queue(tx: Queries, owner: str) -> list[ShareInDoubt]:
    """Return what units in doubt hold on the queues of a queue manager that has ended."""
    return every_row(ShareInDoubt, tx.execute(SQL["in_doubt_by_queue"], (owner,)))


def _remove_messages(tx: Transaction, owner: str) -> int:
    return tx.execute(SQL["remove_messages"], (owner,)).rowcount


# In this order: a row goes before the one by which it is found.
OWNED = (
    "queue_member",
    "handle_path",
    "handle",
    "connection",
    "queue",
    "object",
    "prepared_unit",
    "channel_status",
    "channel_fault",
    "kept_message",
    "kept_rule",
    "running_object",
    "subscription",
    "retained",
    "published_topic",
    "publisher",
)


def remove_owned(tx: Transaction, owner: str) -> int:
    """Remove everything that belongs to a queue manager except its row and its history; return
    how many messages.
    """
    messages = _remove_messages(tx, owner)
    for table in OWNED:
        tx.execute(SQL[f"remove_{table}"], (owner,))
    return messages


def group(tx: Queries) -> GroupRow | None:
    """Return the queue-sharing group of the store, with or without members; None when it has
    none.
    """
    return first_row(GroupRow, tx.execute(SQL["group"], ()))


def add_group(tx: Transaction, name: str, now: int) -> int:
    """Store a group."""
    return tx.execute(SQL["add_group"], (name, now)).rowcount


def set_expiry_owner(tx: Transaction, group: str, owner: str) -> int:
    """Store the member that scans shared queues from now on; blank for none."""
    return tx.execute(SQL["set_expiry_owner"], (group, owner)).rowcount


def expiry_owner(tx: Queries, group: str) -> str:
    """Return the member that scans the shared queues of the group; blank for none."""
    return first_value(str, tx.execute(SQL["expiry_owner"], (group,)))


def members(tx: Queries, sharing_group: str) -> list[ManagerRow]:
    """Return the members of a group by number."""
    return every_row(ManagerRow, tx.execute(SQL["members"], (sharing_group,)))


def has_unit_in_doubt(tx: Queries, group: str, qmgr: str) -> bool:
    """Return whether a unit in doubt of `qmgr` holds messages of a shared queue."""
    return tx.execute(SQL["has_unit_in_doubt"], (group, qmgr)).fetchone() is not None


def forget_handles(tx: Transaction, group: str, qmgr: str) -> int:
    """Remove the counts of handles that `qmgr`, which has ended, had on shared queues."""
    return tx.execute(SQL["forget_handles"], (group, qmgr)).rowcount


def adopt_structures(tx: Transaction, group: str, qmgr: str) -> int:
    """Make the structures that `qmgr` has defined the group's, except those whose name the group
    has.
    """
    return tx.execute(SQL["adopt_structures"], (group, qmgr)).rowcount


def add_refresh_for_members(tx: Transaction, group: str, namespace: Any, name: Any) -> int:
    """Require every member to refresh its copy of a GROUP object that was changed or deleted."""
    return tx.execute(SQL["add_refresh_for_members"], (group, namespace, name)).rowcount


def add_refresh_for_new_member(tx: Transaction, group: str, member: Any) -> int:
    """Require a member that has just joined to make a copy of every GROUP object."""
    return tx.execute(SQL["add_refresh_for_new_member"], (group, member)).rowcount


def refreshes_of_member(tx: Queries, qmgr: str) -> list[PendingRefreshRow]:
    """Return the GROUP objects that a member has to refresh."""
    return every_row(PendingRefreshRow, tx.execute(SQL["refreshes_of_member"], (qmgr,)))


def refreshes_of_object(tx: Queries, namespace: str, name: str) -> list[PendingRefreshRow]:
    """Return the members that have to refresh their copy of an object, by number."""
    return every_row(PendingRefreshRow, tx.execute(SQL["refreshes_of_object"], (namespace, name)))


def is_refresh_pending(tx: Queries, member: str, namespace: str, name: str) -> bool:
    """Return whether a member still has to refresh its copy of an object."""
    return tx.execute(SQL["is_refresh_pending"], (member, namespace, name)).fetchone() is not None


def set_refresh_reason(tx: Transaction, member: str, namespace: str, name: str, reason: int) -> int:
    """Record why the refresh of an object failed."""
    return tx.execute(SQL["set_refresh_reason"], (member, namespace, name, reason)).rowcount


def remove_refresh(tx: Transaction, qmgr: str, namespace: str, name: str) -> int:
    """Record that the member's copy agrees with the GROUP object."""
    return tx.execute(SQL["remove_refresh"], (qmgr, namespace, name)).rowcount


def remove_refreshes(tx: Transaction, qmgr: str) -> int:
    """Remove the pending refreshes of a queue manager that leaves the group."""
    return tx.execute(SQL["remove_refreshes"], (qmgr,)).rowcount


# The copy of a queue manager has the definitions, depths, handles and states of channels of it and
# of the other members of its group, and those messages that commands look at, without their data:
# messages of open units of work, which prevent CLEAR and DELETE, and messages of high priority,
# which are counted for a trigger with TRIGMPRI.
_PAGE = 500
# More than any TRIGDPTH is likely to be, and few enough to copy from every queue with TRIGMPRI.
MOST_COUNTED = 1000
# The tables whose rows are copied, and two selections of messages.
COPIED = (
    "queue_manager",
    "pending_refresh",
    "object",
    "queue",
    "queue_member",
    "connection",
    "handle",
    "prepared_unit",
    "channel_status",
    "running_object",
    "subscription",
    "handle_path",
    "held",
    "highest",
)


def copy(reading: Reading, tx: Transaction, owner: str) -> None:
    """Copy a queue manager into a store that does not have it."""
    _copy_rows(reading, tx, "sharing_group", "copied_groups", ())
    for what in COPIED:
        table = "message" if what in ("held", "highest") else what
        _copy_rows(reading, tx, table, f"copied_{what}", (owner,))


def _copy_rows(
    reading: Reading,
    tx: Transaction,
    table: str,
    statement: str,
    values: tuple[str, ...],
) -> None:
    for page in reading.pages(SQL[statement], values, _PAGE):
        tx.execute_for_each(f"INSERT INTO {table} VALUES ({', '.join('?' * len(page[0]))})", page)


class ChangeRow(NamedTuple):
    """A change of a definition in the history; `detail` is JSON, keyword → [before, after]."""

    qmgr: str
    event: str
    type: str
    name: str
    detail: str | None


def changes(tx: Queries, after: int) -> list[ChangeRow]:
    """Return the changes of definitions after the event of that number, in order."""
    return every_row(ChangeRow, tx.execute(SQL["changes"], (after,)))


def lower_depth(tx: Transaction, owner: str, name: str, messages: int) -> int:
    """Lower the depth of a queue in a copy, which does not have the messages themselves."""
    return tx.execute(SQL["lower_depth"], (owner, name, messages)).rowcount
