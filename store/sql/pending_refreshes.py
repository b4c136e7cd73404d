"""Changes of the GROUP objects of a queue-sharing group that the copies of members do not have yet."""

from __future__ import annotations

from store.sql.clauses import ZERO, literal
from store.sql.rows import PendingRefreshRow
from store.sql.tables import object_, pending_refresh, queue_manager
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import bindparam, delete, literal_column, select, sqlite_insert, update
from store.sqlite.statement import Statement

_p = pending_refresh.c
_COLUMNS = ["qmgr", "namespace", "name", "reason"]
_OF_MEMBER = (_p.qmgr == bindparam("member"),)
_ONE = (*_OF_MEMBER, _p.namespace == bindparam("namespace"), _p.name == bindparam("name"))
_FOR_ALL_MEMBERS = Statement(
    sqlite_insert(pending_refresh)
    .from_select(
        _COLUMNS,
        select(
            queue_manager.c.name,
            bindparam("namespace", type_=_p.namespace.type),
            bindparam("name", type_=_p.name.type),
            ZERO,
        ).where(queue_manager.c.sharing_group == bindparam("group")),
    )
    .prefix_with("OR REPLACE")
)
_FOR_NEW_MEMBER = Statement(
    sqlite_insert(pending_refresh).from_select(
        _COLUMNS,
        select(bindparam("member", type_=_p.qmgr.type), object_.c.namespace, object_.c.name, ZERO).where(
            object_.c.owner == bindparam("group"), object_.c.disposition == literal("GROUP")
        ),
    )
)
_OF_QUEUE_MANAGER = Statement(select(pending_refresh).where(*_OF_MEMBER).order_by(_p.namespace, _p.name))
_OF_OBJECT = Statement(
    select(pending_refresh)
    .select_from(pending_refresh.join(queue_manager, queue_manager.c.name == _p.qmgr))
    .where(_p.namespace == bindparam("namespace"), _p.name == bindparam("name"))
    .order_by(literal_column("queue_manager.member_number"))
)
_FIND = Statement(select(pending_refresh).where(*_ONE))
_FAILED = Statement(update(pending_refresh).where(*_ONE).values(reason=bindparam("why")))
_DONE = Statement(delete(pending_refresh).where(*_ONE))
_FORGET = Statement(delete(pending_refresh).where(*_OF_MEMBER))


def add_for_members(tx: Transaction, group: str, namespace: str, name: str) -> None:
    """The GROUP object changed or went: every member has to refresh its copy."""
    tx.run(_FOR_ALL_MEMBERS, {"group": group, "namespace": namespace, "name": name})


def add_for_new_member(tx: Transaction, group: str, member: str) -> None:
    """A member that has just joined has to make a copy of every GROUP object."""
    tx.run(_FOR_NEW_MEMBER, {"group": group, "member": member})


def of_member(tx: Queries, member: str) -> list[PendingRefreshRow]:
    """Return what a member has to refresh."""
    return [PendingRefreshRow._make(row) for row in tx.all(_OF_QUEUE_MANAGER, {"member": member})]


def of_object(tx: Queries, namespace: str, name: str) -> list[PendingRefreshRow]:
    """Return the members that have to refresh their copy of an object, by number."""
    return [PendingRefreshRow._make(row) for row in tx.all(_OF_OBJECT, {"namespace": namespace, "name": name})]


def is_pending(tx: Queries, row: PendingRefreshRow) -> bool:
    """Return whether the refresh is still to be done."""
    return tx.one(_FIND, _key(row)) is not None


def failed(tx: Transaction, row: PendingRefreshRow, reason: int) -> None:
    """Record why the refresh failed."""
    tx.run(_FAILED, {**_key(row), "why": reason})


def done(tx: Transaction, row: PendingRefreshRow) -> None:
    """The member's copy is like the GROUP object now."""
    tx.run(_DONE, _key(row))


def forget(tx: Transaction, member: str) -> None:
    """Drop what a queue manager that leaves the group had to refresh."""
    tx.run(_FORGET, {"member": member})


def _key(row: PendingRefreshRow) -> dict[str, str]:
    return {"member": row.qmgr, "namespace": row.namespace, "name": row.name}
