"""Upgrades of stores that an earlier version made: one file for each schema number.

A step states what changed in its own terms, which never change afterwards. `store.sql.schema` describes a new store; a
test compares the two results. Alembic is imported only here, so only a program that upgrades pays for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from alembic.migration import MigrationContext
from alembic.operations import Operations

from store.sqlite.migrations import version_2

if TYPE_CHECKING:
    from store.sqlite.database import Transaction

# By the number that the store has afterwards.
STEPS: Mapping[int, Callable[[Operations], None]] = {2: version_2.upgrade}


class _Statements:
    """What Alembic writes instead of executing it: each text goes to the transaction as it comes."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx

    def write(self, text: str) -> None:
        self._tx.script([text])

    def flush(self) -> None:
        """Nothing is kept back."""


def upgrade(tx: Transaction, version: int) -> int:
    """Take the steps that a store of that version lacks, inside the caller's transaction; the version it has then."""
    # Alembic writes text, for the transaction is the driver's and not one of SQLAlchemy's connections.
    context = MigrationContext.configure(
        dialect_name="sqlite", opts={"as_sql": True, "output_buffer": _Statements(tx), "transactional_ddl": True}
    )
    operations = Operations(context)
    for number in sorted(STEPS):
        if number > version:
            STEPS[number](operations)
            version = number
    tx.script([f"PRAGMA user_version = {version}"])
    return version
