"""A copy of a queue manager in memory, on which commands can be tried: definitions, depths and handles, no messages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import BindParameter, Select, Table, bindparam, insert, literal_column, select, text

from store.database import Reading, Transaction
from store.schema import connection, handle, handle_path, message, object_, queue, queue_manager, queue_member
from store.sql import events
from store.statement import Statement

if TYPE_CHECKING:
    from store.queue_manager import QueueManager

PAGE = 500
_OWNER: BindParameter[str] = bindparam("owner")
_OWNED: tuple[tuple[Table, Select[Any]], ...] = (
    (queue_manager, select(queue_manager).where(queue_manager.c.name == _OWNER)),
    (object_, select(object_).where(object_.c.owner == _OWNER)),
    (queue, select(queue).where(queue.c.owner == _OWNER)),
    (queue_member, select(queue_member).where(queue_member.c.qmgr == _OWNER)),
    (connection, select(connection).where(connection.c.qmgr == _OWNER)),
    (handle, select(handle).where(handle.c.qmgr == _OWNER)),
    (
        handle_path,
        select(handle_path).where(
            handle_path.c.handle.in_(select(handle.c.id).where(handle.c.qmgr == _OWNER).scalar_subquery())
        ),
    ),
    # Messages of open units of work stand in the way of CLEAR and DELETE; their data does not matter.
    (
        message,
        select(*(literal_column("x''") if column.name == "body" else column for column in message.columns)).where(
            message.c.unit.is_not(None),
            message.c.queue.in_(select(queue.c.id).where(queue.c.owner == _OWNER).scalar_subquery()),
        ),
    ),
)
_EVENTS = Statement(text("SELECT seq, kind, queue, target, cause, detail FROM event WHERE seq > :after ORDER BY seq"))


class Change(NamedTuple):
    """What the history says that a command did: kind (DEFINE, ALTER, DELETE, CLEAR …), object, type, detail (JSON)."""

    kind: str
    name: str
    type: str
    cause: str | None
    detail: str | None


@contextmanager
def tried_out(qmgr: QueueManager) -> Iterator[QueueManager]:
    """The copy; it is forgotten on leaving, and the queue manager itself is not touched."""
    from store.queue_manager import QueueManager
    from store.store import Store

    with Store(None, qmgr.store.environment) as memory:
        for table, rows in _OWNED:
            _copy(qmgr, memory, table, rows)
        yield QueueManager(memory, qmgr.name)


def _copy(qmgr: QueueManager, memory: Any, table: Table, rows: Select[Any]) -> None:
    """A page at a time: no read transaction outlives one."""
    names = [column.name for column in table.columns]
    placed = Statement(insert(table).values({name: bindparam(name) for name in names}))
    paged = Statement(rows.limit(bindparam("limit")).offset(bindparam("offset")))
    offset = 0
    while True:
        with Reading(qmgr.store.database) as reading:
            page = reading.all(paged, {"owner": qmgr.name, "limit": PAGE, "offset": offset})
        if page:
            with Transaction(memory.database, durable=False) as tx:
                tx.run_all(placed, [dict(zip(names, row, strict=True)) for row in page])
        if len(page) < PAGE:
            return
        offset += PAGE


def last_change(qmgr: QueueManager) -> int:
    """The number of the last event of the copy, to ask `changes_since` with."""
    with Reading(qmgr.store.database) as reading:
        return events.bound(reading)[0]


def changes_since(qmgr: QueueManager, number: int) -> list[Change]:
    """What the commands run since then did to objects."""
    with Reading(qmgr.store.database) as reading:
        found = reading.all(_EVENTS, {"after": number})
    return [Change(kind, name or "", type or "", cause, detail) for _, kind, name, type, cause, detail in found]
