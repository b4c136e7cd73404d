"""Queue managers: their state, their clock and the attributes a call must read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import bindparam, delete, insert, literal_column, select, update

from store.sql.rows import ManagerRow
from store.sql.schema import event, queue_manager
from store.sqlite.database import Queries, Transaction
from store.sqlite.statement import Statement

_m = queue_manager.c
RUNNING, QUIESCING, ENDED = "RUNNING", "QUIESCING", "ENDED"

_BY_NAME = Statement(select(queue_manager).where(_m.name == bindparam("name")))
_DEFAULT = Statement(select(queue_manager).where(_m.is_default == literal_column("1")))
_ALL = Statement(select(queue_manager).order_by(_m.name))
_DELETE = Statement(delete(queue_manager).where(_m.name == bindparam("name")))
# The literal is that of the index.
_LAST_END = Statement(
    select(event.c.cause)
    .where(event.c.qmgr == bindparam("qmgr"), literal_column("kind IN ('CREATE', 'END')"))
    .order_by(event.c.seq.desc())
    .limit(literal_column("1"))
)
_STATEMENTS: dict[tuple[str, tuple[str, ...]], Statement] = {}


def by_name(tx: Queries, name: str) -> ManagerRow | None:
    """The queue manager, or None."""
    row = tx.one(_BY_NAME, {"name": name})
    return None if row is None else ManagerRow(*row)


def default(tx: Queries) -> ManagerRow | None:
    """The store's default queue manager, or None."""
    row = tx.one(_DEFAULT)
    return None if row is None else ManagerRow(*row)


def all(tx: Queries) -> list[ManagerRow]:
    """Every queue manager of the store, by name."""
    return [ManagerRow(*row) for row in tx.all(_ALL)]


def last_end(tx: Queries, name: str) -> str:
    """The cause of the last END in the history (store/published.py) since the queue manager was created, or blank."""
    return str(tx.value(_LAST_END, {"qmgr": name}) or "")


def add(tx: Transaction, values: Mapping[str, Any]) -> None:
    """Store a queue manager; columns not given have their defaults."""
    key = ("insert", tuple(sorted(values)))
    if key not in _STATEMENTS:
        _STATEMENTS[key] = Statement(insert(queue_manager).values({name: bindparam(name) for name in key[1]}))
    tx.run(_STATEMENTS[key], values)


def set_columns(tx: Transaction, name: str, values: Mapping[str, Any]) -> None:
    """Write columns of a queue manager's row."""
    key = ("update", tuple(sorted(values)))
    if key not in _STATEMENTS:
        changes: dict[str, Any] = {column: bindparam(column) for column in key[1]}
        changes["version"] = _m.version + literal_column("1")
        _STATEMENTS[key] = Statement(update(queue_manager).where(_m.name == bindparam("manager")).values(changes))
    tx.run(_STATEMENTS[key], {**values, "manager": name})


def remove(tx: Transaction, name: str) -> None:
    """Remove a queue manager's row."""
    tx.run(_DELETE, {"name": name})
