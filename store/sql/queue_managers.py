"""Queue managers: their state, their clock and the attributes that calls read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from store.sql.clauses import GOT_IN_UNIT, ONE
from store.sql.rows import ManagerRow
from store.sql.tables import (
    channel_fault,
    channel_status,
    connection,
    event,
    handle,
    handle_path,
    message,
    object_,
    prepared_unit,
    queue,
    queue_manager,
    queue_member,
)
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import bindparam, case, delete, func, literal_column, select
from store.sqlite.statement import Statement, insert_text, update_text

_m = queue_manager.c
RUNNING, QUIESCING, ENDED = "RUNNING", "QUIESCING", "ENDED"

_BY_NAME = Statement(select(queue_manager).where(_m.name == bindparam("name")), "name")
_HOT_COLUMNS = Statement(select(_m.version, _m.run, _m.state, _m.clock_at).where(_m.name == bindparam("name")), "name")
_DEFAULT = Statement(select(queue_manager).where(_m.is_default == ONE))
_ALL = Statement(select(queue_manager).order_by(_m.name))
_DELETE = Statement(delete(queue_manager).where(_m.name == bindparam("name")))
_LAST_END = Statement(
    select(event.c.cause)
    # As in the partial index.
    .where(event.c.qmgr == bindparam("qmgr"), literal_column("kind IN ('CREATE', 'END')"))
    .order_by(event.c.seq.desc())
    .limit(ONE)
)


def by_name(tx: Queries, name: str) -> ManagerRow | None:
    """Return the queue manager, or None."""
    row = tx.execute(_BY_NAME.text, (name,)).fetchone()
    return None if row is None else ManagerRow(*row)


# Version, run, state and manual clock.
HotColumns = tuple[int, int, str, int | None]


def read_hot_columns(tx: Queries, name: str) -> HotColumns | None:
    """Return the columns that every call reads anew; None when the queue manager has been deleted."""
    return tx.execute(_HOT_COLUMNS.text, (name,)).fetchone()  # type: ignore[no-any-return]


def default(tx: Queries) -> ManagerRow | None:
    """Return the store's default queue manager, or None."""
    row = tx.one(_DEFAULT)
    return None if row is None else ManagerRow(*row)


def all(tx: Queries) -> list[ManagerRow]:
    """Return every queue manager of the store by name."""
    return [ManagerRow(*row) for row in tx.all(_ALL)]


def last_end(tx: Queries, name: str) -> str:
    """Return the cause of the queue manager's last END since it was created (`store.published`), or blank."""
    return str(tx.value(_LAST_END, {"qmgr": name}) or "")


def add(tx: Transaction, values: Mapping[str, Any]) -> None:
    """Store a queue manager; columns that are not given have their defaults."""
    tx.execute(insert_text("queue_manager", tuple(values)), tuple(values.values()))


def set_columns(tx: Transaction, name: str, values: Mapping[str, Any]) -> None:
    """Update columns of a queue manager's row and raise its version."""
    tx.execute(update_text("queue_manager", tuple(values), key="name"), (*values.values(), name))


def remove(tx: Transaction, name: str) -> None:
    """Remove the row of a queue manager."""
    tx.run(_DELETE, {"name": name})


_QUEUES = select(queue.c.id).where(queue.c.owner == bindparam("owner"))
_REMOVE_MESSAGES = Statement(delete(message).where(message.c.queue.in_(_QUEUES)))
_REMOVE_OWNED = tuple(
    Statement(each)
    for each in (
        delete(queue_member).where(queue_member.c.queue.in_(_QUEUES)),
        delete(handle_path).where(
            handle_path.c.handle.in_(select(handle.c.id).where(handle.c.qmgr == bindparam("owner")))
        ),
        delete(handle).where(handle.c.qmgr == bindparam("owner")),
        delete(connection).where(connection.c.qmgr == bindparam("owner")),
        delete(queue).where(queue.c.owner == bindparam("owner")),
        delete(object_).where(object_.c.owner == bindparam("owner")),
        delete(prepared_unit).where(prepared_unit.c.qmgr == bindparam("owner")),
        delete(channel_status).where(channel_status.c.qmgr == bindparam("owner")),
        delete(channel_fault).where(channel_fault.c.qmgr == bindparam("owner")),
    )
)


_IN_DOUBT = Statement(
    select(queue.c.name, func.count(), func.count(case((GOT_IN_UNIT, ONE))))
    .select_from(message.join(queue, queue.c.id == message.c.queue))
    .where(queue.c.owner == bindparam("owner"), message.c.unit.is_not(None))
    .group_by(queue.c.name)
    .order_by(queue.c.name)
)


class ShareInDoubt(NamedTuple):
    """How many messages of a queue units in doubt hold, and how many of these they have got."""

    queue: str
    messages: int
    got: int


def in_doubt_by_queue(tx: Queries, owner: str) -> list[ShareInDoubt]:
    """Return what units in doubt hold on the queues of a queue manager that has ended."""
    return [ShareInDoubt._make(row) for row in tx.all(_IN_DOUBT, {"owner": owner})]


def remove_owned(tx: Transaction, owner: str) -> int:
    """Remove everything that belongs to a queue manager except its row and its history; return how many messages."""
    messages = tx.run(_REMOVE_MESSAGES, {"owner": owner})
    for statement in _REMOVE_OWNED:
        tx.run(statement, {"owner": owner})
    return messages
