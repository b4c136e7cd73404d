"""Copies of relations in a file of their own, in the state that one read transaction sees."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mqsc.store.error import DamagedStoreError
from mqsc.store.published import Relation
from mqsc.store.sqlite.database import Reading
from mqsc.store.sqlite.driver import sqlite_library
from mqsc.store.sqlite.driver_errors import is_database_failure, store_error_for
from mqsc.store.sqlite.files import OWNER_ONLY


def copy_relations(reading: Reading, relations: Mapping[Relation, str], file: Path) -> None:
    """Copy relations, in the state that `reading` sees, into the new file `file`, which ends that
    state.

    For each, `relations` has the SQL of the table, view or query with its rows.

    SQLite copies row by row, so the memory that this takes does not depend on their number.
    StoreError if the file cannot be written; DamagedStoreError if rows have one number twice, or
    none.
    """
    # Empty, because the journal of a database with a first page cannot be changed in a transaction.
    file.touch(OWNER_ONLY, exist_ok=False)
    connection = reading.connection
    try:
        connection.execute("ATTACH ? AS frozen", (str(file),))
        try:
            # Without a file beside it. With OFF, a full disk would leave a database that cannot be
            # rolled back.
            connection.execute("PRAGMA frozen.journal_mode = MEMORY").fetchall()
            for relation, rows in relations.items():
                connection.execute(_create(relation))
                connection.execute(_fill(relation, rows))
            connection.execute("COMMIT")
        finally:
            # A database that a transaction uses cannot be detached.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            connection.execute("DETACH frozen")
    except sqlite_library().IntegrityError as error:
        store = str(connection.execute("PRAGMA database_list").fetchone()[2])
        raise DamagedStoreError(f"{store} is damaged; restore it from a copy ({error})") from error
    except Exception as error:
        # Only the store can be damaged, not a new file.
        if is_database_failure(error, sqlite_library()) and "malformed" not in str(error):
            raise store_error_for(error, str(file)) from error
        raise


def _create(relation: Relation) -> str:
    columns = (
        f'"{column.name}" {column.type}{" PRIMARY KEY" if column.name == relation.key else ""}'
        for column in relation.columns
    )
    return f'CREATE TABLE frozen."{relation.table}" ({", ".join(columns)})'


def _fill(relation: Relation, rows: str) -> str:
    names = ", ".join(f'"{column.name}"' for column in relation.columns)
    return f'INSERT INTO frozen."{relation.table}" ({names}) SELECT {names} FROM {rows}'
