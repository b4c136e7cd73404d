"""The users of the store, whose passwords CONNAUTH checks."""

from __future__ import annotations

from store.sql.clauses import ONE
from store.sql.rows import UserAccountRow
from store.sql.tables import user_account
from store.sqlite.database import Queries, Transaction
from store.sqlite.expressions import bindparam, delete, insert, select
from store.sqlite.statement import Statement

_NAMED = user_account.c.name == bindparam("name")
_BY_NAME = Statement(select(user_account).where(_NAMED))
_ANY = Statement(select(ONE).where(select(user_account).exists()))
_ALL = Statement(select(user_account).order_by(user_account.c.name))
_SET = Statement(
    insert(user_account).prefix_with("OR REPLACE").values({name: bindparam(name) for name in UserAccountRow._fields})
)
_REMOVE = Statement(delete(user_account).where(_NAMED))


def by_name(tx: Queries, name: str) -> UserAccountRow | None:
    row = tx.one(_BY_NAME, {"name": name})
    return None if row is None else UserAccountRow._make(row)


def any_exist(tx: Queries) -> bool:
    """Return whether the store has a user."""
    return tx.one(_ANY) is not None


def all_of_store(tx: Queries) -> list[UserAccountRow]:
    """Return the users by name."""
    return [UserAccountRow._make(row) for row in tx.all(_ALL)]


def write(tx: Transaction, row: UserAccountRow) -> None:
    """Add a user, or replace what is kept of one."""
    tx.run(_SET, row._asdict())


def remove(tx: Transaction, name: str) -> None:
    """Remove a user."""
    tx.run(_REMOVE, {"name": name})
