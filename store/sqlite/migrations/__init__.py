"""Upgrades stores of earlier versions: one step for each number of the schema, all in `versions`.

A step is never changed once released. `store/sql/core/schema.py` describes a new store; a test
compares the two results. Only this package imports Alembic, so only a program that upgrades a store
pays for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from alembic.migration import MigrationContext
from alembic.operations import Operations

from mqsc.store.sqlite.migrations import versions

if TYPE_CHECKING:
    from mqsc.store.sqlite.database import Transaction

# By the number of the schema after the step.
STEPS: Mapping[int, Callable[[Operations], None]] = {
    int(name.removeprefix("to_version_")): step
    for name, step in vars(versions).items()
    if name.startswith("to_version_")
}


class _Statements:
    """The output of Alembic, which executes each statement in the transaction at once."""

    def __init__(self, tx: Transaction) -> None:
        self._tx = tx

    def write(self, text: str) -> None:
        self._tx.script([text])

    def flush(self) -> None:
        """Do nothing: Alembic calls it, but nothing is buffered."""


def upgrade(tx: Transaction, version: int) -> int:
    """Execute the steps after `version` in the caller's transaction; return the new version."""
    # Alembic writes SQL text, because the transaction is the driver's and not a connection of
    # SQLAlchemy's.
    context = MigrationContext.configure(
        dialect_name="sqlite",
        opts={"as_sql": True, "output_buffer": _Statements(tx), "transactional_ddl": True},
    )
    operations = Operations(context)
    for number in sorted(STEPS):
        if number > version:
            STEPS[number](operations)
            version = number
    tx.script([f"PRAGMA user_version = {version}"])
    return version
