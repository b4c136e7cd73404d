"""The queues of a coupling facility structure, and what their rows say of it."""

from __future__ import annotations

from sqlalchemy import bindparam, func, or_, select, update

from store.sql.clauses import ONE, ZERO
from store.sql.schema import handle, queue
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import Statement

_q = queue.c
_OF_STRUCTURE = (_q.owner == bindparam("group"), _q.structure == bindparam("name"))
_COUNT = Statement(select(func.count()).select_from(queue).where(*_OF_STRUCTURE))
_USED = Statement(
    select(_q.name)
    .where(*_OF_STRUCTURE, or_(_q.depth > ZERO, select(ONE).where(handle.c.queue == _q.id).exists()))
    .order_by(_q.name)
    .limit(ONE)
)
_IN_USE = Statement(
    select(ONE).where(
        _q.owner == bindparam("group"),
        _q.name == bindparam("name"),
        or_(_q.depth > ZERO, select(ONE).where(handle.c.queue == _q.id).exists()),
    )
)
_SET = Statement(
    update(queue)
    .where(*_OF_STRUCTURE)
    .values(
        structure_level=bindparam("level"),
        structure_longest=bindparam("longest"),
        structure_keeps_persistent=bindparam("persistent"),
        version=_q.version + ONE,
    )
)


def count_queues(tx: Queries, group: str, name: str) -> int:
    """Return how many queues the structure has."""
    return int(tx.value(_COUNT, {"group": group, "name": name}))


def queue_in_use(tx: Queries, group: str, name: str) -> str:
    """Return a queue of the structure that holds messages or is open; blank for none."""
    return str(tx.value(_USED, {"group": group, "name": name}) or "")


def is_in_use(tx: Queries, group: str, queue: str) -> bool:
    """Return whether a shared queue holds messages or is open."""
    return tx.one(_IN_USE, {"group": group, "name": queue}) is not None


def set_limits(tx: Transaction, group: str, name: str, level: int, longest: int, *, persistent: bool) -> None:
    """Write what the structure stores into the rows of its queues."""
    values = {"group": group, "name": name, "level": level, "longest": longest, "persistent": int(persistent)}
    tx.run(_SET, values)
