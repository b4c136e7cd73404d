"""The listeners and services that were started and not stopped since."""

from __future__ import annotations

from mqsc.store.sql.results import every_row, first_row
from mqsc.store.sql.rows import RunningObjectRow
from mqsc.store.sql.texts import named_statements
from mqsc.store.sqlite.database import Transaction
from mqsc.store.sqlite.queries import Queries

SQL = named_statements(__file__)


def by_name(tx: Queries, qmgr: str, type: str, name: str) -> RunningObjectRow | None:
    """Return the row of an object that was started, or None."""
    return first_row(RunningObjectRow, tx.execute(SQL["by_name"], (qmgr, type, name)))


def of_kind(tx: Queries, qmgr: str, type: str) -> list[RunningObjectRow]:
    """Return the objects of a kind that were started, by name."""
    return every_row(RunningObjectRow, tx.execute(SQL["of_kind"], (qmgr, type)))


def remove(tx: Transaction, qmgr: str, type: str, name: str) -> int:
    """Note that an object was stopped."""
    return tx.execute(SQL["remove"], (qmgr, type, name)).rowcount


def remove_all(tx: Transaction, qmgr: str) -> int:
    """Note that all objects of a queue manager have ended."""
    return tx.execute(SQL["remove_all"], (qmgr,)).rowcount


def add(tx: Transaction, qmgr: str, type: str, name: str, now: int) -> int:
    """Note that an object was started."""
    return tx.execute(SQL["add"], (qmgr, type, name, now)).rowcount


def add_automatic(tx: Transaction, qmgr: str, now: int) -> int:
    """Note the start of the listeners and servers that start with their queue manager; return
    how many there are.
    """
    return tx.execute(SQL["add_automatic"], (qmgr, now)).rowcount
