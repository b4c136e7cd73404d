"""The tables of a store: created in a new file, upgraded in an old one; a file of another kind is refused."""

from __future__ import annotations

from sqlalchemy import text
from sqlalchemy.schema import CreateIndex, CreateTable

from store.error import StoreError
from store.published import PENDING_VIEW
from store.sql import connections
from store.sql.schema import APPLICATION_ID, SCHEMA_VERSION, metadata
from store.sqlite import liveness
from store.sqlite.database import Reading, Transaction
from store.sqlite.database_file import Database
from store.sqlite.statement import Statement

_ANYTHING = Statement(text("SELECT count(*) FROM sqlite_master"))


def prepare(database: Database) -> None:
    """Create the tables in a new file; refuse a file that is something else or of a newer version."""
    with Reading(database) as reading:
        version, application = reading.pragma("user_version"), reading.pragma("application_id")
    if version and application != APPLICATION_ID:
        raise StoreError(f"{database.path} is an SQLite database of something else, not a store")
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{database.path} was written by a newer version of mqsc (its schema is {version}, this one knows "
            f"{SCHEMA_VERSION}); upgrade mqsc to use it"
        )
    if version < SCHEMA_VERSION:
        with Transaction(database, durable=True) as tx:
            version = tx.pragma("user_version")
            if version == 0:
                _create_tables(tx, database)
            elif version < SCHEMA_VERSION:
                _upgrade(tx, database, version)


def _upgrade(tx: Transaction, database: Database, version: int) -> None:
    from store.sqlite import migrations  # loads Alembic, which takes 0.1 s

    folder = liveness.folder_beside(database.path or "")
    if any(not liveness.is_dead(folder, file) for _, file in connections.other_processes(tx, mine=0)):
        raise StoreError(
            f"{database.path} was written by an older version of mqsc, and programs of that version are using it; end "
            "them, then it is upgraded"
        )
    migrations.upgrade(tx, version)


def _create_tables(tx: Transaction, database: Database) -> None:
    if tx.value(_ANYTHING):
        raise StoreError(f"{database.path} is an SQLite database of something else, not a store")
    for table in metadata.sorted_tables:
        tx.script([Statement(CreateTable(table)).text])
        indexes = sorted(table.indexes, key=lambda each: str(each.name))
        tx.script(Statement(CreateIndex(index)).text for index in indexes)
    tx.script(
        (
            PENDING_VIEW,
            f"PRAGMA user_version = {SCHEMA_VERSION}",
            f"PRAGMA application_id = {APPLICATION_ID}",
        )
    )
