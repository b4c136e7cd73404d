"""Queue-sharing groups: the group of the store and its members."""

from __future__ import annotations

from store.sql.clauses import ONE, literal
from store.sql.rows import GroupRow, ManagerRow
from store.sql.tables import message, object_, prepared_unit, queue, queue_manager, queue_member, sharing_group
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import bindparam, delete, insert, select, update
from store.sqlite.statement import Statement

_m = queue_manager.c

_OF_STORE = Statement(select(sharing_group).limit(ONE))
_ADD = Statement(insert(sharing_group).values(name=bindparam("name"), created_at=bindparam("created_at")))
_MEMBERS = Statement(select(queue_manager).where(_m.sharing_group == bindparam("group")).order_by(_m.member_number))
_UNIT_IN_DOUBT = Statement(
    select(ONE)
    .select_from(
        prepared_unit.join(message, message.c.unit == prepared_unit.c.number).join(queue, queue.c.id == message.c.queue)
    )
    .where(prepared_unit.c.qmgr == bindparam("qmgr"), queue.c.owner == bindparam("group"))
    .limit(ONE)
)
_SET_EXPIRY_OWNER = Statement(
    update(sharing_group)
    .where(sharing_group.c.name == bindparam("group"))
    .values(expiry_owner=bindparam("expiry_owner"))
)
_SHARED = select(queue.c.id).where(queue.c.owner == bindparam("group"))
_FORGET_HANDLES = Statement(
    delete(queue_member).where(queue_member.c.qmgr == bindparam("qmgr"), queue_member.c.queue.in_(_SHARED))
)


_o, _others = object_.c, object_.alias()
_ADOPT_STRUCTURES = Statement(
    update(object_)
    .where(
        _o.owner == bindparam("qmgr"),
        _o.namespace == literal("cfstruct"),
        _o.name.not_in(
            select(_others.c.name).where(
                _others.c.owner == bindparam("group"), _others.c.namespace == literal("cfstruct")
            )
        ),
    )
    .values(owner=bindparam("group"))
)


def of_store(tx: Queries) -> GroupRow | None:
    """Return the group, with or without members; None when the store has none."""
    row = tx.one(_OF_STORE)
    return None if row is None else GroupRow._make(row)


def add(tx: Transaction, name: str, now: int) -> None:
    """Store a group."""
    tx.run(_ADD, {"name": name, "created_at": now})


def set_expiry_owner(tx: Transaction, group: str, owner: str) -> None:
    """Store the member that scans shared queues from now on; blank for none."""
    tx.run(_SET_EXPIRY_OWNER, {"group": group, "expiry_owner": owner})


def expiry_owner(tx: Queries, group: str) -> str:
    """Return the member that scans the shared queues of the group; blank for none."""
    row = of_store(tx) if group else None
    return row.expiry_owner if row is not None and row.name == group else ""


def members(tx: Queries, group: str) -> list[ManagerRow]:
    """Return the members of a group by number."""
    return [ManagerRow(*row) for row in tx.all(_MEMBERS, {"group": group})]


def has_unit_in_doubt(tx: Queries, group: str, qmgr: str) -> bool:
    """Return whether a unit in doubt of `qmgr` holds messages of a shared queue."""
    return tx.one(_UNIT_IN_DOUBT, {"group": group, "qmgr": qmgr}) is not None


def forget_handles(tx: Transaction, group: str, qmgr: str) -> None:
    """Remove the counts of handles that `qmgr`, which has ended, had on shared queues."""
    tx.run(_FORGET_HANDLES, {"group": group, "qmgr": qmgr})


def adopt_structures(tx: Transaction, group: str, qmgr: str) -> None:
    """Make the structures that `qmgr` has defined the group's, except those whose name the group has."""
    tx.run(_ADOPT_STRUCTURES, {"group": group, "qmgr": qmgr})
