"""The queues of a coupling facility structure, and what their rows say of it."""

from __future__ import annotations

from typing import NamedTuple

from store.sql.clauses import ONE, PUT_IN_UNIT, READY, ZERO, literal
from store.sql.tables import handle, message, object_, queue, queue_member
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import ColumnElement, bindparam, func, or_, select, update
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


_QUEUES = (_q.owner == object_.c.owner, _q.structure == object_.c.name)


def _bytes(state: ColumnElement[bool]) -> ColumnElement[int]:
    """The data of the messages in this state; a state at a time, because the indexes of messages are by state."""
    found = select(func.coalesce(func.sum(message.c.length), ZERO)).where(
        state, message.c.queue.in_(select(_q.id).where(*_QUEUES))
    )
    return found.correlate(object_).scalar_subquery()


_STATUS = Statement(
    select(
        object_.c.name,
        select(ONE)
        .select_from(queue_member.join(queue, _q.id == queue_member.c.queue))
        .where(*_QUEUES)
        .correlate(object_)
        .exists(),
        select(func.coalesce(func.sum(_q.depth), ZERO)).where(*_QUEUES).correlate(object_).scalar_subquery(),
        _bytes(READY) + _bytes(PUT_IN_UNIT),
    )
    .where(object_.c.owner == bindparam("group"), object_.c.namespace == literal("cfstruct"))
    .order_by(object_.c.name)
)


class StructureUse(NamedTuple):
    """A structure: whether a queue of it has ever been opened, and the number and bytes of its messages."""

    name: str
    was_opened: int
    messages: int
    bytes: int


def in_use(tx: Queries, group: str) -> list[StructureUse]:
    """Return the structures of a group with what they hold, by name."""
    return [StructureUse._make(row) for row in tx.all(_STATUS, {"group": group})]


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
